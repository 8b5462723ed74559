// Pairs by key, descending.
func.func @pairs(%k: tensor<150xi16>, %v: tensor<150xi32>) -> (tensor<150xi16>, tensor<150xi32>) {
  %0:2 = "stablehlo.sort"(%k, %v) ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<150xi16>, tensor<150xi32>) -> (tensor<150xi16>, tensor<150xi32>)
  return %0#0, %0#1 : tensor<150xi16>, tensor<150xi32>
}
// Along the outer dimension, in the order of all floats: NaN with its sign, -0 before 0.
func.func @columns(%a: tensor<70x2xf32>) -> tensor<70x2xf32> {
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<70x2xf32>) -> tensor<70x2xf32>
  return %0 : tensor<70x2xf32>
}
