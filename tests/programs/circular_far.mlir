// Circular functions of far arguments, some of them close to multiples of pi/2.
func.func @f32(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %sine = stablehlo.sine %x : tensor<?xf32>
  %cosine = stablehlo.cosine %x : tensor<?xf32>
  %tangent = stablehlo.tan %x : tensor<?xf32>
  return %sine, %cosine, %tangent : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
func.func @f64(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %sine = stablehlo.sine %x : tensor<?xf64>
  %cosine = stablehlo.cosine %x : tensor<?xf64>
  %tangent = stablehlo.tan %x : tensor<?xf64>
  return %sine, %cosine, %tangent : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
func.func @bf16(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %sine = stablehlo.sine %x : tensor<?xbf16>
  return %sine : tensor<?xbf16>
}
func.func @complex(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %z = stablehlo.complex %x, %y : tensor<?xcomplex<f64>>
  %e = stablehlo.exponential %z : tensor<?xcomplex<f64>>
  %real = stablehlo.real %e : (tensor<?xcomplex<f64>>) -> tensor<?xf64>
  %imaginary = stablehlo.imag %e : (tensor<?xcomplex<f64>>) -> tensor<?xf64>
  return %real, %imaginary : tensor<?xf64>, tensor<?xf64>
}
func.func @folded() -> tensor<2xf64> {
  %x = stablehlo.constant dense<[1.0e22, -1.0e300]> : tensor<2xf64>
  %sine = stablehlo.sine %x : tensor<2xf64>
  return %sine : tensor<2xf64>
}
