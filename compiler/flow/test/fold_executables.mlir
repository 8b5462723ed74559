// RUN: iree-opt --flow-fold-executables %s | FileCheck-22 %s
// Three kernels that differ in the elements of a constant are one, which reads them from a binding; what differs in
// something else stays apart, and so does the constant that all have in common.
// CHECK:       flow.executable private @a {
// CHECK:         func.func @a_f(%[[X:.+]]: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %[[C:.+]]: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %[[Y:.+]]: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>)
// CHECK:           arith.constant dense<[9.{{.*}}, 8.{{.*}}, 7.{{.*}}, 6.{{.*}}]>
// CHECK:           iree_tensor_ext.dispatch.tensor.load %[[C]]
// CHECK-NOT:   flow.executable private @b
// CHECK-NOT:   flow.executable private @c
// CHECK:       flow.executable private @d {
// CHECK:       util.func public @f
// CHECK:         %[[A:.+]] = arith.constant dense<[1.{{.*}}, 2.{{.*}}, 3.{{.*}}, 4.{{.*}}]>
// CHECK-NEXT:    %[[R0:.+]] = flow.dispatch @a::@a_f(%{{.+}}, %[[A]])
// CHECK-NEXT:    %[[B:.+]] = arith.constant dense<[5.{{.*}}, 2.{{.*}}, 3.{{.*}}, 4.{{.*}}]>
// CHECK-NEXT:    flow.dispatch @a::@a_f(%[[R0]], %[[B]])
// CHECK:         flow.dispatch @a::@a_f
// CHECK-NEXT:    flow.dispatch @d::@d_f(%{{[0-9]+}}) :
#map = affine_map<(d0) -> (d0)>
flow.executable private @a {
  flow.executable.export public @a_f workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
    func.func @a_f(%x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %y: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
      %k = arith.constant dense<[9.0, 8.0, 7.0, 6.0]> : tensor<4xf32>
      %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
      %l = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
      %e = tensor.empty() : tensor<4xf32>
      %r = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%l, %c, %k : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32, %s: f32, %o: f32):
        %t = arith.addf %p, %q : f32
        %u = arith.mulf %t, %s : f32
        linalg.yield %u : f32
      } -> tensor<4xf32>
      iree_tensor_ext.dispatch.tensor.store %r, %y, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
      func.return
    }
  }
}
flow.executable private @b {
  flow.executable.export public @b_f workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
    func.func @b_f(%x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %y: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
      %k = arith.constant dense<[9.0, 8.0, 7.0, 6.0]> : tensor<4xf32>
      %c = arith.constant dense<[5.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
      %l = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
      %e = tensor.empty() : tensor<4xf32>
      %r = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%l, %c, %k : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32, %s: f32, %o: f32):
        %t = arith.addf %p, %q : f32
        %u = arith.mulf %t, %s : f32
        linalg.yield %u : f32
      } -> tensor<4xf32>
      iree_tensor_ext.dispatch.tensor.store %r, %y, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
      func.return
    }
  }
}
flow.executable private @c {
  flow.executable.export public @c_f workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
    func.func @c_f(%x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %y: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
      %k = arith.constant dense<[9.0, 8.0, 7.0, 6.0]> : tensor<4xf32>
      %c = arith.constant dense<[6.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
      %l = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
      %e = tensor.empty() : tensor<4xf32>
      %r = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%l, %c, %k : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32, %s: f32, %o: f32):
        %t = arith.addf %p, %q : f32
        %u = arith.mulf %t, %s : f32
        linalg.yield %u : f32
      } -> tensor<4xf32>
      iree_tensor_ext.dispatch.tensor.store %r, %y, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
      func.return
    }
  }
}
flow.executable private @d {
  flow.executable.export public @d_f workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
    func.func @d_f(%x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %y: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
      %k = arith.constant dense<[9.0, 8.0, 7.0, 6.0]> : tensor<4xf32>
      %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
      %l = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
      %e = tensor.empty() : tensor<4xf32>
      %r = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%l, %c, %k : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32, %s: f32, %o: f32):
        %t = arith.subf %p, %q : f32
        %u = arith.mulf %t, %s : f32
        linalg.yield %u : f32
      } -> tensor<4xf32>
      iree_tensor_ext.dispatch.tensor.store %r, %y, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
      func.return
    }
  }
}
util.func public @f(%0: tensor<4xf32>) -> tensor<4xf32> {
  %1 = flow.dispatch @a::@a_f(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = flow.dispatch @b::@b_f(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = flow.dispatch @c::@c_f(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = flow.dispatch @d::@d_f(%3) : (tensor<4xf32>) -> tensor<4xf32>
  util.return %4 : tensor<4xf32>
}
