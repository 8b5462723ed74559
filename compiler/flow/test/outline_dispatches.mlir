// RUN: iree-opt --flow-outline-dispatches %s | FileCheck-22 %s
// RUN: iree-opt --flow-outline-dispatches --flow-fold-executables %s | FileCheck-22 %s --check-prefix=FOLD
// CHECK:       flow.executable private @f_dispatch_0 {
// CHECK-NEXT:    flow.executable.export public @f_dispatch_0_elementwise_D_f32 workgroups(%[[W:.+]]: index) -> (index, index, index) {
// CHECK:         func.func @f_dispatch_0_elementwise_D_f32(%[[A:.+]]: {{.+}}, %[[I:.+]]: index, %[[R:.+]]: {{.+}}) {
// CHECK-NEXT:      %[[N:.+]] = iree_tensor_ext.dispatch.workload.ordinal %[[I]], 0 : index
// CHECK-DAG:       flow.dispatch.tie_shape %[[A]] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%[[N]]}
// CHECK-DAG:       flow.dispatch.tie_shape %[[R]] : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%[[N]]}
// CHECK:           func.return
// CHECK:       flow.executable private @f_dispatch_1 {
// CHECK:       util.func public @f(%[[X:.+]]: tensor<?xf32>, %[[M:.+]]: index)
// CHECK-NEXT:    %[[Y:.+]] = flow.dispatch @f_dispatch_0::@f_dispatch_0_elementwise_D_f32[%[[M]]]{{ ?}}(%[[X]], %[[M]]) : (tensor<?xf32>{%[[M]]}, index) -> tensor<?xf32>{%[[M]]}
// CHECK-NEXT:    flow.dispatch @f_dispatch_1::@f_dispatch_1_elementwise_D_f32[%[[M]]]{{ ?}}(%[[Y]], %[[M]])
// FOLD-NOT:    @f_dispatch_1
// FOLD:        flow.dispatch @f_dispatch_0::@f_dispatch_0_elementwise_D_f32
// FOLD-NEXT:   flow.dispatch @f_dispatch_0::@f_dispatch_0_elementwise_D_f32
#map = affine_map<(d0) -> (d0)>
util.func public @f(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = flow.dispatch.workgroups[%n](%a, %n) : (tensor<?xf32>{%n}, index) -> tensor<?xf32>{%n} =
      (%x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %i: index, %y: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>) {
    %d = iree_tensor_ext.dispatch.workload.ordinal %i, 0 : index
    %l = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [%d], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%d} -> tensor<?xf32>
    %e = tensor.empty(%d) : tensor<?xf32>
    %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%l : tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb0(%p: f32, %o: f32):
      %q = arith.addf %p, %p : f32
      linalg.yield %q : f32
    } -> tensor<?xf32>
    iree_tensor_ext.dispatch.tensor.store %r, %y, offsets = [0], sizes = [%d], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%d}
    flow.return
  } count(%w: index) -> (index, index, index) {
    %cx, %cy, %cz = iree_tensor_ext.dispatch.workgroup_count_from_slice(%w)
    flow.return %cx, %cy, %cz : index, index, index
  }
  %1 = flow.dispatch.workgroups[%n](%0, %n) : (tensor<?xf32>{%n}, index) -> tensor<?xf32>{%n} =
      (%x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %i: index, %y: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>) {
    %d = iree_tensor_ext.dispatch.workload.ordinal %i, 0 : index
    %l = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [%d], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%d} -> tensor<?xf32>
    %e = tensor.empty(%d) : tensor<?xf32>
    %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%l : tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb0(%p: f32, %o: f32):
      %q = arith.addf %p, %p : f32
      linalg.yield %q : f32
    } -> tensor<?xf32>
    iree_tensor_ext.dispatch.tensor.store %r, %y, offsets = [0], sizes = [%d], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%d}
    flow.return
  } count(%w: index) -> (index, index, index) {
    %cx, %cy, %cz = iree_tensor_ext.dispatch.workgroup_count_from_slice(%w)
    flow.return %cx, %cy, %cz : index, index, index
  }
  util.return %1 : tensor<?xf32>
}
