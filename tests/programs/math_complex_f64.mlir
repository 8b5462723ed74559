// Functions of complex numbers that upstream has no ops of, in the wide type.
func.func @math(%re: tensor<8xf64>, %im: tensor<8xf64>, %wr: tensor<8xf64>, %wi: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>) {
  %z = stablehlo.complex %re, %im : tensor<8xcomplex<f64>>
  %w = stablehlo.complex %wr, %wi : tensor<8xcomplex<f64>>
  %0 = chlo.asin %z : tensor<8xcomplex<f64>> -> tensor<8xcomplex<f64>>
  %1 = chlo.acos %z : tensor<8xcomplex<f64>> -> tensor<8xcomplex<f64>>
  %2 = chlo.acosh %z : tensor<8xcomplex<f64>> -> tensor<8xcomplex<f64>>
  %3 = chlo.asinh %z : tensor<8xcomplex<f64>> -> tensor<8xcomplex<f64>>
  %4 = chlo.atan %z : tensor<8xcomplex<f64>> -> tensor<8xcomplex<f64>>
  %5 = chlo.atanh %z : tensor<8xcomplex<f64>> -> tensor<8xcomplex<f64>>
  %6 = chlo.sinh %z : tensor<8xcomplex<f64>> -> tensor<8xcomplex<f64>>
  %7 = chlo.cosh %z : tensor<8xcomplex<f64>> -> tensor<8xcomplex<f64>>
  %8 = chlo.tan %z : tensor<8xcomplex<f64>> -> tensor<8xcomplex<f64>>
  %9 = stablehlo.cbrt %z : tensor<8xcomplex<f64>>
  %10 = stablehlo.log_plus_one %z : tensor<8xcomplex<f64>>
  %11 = stablehlo.exponential_minus_one %z : tensor<8xcomplex<f64>>
  %r0 = stablehlo.real %0 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %i0 = stablehlo.imag %0 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %r1 = stablehlo.real %1 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %i1 = stablehlo.imag %1 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %r2 = stablehlo.real %2 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %i2 = stablehlo.imag %2 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %r3 = stablehlo.real %3 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %i3 = stablehlo.imag %3 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %r4 = stablehlo.real %4 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %i4 = stablehlo.imag %4 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %r5 = stablehlo.real %5 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %i5 = stablehlo.imag %5 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %r6 = stablehlo.real %6 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %i6 = stablehlo.imag %6 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %r7 = stablehlo.real %7 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %i7 = stablehlo.imag %7 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %r8 = stablehlo.real %8 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %i8 = stablehlo.imag %8 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %r9 = stablehlo.real %9 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %i9 = stablehlo.imag %9 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %r10 = stablehlo.real %10 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %i10 = stablehlo.imag %10 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %r11 = stablehlo.real %11 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  %i11 = stablehlo.imag %11 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  return %r0, %i0, %r1, %i1, %r2, %i2, %r3, %i3, %r4, %i4, %r5, %i5, %r6, %i6, %r7, %i7, %r8, %i8, %r9, %i9, %r10, %i10, %r11, %i11 : tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>
}
