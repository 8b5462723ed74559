// RUN: iree-opt --codegen-schedule-executables %s | FileCheck-22 %s
#target = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "x86-64-v3", target_triple = "x86_64-unknown-unknown-eabi-elf"}>
#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>

// A chain is one loop over whole vectors; nothing is kept in between. Small work is one workgroup.
// CHECK-LABEL: hal.executable private @chain
// CHECK: %[[ONE:.+]] = arith.constant 1 : index
// CHECK: hal.return %[[ONE]], %[[ONE]], %[[ONE]]
// CHECK: scf.for
// CHECK-NEXT: vector.load {{.*}} memref<128xf32>, vector<16xf32>
// CHECK-NEXT: vector.load
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.maximumf
// CHECK-NEXT: vector.store
// CHECK-NOT: scf.for
hal.executable private @chain {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @chain ordinal(0) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @chain() {
        %c0 = arith.constant 0 : index
        %b0 = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>>
        %b1 = hal.interface.binding.subspan layout(#layout) binding(1) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>>
        %b2 = hal.interface.binding.subspan layout(#layout) binding(2) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        %t0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0], sizes = [128], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>> -> tensor<128xf32>
        %t1 = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0], sizes = [128], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>> -> tensor<128xf32>
        %zero = arith.constant 0.0 : f32
        %e = tensor.empty() : tensor<128xf32>
        %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t0, %t1 : tensor<128xf32>, tensor<128xf32>) outs(%e : tensor<128xf32>) {
        ^bb0(%x: f32, %y: f32, %o: f32):
          %1 = arith.addf %x, %y : f32
          %2 = arith.mulf %1, %y : f32
          %3 = arith.maximumf %2, %zero : f32
          linalg.yield %3 : f32
        } -> tensor<128xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %b2, offsets = [0], sizes = [128], strides = [1] : tensor<128xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        return
      }
    }
  }
}

// A contraction computes neighbouring rows side by side: one vector of the right side serves them all.
// CHECK-LABEL: hal.executable private @product
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>
// CHECK-COUNT-1: vector.load
// CHECK-NOT: vector.load
// CHECK: scf.yield
hal.executable private @product {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @product ordinal(0) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @product() {
        %c0 = arith.constant 0 : index
        %b0 = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x40xf32>>
        %b1 = hal.interface.binding.subspan layout(#layout) binding(1) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x48xf32>>
        %b2 = hal.interface.binding.subspan layout(#layout) binding(2) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x48xf32>>
        %t0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [64, 40], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x40xf32>> -> tensor<64x40xf32>
        %t1 = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [40, 48], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x48xf32>> -> tensor<40x48xf32>
        %zero = arith.constant 0.0 : f32
        %e = tensor.empty() : tensor<64x48xf32>
        %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
        %r = linalg.matmul ins(%t0, %t1 : tensor<64x40xf32>, tensor<40x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %b2, offsets = [0, 0], sizes = [64, 48], strides = [1, 1] : tensor<64x48xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x48xf32>>
        return
      }
    }
  }
}

// Softmax: per row a maximum, a sum, and the quotients; maximum and sum over lanes.
// CHECK-LABEL: hal.executable private @softmax
// CHECK: scf.for
// CHECK: scf.for {{.*}} -> (vector<
// CHECK: arith.maximumf
// CHECK: vector.reduction<maximumf>
// CHECK: scf.for {{.*}} -> (vector<
// CHECK: math.exp
// CHECK: vector.reduction<add>
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: vector.store
hal.executable private @softmax {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @softmax ordinal(0) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @softmax() {
        %c0 = arith.constant 0 : index
        %b0 = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x100xf32>>
        %b2 = hal.interface.binding.subspan layout(#layout) binding(2) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32x100xf32>>
        %t0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [32, 100], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x100xf32>> -> tensor<32x100xf32>
        %e = tensor.empty() : tensor<32x100xf32>
        %r = linalg.softmax dimension(1) ins(%t0 : tensor<32x100xf32>) outs(%e : tensor<32x100xf32>) -> tensor<32x100xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %b2, offsets = [0, 0], sizes = [32, 100], strides = [1, 1] : tensor<32x100xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32x100xf32>>
        return
      }
    }
  }
}

