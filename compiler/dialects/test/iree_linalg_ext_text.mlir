// Texts of iree_linalg_ext ops: what is printed parses to the same again, in both forms.
// RUN: iree-opt %s > %t.1 && iree-opt %t.1 | diff %t.1 -
// RUN: iree-opt --mlir-print-op-generic %s | iree-opt | diff %t.1 -
util.func public @f(%a: tensor<4x9xf32>, %k: tensor<12xi32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>, %o: tensor<6xf32>, %s: tensor<9xf32>) -> tensor<4x9xf32> {
  %c1 = arith.constant 1 : index
  %w = arith.constant dense<1.0> : tensor<1xf32>
  %e = tensor.empty() : tensor<4x9xf32>
  %0:2 = iree_linalg_ext.scan dimension(0) inclusive(true) ins(%a : tensor<4x9xf32>) outs(%e, %s : tensor<4x9xf32>, tensor<9xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    iree_linalg_ext.yield %z : f32
  } -> tensor<4x9xf32>, tensor<9xf32>
  %1:2 = iree_linalg_ext.sort dimension(0) outs(%k, %k : tensor<12xi32>, tensor<12xi32>) {
  ^bb0(%x: i32, %y: i32, %p: i32, %q: i32):
    %z = arith.cmpi slt, %x, %y : i32
    iree_linalg_ext.yield %z : i1
  } -> tensor<12xi32>, tensor<12xi32>
  %2 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%u, %i : tensor<2xf32>, tensor<2x1xi32>) outs(%o : tensor<6xf32>) {
  ^bb0(%x: f32, %y: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<6xf32>
  %3 = tensor.empty() : tensor<2xf32>
  %4 = tensor.empty() : tensor<2xi32>
  %5:2 = iree_linalg_ext.topk dimension(0) ins(%o : tensor<6xf32>) outs(%3, %4 : tensor<2xf32>, tensor<2xi32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.cmpf oge, %x, %y : f32
    iree_linalg_ext.yield %z : i1
  } -> tensor<2xf32>, tensor<2xi32>
  %6:2 = iree_linalg_ext.fft ins(%c1, %w, %w : index, tensor<1xf32>, tensor<1xf32>) outs(%e, %e : tensor<4x9xf32>, tensor<4x9xf32>) : tensor<4x9xf32>, tensor<4x9xf32>
  util.return %0#0 : tensor<4x9xf32>
}
