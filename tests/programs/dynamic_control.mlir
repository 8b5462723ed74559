// Extents that control flow decides: branches of unlike shapes, a loop whose value grows, one that
// swaps two values, a nested one.
func.func @choose(%c: tensor<i1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = "stablehlo.if"(%c) ({
    %d = stablehlo.add %x, %x : tensor<?xf32>
    stablehlo.return %d : tensor<?xf32>
  }, {
    stablehlo.return %y : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  %s = stablehlo.negate %r : tensor<?xf32>
  return %s : tensor<?xf32>
}
func.func @grow(%n: tensor<i32>, %x: tensor<?xi32>) -> (tensor<?xi32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<?xi32>
    cond {
      %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %tail = stablehlo.reshape %next : (tensor<i32>) -> tensor<1xi32>
      %w = stablehlo.concatenate %v, %tail, dim = 0 : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
      stablehlo.return %next, %w : tensor<i32>, tensor<?xi32>
    }
  %size = stablehlo.get_dimension_size %r#1, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  return %r#1, %size : tensor<?xi32>, tensor<i32>
}
func.func @swap(%n: tensor<i32>, %x: tensor<?x2xf32>, %y: tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<?x2xf32>, tensor<?x2xf32>
    cond {
      %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %b, %a : tensor<i32>, tensor<?x2xf32>, tensor<?x2xf32>
    }
  return %r#1, %r#2 : tensor<?x2xf32>, tensor<?x2xf32>
}
func.func @nested(%n: tensor<i32>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<?xi32>
    cond {
      %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %odd = stablehlo.and %i, %one : tensor<i32>
      %is_odd = stablehlo.compare NE, %odd, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %w = "stablehlo.if"(%is_odd) ({
        %t = stablehlo.concatenate %v, %v, dim = 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
        stablehlo.return %t : tensor<?xi32>
      }, {
        %q:2 = stablehlo.while(%j = %zero, %u = %v) : tensor<i32>, tensor<?xi32>
          cond {
            %more = stablehlo.compare LT, %j, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %more : tensor<i1>
          } do {
            %k = stablehlo.add %j, %one : tensor<i32>
            %u2 = stablehlo.add %u, %u : tensor<?xi32>
            stablehlo.return %k, %u2 : tensor<i32>, tensor<?xi32>
          }
        stablehlo.return %q#1 : tensor<?xi32>
      }) : (tensor<i1>) -> tensor<?xi32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %w : tensor<i32>, tensor<?xi32>
    }
  return %r#1 : tensor<?xi32>
}
func.func @pick(%k: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %r = "stablehlo.case"(%k) ({
    stablehlo.return %x : tensor<?xf32>
  }, {
    %t = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %t : tensor<?xf32>
  }, {
    %e = stablehlo.constant dense<[7.0]> : tensor<1xf32>
    %t = stablehlo.concatenate %e, %x, dim = 0 : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %t : tensor<?xf32>
  }) : (tensor<i32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
