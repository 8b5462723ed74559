// 211 is prime and too large for a sum over all points.
func.func @prime(%a: tensor<211xf64>) -> (tensor<106xf64>, tensor<106xf64>) {
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 211>} : (tensor<211xf64>) -> tensor<106xcomplex<f64>>
  %re = stablehlo.real %0 : (tensor<106xcomplex<f64>>) -> tensor<106xf64>
  %im = stablehlo.imag %0 : (tensor<106xcomplex<f64>>) -> tensor<106xf64>
  return %re, %im : tensor<106xf64>, tensor<106xf64>
}
// Forth and back over two dimensions of composite length, of as many matrices as there are.
func.func @back(%a: tensor<?x6x45xf64>) -> tensor<?x6x45xf64> {
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 6, 45>} : (tensor<?x6x45xf64>) -> tensor<?x6x23xcomplex<f64>>
  %1 = "stablehlo.fft"(%0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 6, 45>} : (tensor<?x6x23xcomplex<f64>>) -> tensor<?x6x45xf64>
  return %1 : tensor<?x6x45xf64>
}
// A transform of a power of two points with a table of its own for each half of the index, which
// its inverse undoes.
func.func @long(%a: tensor<32768xf32>) -> tensor<32768xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<32768xf32>
  %0 = stablehlo.complex %a, %z : tensor<32768xcomplex<f32>>
  %1 = "stablehlo.fft"(%0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 32768>} : (tensor<32768xcomplex<f32>>) -> tensor<32768xcomplex<f32>>
  %2 = "stablehlo.fft"(%1) {fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 32768>} : (tensor<32768xcomplex<f32>>) -> tensor<32768xcomplex<f32>>
  %3 = stablehlo.real %2 : (tensor<32768xcomplex<f32>>) -> tensor<32768xf32>
  return %3 : tensor<32768xf32>
}
