// RUN: iree-opt --flow-convert-scalars %s | FileCheck-22 %s
// The counter is a number of the host; what the device computes stays a tensor.
// CHECK-LABEL: @f
// CHECK:         scf.while (%[[I:.+]] = %{{.+}}, %[[V:.+]] = %{{.+}}) : (i32, tensor<f32>) -> (i32, tensor<f32>) {
// CHECK:           %[[N:.+]] = tensor.extract %{{.+}}[] : tensor<i32>
// CHECK:           %[[C:.+]] = arith.cmpi slt, %[[I]], %[[N]] : i32
// CHECK:           scf.condition(%[[C]]) %[[I]], %[[V]]
// CHECK:           arith.addi %{{.+}}, %{{.+}} : i32
// CHECK:           linalg.generic
// CHECK:             math.exp
#map = affine_map<() -> ()>
util.func public @f(%b: !hal.buffer_view, %x: tensor<f32>) -> tensor<f32> {
  %n = hal.tensor.import %b "input0" : !hal.buffer_view -> tensor<i32>
  %c0 = arith.constant dense<0> : tensor<i32>
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %c0, %v = %x) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) {
    %e = tensor.empty() : tensor<i1>
    %p = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%i, %n : tensor<i32>, tensor<i32>) outs(%e : tensor<i1>) {
    ^bb0(%s: i32, %t: i32, %o: i1):
      %q = arith.cmpi slt, %s, %t : i32
      linalg.yield %q : i1
    } -> tensor<i1>
    %go = tensor.extract %p[] : tensor<i1>
    scf.condition(%go) %i, %v : tensor<i32>, tensor<f32>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<f32>):
    %e = tensor.empty() : tensor<i32>
    %j = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%i : tensor<i32>) outs(%e : tensor<i32>) {
    ^bb0(%s: i32, %o: i32):
      %q = arith.addi %s, %c1 : i32
      linalg.yield %q : i32
    } -> tensor<i32>
    %g = tensor.empty() : tensor<f32>
    %w = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%v : tensor<f32>) outs(%g : tensor<f32>) {
    ^bb0(%s: f32, %o: f32):
      %q = math.exp %s : f32
      linalg.yield %q : f32
    } -> tensor<f32>
    scf.yield %j, %w : tensor<i32>, tensor<f32>
  }
  util.return %r#1 : tensor<f32>
}
