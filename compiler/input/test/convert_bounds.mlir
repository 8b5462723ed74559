// RUN: iree-opt --input-convert-bounds %s | FileCheck-22 %s

// A bound is checked where an argument comes in, and is no part of a type after that.
// CHECK-LABEL: func.func @main(%arg0: tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK:         %[[N:.+]] = stablehlo.get_dimension_size %arg0, dim = 0
// CHECK:         %[[B:.+]] = stablehlo.constant dense<8>
// CHECK:         %[[OK:.+]] = stablehlo.compare LE, %[[N]], %[[B]]
// CHECK:         stablehlo.custom_call @shape_assertion(%[[OK]])
// CHECK:         stablehlo.add %arg0, %arg0 : tensor<?x4xf32>
func.func @main(%a: tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<8, ?>> {
  %0 = stablehlo.add %a, %a : tensor<?x4xf32, #stablehlo.bounds<8, ?>>
  return %0 : tensor<?x4xf32, #stablehlo.bounds<8, ?>>
}
