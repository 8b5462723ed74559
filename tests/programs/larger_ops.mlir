// Larger ops: upper halves of products, products of ragged groups, scans, and more.
func.func @mulhi(%a: tensor<3xi8>, %b: tensor<3xi8>, %c: tensor<3xi64>, %d: tensor<3xi64>) -> (tensor<3xi8>, tensor<3xi64>) {
  %0 = chlo.mulhi %a, %b : tensor<3xi8>, tensor<3xi8> -> tensor<3xi8>
  %1 = chlo.mulhi %c, %d : tensor<3xi64>, tensor<3xi64> -> tensor<3xi64>
  return %0, %1 : tensor<3xi8>, tensor<3xi64>
}
func.func @ragged(%a: tensor<5x2xf32>, %b: tensor<2x2x3xf32>, %sizes: tensor<2xi32>) -> tensor<5x3xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<5x2xf32>, tensor<2x2x3xf32>, tensor<2xi32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
func.func @ragged_sum(%a: tensor<?x?xf32>, %b: tensor<?x1xf32>, %sizes: tensor<?xi32>) -> tensor<?x?x1xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = []>} : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<?xi32>) -> tensor<?x?x1xf32>
  return %0 : tensor<?x?x1xf32>
}
func.func @scan(%a: tensor<2x3xi32>, %c: tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>) {
  %0:2 = chlo.scan(%a) inits(%c) dimension=1 attributes {is_reverse = true} {
  ^bb0(%x: tensor<2xi32>, %y: tensor<2xi32>):
    %1 = stablehlo.add %x, %y : tensor<2xi32>
    stablehlo.return %1, %1 : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2x3xi32>, tensor<2xi32>
}
func.func @diagonal(%a: tensor<2x2x3xi32>) -> (tensor<3xi32>, tensor<i32>) {
  %0 = stablehlo.unary_einsum %a, config = "iik->k" : (tensor<2x2x3xi32>) -> tensor<3xi32>
  %1 = stablehlo.unary_einsum %a, config = "ijk->" : (tensor<2x2x3xi32>) -> tensor<i32>
  return %0, %1 : tensor<3xi32>, tensor<i32>
}
// A lane's worth is more than the last dimension has, which only the other operand's type says.
func.func @short_rows(%a: tensor<?x?x?xf32>, %b: tensor<1x2x3xf32>) -> tensor<?x?x?xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<?x?x?xf32>, tensor<1x2x3xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
// A scatter of booleans, which lie in memory as bytes.
func.func @any(%a: tensor<3x2xi1>, %i: tensor<2x1xi32>, %u: tensor<2x2xi1>) -> tensor<3x2xi1> {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<i1>, %q: tensor<i1>):
    %r = stablehlo.or %p, %q : tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<3x2xi1>, tensor<2x1xi32>, tensor<2x2xi1>) -> tensor<3x2xi1>
  return %0 : tensor<3x2xi1>
}
