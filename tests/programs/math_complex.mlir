// Functions of complex numbers that upstream has, too.
func.func @math(%re: tensor<8xf32>, %im: tensor<8xf32>, %wr: tensor<8xf32>, %wi: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %z = stablehlo.complex %re, %im : tensor<8xcomplex<f32>>
  %w = stablehlo.complex %wr, %wi : tensor<8xcomplex<f32>>
  %0 = stablehlo.exponential %z : tensor<8xcomplex<f32>>
  %1 = stablehlo.log %z : tensor<8xcomplex<f32>>
  %2 = stablehlo.sqrt %z : tensor<8xcomplex<f32>>
  %3 = stablehlo.sine %z : tensor<8xcomplex<f32>>
  %4 = stablehlo.tanh %z : tensor<8xcomplex<f32>>
  %5 = stablehlo.divide %z, %w : tensor<8xcomplex<f32>>
  %6 = stablehlo.power %z, %w : tensor<8xcomplex<f32>>
  %7 = stablehlo.maximum %z, %w : tensor<8xcomplex<f32>>
  %r0 = stablehlo.real %0 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %i0 = stablehlo.imag %0 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %r1 = stablehlo.real %1 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %i1 = stablehlo.imag %1 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %r2 = stablehlo.real %2 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %i2 = stablehlo.imag %2 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %r3 = stablehlo.real %3 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %i3 = stablehlo.imag %3 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %r4 = stablehlo.real %4 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %i4 = stablehlo.imag %4 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %r5 = stablehlo.real %5 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %i5 = stablehlo.imag %5 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %r6 = stablehlo.real %6 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %i6 = stablehlo.imag %6 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %r7 = stablehlo.real %7 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %i7 = stablehlo.imag %7 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  return %r0, %i0, %r1, %i1, %r2, %i2, %r3, %i3, %r4, %i4, %r5, %i5, %r6, %i6, %r7, %i7 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
