// RUN: iree-opt %s > %t
// RUN: iree-opt %S/artefacts/ops.0.9.0.mlirbc | diff %t -
// RUN: iree-opt %S/artefacts/ops.1.0.0.mlirbc | diff %t -
// RUN: iree-opt %S/artefacts/ops.1.17.0.mlirbc | diff %t -

// Portable artefacts of this program, which jaxlib's serialize_portable_artifact_str wrote in three versions, say
// what the text says.
builtin.module {
  func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6x3xf32>, %arg2: tensor<?x6xf32>) -> (tensor<4x3xf32>, tensor<?x6xf32>) {
    %0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.constant dense<[[1], [0]]> : tensor<2x1xi32>
    %2 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
    %3 = stablehlo.compare GE, %2, %2, FLOAT : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
    %4 = stablehlo.select %3, %2, %2 : tensor<4x3xi1>, tensor<4x3xf32>
    %5 = stablehlo.slice %4 [0:4:2, 1:3] : (tensor<4x3xf32>) -> tensor<2x2xf32>
    %6 = stablehlo.pad %5, %0, low = [1, 1], high = [1, 0], interior = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<4x3xf32>
    %7 = "stablehlo.gather"(%6, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
    %8 = "stablehlo.scatter"(%6, %1, %7) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true, operandSegmentSizes = array<i32: 1, 1, 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %9 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<4x3xf32>
    %10 = "stablehlo.reduce_window"(%8, %0) <{window_dimensions = array<i64: 1, 3>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %11 = stablehlo.maximum %arg5, %arg6 : tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %12 = "stablehlo.sort"(%10) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %13 = stablehlo.compare LT, %arg7, %arg8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<4x3xf32>) -> tensor<4x3xf32>
    %14 = "stablehlo.while"(%12) ({
    ^bb0(%arg9: tensor<4x3xf32>):
      %15 = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %15 : tensor<i1>
    }, {
    ^bb0(%arg10: tensor<4x3xf32>):
      stablehlo.return %arg10 : tensor<4x3xf32>
    }) : (tensor<4x3xf32>) -> tensor<4x3xf32>
    %16 = stablehlo.uniform_quantize %14 : (tensor<4x3xf32>) -> tensor<4x3x!quant.uniform<i8:f32, 5.000000e-01:3>>
    %17 = stablehlo.uniform_dequantize %16 : (tensor<4x3x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<4x3xf32>
    %18 = stablehlo.custom_call @Sharding(%17) {backend_config = "x", api_version = 2 : i32} : (tensor<4x3xf32>) -> tensor<4x3xf32>
    %19 = stablehlo.reverse %arg2, dims = [1] : tensor<?x6xf32>
    func.return %18, %19 : tensor<4x3xf32>, tensor<?x6xf32>
  }
}
