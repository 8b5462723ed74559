// RUN: iree-opt --input-convert-stablehlo %s | FileCheck-22 %s
// A loop of the host goes over columns; the batch and the extents are those of run time.
// CHECK-LABEL: @cholesky
// CHECK:         cf.assert
// CHECK:         scf.for %[[J:.+]] = {{.+}} iter_args
// CHECK:           linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:           math.sqrt
// CHECK:           scf.yield
func.func @cholesky(%a: tensor<?x?x?xcomplex<f32>>) -> tensor<?x?x?xcomplex<f32>> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<?x?x?xcomplex<f32>>
  return %0 : tensor<?x?x?xcomplex<f32>>
}

// Sweeps end when nothing turned; rounds of a sweep are one loop.
// CHECK-LABEL: @eigenvalues
// CHECK:         scf.while
// CHECK:           scf.condition
// CHECK:           scf.for
func.func @eigenvalues(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 78 : ui8, uplo = 76 : ui8}}
    : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<i32>)
  return %0#1 : tensor<4xf32>
}

// An annotation is its operand.
// CHECK-LABEL: @annotated(
// CHECK-SAME:    %[[A:.+]]: tensor<4xf32>
// CHECK-NEXT:    util.return %[[A]]
func.func @annotated(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @annotate_device_placement(%a) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
