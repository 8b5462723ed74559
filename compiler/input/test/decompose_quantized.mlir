// RUN: iree-opt --input-decompose-quantized %s | FileCheck-22 %s

// Arithmetic is done on the real values, each operand and result by its own scale.
// CHECK-LABEL: func.func @arithmetic
// CHECK:         %[[A:.+]] = stablehlo.uniform_dequantize %arg0
// CHECK:         %[[B:.+]] = stablehlo.uniform_dequantize %arg1
// CHECK:         %[[S:.+]] = stablehlo.add %[[A]], %[[B]] : tensor<4xf32>
// CHECK:         stablehlo.uniform_quantize %[[S]] : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, {{.*}}:-3>>
func.func @arithmetic(%x: tensor<4x!quant.uniform<i8:f32, 0.5:3>>, %y: tensor<4x!quant.uniform<i8:f32, 0.25>>) -> tensor<4x!quant.uniform<i8:f32, 1.0:-3>> {
  %0 = stablehlo.add %x, %y : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x!quant.uniform<i8:f32, 0.25>>) -> tensor<4x!quant.uniform<i8:f32, 1.0:-3>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 1.0:-3>>
}

// What only moves elements moves them as they are stored; the axis moves along.
// CHECK-LABEL: func.func @moved
// CHECK-NOT:     uniform_
// CHECK:         stablehlo.transpose
func.func @moved(%x: tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:3}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25:3}>> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:3}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25:3}>>
  return %0 : tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25:3}>>
}

// A selection between two scales is a computation.
// CHECK-LABEL: func.func @selected
// CHECK-COUNT-2: stablehlo.uniform_dequantize
// CHECK:         stablehlo.select {{.*}} tensor<2xf32>
// CHECK:         stablehlo.uniform_quantize
func.func @selected(%p: tensor<2xi1>, %x: tensor<2x!quant.uniform<i8:f32, 0.5>>, %y: tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  %0 = "stablehlo.select"(%p, %x, %y) : (tensor<2xi1>, tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.5>>
}

// Floats meet quantised weights as floats.
// CHECK-LABEL: func.func @hybrid
// CHECK:         %[[W:.+]] = stablehlo.uniform_dequantize %arg1
// CHECK:         stablehlo.dot_general %arg0, %[[W]]{{.*}} -> tensor<2x2xf32>
func.func @hybrid(%x: tensor<2x3xf32>, %w: tensor<3x2x!quant.uniform<i8<-127:127>:f32:1, {0.5, 0.25}>>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2x!quant.uniform<i8<-127:127>:f32:1, {0.5, 0.25}>>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// A reduction's operand takes the scale that its region sums with; each step is rounded.
// CHECK-LABEL: func.func @reduced
// CHECK:         %[[X:.+]] = stablehlo.uniform_quantize %arg0 : (tensor<4x!quant.uniform<i8:f32, {{.*}}>>) -> tensor<4x!quant.uniform<i32:f32, {{.*}}>>
// CHECK:         stablehlo.reduce"(%[[X]], %arg1)
// CHECK:         stablehlo.uniform_dequantize
// CHECK:         stablehlo.add {{.*}} tensor<f32>
// CHECK:         stablehlo.uniform_quantize
func.func @reduced(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>, %i: tensor<!quant.uniform<i32:f32, 0.5>>) -> tensor<!quant.uniform<i32:f32, 0.5>> {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.5>>, %b: tensor<!quant.uniform<i32:f32, 0.5>>):
    %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.5>>
    stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.5>>
  }) : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i32:f32, 0.5>>) -> tensor<!quant.uniform<i32:f32, 0.5>>
  return %0 : tensor<!quant.uniform<i32:f32, 0.5>>
}

// Products of two quantised sides are summed as stored integers, and scaled once.
// CHECK-LABEL: func.func @contracted
// CHECK:         %[[A:.+]] = stablehlo.bitcast_convert %arg0 : (tensor<?x3x{{.*}}>) -> tensor<?x3xi8>
// CHECK:         %[[W:.+]] = stablehlo.convert %[[A]] : (tensor<?x3xi8>) -> tensor<?x3xi16>
// CHECK:         %[[X:.+]] = chlo.broadcast_subtract %[[W]]
// CHECK:         %[[S:.+]] = stablehlo.dot_general %[[X]]{{.*}} -> tensor<?x2xi32>
// CHECK:         %[[Q:.+]] = stablehlo.bitcast_convert %[[S]] : {{.*}} -> tensor<?x2x!quant.uniform<i32:f32:1, {5.{{[0-9]+}}e-02,2.5{{[0-9]*}}e-02}>>
// CHECK:         stablehlo.uniform_quantize %[[Q]]
func.func @contracted(%a: tensor<?x3x!quant.uniform<i8:f32, 0.1:3>>, %b: tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<?x2x!quant.uniform<i8:f32, 0.1:3>> {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<?x3x!quant.uniform<i8:f32, 0.1:3>>, tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<?x2x!quant.uniform<i8:f32, 0.1:3>>
  return %0 : tensor<?x2x!quant.uniform<i8:f32, 0.1:3>>
}
