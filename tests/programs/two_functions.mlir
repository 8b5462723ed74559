// Two exports that share a private helper.
module @pair {
  func.func @plus(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %sum = stablehlo.add %a, %b : tensor<2x3xf32>
    %result = call @clip(%sum) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %result : tensor<2x3xf32>
  }
  func.func @times(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
    %clipped = call @clip(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %result = stablehlo.dot_general %clipped, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    return %result : tensor<2x4xf32>
  }
  func.func private @clip(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %low = stablehlo.constant dense<-1.0> : tensor<f32>
    %high = stablehlo.constant dense<4.0> : tensor<f32>
    %result = stablehlo.clamp %low, %x, %high : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    return %result : tensor<2x3xf32>
  }
}
