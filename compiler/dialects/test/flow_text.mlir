// Texts of flow, iree_tensor_ext and hal.tensor ops: what is printed parses to the same again, in both forms.
// RUN: iree-opt %s > %t.1 && iree-opt %t.1 | diff %t.1 -
// RUN: iree-opt --mlir-print-op-generic %s | iree-opt | diff %t.1 -
module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 : !hal.device
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @f workgroups(%arg0: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0)
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x5xf32>>, %arg2: index, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x5xf32>>) {
        %0 = iree_tensor_ext.dispatch.workload.ordinal %arg2, 0 : index
        %1 = flow.dispatch.tie_shape %arg0 : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>{%0}
        %2 = flow.dispatch.tie_shape %arg3 : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x5xf32>>{%0}
        %3 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0], sizes = [%0, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>{%0} -> tensor<?x4xf32>
        iree_tensor_ext.dispatch.tensor.store %3, %2, offsets = [0, 0], sizes = [%0, 4], strides = [1, 1] : tensor<?x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x5xf32>>{%0}
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %f: !hal.fence, %g: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @main(%input0: tensor<?x4xf32>, %input1: tensor<4x5xf32>) -> (%output0: tensor<?x5xf32>)"}} {
    %0 = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[0] : index
    %1 = hal.tensor.import wait(%f) => %arg0 "input0" : !hal.buffer_view -> tensor<?x4xf32>{%0}
    %2 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<4x5xf32>
    %a2 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<4x5xi32> as tensor<4x5xf32>
    %cst = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : index
    %sp = flow.tensor.splat %cst : tensor<?x5xf32>{%0}
    %e = flow.tensor.empty : tensor<?x5xf32>{%0}
    %r = flow.tensor.reshape %2 : tensor<4x5xf32> -> tensor<20xf32>
    %sl = flow.tensor.slice %2[%c0, %c0 for %0, %0] : tensor<4x5xf32> -> tensor<?x2xf32>{%0}
    %u = flow.tensor.update %sl, %2[%c0, %c0] : tensor<?x2xf32>{%0} -> %2 as tensor<4x5xf32>
    %u2 = flow.tensor.update %sl, %sp[%c0, %c0] : tensor<?x2xf32>{%0} -> %sp as tensor<?x5xf32>{%0}
    %ld = flow.tensor.load %2[%c0, %c0] : tensor<4x5xf32>
    %ld2 = flow.tensor.store %ld, %2[%c0, %c0] : tensor<4x5xf32>
    %3 = flow.dispatch @main_dispatch_0::@f[%0](%1, %2, %0) : (tensor<?x4xf32>{%0}, tensor<4x5xf32>, index) -> tensor<?x5xf32>{%0}
    %b:2 = flow.dispatch.workgroups[%0](%1, %2, %0) : (tensor<?x4xf32>{%0}, tensor<4x5xf32>, index) -> (tensor<?x5xf32>{%0}, %2) =
        (%arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x5xf32>>, %arg4: index, %arg5: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x5xf32>>) {
      %5 = iree_tensor_ext.dispatch.workload.ordinal %arg4, 0 : index
      flow.return
    } count(%arg2: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg2)
      flow.return %x, %y, %z : index, index, index
    }
    %re = flow.dispatch.region -> (tensor<?x5xf32>{%0}) {
      flow.return %3 : tensor<?x5xf32>
    }
    %q:2 = hal.tensor.barrier join(%3, %2 : tensor<?x5xf32>, tensor<4x5xf32>) => %g : !hal.fence
    %4 = hal.tensor.export %3 "output0" : tensor<?x5xf32>{%0} -> !hal.buffer_view
    util.return %4 : !hal.buffer_view
  }
}