// The parts of a concatenation are stored one by one, each with its own loops.
// CHECK-LABEL: hal.executable private @concat
// CHECK-COUNT-2: vector.store
// CHECK-NOT: arith.select
hal.executable private @concat {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @concat ordinal(0) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @concat() {
        %c0 = arith.constant 0 : index
        %b0 = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x16xf32>>
        %b1 = hal.interface.binding.subspan layout(#layout) binding(1) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x16xf32>>
        %b2 = hal.interface.binding.subspan layout(#layout) binding(2) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x16xf32>>
        %t0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [3, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x16xf32>> -> tensor<3x16xf32>
        %t1 = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [5, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x16xf32>> -> tensor<5x16xf32>
        %r = tensor.concat dim(0) %t0, %t1 : (tensor<3x16xf32>, tensor<5x16xf32>) -> tensor<8x16xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %b2, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : tensor<8x16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x16xf32>>
        return
      }
    }
  }
}

// Extents known at run time: the host divides the workload, the kernel its share; a scalar loop ends it.
// CHECK-LABEL: hal.executable private @dynamic
// CHECK: count(%{{.*}}: !hal.device, %[[N:.+]]: index)
// CHECK: arith.addi %[[N]]
// CHECK: arith.divui
// CHECK: hal.interface.workgroup.count[0]
// CHECK: scf.for
// CHECK: vector.store
// CHECK: scf.for
// CHECK: memref.store
hal.executable private @dynamic {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @dynamic ordinal(0) layout(#layout) count(%device: !hal.device, %w0: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%w0)
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @dynamic() {
        %c0 = arith.constant 0 : index
        %n32 = hal.interface.constant.load layout(#layout) ordinal(0) : i32
        %n64 = arith.index_castui %n32 : i32 to index
        %n = iree_tensor_ext.dispatch.workload.ordinal %n64, 0 : index
        %b0 = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%n}
        %b2 = hal.interface.binding.subspan layout(#layout) binding(2) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%n}
        %t0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0], sizes = [%n], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%n} -> tensor<?xf32>
        %r = math.exp %t0 : tensor<?xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %b2, offsets = [0], sizes = [%n], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%n}
        return
      }
    }
  }
}

// Dimensions that everything walks together are one loop.
// CHECK-LABEL: hal.executable private @collapse
// CHECK: scf.for
// CHECK-NEXT: vector.load {{.*}} memref<384xf32>, vector<16xf32>
// CHECK-NEXT: math.exp
// CHECK-NOT: scf.for
hal.executable private @collapse {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @collapse ordinal(0) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @collapse() {
        %c0 = arith.constant 0 : index
        %b0 = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x3xf32>>
        %b1 = hal.interface.binding.subspan layout(#layout) binding(2) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x3xf32>>
        %t0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [128, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x3xf32>> -> tensor<128x3xf32>
        %e = tensor.empty() : tensor<128x3xf32>
        %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t0 : tensor<128x3xf32>) outs(%e : tensor<128x3xf32>) {
        ^bb0(%x: f32, %o: f32):
          %1 = math.exp %x : f32
          linalg.yield %1 : f32
        } -> tensor<128x3xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %b1, offsets = [0, 0], sizes = [128, 3], strides = [1, 1] : tensor<128x3xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x3xf32>>
        return
      }
    }
  }
}

// Integers that share a byte are stored one after the other, each into its half.
// CHECK-LABEL: hal.executable private @packed
// CHECK: memref<32xi8>
// CHECK: scf.for
// CHECK: arith.shrui {{.*}} : i8
// CHECK: arith.trunci {{.*}} : i8 to i4
// CHECK: arith.addi {{.*}} : i4
// CHECK: arith.shli {{.*}} : i8
// CHECK: memref.store {{.*}} memref<32xi8>
// CHECK-NOT: vector.store
hal.executable private @packed {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @packed ordinal(0) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @packed() {
        %c0 = arith.constant 0 : index
        %b0 = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xi4>>
        %b1 = hal.interface.binding.subspan layout(#layout) binding(2) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64xi4>>
        %t0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0], sizes = [64], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xi4>> -> tensor<64xi4>
        %r = arith.addi %t0, %t0 : tensor<64xi4>
        iree_tensor_ext.dispatch.tensor.store %r, %b1, offsets = [0], sizes = [64], strides = [1] : tensor<64xi4> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64xi4>>
        return
      }
    }
  }
}

// Complex elements are pairs: their parts are loaded, computed and stored by themselves.
// CHECK-LABEL: hal.executable private @complex
// CHECK: memref<128xf32>
// CHECK: scf.for
// CHECK-COUNT-2: vector.gather
// CHECK-COUNT-4: arith.mulf
// CHECK-COUNT-2: vector.scatter
hal.executable private @complex {
  hal.executable.variant public @v target(#target) {
    hal.executable.export public @complex ordinal(0) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @complex() {
        %c0 = arith.constant 0 : index
        %b0 = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xcomplex<f32>>>
        %b1 = hal.interface.binding.subspan layout(#layout) binding(2) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64xcomplex<f32>>>
        %t0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0], sizes = [64], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xcomplex<f32>>> -> tensor<64xcomplex<f32>>
        %r = complex.mul %t0, %t0 : tensor<64xcomplex<f32>>
        iree_tensor_ext.dispatch.tensor.store %r, %b1, offsets = [0], sizes = [64], strides = [1] : tensor<64xcomplex<f32>> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64xcomplex<f32>>>
        return
      }
    }
  }
}
