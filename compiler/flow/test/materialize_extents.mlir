// RUN: iree-opt --flow-materialize-extents %s | FileCheck-22 %s
// CHECK-LABEL: @branch
// CHECK:         %[[R:.+]]:2 = scf.if %{{.+}} -> (tensor<?xf32>, index) {
// CHECK:           %[[DA:.+]] = tensor.dim %[[A:.+]], %{{.+}} : tensor<?xf32>
// CHECK:           scf.yield %[[A]], %[[DA]] : tensor<?xf32>, index
// CHECK:           %[[DB:.+]] = tensor.dim %[[B:.+]], %{{.+}} : tensor<?xf32>
// CHECK:           scf.yield %[[B]], %[[DB]] : tensor<?xf32>, index
// CHECK:         %[[T:.+]] = flow.tensor.tie_shape %[[R]]#0 : tensor<?xf32>{%[[R]]#1}
// CHECK:         util.return %[[T]]
util.func public @branch(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = scf.if %c -> (tensor<?xf32>) {
    scf.yield %a : tensor<?xf32>
  } else {
    scf.yield %b : tensor<?xf32>
  }
  util.return %r : tensor<?xf32>
}

// CHECK-LABEL: @counted
// CHECK:         scf.for %{{.+}} iter_args(%[[V:.+]] = %{{.+}}, %[[N:.+]] = %{{.+}}) -> (tensor<?xf32>, index)
// CHECK:           %[[TV:.+]] = flow.tensor.tie_shape %[[V]] : tensor<?xf32>{%[[N]]}
// CHECK:           %[[W:.+]] = tensor.concat dim(0) %[[TV]], %[[TV]]
// CHECK:           %[[M:.+]] = tensor.dim %[[W]]
// CHECK:           scf.yield %[[W]], %[[M]] : tensor<?xf32>, index
util.func public @counted(%n: index, %a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> (tensor<?xf32>) {
    %w = tensor.concat dim(0) %v, %v : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  util.return %r : tensor<?xf32>
}
