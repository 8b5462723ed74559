// Choices on the host: `if` on a computed predicate, `case` on an index that may be out of range.
func.func @choose(%which: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %result = "stablehlo.if"(%which) ({
    %sum = stablehlo.add %a, %b : tensor<4xf32>
    stablehlo.return %sum : tensor<4xf32>
  }, {
    %product = stablehlo.multiply %a, %b : tensor<4xf32>
    stablehlo.return %product : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %result : tensor<4xf32>
}
func.func @sign(%x: tensor<i32>, %a: tensor<4xi32>) -> tensor<4xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %negative = stablehlo.compare LT, %x, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %result = "stablehlo.if"(%negative) ({
    %flipped = stablehlo.negate %a : tensor<4xi32>
    stablehlo.return %flipped : tensor<4xi32>
  }, {
    stablehlo.return %a : tensor<4xi32>
  }) : (tensor<i1>) -> tensor<4xi32>
  return %result : tensor<4xi32>
}
func.func @pick(%index: tensor<i32>, %a: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  %result:2 = "stablehlo.case"(%index) ({
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %negated = stablehlo.negate %a : tensor<4xf32>
    stablehlo.return %negated, %zero : tensor<4xf32>, tensor<i32>
  }, {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %twice = stablehlo.add %a, %a : tensor<4xf32>
    stablehlo.return %twice, %one : tensor<4xf32>, tensor<i32>
  }, {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %square = stablehlo.multiply %a, %a : tensor<4xf32>
    stablehlo.return %square, %two : tensor<4xf32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  return %result#0, %result#1 : tensor<4xf32>, tensor<i32>
}
