// RUN: iree-opt --input-convert-stablehlo --input-simplify --input-elide-assertions %s | FileCheck-22 %s

// Extents that only run time knows are compared once.
// CHECK-LABEL: util.func public @add
// CHECK-COUNT-1: cf.assert
// CHECK-NOT:     cf.assert
// CHECK-LABEL: util.func public @same
func.func @add(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %a, %b : tensor<?x4xf32>
  %1 = stablehlo.multiply %0, %b : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// What comes from one tensor needs no check.
// CHECK-NOT:     cf.assert
func.func @same(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.negate %a : tensor<?x4xf32>
  %1 = stablehlo.multiply %0, %a : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// A reshape holds as many elements as its operand; a scalar is one of extents 1.
// CHECK-LABEL: util.func public @reshape
// CHECK:         cf.assert %{{.+}}, "stablehlo.reshape: operand and result differ in their number of elements"
// CHECK:         tensor.cast %{{.+}} : tensor<?xf32> to tensor<1xf32>
// CHECK:         tensor.collapse_shape %{{.+}} [] : tensor<1xf32> into tensor<f32>
func.func @reshape(%a: tensor<?xf32>) -> tensor<f32> {
  %0 = stablehlo.reshape %a : (tensor<?xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
