// RUN: iree-opt %s | FileCheck-22 %s

// CHECK:       sdy.mesh @mesh = <["x"=2, "y"=1]>
sdy.mesh @mesh = <["x"=2, "y"=1]>
// CHECK:         sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {}]> : tensor<4x4xf32>
func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
