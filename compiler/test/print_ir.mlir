// IR around passes: which, in which form, and where to.
// RUN: iree-opt --flow-convert-pads --flow-elide-ties --mlir-print-ir-before=flow-elide-ties --mlir-print-ir-after=flow-convert-pads %s 2>&1 >%t.out | FileCheck-22 %s --check-prefix=ONE
// RUN: iree-opt --flow-convert-pads --flow-elide-ties --mlir-print-ir-after-all --mlir-print-ir-after-change %s 2>&1 >%t.out | FileCheck-22 %s --check-prefix=CHANGE
// RUN: iree-opt --flow-convert-pads --mlir-print-ir-after-all --filter-print-funcs=other %s 2>&1 >%t.out | FileCheck-22 %s --check-prefix=ONLY
// RUN: iree-opt --flow-convert-pads --flow-elide-ties --mlir-print-ir-after-failure %s 2>%t.err >%t.out && test ! -s %t.err
// RUN: rm -rf %t.tree && iree-opt --flow-convert-pads --flow-elide-ties --mlir-print-ir-before-all --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%t.tree/a %s -o %t.out
// RUN: ls %t.tree/a/builtin_module_no-symbol-name | FileCheck-22 %s --check-prefix=TREE
// RUN: FileCheck-22 %s --check-prefix=FILE --input-file=%t.tree/a/builtin_module_no-symbol-name/0_flow-convert-pads.mlir
// RUN: not iree-opt --flow-convert-pads --mlir-print-ir-after=nosuch %s 2>&1 | FileCheck-22 %s --check-prefix=NAME
// RUN: iree-opt --mlir-elide-elementsattrs-if-larger=2 %s | FileCheck-22 %s --check-prefix=ELIDE
// RUN: iree-opt --mlir-elide-resource-strings-if-larger=20 %s | FileCheck-22 %s --check-prefix=SHORT
// RUN: iree-opt --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck-22 %s --check-prefix=LOCAL
// RUN: iree-opt --flow-convert-pads --verify-each --mlir-timing --mlir-timing-display=list --mlir-output-format=json %s 2>&1 >%t.out | FileCheck-22 %s --check-prefix=JSON
// RUN: iree-opt --flow-convert-pads --mlir-timing %s 2>&1 >%t.out | FileCheck-22 %s --check-prefix=TIME

// ONE:         // -----// IR Dump After FlowConvertPads: flow-convert-pads //----- //
// ONE-NEXT:    builtin.module {
// ONE:         // -----// IR Dump Before FlowElideTies: flow-elide-ties //----- //
// CHANGE:      IR Dump After FlowConvertPads
// CHANGE-NOT:  IR Dump
// ONLY:        IR Dump
// ONLY-NEXT:   util.func public @other
// ONLY-NOT:    @pad
// TREE:        0_flow-convert-pads.mlir
// TREE-NEXT:   0_flow-convert-pads_before.mlir
// TREE-NEXT:   1_flow-elide-ties.mlir
// FILE:        IR Dump After FlowConvertPads: flow-convert-pads
// FILE:        linalg.fill
// NAME:        no pass named 'nosuch'
// ELIDE:       arith.constant dense_resource<__elided__> : tensor<4xi8>
// ELIDE:       blob: "0x
// SHORT:       arith.constant dense<[1, 2, 3, 4]>
// SHORT-NOT:   blob: "0x
// LOCAL:       util.return %0 : tensor<7xf32> loc("{{.*}}print_ir.mlir":[[#]]:[[#]])
// LOCAL-NOT:   #loc
// JSON:        [
// JSON:        {"wall": {"duration": {{.*}}, "percentage": {{.*}}}, "name": "Total"}
// JSON-NEXT:   ]
// TIME:        ... Execution time report ...
// TIME:        Total Execution Time: {{.*}} seconds
// TIME:        (parse)
// TIME:        flow-convert-pads
// TIME:        Total
util.func public @pad(%a: tensor<4xf32>, %c: f32) -> tensor<7xf32> {
  %0 = tensor.pad %a low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<4xf32> to tensor<7xf32>
  util.return %0 : tensor<7xf32>
}
util.func public @other() -> (tensor<4xi8>, tensor<4xf32>) {
  %0 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %1 = arith.constant dense_resource<blob> : tensor<4xf32>
  util.return %0, %1 : tensor<4xi8>, tensor<4xf32>
}
{-# dialect_resources: { builtin: { blob: "0x0400000001000000000000000000000000000000" } } #-}
