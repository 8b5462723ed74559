// A kernel that calls a function of a plugin on each of its workgroups, then code of the compiler's.
module @plugged {
  stream.executable private @calls {
    stream.executable.export public @scale workgroups(%workload: index) -> (index, index, index) {
      %x = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%workload]
      %c1 = arith.constant 1 : index
      stream.return %x, %c1, %c1 : index, index, index
    }
    builtin.module {
      func.func private @scale_workgroup(%source: memref<f32>, %source_offset: index, %target: memref<f32>,
                                         %target_offset: index, %count: index, %group: index)
          attributes {hal.import.fields = ["processor_id"], llvm.bareptr = true}
      func.func @scale(%source: !stream.binding, %target: !stream.binding, %count: index) {
        %c0 = arith.constant 0 : index
        %group = stream.dispatch.workgroup.id[0] : index
        %0 = stream.binding.subspan %source[%c0] : !stream.binding -> memref<?xf32>{%count}
        %1 = stream.binding.subspan %target[%c0] : !stream.binding -> memref<?xf32>{%count}
        %b0, %o0, %n0, %s0 = iree_codegen.extract_strided_metadata %0 : memref<?xf32> -> memref<f32>, index, index, index
        %b1, %o1, %n1, %s1 = iree_codegen.extract_strided_metadata %1 : memref<?xf32> -> memref<f32>, index, index, index
        func.call @scale_workgroup(%b0, %o0, %b1, %o1, %count, %group)
            : (memref<f32>, index, memref<f32>, index, index, index) -> ()
        return
      }
    }
  }
  func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %x, %c0 : tensor<?xf32>
    %0 = flow.dispatch @calls::@scale[%n](%x, %n) : (tensor<?xf32>{%n}, index) -> tensor<?xf32>{%n}
    %1 = arith.addf %0, %x : tensor<?xf32>
    return %1 : tensor<?xf32>
  }
}
