// The routines of LAPACK that JAX calls on CPU. Signs and phases of vectors are free, so products are compared.
func.func @svd(%a: tensor<2x3x4xf32>) -> (tensor<2x3xf32>, tensor<2x3x4xf32>, tensor<2x3x3xf32>, tensor<2xi32>) {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}}
    : (tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>, tensor<2x3x4xf32>, tensor<2xi32>)
  %s = stablehlo.broadcast_in_dim %0#1, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %us = stablehlo.multiply %0#2, %s : tensor<2x3x3xf32>
  %p = stablehlo.dot_general %us, %0#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %u = stablehlo.dot_general %0#2, %0#2, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0#1, %p, %u, %0#4 : tensor<2x3xf32>, tensor<2x3x4xf32>, tensor<2x3x3xf32>, tensor<2xi32>
}
func.func @eigh(%re: tensor<3x3xf64>, %im: tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<3x3xf64>, tensor<i32>) {
  %a = stablehlo.complex %re, %im : tensor<3x3xcomplex<f64>>
  %0:3 = stablehlo.custom_call @lapack_zheevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}}
    : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3xf64>, tensor<i32>)
  %zero = stablehlo.constant dense<0.0> : tensor<3xf64>
  %w = stablehlo.complex %0#1, %zero : tensor<3xcomplex<f64>>
  %d = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
  %vd = stablehlo.multiply %0#0, %d : tensor<3x3xcomplex<f64>>
  %vr = stablehlo.real %0#0 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
  %vi = stablehlo.imag %0#0 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
  %n = stablehlo.negate %vi : tensor<3x3xf64>
  %c = stablehlo.complex %vr, %n : tensor<3x3xcomplex<f64>>
  %p = stablehlo.dot_general %vd, %c, contracting_dims = [1] x [1] : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
  %pr = stablehlo.real %p : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
  %pi = stablehlo.imag %p : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
  return %0#1, %pr, %pi, %0#2 : tensor<3xf64>, tensor<3x3xf64>, tensor<3x3xf64>, tensor<i32>
}
func.func @lu(%a: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>) {
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>)
  return %0#0, %0#1, %0#2 : tensor<3x3xf32>, tensor<3xi32>, tensor<i32>
}
func.func @qr(%a: tensor<?x4x2xf32>) -> (tensor<?x2x2xf32>, tensor<?x2xf32>) {
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<?x4x2xf32>) -> (tensor<?x4x2xf32>, tensor<?x2xf32>)
  %q = stablehlo.custom_call @lapack_sorgqr_ffi(%0#0, %0#1) {mhlo.backend_config = {}} : (tensor<?x4x2xf32>, tensor<?x2xf32>) -> tensor<?x4x2xf32>
  %r = stablehlo.dot_general %q, %a, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<?x4x2xf32>, tensor<?x4x2xf32>) -> tensor<?x2x2xf32>
  return %r, %0#1 : tensor<?x2x2xf32>, tensor<?x2xf32>
}
func.func @cholesky(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @adjoint_solve(%re: tensor<2x2xf32>, %im: tensor<2x2xf32>, %b: tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<2x1xf32>) {
  %a = stablehlo.complex %re, %im : tensor<2x2xcomplex<f32>>
  %zero = stablehlo.constant dense<0.0> : tensor<2x1xf32>
  %c = stablehlo.complex %b, %zero : tensor<2x1xcomplex<f32>>
  %x = "stablehlo.triangular_solve"(%a, %c) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}
    : (tensor<2x2xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  %xr = stablehlo.real %x : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xf32>
  %xi = stablehlo.imag %x : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xf32>
  return %xr, %xi : tensor<2x1xf32>, tensor<2x1xf32>
}
func.func @eig(%a: tensor<2x4x4xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2xi32>) {
  %0:5 = stablehlo.custom_call @lapack_dgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}}
    : (tensor<2x4x4xf64>) -> (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2xi32>)
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %none = stablehlo.constant dense<0.0> : tensor<2x4x4xf64>
  %re = stablehlo.reduce(%0#0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf64>, tensor<f64>) -> tensor<2xf64>
  %im2 = stablehlo.multiply %0#1, %0#1 : tensor<2x4xf64>
  %im = stablehlo.reduce(%im2 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf64>, tensor<f64>) -> tensor<2xf64>
  %w = stablehlo.complex %0#0, %0#1 : tensor<2x4xcomplex<f64>>
  %d = stablehlo.broadcast_in_dim %w, dims = [0, 2] : (tensor<2x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
  %vw = stablehlo.multiply %0#3, %d : tensor<2x4x4xcomplex<f64>>
  %c = stablehlo.complex %a, %none : tensor<2x4x4xcomplex<f64>>
  %av = stablehlo.dot_general %c, %0#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
  %e = stablehlo.subtract %av, %vw : tensor<2x4x4xcomplex<f64>>
  %er = stablehlo.real %e : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xf64>
  %ei = stablehlo.imag %e : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xf64>
  return %re, %im, %er, %ei, %0#4 : tensor<2xf64>, tensor<2xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2xi32>
}
func.func @schur(%a: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<1x1xf32>) {
  %0:6 = stablehlo.custom_call @lapack_sgees_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}}
    : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<i32>, tensor<i32>)
  %qt = stablehlo.dot_general %0#1, %0#0, contracting_dims = [1] x [0] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %p = stablehlo.dot_general %qt, %0#1, contracting_dims = [1] x [1] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %q = stablehlo.dot_general %0#1, %0#1, contracting_dims = [0] x [0] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %corner = stablehlo.slice %0#0 [2:3, 0:1] : (tensor<3x3xf32>) -> tensor<1x1xf32>
  return %p, %q, %corner : tensor<3x3xf32>, tensor<3x3xf32>, tensor<1x1xf32>
}
