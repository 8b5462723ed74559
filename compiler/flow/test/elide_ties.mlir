// RUN: iree-opt --flow-elide-ties %s | FileCheck-22 %s
// CHECK-LABEL: @f
// CHECK-SAME:    (%[[X:.+]]: tensor<?xf32>, %{{.+}}: index)
// CHECK-NEXT:    util.return %[[X]]
util.func public @f(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %t = flow.tensor.tie_shape %x : tensor<?xf32>{%n}
  util.return %t : tensor<?xf32>
}
