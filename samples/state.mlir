// A counter: a program that remembers. samples/state.c keeps two of them.
util.global private mutable @count = dense<0> : tensor<i32>

func.func @add(%amount: tensor<i32>) -> tensor<i32> {
  %old = util.global.load @count : tensor<i32>
  %new = stablehlo.add %old, %amount : tensor<i32>
  util.global.store %new, @count : tensor<i32>
  return %new : tensor<i32>
}
