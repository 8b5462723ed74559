// RUN: iree-opt --input-convert-stablehlo --input-simplify %s | FileCheck-22 %s

// 48 = 8 * 6: each stage is a contraction over its radix, between reshapes.
// CHECK-LABEL: util.func public @stages
// CHECK:         tensor.expand_shape {{.*}} into tensor<5x1x6x8xf32>
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} {{.*}} outs({{.*}} : tensor<5x6x1x8xf32>, tensor<5x6x1x8xf32>)
// CHECK:         tensor.expand_shape {{.*}} into tensor<5x6x8x1xf32>
// CHECK:         linalg.generic {{.*}} outs({{.*}} : tensor<5x8x6x1xf32>, tensor<5x8x6x1xf32>)
// CHECK-NOT:     "reduction"
func.func @stages(%a: tensor<5x48xcomplex<f32>>) -> tensor<5x48xcomplex<f32>> {
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 48>} : (tensor<5x48xcomplex<f32>>) -> tensor<5x48xcomplex<f32>>
  return %0 : tensor<5x48xcomplex<f32>>
}

// A large prime is a convolution of 512 points: three stages forth, three back.
// CHECK-LABEL: util.func public @prime
// CHECK-COUNT-6: "reduction"]
// CHECK-NOT:     "reduction"
func.func @prime(%a: tensor<211xcomplex<f32>>) -> tensor<211xcomplex<f32>> {
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 211>} : (tensor<211xcomplex<f32>>) -> tensor<211xcomplex<f32>>
  return %0 : tensor<211xcomplex<f32>>
}
