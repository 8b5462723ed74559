// RUN: iree-opt --input-convert-stablehlo --input-simplify %s | FileCheck-22 %s

// Products are written out, functions stay ops.
// CHECK-LABEL: util.func public @product_and_function
// CHECK: arith.mulf
// CHECK: arith.subf
// CHECK: complex.exp %{{.*}} : complex<f32>
func.func @product_and_function(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = stablehlo.multiply %x, %x : tensor<4xcomplex<f32>>
  %1 = stablehlo.exponential %0 : tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}

// Of inverse functions, which the complex dialect lacks, f32 parts go to f64 and back.
// CHECK-LABEL: util.func public @inverse
// CHECK: arith.extf %{{.*}} : f32 to f64
// CHECK: math.log1p %{{.*}} : f64
// CHECK: math.atan2 %{{.*}} : f64
// CHECK: arith.truncf %{{.*}} : f64 to f32
func.func @inverse(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = chlo.atanh %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// The real parts decide, or the imaginary ones where they are equal.
// CHECK-LABEL: util.func public @maximum
// CHECK-DAG: %[[EQUAL:.+]] = arith.cmpf oeq, %[[X:.+]], %[[Y:.+]] : f64
// CHECK-DAG: arith.cmpf ogt, %[[X]], %[[Y]] : f64
// CHECK-DAG: arith.andi %[[EQUAL]], %{{.+}} : i1
// CHECK: arith.select
func.func @maximum(%x: tensor<4xcomplex<f64>>, %y: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  %0 = stablehlo.maximum %x, %y : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// A wide number is two narrow ones, by way of its parts in a last dimension.
// CHECK-LABEL: util.func public @halves
// CHECK: tensor.empty() : tensor<3x2xf64>
// CHECK: arith.bitcast %{{.*}} : f64 to i64
// CHECK: arith.trunci %{{.*}} : i64 to i32
func.func @halves(%x: tensor<3xcomplex<f64>>) -> tensor<3x2xcomplex<f32>> {
  %0 = stablehlo.bitcast_convert %x : (tensor<3xcomplex<f64>>) -> tensor<3x2xcomplex<f32>>
  return %0 : tensor<3x2xcomplex<f32>>
}
