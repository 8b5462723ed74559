// Rows of a table; rows 1 and 5 come twice, -1 and 8 lie outside.
func.func @outside(%a: tensor<8x19xf32>, %i: tensor<7x1xi32>, %u: tensor<7x19xf32>) -> tensor<8x19xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.multiply %x, %x : tensor<f32>
    %2 = stablehlo.add %1, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<8x19xf32>, tensor<7x1xi32>, tensor<7x19xf32>) -> tensor<8x19xf32>
  return %0 : tensor<8x19xf32>
}
// Two operands at once, single elements, the last of equal indices wins.
func.func @pairs(%a: tensor<4x3xi32>, %b: tensor<4x3xi8>, %i: tensor<5x2xi64>, %u: tensor<5xi32>, %v: tensor<5xi8>) -> (tensor<4x3xi32>, tensor<4x3xi8>) {
  %0:2 = "stablehlo.scatter"(%a, %b, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i8>, %p: tensor<i32>, %q: tensor<i8>):
    stablehlo.return %p, %q : tensor<i32>, tensor<i8>
  }) : (tensor<4x3xi32>, tensor<4x3xi8>, tensor<5x2xi64>, tensor<5xi32>, tensor<5xi8>) -> (tensor<4x3xi32>, tensor<4x3xi8>)
  return %0#0, %0#1 : tensor<4x3xi32>, tensor<4x3xi8>
}
// A window of 2x17 whose last dimension is not the one that indices move; batches of operands.
func.func @batched(%a: tensor<2x5x17xi32>, %i: tensor<2x2x1xi32>, %u: tensor<2x2x2x17xi32>) -> tensor<2x5x17xi32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<2x5x17xi32>, tensor<2x2x1xi32>, tensor<2x2x2x17xi32>) -> tensor<2x5x17xi32>
  return %0 : tensor<2x5x17xi32>
}
