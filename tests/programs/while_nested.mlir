// Two nested loops over unsigned words that rotate and mix, as random number generators do.
func.func @mix(%rounds: tensor<ui32>, %x: tensor<8xui32>, %key: tensor<8xui32>) -> (tensor<8xui32>, tensor<ui32>) {
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %one = stablehlo.constant dense<1> : tensor<ui32>
  %four = stablehlo.constant dense<4> : tensor<ui32>
  %width = stablehlo.constant dense<32> : tensor<8xui32>
  %five = stablehlo.constant dense<5> : tensor<ui32>
  %outer:3 = stablehlo.while(%i = %zero, %a = %x, %steps = %zero) : tensor<ui32>, tensor<8xui32>, tensor<ui32>
  cond {
    %more = stablehlo.compare LT, %i, %rounds, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %inner:3 = stablehlo.while(%j = %zero, %b = %a, %n = %steps) : tensor<ui32>, tensor<8xui32>, tensor<ui32>
    cond {
      %more = stablehlo.compare LT, %j, %four, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %sum = stablehlo.add %b, %key : tensor<8xui32>
      %step = stablehlo.multiply %j, %five : tensor<ui32>
      %amount0 = stablehlo.add %step, %one : tensor<ui32>
      %amount = stablehlo.broadcast_in_dim %amount0, dims = [] : (tensor<ui32>) -> tensor<8xui32>
      %rest = stablehlo.subtract %width, %amount : tensor<8xui32>
      %left = stablehlo.shift_left %sum, %amount : tensor<8xui32>
      %right = stablehlo.shift_right_logical %sum, %rest : tensor<8xui32>
      %rotated = stablehlo.or %left, %right : tensor<8xui32>
      %mixed = stablehlo.xor %rotated, %b : tensor<8xui32>
      %next = stablehlo.add %j, %one : tensor<ui32>
      %counted = stablehlo.add %n, %one : tensor<ui32>
      stablehlo.return %next, %mixed, %counted : tensor<ui32>, tensor<8xui32>, tensor<ui32>
    }
    %next = stablehlo.add %i, %one : tensor<ui32>
    stablehlo.return %next, %inner#1, %inner#2 : tensor<ui32>, tensor<8xui32>, tensor<ui32>
  }
  return %outer#1, %outer#2 : tensor<8xui32>, tensor<ui32>
}
