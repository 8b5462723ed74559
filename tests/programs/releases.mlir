// A bit of everything that differs between releases of the file format: kernels with constants, open extents and local
// memory, loops and branches on the host, weights in the file, state, scalars.
module @releases {
  util.global private mutable @sum = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>

  func.func @add(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %a, %b : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @accumulate(%x: tensor<4xf32>) -> tensor<4xf32> {
    %s = util.global.load @sum : tensor<4xf32>
    %r = stablehlo.add %s, %x : tensor<4xf32>
    util.global.store %r, @sum : tensor<4xf32>
    return %r : tensor<4xf32>
  }
  func.func @weigh(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {
    %w = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0], [0.5, 0.25, -1.0, 2.0], [-3.0, 8.0, 0.0, 1.0]]> : tensor<3x4xf32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
  func.func @project(%x: tensor<?x4xf32>, %w: tensor<4x3xf32>) -> tensor<?x3xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
    return %0 : tensor<?x3xf32>
  }
  func.func @halve(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %half = stablehlo.constant dense<0.5> : tensor<4xf32>
    %0:2 = stablehlo.while(%i = %n, %v = %x) : tensor<i32>, tensor<4xf32>
      cond {
        %c = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %j = stablehlo.subtract %i, %one : tensor<i32>
        %h = stablehlo.multiply %v, %half : tensor<4xf32>
        stablehlo.return %j, %h : tensor<i32>, tensor<4xf32>
      }
    return %0#1 : tensor<4xf32>
  }
  func.func @rows(%x: tensor<3x200xf32>) -> tensor<3xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x200xf32>, tensor<f32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  func.func @mix(%a: i32, %b: i64) -> (i64, i32) {
    %0 = arith.extsi %a : i32 to i64
    %1 = arith.addi %0, %b : i64
    %2 = arith.muli %a, %a : i32
    return %1, %2 : i64, i32
  }
}
