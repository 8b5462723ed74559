// RUN: iree-opt --flow-propagate-scalars %s | FileCheck-22 %s
// The host has no bf16: the kernels read the tensor.
// CHECK-LABEL: @f
// CHECK-NOT:     tensor.extract
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<bf16>) outs(%{{.+}} : tensor<4xbf16>)
// CHECK-NEXT:    ^bb0(%[[IN:.+]]: bf16, %{{.+}}: bf16):
// CHECK-NEXT:      linalg.yield %[[IN]] : bf16
// CHECK:         linalg.generic
// CHECK:           %[[X:.+]] = tensor.extract %arg0[] : tensor<bf16>
// CHECK-NEXT:      arith.addf %{{.+}}, %[[X]] : bf16
#map = affine_map<(d0) -> (d0)>
util.func public @f(%p: tensor<bf16>) -> tensor<4xbf16> {
  %x = tensor.extract %p[] : tensor<bf16>
  %e = tensor.empty() : tensor<4xbf16>
  %f = linalg.fill ins(%x : bf16) outs(%e : tensor<4xbf16>) -> tensor<4xbf16>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%f : tensor<4xbf16>) outs(%e : tensor<4xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %s = arith.addf %in, %x : bf16
    linalg.yield %s : bf16
  } -> tensor<4xbf16>
  util.return %r : tensor<4xbf16>
}

// What the host can read stays with it.
// CHECK-LABEL: @g
// CHECK:         tensor.extract %{{.+}}[] : tensor<f32>
// CHECK:         linalg.fill
util.func public @g(%p: tensor<f32>) -> tensor<4xf32> {
  %x = tensor.extract %p[] : tensor<f32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  util.return %f : tensor<4xf32>
}
