// RUN: iree-opt --input-convert-stablehlo --input-simplify %s | FileCheck-22 %s

// Elements of a short dimension count what comes before them: their place.
// CHECK-LABEL: util.func public @one_block
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-NOT:     scf.while
func.func @one_block(%a: tensor<9xf32>) -> tensor<9xf32> {
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// Blocks of 32, of which the last is cut; then runs double until one is left: bisection for each
// 16th place, then for each place.
// CHECK-LABEL: util.func public @merged
// CHECK:         tensor<4x32xi32>
// CHECK:         tensor.extract_slice {{.*}} tensor<128xi8> to tensor<100xi8>

// CHECK:         scf.while (%[[LENGTH:.+]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (index, index, tensor<100xi8>)
// CHECK:           arith.cmpi slt, %[[LENGTH]], %{{.*}} : index
// CHECK:           linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} {{.*}} outs(%{{.*}} : tensor<7xi64>)
// CHECK:           linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} {{.*}} outs(%{{.*}} : tensor<100xi64>)
// CHECK:           linalg.generic {{.*}}iterator_types = ["parallel"]} {{.*}} outs(%{{.*}} : tensor<100xi8>)
func.func @merged(%a: tensor<100xi8>) -> tensor<100xi8> {
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<i8>, %y: tensor<i8>):
    %1 = stablehlo.compare LT, %x, %y, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<100xi8>) -> tensor<100xi8>
  return %0 : tensor<100xi8>
}

// The best of each of 37 blocks of 7, then what the 5 best blocks hold.
// CHECK-LABEL: util.func public @top_k
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} {{.*}} outs(%{{.*}}, %{{.*}} : tensor<37xf32>, tensor<37xi32>)
// CHECK:         tensor<5x7xf32>
// CHECK:         tensor<35xf32>
// CHECK-NOT:     scf.while
func.func @top_k(%a: tensor<256xf32>) -> (tensor<5xf32>, tensor<5xi32>) {
  %0:2 = chlo.top_k(%a, k = 5) : tensor<256xf32> -> (tensor<5xf32>, tensor<5xi32>)
  return %0#0, %0#1 : tensor<5xf32>, tensor<5xi32>
}
