// RUN: iree-opt --input-convert-stablehlo --input-simplify %s | FileCheck-22 %s

// One update after another; a window that leaves the operand has no elements.
// CHECK-LABEL: util.func public @scatter
// CHECK:         flow.dispatch.region -> (tensor<6xf32>) {
// CHECK:           tensor.empty() : tensor<6xf32>
// CHECK:           %[[COPY:.+]] = scf.for
// CHECK:             tensor.extract %arg0
// CHECK:           scf.for %[[ROW:.+]] = {{.*}} iter_args(%{{.+}} = %[[COPY]])
// CHECK:             %[[INDEX:.+]] = tensor.extract %arg1[%[[ROW]], %{{.+}}] : tensor<3x1xi32>
// CHECK:             %[[COUNT:.+]] = arith.select {{.*}} : index
// CHECK:             scf.for %{{.+}} = %{{.+}} to %[[COUNT]] {{.*}} iter_args(%[[OUT:.+]] = %{{.+}})
// CHECK-DAG:           tensor.extract %[[OUT]]
// CHECK-DAG:           tensor.extract %arg2[%[[ROW]]] : tensor<3xf32>
// CHECK:               tensor.insert %{{.+}} into %[[OUT]]
func.func @scatter(%a: tensor<6xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<6xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<6xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
