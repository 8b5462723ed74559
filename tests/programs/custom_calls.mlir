// Custom calls by name that have a meaning everywhere.
func.func @topk(%a: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%a) {mhlo.attributes = {k = 3 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}
func.func @least(%a: tensor<5xui8>) -> (tensor<3xui8>, tensor<3xi32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%a) {mhlo.attributes = {k = 3 : i64, largest = false}} : (tensor<5xui8>) -> (tensor<3xui8>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xui8>, tensor<3xi32>
}
func.func @dyn(%a: tensor<?x5xf32>, %k: tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%a, %k) : (tensor<?x5xf32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xi32>
}
func.func @perm(%a: tensor<2x3xi32>) -> tensor<2x5xi32> {
  %0 = stablehlo.custom_call @cu_lu_pivots_to_permutation(%a) : (tensor<2x3xi32>) -> tensor<2x5xi32>
  return %0 : tensor<2x5xi32>
}
func.func @threefry(%a: tensor<3xui32>, %b: tensor<3xui32>, %c: tensor<3xui32>, %d: tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>) {
  %0:2 = stablehlo.custom_call @cu_threefry2x32_ffi(%a,%b,%c,%d) : (tensor<3xui32>,tensor<3xui32>,tensor<3xui32>,tensor<3xui32>) -> (tensor<3xui32>,tensor<3xui32>)
  return %0#0, %0#1 : tensor<3xui32>, tensor<3xui32>
}
func.func @ids(%a: tensor<3xf32>, %b: tensor<2xf32>) -> (tensor<3xf32>, tensor<2xf32>) {
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{replicated}"} : (tensor<3xf32>) -> tensor<3xf32>
  %1:2 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0, %b) : (tensor<3xf32>, tensor<2xf32>) -> (tensor<3xf32>, tensor<2xf32>)
  stablehlo.custom_call @xla.sdy.ShardingGroup(%1#0) {has_side_effect = true} : (tensor<3xf32>) -> ()
  return %1#0, %1#1 : tensor<3xf32>, tensor<2xf32>
}
