// RUN: iree-opt --flow-convert-shape-arithmetic %s | FileCheck-22 %s
// CHECK-LABEL: @host
// CHECK-SAME:    (%[[A:.+]]: i32, %[[B:.+]]: i32)
// CHECK-NOT:     linalg.generic
// CHECK-DAG:     %[[S:.+]] = arith.muli %[[A]], %[[A]]
// CHECK-DAG:     %[[T:.+]] = arith.muli %[[B]], %[[B]]
// CHECK:         util.return %[[S]], %[[T]]
#map = affine_map<(d0) -> (d0)>
util.func public @host(%a: i32, %b: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tensor.from_elements %a, %b : tensor<2xi32>
  %e = tensor.empty() : tensor<2xi32>
  %w = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%v : tensor<2xi32>) outs(%e : tensor<2xi32>) {
  ^bb0(%x: i32, %o: i32):
    %y = arith.muli %x, %x : i32
    linalg.yield %y : i32
  } -> tensor<2xi32>
  %s = tensor.extract %w[%c0] : tensor<2xi32>
  %t = tensor.extract %w[%c1] : tensor<2xi32>
  util.return %s, %t : i32, i32
}

// What the host does not read stays a kernel's.
// CHECK-LABEL: @kernel
// CHECK:         linalg.generic
util.func public @kernel(%a: i32, %b: i32) -> tensor<2xi32> {
  %v = tensor.from_elements %a, %b : tensor<2xi32>
  %e = tensor.empty() : tensor<2xi32>
  %w = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%v : tensor<2xi32>) outs(%e : tensor<2xi32>) {
  ^bb0(%x: i32, %o: i32):
    %y = arith.muli %x, %x : i32
    linalg.yield %y : i32
  } -> tensor<2xi32>
  util.return %w : tensor<2xi32>
}
