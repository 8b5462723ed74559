// Two stages of 8.
func.func @real(%a: tensor<2x64xf32>) -> (tensor<2x33xf32>, tensor<2x33xf32>) {
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 64>} : (tensor<2x64xf32>) -> tensor<2x33xcomplex<f32>>
  %re = stablehlo.real %0 : (tensor<2x33xcomplex<f32>>) -> tensor<2x33xf32>
  %im = stablehlo.imag %0 : (tensor<2x33xcomplex<f32>>) -> tensor<2x33xf32>
  return %re, %im : tensor<2x33xf32>, tensor<2x33xf32>
}
