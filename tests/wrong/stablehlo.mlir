func.func @f(%a: tensor<4xi32>) {
  // WRONG: 'operand' is tensor<4xi32>; its element type must be float, complex
  %0 = stablehlo.sine %a : tensor<4xi32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  // WRONG: must be integer
  %0 = stablehlo.popcnt %a : tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xi7>) {
  // WRONG: width that StableHLO has
  %0 = stablehlo.not %a : tensor<4xi7>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: tensor<4xf32> and tensor<5xf32>
  %0 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // WRONG: one element type
  %0 = "stablehlo.multiply"(%a, %b) : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xcomplex<f32>>) {
  // WRONG: follows as f32
  %0 = "stablehlo.real"(%a) : (tensor<4xcomplex<f32>>) -> tensor<4xf64>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: 'pred'.*must be i1
  %0 = "stablehlo.select"(%a, %a, %b) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>) {
  // WRONG: 'min' is tensor<3xf32>; it must be a scalar
  %0 = "stablehlo.clamp"(%c, %a, %b) : (tensor<3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>) {
  // WRONG: 'iota_dimension' is 2; the tensor has 2 dimensions
  %0 = stablehlo.iota dim = 2 : tensor<2x3xi32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>) {
  // WRONG: 'iota_dimension' is -1
  %0 = "stablehlo.iota"() <{iota_dimension = -1 : i64}> : () -> tensor<2x3xi32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>) {
  // WRONG: dimension 1 of extent 3 to dimension 2 of 4
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<5x2x4xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>) {
  // WRONG: dimension 1 twice
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<5x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>) {
  // WRONG: 6 elements.*7
  %0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<7xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>) {
  // WRONG: follows as \[3, 2\]
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>) {
  // WRONG: 1:4 of dimension 1.*extent 3
  %0 = stablehlo.slice %a [0:2, 1:4] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>) {
  // WRONG: 'strides' has 0 at 1; the least is 1
  %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 3>, strides = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %z: tensor<f32>) {
  // WRONG: follows as \[3, 5\]
  %0 = stablehlo.pad %a, %z, low = [1, 0], high = [0, 0], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x3xf32>) {
  // WRONG: operand 1 has extent 3 in dimension 0
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %i: tensor<i32>) {
  // WRONG: 1 start indices
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>) -> tensor<1x1xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %i: tensor<i32>) {
  // WRONG: takes 4 of dimension 1
  %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 4] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>) {
  // WRONG: 'dimension' is 2
  %0 = stablehlo.get_dimension_size %a, dim = 2 : (tensor<2x3xf32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>) {
  // WRONG: 3 elements of 8 bits are not one of 32
  %0 = stablehlo.bitcast_convert %a : (tensor<2x3xf32>) -> tensor<2x3x3xi8>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>) {
  // WRONG: 'exponent_bits' is 0; it must be positive
  %0 = stablehlo.reduce_precision %a, format = e0m3 : tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>) {
  // WRONG: extent 3, its partner 0 of rhs 2
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) {
  // WRONG: follows as \[2, 2\]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%x: tensor<1x8x8x3xf32>, %k: tensor<3x3x2x4xf32>) {
  // WRONG: 3 input features in 1 groups for 2
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
func.func @f(%x: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>) {
  // WRONG: follows as \[1, 4, 4, 4\]
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %z: tensor<f32>) {
  // WRONG: dimension 2 of rank 2
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %z: tensor<f32>) {
  // WRONG: cannot be applied
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.subtract across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %z: tensor<f64>) {
  // WRONG: operand 1 is tensor<f64>; region .body. folds in f32
  %0 = "stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 1>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): stablehlo.return %x : tensor<f32> }) : (tensor<2x3xf32>, tensor<f64>) -> tensor<2xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>) {
  // WRONG: must be in \[-2, 2\)
  %0 = "stablehlo.sort"(%a) <{dimension = 2 : i64}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %p = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %i: tensor<4x1xi32>) {
  // WRONG: takes 2 of dimension 0, which it collapses
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 3>}> : (tensor<2x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x5xf32>) {
  // WRONG: dimension 1 of the updates has extent 5; the operand has 3
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): stablehlo.return %y : tensor<f32> }) : (tensor<2x3xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %p: tensor<i1>) {
  // WRONG: branch 1 returns tensor<i1>
  %0 = "stablehlo.if"(%p) ({ stablehlo.return %a : tensor<4xf32> }, { stablehlo.return %p : tensor<i1> }) : (tensor<i1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  // WRONG: must return tensor<i1>
  %0 = stablehlo.while(%x = %a) : tensor<4xf32> cond { stablehlo.return %x : tensor<4xf32> } do { stablehlo.return %x : tensor<4xf32> }
  return
}
// -----
func.func @f(%a: tensor<3x4xf32>) {
  // WRONG: last two extents must be equal
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xcomplex<f32>>) {
  // WRONG: length 5 of FFT needs 5
  %0 = stablehlo.fft %a, type = FFT, length = [5] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  // WRONG: replica 0 twice
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  // WRONG: must be a dictionary
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "x", api_version = 4 : i32, backend_config = "y"}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  // WRONG: name within a namespace
  %0 = stablehlo.composite "x" %a {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5}>>) {
  // WRONG: not as many scales
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32:0, {0.5}>>) -> tensor<2xf32>
  return
}
// -----
func.func @f(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  // WRONG: keeps scales
  %0 = stablehlo.reshape %a : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x2x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // WRONG: cannot broadcast extent 3
  %0 = chlo.broadcast_add %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @f(%a: tensor<2xf32>) {
  // WRONG: top 3 of 2
  %0:2 = chlo.top_k(%a, k = 3) : tensor<2xf32> -> (tensor<3xf32>, tensor<3xi32>)
  return
}
