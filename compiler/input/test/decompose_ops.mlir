// RUN: iree-opt --input-decompose-ops %s | FileCheck-22 %s

// CHECK-LABEL: func.func @broadcast
// CHECK:         %[[B:.+]] = stablehlo.broadcast_in_dim %arg1, dims = [1]
// CHECK:         stablehlo.add %arg0, %[[B]] : tensor<2x4xf32>
func.func @broadcast(%a: tensor<2x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @norm
// CHECK-NOT:     batch_norm
// CHECK:         stablehlo.sqrt
func.func @norm(%x: tensor<2x4xf32>, %s: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// A constant that folding must not see keeps a barrier after it.
// CHECK-LABEL: func.func @unfoldable
// CHECK:         %[[C:.+]] = stablehlo.constant dense<[1, 2]> : tensor<2xui8>
// CHECK:         util.optimization_barrier %[[C]] : tensor<2xui8>
func.func @unfoldable() -> tensor<2xui8> {
  %0 = util.unfoldable_constant dense<[1, 2]> : tensor<2xui8>
  return %0 : tensor<2xui8>
}

// What the types do not say is compared when it runs.
// CHECK-LABEL: func.func @dynamic_broadcast
// CHECK:         stablehlo.get_dimension_size %arg0
// CHECK:         stablehlo.custom_call @shape_assertion
// CHECK:         %[[S:.+]] = stablehlo.concatenate
// CHECK:         %[[A:.+]] = stablehlo.dynamic_broadcast_in_dim %arg0, %[[S]], dims = [0]
// CHECK:         %[[B:.+]] = stablehlo.dynamic_broadcast_in_dim %arg1, %[[S]], dims = [0]
// CHECK:         stablehlo.add %[[A]], %[[B]]
func.func @dynamic_broadcast(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The smallest are the largest of the complements.
// CHECK-LABEL: func.func @smallest
// CHECK:         %[[N:.+]] = stablehlo.not %arg0
// CHECK:         %[[T:.+]]:2 = chlo.top_k(%[[N]], k = 2)
// CHECK:         stablehlo.not %[[T]]#0
func.func @smallest(%x: tensor<4xi8>) -> (tensor<2xi8>, tensor<2xi32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false}} : (tensor<4xi8>) -> (tensor<2xi8>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xi8>, tensor<2xi32>
}
