// RUN: iree-opt --stream-convert-executables %s | FileCheck-22 %s

// Bindings come first; an index travels as two words; i1 tensors are bytes in memory.
// CHECK:       stream.executable private @x {
// CHECK:         stream.executable.export public @f workgroups(%[[W:.+]]: index) -> (index, index, index)
// CHECK:           stream.return
// CHECK:         func.func @f(%[[A:.+]]: !stream.binding {stream.alignment = 64 : index}, %[[R:.+]]: !stream.binding {stream.alignment = 64 : index}, %[[LO:.+]]: i32, %[[HI:.+]]: i32)
// CHECK-DAG:       %[[LO64:.+]] = arith.extui %[[LO]] : i32 to i64
// CHECK-DAG:       %[[HI64:.+]] = arith.extui %[[HI]] : i32 to i64
// CHECK:           %[[HIGH:.+]] = arith.shli %[[HI64]]
// CHECK:           %[[BOTH:.+]] = arith.ori %[[LO64]], %[[HIGH]] : i64
// CHECK:           %[[N:.+]] = arith.index_castui %[[BOTH]] : i64 to index
// CHECK:           %[[D:.+]] = iree_tensor_ext.dispatch.workload.ordinal %[[N]], 0 : index
// CHECK:           %[[IN:.+]] = stream.binding.subspan %[[A]][%{{.+}}] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%[[D]]}
// CHECK:           %[[T:.+]] = iree_tensor_ext.dispatch.tensor.load %[[IN]]
// CHECK:           %[[BYTES:.+]] = arith.extui %{{.+}} : tensor<?xi1> to tensor<?xi8>
// CHECK:           iree_tensor_ext.dispatch.tensor.store %[[BYTES]], %{{.+}} : tensor<?xi8> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xi8>>
flow.executable private @x {
  flow.executable.export public @f workgroups(%w: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%w)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
    func.func @f(%n: index, %a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %r: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xi1>>) {
      %d = iree_tensor_ext.dispatch.workload.ordinal %n, 0 : index
      %at = flow.dispatch.tie_shape %a : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%d}
      %rt = flow.dispatch.tie_shape %r : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xi1>>{%d}
      %t = iree_tensor_ext.dispatch.tensor.load %at, offsets = [0], sizes = [%d], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%d} -> tensor<?xf32>
      %p = arith.cmpf ogt, %t, %t : tensor<?xf32>
      iree_tensor_ext.dispatch.tensor.store %p, %rt, offsets = [0], sizes = [%d], strides = [1] : tensor<?xi1> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xi1>>{%d}
      return
    }
  }
}
