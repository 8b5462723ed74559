// Texts of util ops: what is printed parses to the same again, in both forms.
// RUN: iree-opt %s > %t.1 && iree-opt %t.1 | diff %t.1 -
// RUN: iree-opt --mlir-print-op-generic %s | iree-opt | diff %t.1 -
util.func private @f(%a: tensor<4xf32>, %b: index) -> (%a, index, %a as tensor<2xf32>) 
util.func public @g(%a: tensor<4xf32>, %b: index) -> (index, %a) attributes {x = 1} {
  %0:3 = util.call @f(%a, %b) : (tensor<4xf32>, index) -> (%a, index, %a as tensor<2xf32>)
  %1:2 = util.assume.int %b[<umin = 0, umax = 10>, <udiv = 2>], %b<umin = 3> : index, index
  %c = arith.constant 4 : index
  util.return %b, %0#0 : index, tensor<4xf32>
}
util.global private mutable @x = 4 : i32
util.global private @y : tensor<4xf32>
util.global private @z = dense<1.0> : tensor<4xf32>
util.initializer { 
  %z = util.global.load immutable @z : tensor<4xf32>
  util.global.store %z, @y : tensor<4xf32>
  util.return
}
util.func private @h(%l: !util.list<i32>, %q: !util.list<?>, %b: !util.buffer, %i: index, %ref: !hal.buffer_view) -> i32 {
  %0 = util.list.get %l[%i] : !util.list<i32>
  %1 = util.list.get %q[%i] : !util.list<?> -> i32
  util.list.set %q[%i], %0 : i32 -> !util.list<?>
  util.list.set %l[%i], %0 : !util.list<i32>
  %n = util.null : !hal.buffer_view
  %e = util.cmp.eq %ref, %n : !hal.buffer_view
  %c = util.list.construct [%0 : i32, %1 : i32] : !util.list<i32>
  %al = util.align %i, %i : index
  %so = util.sizeof f32
  util.buffer.copy %b[%i], %b[%i], %i : !util.buffer{%i} -> !util.buffer{%i}
  %mn, %mx = util.range.extents [%i for %i], [%i for %i] : index
  %sw = util.switch i32 from [%0, %1] at %i else %0 : i32
  %ob:2 = util.optimization_barrier %0, %n : i32, !hal.buffer_view
  %ld = util.buffer.load %b[%i for %i] : !util.buffer{%i} -> i32
  util.return %sw : i32
}
util.global private @d : !hal.device
util.global private @e {stream.affinity.default = 1 : i32} = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "x">]> : !hal.device
