// CHLO's implicit broadcasts where extents are known at run time only, and what is made from shapes.
func.func @add(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @less(%a: tensor<?x1xi32>, %b: tensor<1x?xi32>) -> tensor<?x?xi1> {
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<?x1xi32>, tensor<1x?xi32>) -> tensor<?x?xi1>
  return %0 : tensor<?x?xi1>
}
func.func @to_static(%a: tensor<?xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = chlo.broadcast_subtract %a, %b : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @like(%a: tensor<?x2xi32>) -> tensor<?x2xf32> {
  %0 = "chlo.constant_like"(%a) {value = 3.5 : f32} : (tensor<?x2xi32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
func.func @norm(%x: tensor<?x2xf32>, %s: tensor<2xf32>, %o: tensor<2xf32>) -> (tensor<?x2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<?x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<?x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1, %0#2 : tensor<?x2xf32>, tensor<2xf32>, tensor<2xf32>
}
