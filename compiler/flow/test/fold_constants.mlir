// RUN: iree-opt --flow-fold-constants %s | FileCheck-22 %s
// RUN: iree-opt --flow-fold-constants --iree-opt-const-eval=false %s | FileCheck-22 %s --check-prefix=KEPT
#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: @transpose
// CHECK:         dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
// KEPT-LABEL:  @transpose
// KEPT:          linalg.generic
util.func public @transpose() -> tensor<3x2xi32> {
  %c = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %e = tensor.empty() : tensor<3x2xi32>
  %0 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<2x3xi32>) outs(%e : tensor<3x2xi32>) {
  ^bb0(%x: i32, %o: i32):
    linalg.yield %x : i32
  } -> tensor<3x2xi32>
  util.return %0 : tensor<3x2xi32>
}
// 8-bit sums wrap; the initial value counts.
// CHECK-LABEL: @sum
// CHECK:         dense<[-126, 7]> : tensor<2xi8>
util.func public @sum() -> tensor<2xi8> {
  %c = arith.constant dense<[[100, 29], [1, 5]]> : tensor<2x2xi8>
  %one = arith.constant 1 : i8
  %e = tensor.empty() : tensor<2xi8>
  %f = linalg.fill ins(%one : i8) outs(%e : tensor<2xi8>) -> tensor<2xi8>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<2x2xi8>) outs(%f : tensor<2xi8>) {
  ^bb0(%x: i8, %o: i8):
    %y = arith.addi %x, %o : i8
    linalg.yield %y : i8
  } -> tensor<2xi8>
  util.return %0 : tensor<2xi8>
}
// Each format rounds once, by itself; a product by name.
// CHECK-LABEL: @product
// CHECK:         dense<{{\[\[}}7.000000e+00, 1.000000e+01], [1.500000e+01, 2.200000e+01]]> : tensor<2x2xf32>
util.func public @product() -> tensor<2x2xf32> {
  %c = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = linalg.matmul ins(%c, %c : tensor<2x2xf32>, tensor<2x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  util.return %0 : tensor<2x2xf32>
}
// CHECK-LABEL: @slices
// CHECK:         dense<[9, 2, 9, 4]> : tensor<4xi32>
util.func public @slices() -> tensor<4xi32> {
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %n = arith.constant dense<9> : tensor<2xi32>
  %0 = tensor.insert_slice %n into %c[0] [2] [2] : tensor<2xi32> into tensor<4xi32>
  util.return %0 : tensor<4xi32>
}
// What is not defined, or grows, is left to run.
// CHECK-LABEL: @left
// CHECK:         arith.divsi
// CHECK:         linalg.broadcast
util.func public @left() -> (tensor<2x2xi32>, tensor<2x200xi32>) {
  %c = arith.constant dense<[[1, 0], [2, 3]]> : tensor<2x2xi32>
  %b = arith.constant dense<[1, 2]> : tensor<2xi32>
  %e = tensor.empty() : tensor<2x2xi32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<2x2xi32>) outs(%e : tensor<2x2xi32>) {
  ^bb0(%x: i32, %o: i32):
    %y = arith.divsi %x, %x : i32
    linalg.yield %y : i32
  } -> tensor<2x2xi32>
  %g = tensor.empty() : tensor<2x200xi32>
  %1 = linalg.broadcast ins(%b : tensor<2xi32>) outs(%g : tensor<2x200xi32>) dimensions = [1]
  util.return %0, %1 : tensor<2x2xi32>, tensor<2x200xi32>
}
