// Tuples and tokens through calls, branches and loops; at the boundary they are their members.
func.func private @swap(%t: tuple<tensor<f32>, tensor<2xf32>>, %k: !stablehlo.token) -> (tuple<tensor<2xf32>, tensor<f32>>, !stablehlo.token) attributes {no_inline} {
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>, tensor<2xf32>>) -> tensor<f32>
  %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<2xf32>>) -> tensor<2xf32>
  %2 = stablehlo.tuple %1, %0 : tuple<tensor<2xf32>, tensor<f32>>
  return %2, %k : tuple<tensor<2xf32>, tensor<f32>>, !stablehlo.token
}
func.func @doubled(%t: tuple<tensor<f32>, tensor<2xf32>>, %p: tensor<i1>, %n: tensor<i32>) -> tuple<tensor<2xf32>, tensor<f32>> {
  %k = stablehlo.create_token : !stablehlo.token
  %0:2 = call @swap(%t, %k) : (tuple<tensor<f32>, tensor<2xf32>>, !stablehlo.token) -> (tuple<tensor<2xf32>, tensor<f32>>, !stablehlo.token)
  %1 = "stablehlo.if"(%p) ({
    stablehlo.return %0#0 : tuple<tensor<2xf32>, tensor<f32>>
  }, {
    %a = stablehlo.get_tuple_element %0#0[0] : (tuple<tensor<2xf32>, tensor<f32>>) -> tensor<2xf32>
    %b = stablehlo.get_tuple_element %0#0[1] : (tuple<tensor<2xf32>, tensor<f32>>) -> tensor<f32>
    %c = stablehlo.negate %a : tensor<2xf32>
    %d = stablehlo.tuple %c, %b : tuple<tensor<2xf32>, tensor<f32>>
    stablehlo.return %d : tuple<tensor<2xf32>, tensor<f32>>
  }) : (tensor<i1>) -> tuple<tensor<2xf32>, tensor<f32>>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %2 = stablehlo.tuple %zero, %1 : tuple<tensor<i32>, tuple<tensor<2xf32>, tensor<f32>>>
  %3:2 = "stablehlo.while"(%2, %0#1) ({
  ^bb0(%s: tuple<tensor<i32>, tuple<tensor<2xf32>, tensor<f32>>>, %l: !stablehlo.token):
    %i = stablehlo.get_tuple_element %s[0] : (tuple<tensor<i32>, tuple<tensor<2xf32>, tensor<f32>>>) -> tensor<i32>
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }, {
  ^bb0(%s: tuple<tensor<i32>, tuple<tensor<2xf32>, tensor<f32>>>, %l: !stablehlo.token):
    %i = stablehlo.get_tuple_element %s[0] : (tuple<tensor<i32>, tuple<tensor<2xf32>, tensor<f32>>>) -> tensor<i32>
    %u = stablehlo.get_tuple_element %s[1] : (tuple<tensor<i32>, tuple<tensor<2xf32>, tensor<f32>>>) -> tuple<tensor<2xf32>, tensor<f32>>
    %a = stablehlo.get_tuple_element %u[0] : (tuple<tensor<2xf32>, tensor<f32>>) -> tensor<2xf32>
    %b = stablehlo.get_tuple_element %u[1] : (tuple<tensor<2xf32>, tensor<f32>>) -> tensor<f32>
    %twice = stablehlo.add %a, %a : tensor<2xf32>
    %v = stablehlo.tuple %twice, %b : tuple<tensor<2xf32>, tensor<f32>>
    %next = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.tuple %next, %v : tuple<tensor<i32>, tuple<tensor<2xf32>, tensor<f32>>>
    stablehlo.return %w, %l : tuple<tensor<i32>, tuple<tensor<2xf32>, tensor<f32>>>, !stablehlo.token
  }) : (tuple<tensor<i32>, tuple<tensor<2xf32>, tensor<f32>>>, !stablehlo.token) -> (tuple<tensor<i32>, tuple<tensor<2xf32>, tensor<f32>>>, !stablehlo.token)
  %4 = stablehlo.get_tuple_element %3#0[1] : (tuple<tensor<i32>, tuple<tensor<2xf32>, tensor<f32>>>) -> tuple<tensor<2xf32>, tensor<f32>>
  return %4 : tuple<tensor<2xf32>, tensor<f32>>
}
