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

// A part must fit into the whole, and an extent grow from 1 only.
// CHECK-LABEL: util.func public @parts
// CHECK:         cf.assert %{{.+}}, "stablehlo.dynamic_slice: a part is longer than dimension 0 of the whole"
// CHECK:         cf.assert %{{.+}}, "dynamic_broadcast_in_dim: an extent is neither 1 nor that of the result"
func.func @parts(%a: tensor<?xf32>, %i: tensor<i32>, %s: tensor<1xi32>) -> (tensor<4xf32>, tensor<?xf32>) {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [4] : (tensor<?xf32>, tensor<i32>) -> tensor<4xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0, %1 : tensor<4xf32>, tensor<?xf32>
}

// Extents that are data may be negative, or so large that their product wraps around.
// CHECK-LABEL: util.func public @asked_for
// CHECK:         %[[FIRST:.+]] = arith.cmpi ule, %[[N:.+]], %{{.+}} : index
// CHECK:         %[[SOME:.+]] = arith.maxui %[[N]], %{{.+}} : index
// CHECK:         %[[LEFT:.+]] = arith.divui %{{.+}}, %[[SOME]] : index
// CHECK:         %[[SECOND:.+]] = arith.cmpi ule, %{{.+}}, %[[LEFT]] : index
// CHECK:         %[[BOTH:.+]] = arith.andi %[[FIRST]], %[[SECOND]] : i1
// CHECK:         cf.assert %[[BOTH]], "stablehlo.dynamic_iota: the extents asked for are negative or too large"
func.func @asked_for(%s: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
