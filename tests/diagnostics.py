# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bad input to every tool: exit code 1, at most six lines that say what is wrong, nothing written half, no crash, no hang.

A row of CASES is (name, tool, arguments, what the message must mention - a regular expression, case ignored).
`{x}` in an argument stands for a file of `fixture`; `{out}` for the output, which must not be there afterwards.
"""
import re
import struct

import harness
import outputs
import program
import wrong

LLVM = "--iree-hal-target-backends=llvm-cpu"
ADD = ["--device=local-sync", "--function=add"]
INPUTS = ["--input=4xf32=1,2,3,4", "--input=4xf32=5,6,7,8"]


def compiling(source, *flags):
    return ["{%s}" % source, LLVM, *flags, "-o", "{out}"]


def running(module, *flags):
    return ["--module={%s}" % module, *ADD, *flags]


SOURCES = {  # name -> text of an .mlir file
    "unclosed": "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %a : tensor<4xf32>\n",
    "no_value": "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %nosuch : tensor<4xf32>\n}\n",
    "twice": "func.func @f(%a: tensor<4xf32>, %a: tensor<4xf32>) {\n  return\n}\n",
    "bad_type": "func.func @f(%a: tensor<4xf33>) {\n  return\n}\n",
    "mismatch": "func.func @f(%a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<4xf32> {\n"
                "  %0 = \"stablehlo.add\"(%a, %b) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n",
    "wrong_result": "func.func @f(%a: tensor<4xf32>) -> tensor<5xf32> {\n  return %a : tensor<4xf32>\n}\n",
    "unknown_op": "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.frobnicate %a : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n",
    "torch_type": "func.func @main(%a: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {\n  return %a : !torch.vtensor<[4],f32>\n}\n",
    "tosa_op": "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = tosa.abs %a : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n",
    "zipped": "PK\3\4 and so on",
    "unknown_dialect": "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = \"nosuch.op\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n",
    "unsupported_op": "func.func @f(%a: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {\n"
                      "  %0 = \"stablehlo.custom_call\"(%a) {call_target_name = \"nosuch\"} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>\n"
                      "  return %0 : tensor<4xcomplex<f32>>\n}\n",
    "python_callback": "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%a) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n",
    "old_lapack": "func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {\n  %0 = stablehlo.custom_call @lapack_spotrf(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>\n  return %0 : tensor<4x4xf32>\n}\n",
    "lapack_type": "func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {\n  %0 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>\n  return %0 : tensor<4x4xf32>\n}\n",
    "not_square": "func.func @f(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {\n  %0 = stablehlo.cholesky %a, lower = true : tensor<4x3xf32>\n  return %0 : tensor<4x3xf32>\n}\n",
    "no_callee": "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = call @nosuch(%a) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n",
    "short_constant": "func.func @f() -> tensor<4xf32> {\n  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n",
    "huge_shape": "func.func @f(%a: tensor<9223372036854775807x4xf32>) -> tensor<9223372036854775807x4xf32> {\n"
                  "  %0 = stablehlo.add %a, %a : tensor<9223372036854775807x4xf32>\n  return %0 : tensor<9223372036854775807x4xf32>\n}\n",
    "overflow": "func.func @f() -> tensor<2147483648x2147483648xf32> {\n  %0 = stablehlo.iota dim = 0 : tensor<2147483648x2147483648xf32>\n  return %0 : tensor<2147483648x2147483648xf32>\n}\n",
    "same_name": "func.func @f() {\n  return\n}\nfunc.func @f() {\n  return\n}\n",
    "kept_name": "func.func @__init(%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %a : tensor<4xf32>\n}\n",
    "one_successor": "func.func @f(%p: i1) {\n  \"cf.cond_br\"(%p)[^bb1] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()\n^bb1:\n  return\n}\n",
    "condition_type": "func.func @f(%p: i32) {\n  \"cf.cond_br\"(%p)[^bb1, ^bb1] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()\n^bb1:\n  return\n}\n",
    "odd_location": "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = \"stablehlo.custom_call\"(%a) {call_target_name = \"x\"} : (tensor<4xf32>) -> tensor<4xf32> loc(\"a\\nb\\nc\\nd\\ne\\nf\\ng\":1:1)\n  return %0 : tensor<4xf32>\n}\n",
    "no_name": "func.func @\"\"() {\n  return\n}\n",
    "recursion": "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n",
    "doubling": "".join("func.func private @g%d(%%a: tensor<4xf32>) -> tensor<4xf32> {\n  %%0 = call @g%d(%%a) : (tensor<4xf32>) -> tensor<4xf32>\n  %%1 = call @g%d(%%0) : (tensor<4xf32>) -> tensor<4xf32>\n  return %%1 : tensor<4xf32>\n}\n" % (i, i - 1, i - 1) for i in range(1, 40))
                + "func.func private @g0(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.add %a, %a : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n"
                "func.func @f(%p: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = \"stablehlo.if\"(%p) ({\n    %1 = func.call @g39(%a) : (tensor<4xf32>) -> tensor<4xf32>\n    stablehlo.return %1 : tensor<4xf32>\n"
                "  }, {\n    stablehlo.return %a : tensor<4xf32>\n  }) : (tensor<i1>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n",
    "infeed": "func.func @f() -> tensor<4xf32> {\n  %t = stablehlo.create_token : !stablehlo.token\n"
              "  %0:2 = \"stablehlo.infeed\"(%t) : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)\n  return %0#0 : tensor<4xf32>\n}\n",
    "participants": "func.func @f(%a: tensor<4xf32>) -> tensor<8xf32> {\n"
                    "  %0 = \"stablehlo.all_gather\"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>\n"
                    "  return %0 : tensor<8xf32>\n}\n",
    "odd_width": "func.func @f(%a: tensor<4xi7>) -> tensor<4xi7> {\n  %0 = stablehlo.add %a, %a : tensor<4xi7>\n  return %0 : tensor<4xi7>\n}\n",
    "alias_loop": "!a = !a\n" + "func.func private @f(!a) -> !a\n" * 9,
    "shapeless_iota": "func.func @f(%a: tensor<4xf32>, %b: tensor<4x4xf32>, %s: tensor<f32>, %i: tensor<4xi32>) -> tensor<?xi32> {\n  %0 = stablehlo.iota dim = 0 : tensor<?xi32>\n  return %0 : tensor<?xi32>\n}\n",
    "no_direction": "func.func @f(%a: tensor<4xf32>, %b: tensor<4x4xf32>, %s: tensor<f32>, %i: tensor<4xi32>) -> tensor<4xf32> {\n  %0 = stablehlo.compare XX, %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n  return %a : tensor<4xf32>\n}\n",
    "body_type": "func.func @f(%a: tensor<4xf32>, %b: tensor<4x4xf32>, %s: tensor<f32>, %i: tensor<4xi32>) -> tensor<4xf32> {\n  %0 = \"stablehlo.reduce\"(%a, %s) <{dimensions = array<i64: 0>}> ({\n  ^bb0(%x: tensor<i32>, %y: tensor<i32>):\n    stablehlo.return %x : tensor<i32>\n  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n  return %a : tensor<4xf32>\n}\n",
    "start_type": "func.func @f(%a: tensor<4xf32>, %b: tensor<4x4xf32>, %s: tensor<f32>, %i: tensor<4xi32>) -> tensor<4xf32> {\n  %0 = stablehlo.dynamic_slice %a, %s, sizes = [2] : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>\n  return %a : tensor<4xf32>\n}\n",
    "bit_count": "func.func @f(%a: tensor<4xf32>, %b: tensor<4x4xf32>, %s: tensor<f32>, %i: tensor<4xi32>) -> tensor<4xf32> {\n  %0 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4x3xi8>\n  return %a : tensor<4xf32>\n}\n",
    "outside": "func.func @f(%a: tensor<4xf32>, %b: tensor<4x4xf32>, %s: tensor<f32>, %i: tensor<4xi32>) -> tensor<4xf32> {\n  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 * 5)>, affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {\n  ^bb0(%x: f32, %y: f32):\n    linalg.yield %x : f32\n  } -> tensor<4xf32>\n  return %a : tensor<4xf32>\n}\n",
    "negative": "func.func @f(%a: tensor<4xf32>, %b: tensor<4x4xf32>, %s: tensor<f32>, %i: tensor<4xi32>) -> tensor<4xf32> {\n  %0 = stablehlo.constant dense<-1> : tensor<4xui8>\n  return %a : tensor<4xf32>\n}\n",
    "quant_scales": "func.func @f(%a: tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x3xf32> {\n  %0 = stablehlo.uniform_dequantize %a : (tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x3xf32>\n  return %0 : tensor<2x3xf32>\n}\n",
    "quant_scale": "func.func @f(%a: tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, -0.5>> {\n  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, -0.5>>\n  return %0 : tensor<2x!quant.uniform<i8:f32, -0.5>>\n}\n",
    "quant_zero": "func.func @f(%a: tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:200>> {\n  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:200>>\n  return %0 : tensor<2x!quant.uniform<i8:f32, 0.5:200>>\n}\n",
    "quant_constant": "func.func @f() -> tensor<2x!quant.uniform<i8:f32, 0.5>> {\n  %0 = stablehlo.constant() {value = dense<1> : tensor<2xi32>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>\n  return %0 : tensor<2x!quant.uniform<i8:f32, 0.5>>\n}\n",
    "quant_blocks": "func.func @f(%a: tensor<2x2x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5}, {0.25}}>>) {\n  return\n}\n",
    "deep": "func.func @f() {\n  " + "scf.execute_region {\n" * 20000 + "\n",
    "parens": "func.func @f() attributes {a = " + "[" * 100000 + "\n",
    "words": "this is no program\n",
    "bytes": "\0\1\2\377" * 64,
}

CASES = [
    # iree-compile: the text
    *[("compile/" + name, "iree-compile", compiling(name), mentions) for name, mentions in (
        ("unclosed", r"unclosed\.mlir:\d+:\d+: error"), ("no_value", r"no_value\.mlir:2:\d+: error.*\n?.*nosuch"), ("twice", r"twice\.mlir:1:\d+: error.*%a"),
        ("bad_type", r"bad_type\.mlir:1:\d+: error"), ("mismatch", r"mismatch\.mlir:2:\d+: error.*stablehlo\.add"),
        ("wrong_result", r"wrong_result\.mlir:2:\d+: error"), ("unknown_op", r"unknown_op\.mlir:2:\d+: error.*stablehlo\.frobnicate"),
        ("torch_type", r"torch_type\.mlir:1:.*error.*torch\.vtensor.*StableHLO"), ("tosa_op", r"tosa_op\.mlir:2:.*tosa\.abs.*StableHLO"),
        ("zipped", r"error.*compiled module"), ("unknown_dialect", r"unknown_dialect\.mlir:2:\d+: error.*nosuch"), ("python_callback", r"error.*xla_ffi_python_cpu_callback.*calls back to Python"), ("old_lapack", r"error.*lapack_spotrf.*newer JAX"),
        ("lapack_type", r"error.*lapack_dpotrf_ffi.*another type"), ("not_square", r"error.*cholesky.*4.*3"),
        ("unsupported_op", r"unsupported_op\.mlir:2:\d+: error.*custom_call"),
        ("no_callee", r"no_callee\.mlir:2:\d+: error.*nosuch"), ("short_constant", r"short_constant\.mlir:2:\d+: error"),
        ("huge_shape", r"huge_shape\.mlir:\d:\d+: error"), ("deep", r"deep\.mlir:\d+:\d+: error"), ("parens", r"parens\.mlir:1:\d+: error"),
        ("overflow", r"overflow\.mlir:1:\d+: error.*64 bits"),
        ("same_name", r"same_name\.mlir:4:1: error.*'f'"),
        ("kept_name", r"kept_name\.mlir:1:1: error.*__init"),
        ("one_successor", r"one_successor\.mlir:2:\d+: error.*successors"), ("condition_type", r"condition_type\.mlir:2:\d+: error.*i1"),
        ("odd_location", r"^a\?b\?c\?d\?e\?f\?g:1:1: error: .*custom_call"),
        ("no_name", r"no_name\.mlir:1:1: error.*name"),
        ("recursion", r"recursion\.mlir:2:\d+: error"),
        ("doubling", r"doubling\.mlir:\d+:\d+: error.*'g39' in a region.*outside of regions"),
        ("infeed", r"infeed\.mlir:3:\d+: error.*stablehlo\.infeed.*arguments"),
        ("participants", r"participants\.mlir:2:\d+: error.*stablehlo\.all_gather.*participants"),
        ("odd_width", r"odd_width\.mlir:2:\d+: error.*i7"),
        ("alias_loop", r"alias_loop\.mlir:1:\d+: error.*!a"),
        ("shapeless_iota", r"shapeless_iota\.mlir:2:\d+: error.*dynamic_iota"),
        ("no_direction", r"no_direction\.mlir:2:\d+: error.*XX.*LT"),
        ("body_type", r"body_type\.mlir:2:\d+: error.*stablehlo\.reduce"),
        ("start_type", r"start_type\.mlir:2:\d+: error.*integer"),
        ("bit_count", r"bit_count\.mlir:2:\d+: error.*bits"),
        ("quant_scales", r"quant_scales\.mlir:\d+:\d+: error.*as many scales as its axis"),
        ("quant_scale", r"quant_scale\.mlir:\d+:\d+: error.*positive and finite"),
        ("quant_zero", r"quant_zero\.mlir:\d+:\d+: error.*zero point"),
        ("quant_constant", r"quant_constant\.mlir:\d+:\d+: error.*tensor<2xi32>"),
        ("quant_blocks", r"quant_blocks\.mlir:\d+:\d+: error"),
        ("outside", r"outside\.mlir:2:\d+: error.*15"),
        ("negative", r"negative\.mlir:2:\d+: error"),
        ("words", r"words\.mlir:1:\d+: error"), ("bytes", r"bytes\.mlir"))],
    # iree-compile: files and flags
    ("compile/missing-file", "iree-compile", compiling("nowhere"), r"nowhere"),
    ("compile/folder", "iree-compile", compiling("folder"), r"diagnostics/files"),
    ("compile/no-output-folder", "iree-compile", ["{good}", LLVM, "-o", "{folder}/no/such/x.vmfb"], r"no/such/x\.vmfb"),
    ("compile/unknown-flag", "iree-compile", compiling("good", "--iree-hal-target-backend=llvm-cpu"), r"iree-hal-target-backend\b.*\n?.*iree-hal-target-backends"),
    ("compile/flag-without-value", "iree-compile", ["{good}", LLVM, "-o", "{out}", "--iree-llvmcpu-target-cpu"], r"iree-llvmcpu-target-cpu"),
    ("compile/flag-bad-number", "iree-compile", compiling("good", "--iree-hal-executable-debug-level=much"), r"much"),
    ("compile/flag-bad-bool", "iree-compile", compiling("good", "--iree-vm-emit-polyglot-zip=maybe"), r"maybe"),
    ("compile/unknown-backend", "iree-compile", ["{good}", "--iree-hal-target-backends=nosuch", "-o", "{out}"], r"nosuch.*\n?.*llvm-cpu"),
    ("compile/unknown-device", "iree-compile", ["{good}", "--iree-hal-target-device=nosuch", "-o", "{out}"], r"nosuch.*\n?.*local"),
    ("compile/no-device", "iree-compile", ["{good}", "-o", "{out}"], r"--iree-hal-target-device"),
    ("compile/phases-backwards", "iree-compile", compiling("good", "--compile-from=vm", "--compile-to=flow"), r"vm.*flow"),
    ("compile/unknown-input-type", "iree-compile", compiling("good", "--iree-input-type=nosuch"), r"nosuch"),
    ("compile/unknown-level", "iree-compile", compiling("good", "--iree-opt-level=O9"), r"O9"),
    ("compile/full-device", "iree-compile", ["{good}", LLVM, "-o", "/dev/full"], r"/dev/full"),
    ("compile/unknown-phase", "iree-compile", compiling("good", "--compile-to=nosuch"), r"nosuch"),
    ("compile/unknown-cpu", "iree-compile", compiling("good", "--iree-llvmcpu-target-cpu=nosuch"), r"nosuch"),
    ("compile/unknown-cpu-feature", "iree-compile", compiling("good", "--iree-llvmcpu-target-cpu-features=+nosuch"), r"nosuch"),
    ("compile/unknown-triple", "iree-compile", compiling("good", "--iree-llvmcpu-target-triple=nosuch-unknown-linux"), r"nosuch"),
    ("compile/wrong-phase", "iree-compile", compiling("good", "--compile-from=vm"), r"add\.mlir"),
    ("compile/dump-folder", "iree-compile", compiling("good", "--iree-hal-dump-executable-files-to=/dev/null/x"), r"/dev/null/x"),
    ("compile/print-tree", "iree-compile", compiling("good", "--mlir-print-ir-after-all", "--mlir-print-ir-tree-dir=/dev/null/x"), r"/dev/null/x"),
    ("compile/print-pass", "iree-compile", compiling("good", "--mlir-print-ir-before=nosuch"), r"--mlir-print-ir-before.*nosuch"),
    ("compile/break-nowhere", "iree-compile", compiling("good", "--iree-flow-break-dispatch=nosuch"), r"--iree-flow-break-dispatch=nosuch"),
    ("compile/substitute-form", "iree-compile", compiling("good", "--iree-hal-substitute-executable-source=add_dispatch_0"), r"NAME=FILE"),
    ("compile/substitute-missing", "iree-compile", compiling("good", "--iree-hal-substitute-executable-source=add_dispatch_0={nowhere}"), r"nowhere"),
    ("compile/substitute-other", "iree-compile", compiling("good", "--iree-hal-substitute-executable-source=add_dispatch_0={good}"), r"no hal.executable @add_dispatch_0"),
    ("compile/bisect-time", "iree-compile", compiling("good", "--opt-bisect-test=true", "--opt-bisect-timeout=0"), r"--opt-bisect-timeout"),
    # iree-reduce
    ("reduce/missing-file", "iree-reduce", ["--interesting=error", "{nowhere}"], r"nowhere"),
    ("reduce/parse-error", "iree-reduce", ["--interesting=error", "{no_value}"], r"no_value\.mlir:2:\d+: error"),
    ("reduce/no-failure", "iree-reduce", ["--interesting=error", LLVM, "{good}"], r"not find the input interesting"),
    ("reduce/missing-script", "iree-reduce", ["./nosuch", "{good}"], r"\./nosuch"),
    ("reduce/missing-tool", "iree-reduce", ["--interesting=differ", "--run-module=/nosuch", "{good}"], r"--run-module"),
    ("reduce/time", "iree-reduce", ["--interesting=error", "--timeout=0", "{good}"], r"--timeout"),
    ("reduce/no-script", "iree-reduce", ["{good}"], r"add\.mlir.*test script, which comes before the input"),
    ("reduce/slow-script", "iree-reduce", ["--timeout=1", "{slow}", "{good}"], r"slow.*does not end within 1 s"),
    ("reduce/negative", "iree-reduce", ["--interesting=error", "--max-tests=-1", "{good}"], r"--max-tests=-1"),
    ("reduce/no-output-folder", "iree-reduce", ["--interesting=error", "-o", "{folder}/no/such/x", "{good}"], r"no/such/x"),
    ("reduce/unknown-test", "iree-reduce", ["--interesting=nosuch", "{good}"], r"nosuch"),
    # iree-opt
    ("opt/parse-error", "iree-opt", ["{no_value}"], r"no_value\.mlir:2:\d+: error"),
    ("opt/unknown-pass", "iree-opt", ["{good}", "--pass-pipeline=builtin.module(nosuch)"], r"nosuch"),
    ("opt/unknown-flag", "iree-opt", ["{good}", "--nosuch"], r"nosuch"),
    ("opt/missing-file", "iree-opt", ["{nowhere}"], r"nowhere"),
    # iree-run-module: the file
    ("run/missing-file", "iree-run-module", running("nowhere", *INPUTS), r"nowhere"),
    ("run/folder", "iree-run-module", running("folder", *INPUTS), r"diagnostics/files"),
    *[("run/" + name, "iree-run-module", running(name, *INPUTS), mentions) for name, mentions in (
        ("empty", r"empty|16 bytes|size"), ("junk", r"."), ("cut_16", r"."), ("cut_half", r"."), ("cut_end", r"."),
        ("other_version", r"18\.0.*17\.0|17\.0.*18\.0"), ("other_arch", r"embedded-elf-arm_64|add_dispatch_0|executable"),
        ("other_backend", r"executable|spirv|device|vulkan"))],
    # iree-run-module: the call
    ("run/no-module", "iree-run-module", [*ADD, *INPUTS], r"--module|module"),
    ("run/unknown-function", "iree-run-module", ["--module={add}", "--device=local-sync", "--function=nosuch", *INPUTS], r"nosuch"),
    ("run/unknown-device", "iree-run-module", ["--module={add}", "--device=nosuch", "--function=add", *INPUTS], r"nosuch"),
    ("run/unknown-flag", "iree-run-module", running("add", "--inptu=4xf32=1", *INPUTS), r"inptu"),
    ("run/too-few", "iree-run-module", running("add", INPUTS[0]), r"2|argument|input"),
    ("run/too-many", "iree-run-module", running("add", *INPUTS, INPUTS[0]), r"input|argument"),
    ("run/wrong-shape", "iree-run-module", running("add", INPUTS[0], "--input=5xf32=1"), r"input1.*shape|shape.*input1"),
    ("run/wrong-rank", "iree-run-module", running("add", INPUTS[0], "--input=2x2xf32=1"), r"input1.*rank|rank.*input1"),
    ("run/wrong-type", "iree-run-module", running("add", INPUTS[0], "--input=4xi32=1"), r"f32.*i32|i32.*f32"),
    ("run/short-value", "iree-run-module", running("add", INPUTS[0], "--input=4xf32=1 2"), r"4xf32"),
    ("run/long-value", "iree-run-module", running("add", INPUTS[0], "--input=4xf32=1 2 3 4 5"), r"4xf32"),
    ("run/bad-value", "iree-run-module", running("add", INPUTS[0], "--input=4xf32=1 2 x 4"), r"x"),
    ("run/bad-type", "iree-run-module", running("add", INPUTS[0], "--input=4xq32=1"), r"q32"),
    ("run/bad-dim", "iree-run-module", running("add", INPUTS[0], "--input=4x-1xf32=1"), r"-1"),
    ("run/huge-dim", "iree-run-module", running("add", INPUTS[0], "--input=9223372036854775807x16xf32"), r"9223372036854775807|size|overflow|range"),
    ("run/scalar", "iree-run-module", running("add", INPUTS[0], "--input=4"), r"tensor|shape|type|4"),
    ("run/missing-input-file", "iree-run-module", running("add", INPUTS[0], "--input=@{nowhere}.npy"), r"nowhere"),
    ("run/junk-npy", "iree-run-module", running("add", INPUTS[0], "--input=@{junk_npy}"), r"junk_npy|npy"),
    ("run/wrong-expected", "iree-run-module", running("add", *INPUTS, "--expected_output=4xf32=0"), None),
    # iree-benchmark-module and iree-dump-module
    ("benchmark/unknown-function", "iree-benchmark-module", ["--module={add}", "--device=local-sync", "--function=nosuch"], r"nosuch"),
    ("benchmark/missing-file", "iree-benchmark-module", running("nowhere", *INPUTS), r"nowhere"),
    ("benchmark/unknown-flag", "iree-benchmark-module", running("add", "--benchmark_nosuch=1", *INPUTS), r"benchmark_nosuch"),
    ("benchmark/wrong-shape", "iree-benchmark-module", running("add", INPUTS[0], "--input=5xf32=1"), r"shape"),
    ("benchmark/no-output-folder", "iree-benchmark-module", running("add", *INPUTS, "--benchmark_out={folder}/no/such/x"), r"no/such/x"),
    ("run/processor", "iree-run-module", ["--module={add}", "--device=local-task", "--function=add", "--task_topology_cpu_ids=999", *INPUTS], r"999.*only \d+ logical processors"),
    ("dump/program", "iree-dump-module", ["{good}"], r"not a compiled module.*iree-compile"),
    ("dump/missing-file", "iree-dump-module", ["{nowhere}"], r"nowhere"),
    *[("dump/" + name, "iree-dump-module", ["{%s}" % name], r".") for name in ("empty", "junk", "cut_16", "cut_half")],
    ("dump/unknown-output", "iree-dump-module", ["--output=nosuch", "{add}"], r"nosuch"),
    ("dump/no-file", "iree-dump-module", [], r"module|file"),
]


def tests(options):
    for name, tool, args, mentions in CASES:
        yield name, lambda name=name, tool=tool, args=args, mentions=mentions: bad_input(name, tool, args, mentions)
    yield from wrong.tests(options)
    yield from outputs.tests(options)


def bad_input(name, tool, args, mentions):
    tool = harness.ours(tool)
    out = harness.scratch("diagnostics") / (name.replace("/", "-") + ".vmfb")
    out.unlink(missing_ok=True)
    fill = lambda m: str(out) if m.group(1) == "out" else str(fixture(m.group(1)))
    command = [tool] + [re.sub(r"\{(\w+)\}", fill, a) for a in args]
    result = harness.run(command, timeout=60)
    said = result.err.strip() or result.out.decode("utf8", "replace").strip()
    if harness.crashed(result):
        raise harness.Fail("crash, exit %d: %s\n%s" % (result.code, harness.shown(command), harness.tail(result.err)))
    if result.code != 1:
        raise harness.Fail("exit %d, want 1: %s\n%s" % (result.code, harness.shown(command), harness.tail(said)))
    if mentions is None:
        return
    if not result.err.strip():
        raise harness.Fail("nothing on stderr: %s" % harness.shown(command))
    if len(said.splitlines()) > 6:
        raise harness.Fail("%d lines, want at most 6: %s\n%s" % (len(said.splitlines()), harness.shown(command), harness.tail(said, 9)))
    if not re.search(mentions, said, re.IGNORECASE):
        raise harness.Fail("no mention of /%s/: %s\n%s" % (mentions, harness.shown(command), harness.tail(said)))
    if out.exists():
        raise harness.Fail("%s was written: %s" % (out.name, harness.shown(command)))


def fixture(name):
    """The path of a file for the rows above, made on first use."""
    folder = harness.scratch("diagnostics", "files")
    if name == "good":
        return harness.ROOT / "samples" / "add.mlir"
    if name == "add":
        return good_module()
    if name == "folder":
        return folder
    if name == "slow":
        return program.once(folder / "slow.sh", lambda part: (part.write_text("#!/bin/sh\nexec sleep 20\n"), part.chmod(0o755)))
    path = folder / (name + (".mlir" if name in SOURCES else ".npy" if name.endswith("npy") else ".vmfb"))
    if name == "nowhere":
        return path
    if name in ("other_arch", "other_backend"):
        return other_target(name, path)
    return program.once(path, lambda part: part.write_bytes(content(name)))


def content(name):
    if name in SOURCES:
        return SOURCES[name].encode("latin-1")
    if name == "empty":
        return b""
    if name == "junk_npy":
        return b"\x93NUMPY\x01\x00\xff\xff{'descr': nothing"
    data = good_module().read_bytes()
    if name == "other_version":
        return with_version(data, 18 << 16)
    return {"junk": bytes(range(256)) * 64, "cut_16": data[:16], "cut_half": data[:len(data) // 2],
            "cut_end": data[:len(data) // 4]}[name]


def good_module():
    """A file for the runtime tests: upstream's when it is there, so that they do not hang on our compiler."""
    p = program.Program(program.FOLDER / "add.json")
    return p.compiled("upstream" if (harness.VENV / "bin" / "iree-compile").exists() else "ours")


def other_target(name, path):
    flags = {"other_arch": [LLVM, "--iree-llvmcpu-target-triple=aarch64-unknown-linux-gnu"],
             "other_backend": ["--iree-hal-target-backends=vulkan-spirv"]}[name]
    tool = harness.upstream("iree-compile")
    return program.once(path, lambda part: harness.must([tool, fixture("good"), *flags, "-o", part]))


def with_version(data, version):
    """The module with another bytecode version: field 13 of the FlatBuffer's root table."""
    start = 30 + sum(struct.unpack_from("<HH", data, 26)) if data[:4] == b"PK\3\4" else 0
    root = start + 4 + struct.unpack_from("<I", data, start + 4)[0]
    table = root - struct.unpack_from("<i", data, root)[0]
    field = root + struct.unpack_from("<H", data, table + 4 + 2 * 13)[0]
    if struct.unpack_from("<I", data, field)[0] != 17 << 16:
        raise harness.Fail("the fixture's bytecode version is not where it should be")
    return data[:field] + struct.pack("<I", version) + data[field + 4:]
