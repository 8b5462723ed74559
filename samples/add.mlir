// The first program: the sum of two vectors. `make demo` compiles and runs it.
func.func @add(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) -> tensor<4xf32> {
  %sum = stablehlo.add %lhs, %rhs : tensor<4xf32>
  return %sum : tensor<4xf32>
}
