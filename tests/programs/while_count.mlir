// A loop whose trip count is an argument: the counter stays on the host, the tensor body is one dispatch.
func.func @accumulate(%count: tensor<i32>, %x: tensor<16xf32>) -> tensor<16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<16xf32>
  %last:2 = stablehlo.while(%i = %zero, %state = %x) : tensor<i32>, tensor<16xf32>
  cond {
    %more = stablehlo.compare LT, %i, %count, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %scaled = stablehlo.multiply %state, %half : tensor<16xf32>
    %moved = stablehlo.add %scaled, %x : tensor<16xf32>
    stablehlo.return %next, %moved : tensor<i32>, tensor<16xf32>
  }
  return %last#1 : tensor<16xf32>
}
