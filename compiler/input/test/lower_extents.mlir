// RUN: iree-opt --input-convert-stablehlo %s | FileCheck-22 %s

// Shapes are their extents; a demand is a check, the region after it runs in any case.
// CHECK-LABEL: util.func public @assuming(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>)
// CHECK-DAG:     %[[X:.+]] = tensor.dim %arg0
// CHECK-DAG:     %[[Y:.+]] = tensor.dim %arg1
// CHECK:         %[[E:.+]] = arith.cmpi eq, %[[X]], %[[Y]] : index
// CHECK:         cf.assert %[[E]], "shapes differ"
// CHECK-NOT:     shape.
// CHECK:         util.return %arg0
func.func @assuming(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %1 = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_eq %0, %1 : tensor<1xindex>, tensor<1xindex>
  %r = shape.assuming %w -> (tensor<?xf32>) {
    shape.assuming_yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
