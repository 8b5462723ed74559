// Along the first dimension: the neighbour is read.
func.func @dynamic(%a: tensor<18x?xf32>) -> tensor<18x?xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 18, 1>, padding = dense<[[17, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<18x?xf32>, tensor<f32>) -> tensor<18x?xf32>
  return %0 : tensor<18x?xf32>
}
// From the end, along the first dimension, over columns of a number known at run time; largest values
// and where they stand.
func.func @suffixes(%a: tensor<18x?xf32>, %b: tensor<18x?xi32>) -> (tensor<18x?xf32>, tensor<18x?xi32>) {
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %j = stablehlo.constant dense<-1> : tensor<i32>
  %0:2 = "stablehlo.reduce_window"(%a, %b, %i, %j) ({
  ^bb0(%x: tensor<f32>, %p: tensor<i32>, %y: tensor<f32>, %q: tensor<i32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %x, %y : tensor<i1>, tensor<f32>
    %3 = stablehlo.select %1, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }) {window_dimensions = array<i64: 18, 1>, padding = dense<[[0, 17], [0, 0]]> : tensor<2x2xi64>} : (tensor<18x?xf32>, tensor<18x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<18x?xf32>, tensor<18x?xi32>)
  return %0#0, %0#1 : tensor<18x?xf32>, tensor<18x?xi32>
}
