// Legal programs that few write: empty tensors, rank 7, extremes of types, one value returned twice, odd names.
func.func @empty(%a: tensor<0x4xf32>, %b: tensor<3x4xf32>) -> (tensor<0x4xf32>, tensor<4xf32>, tensor<3x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.add %a, %a : tensor<0x4xf32>
  %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<0x4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<0x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0, %1, %2 : tensor<0x4xf32>, tensor<4xf32>, tensor<3x4xf32>
}
func.func @empty_contraction(%a: tensor<2x0xf32>, %b: tensor<0x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @rank7(%a: tensor<2x1x3x1x2x1x1xf32>) -> (tensor<1x1x2x1x3x1x2xf32>, tensor<2x3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.transpose %a, dims = [6, 5, 4, 3, 2, 1, 0] : (tensor<2x1x3x1x2x1x1xf32>) -> tensor<1x1x2x1x3x1x2xf32>
  %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1, 3, 4, 5, 6] : (tensor<2x1x3x1x2x1x1xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<1x1x2x1x3x1x2xf32>, tensor<2x3xf32>
}
func.func @repeated(%a: tensor<3xf32>, %unused: tensor<9xi32>, %b: tensor<2xi8>) -> (tensor<3xf32>, tensor<3xf32>, tensor<2xi8>) {
  %dead = stablehlo.multiply %unused, %unused : tensor<9xi32>
  return %a, %a, %b : tensor<3xf32>, tensor<3xf32>, tensor<2xi8>
}
func.func @constants() -> (tensor<2xf32>, tensor<2xi64>, tensor<2xf32>) {
  %0 = stablehlo.constant dense<[0xFF800000, -0.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[9223372036854775807, -9223372036854775808]> : tensor<2xi64>
  return %0, %1, %0 : tensor<2xf32>, tensor<2xi64>, tensor<2xf32>
}
func.func @wrapping(%a: tensor<3xi64>, %b: tensor<3xi64>) -> (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) {
  %0 = stablehlo.add %a, %b : tensor<3xi64>
  %1 = stablehlo.negate %a : tensor<3xi64>
  %2 = stablehlo.shift_left %a, %b : tensor<3xi64>
  return %0, %1, %2 : tensor<3xi64>, tensor<3xi64>, tensor<3xi64>
}
func.func @minus_zero(%a: tensor<5xf32>) -> tensor<5xf32> {
  %0 = stablehlo.tanh %a : tensor<5xf32>
  %one = stablehlo.constant dense<1.0> : tensor<5xf32>
  %1 = stablehlo.divide %one, %0 : tensor<5xf32>
  return %1 : tensor<5xf32>
}
// f8E4M3FN has no infinity to start a maximum from.
func.func @finite_maximum(%wide: tensor<37xf32>) -> (tensor<f32>, tensor<f32>) {
  %a = stablehlo.convert %wide : (tensor<37xf32>) -> tensor<37xf8E4M3FN>
  %low = stablehlo.constant dense<-448.0> : tensor<f8E4M3FN>
  %high = stablehlo.constant dense<448.0> : tensor<f8E4M3FN>
  %0 = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<37xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  %1 = stablehlo.reduce(%a init: %high) applies stablehlo.minimum across dimensions = [0] : (tensor<37xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  %2 = stablehlo.convert %0 : (tensor<f8E4M3FN>) -> tensor<f32>
  %3 = stablehlo.convert %1 : (tensor<f8E4M3FN>) -> tensor<f32>
  return %2, %3 : tensor<f32>, tensor<f32>
}
func.func @swap(%a: tensor<2xf32>, %b: tensor<2xf32>, %n: tensor<i32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %x = %a, %y = %b) : tensor<i32>, tensor<2xf32>, tensor<2xf32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %y, %x : tensor<i32>, tensor<2xf32>, tensor<2xf32>
  }
  return %0#1, %0#2 : tensor<2xf32>, tensor<2xf32>
}
func.func @clamped_starts(%a: tensor<8xf32>, %i: tensor<i32>, %u: tensor<3xf32>) -> (tensor<3xf32>, tensor<8xf32>) {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [3] : (tensor<8xf32>, tensor<i32>) -> tensor<3xf32>
  %1 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<8xf32>, tensor<3xf32>, tensor<i32>) -> tensor<8xf32>
  return %0, %1 : tensor<3xf32>, tensor<8xf32>
}
func.func @"odd name.$x"(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// The last position of the padded input is under no window.
func.func @unread_padding(%x: tensor<1x2x2x1xf32>, %k: tensor<3x3x1x2xf32>) -> (tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2x1xf32>, tensor<3x3x1x2xf32>) -> tensor<1x1x1x2xf32>
  %1 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1x2x2x1xf32>, tensor<f32>) -> tensor<1x1x1x1xf32>
  return %0, %1 : tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>
}
