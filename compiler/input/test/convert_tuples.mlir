// RUN: iree-opt --input-convert-tuples %s | FileCheck-22 %s

// Nested members stand in order; attributes go with each.
// CHECK-LABEL: func.func @boundary
// CHECK-SAME:    (%arg0: tensor<f32> {iree.x}, %arg1: tensor<i32> {iree.x}, %arg2: tensor<2xf32> {iree.x}) -> (tensor<2xf32>, tensor<f32>)
// CHECK-NEXT:    func.return %arg2, %arg0
func.func @boundary(%t: tuple<tensor<f32>, tuple<tensor<i32>, tensor<2xf32>>> {iree.x}) -> tuple<tensor<2xf32>, tensor<f32>> {
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>, tuple<tensor<i32>, tensor<2xf32>>>) -> tensor<f32>
  %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tuple<tensor<i32>, tensor<2xf32>>>) -> tuple<tensor<i32>, tensor<2xf32>>
  %2 = stablehlo.get_tuple_element %1[1] : (tuple<tensor<i32>, tensor<2xf32>>) -> tensor<2xf32>
  %3 = stablehlo.tuple %2, %0 : tuple<tensor<2xf32>, tensor<f32>>
  return %3 : tuple<tensor<2xf32>, tensor<f32>>
}

// A token is no value.
// CHECK-LABEL: func.func @tokens(%arg0: tensor<f32>) -> tensor<f32>
// CHECK-NEXT:    %[[B:.+]] = stablehlo.optimization_barrier %arg0
// CHECK-NEXT:    func.return %[[B]]
func.func @tokens(%t: !stablehlo.token, %x: tensor<f32>) -> (tensor<f32>, !stablehlo.token) {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all %t, %0 : !stablehlo.token
  %2:2 = stablehlo.optimization_barrier %x, %1 : tensor<f32>, !stablehlo.token
  return %2#0, %2#1 : tensor<f32>, !stablehlo.token
}

// Loops carry members.
// CHECK-LABEL: func.func @loop
// CHECK:         "stablehlo.while"(%arg0, %arg1)
func.func @loop(%t: tuple<tensor<i1>, tensor<f32>>) -> tuple<tensor<i1>, tensor<f32>> {
  %0 = "stablehlo.while"(%t) ({
  ^bb0(%s: tuple<tensor<i1>, tensor<f32>>):
    %c = stablehlo.get_tuple_element %s[0] : (tuple<tensor<i1>, tensor<f32>>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%s: tuple<tensor<i1>, tensor<f32>>):
    stablehlo.return %s : tuple<tensor<i1>, tensor<f32>>
  }) : (tuple<tensor<i1>, tensor<f32>>) -> tuple<tensor<i1>, tensor<f32>>
  return %0 : tuple<tensor<i1>, tensor<f32>>
}

// What was to run beside the program runs in its place.
// CHECK-LABEL: func.func @async(%arg0: tensor<4xf32>) -> tensor<2xf32>
// CHECK-NEXT:    %[[N:.+]] = stablehlo.slice %arg0 [0:2]
// CHECK-NEXT:    func.return %[[N]]
func.func @async(%a: tensor<4xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %1 = stablehlo.slice %x [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
