// RUN: iree-opt %s | FileCheck-22 %s

// Spellings of older releases, and of MHLO, are read as what they mean today.
#place = loc("model.py":3:4)
#dims = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>
// CHECK: builtin.module @jit_f attributes {mhlo.num_partitions = 1 : i32}
module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
  // CHECK: func.func public @main(%arg0: tensor<2x2xf32> {mhlo.sharding = "{replicated}", tf.aliasing_output = 0 : i32}
  func.func public @main(%a: tensor<2x2xf32> {tf.aliasing_output = 0 : i32, mhlo.sharding = "{replicated}"} loc("x")) -> (tensor<2x2xf32> {jax.result_info = ""}) {
    // CHECK: stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST]
    %0 = "mhlo.dot_general"(%a, %a) {dot_dimension_numbers = #dims, precision_config = [#mhlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc(callsite("f" at #place))
    // CHECK: stablehlo.broadcast_in_dim %0, dims = [0, 1]
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    // CHECK: stablehlo.slice %1 [0:2, 0:2]
    %2 = "stablehlo.slice"(%1) {limit_indices = dense<2> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    // CHECK: stablehlo.compare GE, %2, %1, FLOAT
    %3 = "stablehlo.compare"(%2, %1) {compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
    // CHECK: stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %z = mhlo.constant dense<0.0> : tensor<f32>
    // CHECK: "stablehlo.reduce"
    // CHECK:   stablehlo.maximum
    %4 = mhlo.reduce(%2 init: %z) applies mhlo.maximum across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    // CHECK: chlo.erf
    %5 = mhlo.erf %4 : tensor<2xf32> -> tensor<2xf32>
    // CHECK: tensor<?x2xf32, #stablehlo.bounds<3, ?>>
    %d = mhlo.constant dense<1> : tensor<i32>
    %6 = "mhlo.set_dimension_size"(%2, %d) {dimension = 0 : i64} : (tensor<2x2xf32>, tensor<i32>) -> tensor<?x2xf32, #mhlo.type_extensions<bounds = [3, ?]>>
    return %0 : tensor<2x2xf32>
  }
}
