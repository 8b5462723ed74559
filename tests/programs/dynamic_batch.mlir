// A batch whose size is known at call time only: elementwise and a matrix product.
func.func @scale(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %sum = stablehlo.add %x, %y : tensor<?x4xf32>
  %result = stablehlo.multiply %sum, %x : tensor<?x4xf32>
  return %result : tensor<?x4xf32>
}
func.func @project(%x: tensor<?x4xf32>, %w: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %result = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  return %result : tensor<?x3xf32>
}
