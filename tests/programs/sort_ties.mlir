// Pairs by key, descending: equal keys keep the order of their values.
func.func @pairs(%k: tensor<150xi8>, %v: tensor<150xi32>) -> (tensor<150xi8>, tensor<150xi32>) {
  %0:2 = "stablehlo.sort"(%k, %v) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<150xi8>, tensor<150xi32>) -> (tensor<150xi8>, tensor<150xi32>)
  return %0#0, %0#1 : tensor<150xi8>, tensor<150xi32>
}
func.func @ties(%a: tensor<400xi16>) -> (tensor<7xi16>, tensor<7xi32>) {
  %0:2 = chlo.top_k(%a, k = 7) : tensor<400xi16> -> (tensor<7xi16>, tensor<7xi32>)
  return %0#0, %0#1 : tensor<7xi16>, tensor<7xi32>
}
// An order that says nothing of NaN: it goes last, in order.
func.func @nan(%a: tensor<70xf32>, %v: tensor<70xi32>) -> tensor<70xi32> {
  %0:2 = "stablehlo.sort"(%a, %v) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %1 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<70xf32>, tensor<70xi32>) -> (tensor<70xf32>, tensor<70xi32>)
  return %0#1 : tensor<70xi32>
}
