// RUN: iree-opt --input-convert-stablehlo --input-simplify %s | FileCheck-22 %s

// Signs live in the ops; types lose them, and entry points remember.
// CHECK-LABEL: util.func public @unsigned(%arg0: tensor<4xi8> {iree.abi.encoding = tensor<4xui8>})
// CHECK:         linalg.generic
// CHECK:           arith.maxui
func.func @unsigned(%a: tensor<4xui8>) -> tensor<4xui8> {
  %c = stablehlo.constant dense<7> : tensor<4xui8>
  %0 = stablehlo.maximum %a, %c : tensor<4xui8>
  return %0 : tensor<4xui8>
}

// A constant of one value is a scalar of the body, not an input, however it was broadcast.
// CHECK-LABEL: util.func public @scale
// CHECK:         %[[C:.+]] = arith.constant 2.000000e+00 : f32
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<?x4xf32>)
// CHECK:           arith.mulf %{{.+}}, %[[C]]
func.func @scale(%a: tensor<?x4xf32>, %shape: tensor<2xi32>) -> tensor<?x4xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %b = stablehlo.dynamic_broadcast_in_dim %c, %shape, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  %0 = stablehlo.multiply %a, %b : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// Division by zero and of the smallest number by -1 must not trap.
// CHECK-LABEL: util.func public @divide
// CHECK:         %[[Z:.+]] = arith.cmpi eq, %[[Y:.+]], %{{.+}} : i32
// CHECK:         arith.ori %[[Z]]
// CHECK:         %[[D:.+]] = arith.select %{{.+}}, %{{.+}}, %[[Y]] : i32
// CHECK:         %[[Q:.+]] = arith.divsi %{{.+}}, %[[D]]
// CHECK:         arith.select %[[Z]], %{{.+}}, %[[Q]]
func.func @divide(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.divide %a, %b : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// Float to integer saturates, and NaN gives 0.
// CHECK-LABEL: util.func public @saturate
// CHECK:         arith.fptosi
// CHECK:         arith.cmpf oge
// CHECK:         arith.cmpf ole
// CHECK:         arith.cmpf uno
func.func @saturate(%a: tensor<4xf32>) -> tensor<4xi8> {
  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// Reduced dimensions are the last loops; the body is the region on scalars.
// CHECK-LABEL: util.func public @reduce
// CHECK:         linalg.fill
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK:           arith.maximumf
func.func @reduce(%a: tensor<8x3xf32>) -> tensor<3xf32> {
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.maximum across dimensions = [0] : (tensor<8x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Narrow floats are summed in f32 and rounded once.
// CHECK-LABEL: util.func public @dot
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:           arith.extf
// CHECK:           arith.extf
// CHECK:           arith.mulf {{.*}} : f32
// CHECK:         arith.truncf
func.func @dot(%a: tensor<4x8xbf16>, %b: tensor<8x2xbf16>) -> tensor<4x2xbf16> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
  return %0 : tensor<4x2xbf16>
}

// A loop carries tensors; its condition is read by tensor.extract.
// CHECK-LABEL: util.func public @loop
// CHECK:         scf.while (%{{.+}} = %{{.+}}) : (tensor<i32>) -> tensor<i32>
// CHECK:           %[[C:.+]] = tensor.extract %{{.+}}[] : tensor<i1>
// CHECK:           scf.condition(%[[C]])
func.func @loop(%n: tensor<i32>) -> tensor<i32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.while(%i = %z) : tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  return %0 : tensor<i32>
}

// The last branch of a case takes every index that no other takes.
// CHECK-LABEL: util.func public @branches
// CHECK:         %[[IS0:.+]] = arith.cmpi eq
// CHECK:         scf.if %[[IS0]]
// CHECK:         } else {
// CHECK:           scf.if
func.func @branches(%i: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    %1 = stablehlo.abs %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Arithmetic on whole tensors is a generic too; branches between blocks stay.
// CHECK-LABEL: util.func public @blocks
// CHECK:         cf.cond_br
// CHECK:         linalg.generic
// CHECK:           math.exp %{{.+}} : f32
func.func @blocks(%p: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %p, ^bb2, ^bb1(%a : tensor<4xf32>)
^bb1(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
^bb2:
  %0 = math.exp %a : tensor<4xf32>
  cf.br ^bb1(%0 : tensor<4xf32>)
}

// The form of dimension numbers without letters, with a comma at its end.
// CHECK-LABEL: util.func public @conv_raw
// CHECK:         linalg.generic {{.*}}ins(%arg0, %arg1
func.func @conv_raw(%x: tensor<1x2x4x4xf32>, %k: tensor<3x3x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %0 = "stablehlo.convolution"(%x, %k) {
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2, 3],
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],
      output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2],>
  } : (tensor<1x2x4x4xf32>, tensor<3x3x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %0 : tensor<1x2x2x3xf32>
}

// A group of one: everyone has what it had. Nobody sends: zeros.
// CHECK-LABEL: util.func public @collectives(%arg0: tensor<4xf32>)
// CHECK:         %[[Z:.+]] = linalg.fill
// CHECK:         util.return %arg0, %[[Z]]
func.func @collectives(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<> : tensor<0x0xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.collective_permute"(%1) {source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "stablehlo.collective_permute"(%1) {source_target_pairs = dense<> : tensor<0x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}

// How devices would share a tensor says nothing to one device.
// CHECK-LABEL: util.func public @sharded(%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    util.return %arg0
func.func @sharded(%a: tensor<4xf32> {jax.buffer_donor = true, mhlo.sharding = "{replicated}"}) -> tensor<4xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{}]> : tensor<4xf32>
  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Control flow of another dialect stays; what is in it is lowered.
// CHECK-LABEL: util.func public @inside
// CHECK:         scf.for
// CHECK:           %[[V:.+]] = linalg.generic
// CHECK:           scf.yield %[[V]] : tensor<4xi8>
func.func @inside(%a: tensor<4xui8>, %n: index) -> tensor<4xui8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> (tensor<4xui8>) {
    %1 = stablehlo.add %v, %a : tensor<4xui8>
    scf.yield %1 : tensor<4xui8>
  }
  return %0 : tensor<4xui8>
}
