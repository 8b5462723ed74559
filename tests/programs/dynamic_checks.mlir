// What a program leaves open is compared when it runs; here all of it fits.
func.func @broadcast(%a: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @slices(%a: tensor<?xf32>, %i: tensor<i32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<?xf32>, tensor<i32>) -> tensor<2xf32>
  %1 = stablehlo.slice %a [1:3] : (tensor<?xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
func.func @select(%a: tensor<?x2xf32>, %i: tensor<?xi32>) -> tensor<?x2xf32> {
  %0 = "stablehlo.torch_index_select"(%a, %i) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<?x2xf32>, tensor<?xi32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
func.func @cut(%a: tensor<?xf32>, %v: tensor<f32>) -> tensor<?xf32> {
  %0 = stablehlo.pad %a, %v, low = [-1], high = [1], interior = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
