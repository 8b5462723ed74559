// RUN: iree-opt --flow-form-dispatches %s | FileCheck-22 %s
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
// A matrix product, its bias and relu are one dispatch; the initial value is made inside.
// CHECK-LABEL: @layer
// CHECK:         flow.dispatch.workgroups(%{{.+}}, %{{.+}}, %{{.+}}) : (tensor<2x8xf32>, tensor<8x6xf32>, tensor<6xf32>) -> tensor<2x6xf32> =
// CHECK:           linalg.fill
// CHECK:           linalg.matmul
// CHECK:           linalg.generic
// CHECK:           iree_tensor_ext.dispatch.tensor.store
// CHECK:           flow.return
// CHECK:         } count() -> (index, index, index) {
// CHECK-NOT:     flow.dispatch.workgroups
// CHECK:         util.return
util.func public @layer(%x: tensor<2x8xf32>, %w: tensor<8x6xf32>, %b: tensor<6xf32>) -> tensor<2x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6xf32>) -> tensor<2x6xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<2x8xf32>, tensor<8x6xf32>) outs(%f : tensor<2x6xf32>) -> tensor<2x6xf32>
  %1 = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %b : tensor<2x6xf32>, tensor<6xf32>) outs(%e : tensor<2x6xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x6xf32>
  util.return %1 : tensor<2x6xf32>
}
// Row by row: sum, then divide by it. The row count is the workload.
// CHECK-LABEL: @normalize
// CHECK:         flow.dispatch.workgroups[%[[N:.+]]](%{{.+}}, %[[N]]) : (tensor<?x16xf32>{%[[N]]}, index) -> tensor<?x16xf32>{%[[N]]} =
// CHECK:           %[[D:.+]] = iree_tensor_ext.dispatch.workload.ordinal %{{.+}}, 0 : index
// CHECK:           iree_tensor_ext.dispatch.tensor.load %{{.+}}, offsets = [0, 0], sizes = [%[[D]], 16], strides = [1, 1]
// CHECK:           linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK:           linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK:         } count(%{{.+}}: index) -> (index, index, index) {
// CHECK-NOT:     flow.dispatch.workgroups
// CHECK:         util.return
util.func public @normalize(%n: index, %v: !hal.buffer_view) -> tensor<?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %x = hal.tensor.import %v "input0" : !hal.buffer_view -> tensor<?x16xf32>{%n}
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x16xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %g = tensor.empty(%n) : tensor<?x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<?x16xf32>, tensor<?xf32>) outs(%g : tensor<?x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.divf %p, %q : f32
    linalg.yield %t : f32
  } -> tensor<?x16xf32>
  util.return %r : tensor<?x16xf32>
}
// A slice of an operand is a smaller load.
// CHECK-LABEL: @slice
// CHECK:         flow.dispatch.workgroups(%{{.+}}) : (tensor<8x8xf32>) -> tensor<4x2xf32> =
// CHECK-NEXT:      (%[[A:.+]]: {{.+}}, %{{.+}}: {{.+}}) {
// CHECK-NEXT:      iree_tensor_ext.dispatch.tensor.load %[[A]], offsets = [1, 0], sizes = [4, 2], strides = [1, 3]
util.func public @slice(%a: tensor<8x8xf32>) -> tensor<4x2xf32> {
  %s = tensor.extract_slice %a[1, 0] [4, 2] [1, 3] : tensor<8x8xf32> to tensor<4x2xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<4x2xf32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%p: f32, %o: f32):
    %t = arith.negf %p : f32
    linalg.yield %t : f32
  } -> tensor<4x2xf32>
  util.return %r : tensor<4x2xf32>
}
// A sum over many elements is not taken again for each column of what reads all of them.
// CHECK-LABEL: @pooled
// CHECK:         flow.dispatch.workgroups{{.*}} -> tensor<64xf32>
// CHECK:         flow.dispatch.workgroups{{.*}} -> tensor<12xf32>
#all = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (d0)>
#second = affine_map<(d0, d1) -> (d1)>
util.func public @pooled(%x: tensor<64x125xf32>, %w: tensor<12x64xf32>) -> tensor<12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#all, #first], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x125xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %g = tensor.empty() : tensor<12xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<12xf32>) -> tensor<12xf32>
  %r = linalg.generic {indexing_maps = [#second, #all, #first], iterator_types = ["parallel", "reduction"]} ins(%s, %w : tensor<64xf32>, tensor<12x64xf32>) outs(%h : tensor<12xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.mulf %p, %q : f32
    %u = arith.addf %o, %t : f32
    linalg.yield %u : f32
  } -> tensor<12xf32>
  util.return %r : tensor<12xf32>
}
