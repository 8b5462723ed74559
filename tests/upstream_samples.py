# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Upstream's C and C++ samples, unchanged, from a checkout that the user names (IREE_SOURCE=FOLDER), against an
installed tree of ours, with modules compiled by us. Part of tests/capi.py."""
import os
import pathlib
import re

import harness

CPU = ("--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu")
VMVX = ("--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=vmvx")

# Programs for samples that come without: they load modules which users make elsewhere.
COUNTER = """
util.global private mutable @counter = dense<0> : tensor<i32>
func.func @get_value() -> tensor<i32> {
  %0 = util.global.load @counter : tensor<i32>
  return %0 : tensor<i32>
}
func.func @set_value(%value: tensor<i32>) {
  util.global.store %value, @counter : tensor<i32>
  return
}
func.func @add_to_value(%value: tensor<i32>) {
  %0 = util.global.load @counter : tensor<i32>
  %1 = stablehlo.add %0, %value : tensor<i32>
  util.global.store %1, @counter : tensor<i32>
  return
}
func.func @reset_value() {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  util.global.store %0, @counter : tensor<i32>
  return
}
"""
DYNAMIC = """
func.func @reduce_sum_1d(%values: tensor<?xi32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%values init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @reduce_sum_2d(%values: tensor<?x3xi32>) -> tensor<3xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%values init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x3xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
func.func @add_one(%values: tensor<?xi32>) -> tensor<?xi32> {
  %ones = util.unfoldable_constant dense<1> : tensor<i32>
  %n = stablehlo.get_dimension_size %values, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %one = stablehlo.dynamic_broadcast_in_dim %ones, %shape, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %0 = stablehlo.add %values, %one : tensor<?xi32>
  return %0 : tensor<?xi32>
}
"""


def source():
    folder = os.environ.get("IREE_SOURCE")
    if not folder:
        raise harness.Skip("IREE_SOURCE=FOLDER of an IREE checkout is not set: its C samples")
    path = pathlib.Path(folder).resolve()
    if not (path / "samples/simple_embedding").is_dir():
        raise harness.Skip("IREE_SOURCE=%s has no samples/simple_embedding" % folder)
    return path


class Sample:
    """One sample on its way: modules, headers over them, a program."""

    def __init__(self, name, prefix):
        self.tree, self.prefix = source(), prefix()
        self.folder = harness.scratch("capi-samples", name)

    def compile(self, text_or_path, *flags, name="module"):
        path = text_or_path
        if isinstance(text_or_path, str):
            path = self.folder / (name + ".mlir")
            path.write_text(text_or_path)
        out = self.folder / (name + ".vmfb")
        harness.must([harness.ours("iree-compile"), path, *flags, "-o", out])
        return out

    def embed(self, module, identifier, header):
        """|header| as iree-c-embed-data writes it for |module|, and the C file beside it."""
        path = self.folder / header
        path.parent.mkdir(parents=True, exist_ok=True)
        out = path.with_suffix(".c")
        harness.must([harness.ours("iree-c-embed-data"), "--identifier=" + identifier, "--output_header=%s" % path,
                      "--output_impl=%s" % out, module])
        return out

    def build(self, *sources, flags=(), shared=False):
        """The program of C and C++ files; the latter decide which compiler links."""
        objects, link = [], "gcc"
        for path in sources:
            path = path if isinstance(path, pathlib.Path) else self.tree / path
            out = self.folder / (path.name + ".o")
            if path.suffix == ".o":
                objects.append(path)
                continue
            cpp = path.suffix == ".cc"
            link = "g++" if cpp else link
            harness.must(["g++" if cpp else "gcc", "-std=c++17" if cpp else "-std=gnu11", "-fPIC", "-O1", *(() if cpp else ("-Werror=implicit-function-declaration",)), "-I", self.prefix / "include",
                          "-I", self.folder, *flags, "-c", path, "-o", out])
            objects.append(out)
        binary = self.folder / ("module.so" if shared else "program")
        harness.must([link, *(["-shared"] if shared else []), *objects, self.prefix / "lib/libiree_runtime.a", "-lpthread", "-lm",
                      "-o", binary])
        return binary


def expect(binary, *arguments, parts=(), command=()):
    out = harness.must([*command, binary, *arguments], timeout=60).out.decode("utf8", "replace")
    at = 0
    for part in parts:
        found = re.compile(part).search(out, at)
        if not found:
            raise harness.Fail("'%s' is not in the output:\n%s" % (part, harness.tail(out, 12)))
        at = found.end()


def simple_embedding(device, prefix):
    s = Sample("simple_embedding-" + device, prefix)
    program = s.tree / "samples/simple_embedding/simple_embedding_test.mlir"
    word = "vmvx" if device == "vmvx_sync" else "cpu_x86_64"
    made = [s.embed(s.compile(program, *(VMVX if word == "vmvx" else CPU)), "iree_samples_simple_embedding_test_module_" + word,
                    "samples/simple_embedding/simple_embedding_test_bytecode_module_%s_c.h" % word)]
    for other in ("arm_64", "riscv_32", "riscv_64"):  # included, but not for this machine
        made.append(s.embed(program, "iree_samples_simple_embedding_test_module_cpu_" + other,
                            "samples/simple_embedding/simple_embedding_test_bytecode_module_cpu_%s_c.h" % other))
    binary = s.build("samples/simple_embedding/simple_embedding.c", "samples/simple_embedding/device_%s.c" % device, *made)
    expect(binary, parts=("simple_embedding done",))


def hello_world(which, prefix):
    s = Sample("hello_world-" + which, prefix)
    module = s.compile(s.tree / "runtime/src/iree/runtime/demo/simple_mul.mlir", *CPU)
    made = s.embed(module, "iree_runtime_demo_simple_mul_module", "iree/runtime/demo/simple_mul_module_c.h")
    want = ("4xf32=6 ?12 ?20 ?30|4xf32=.*",)
    if which == "terse":
        expect(s.build("runtime/src/iree/runtime/demo/hello_world_terse.c", made), parts=want)
    elif which == "embedded":
        expect(s.build("runtime/src/iree/runtime/demo/hello_world_explained.c", made,
                       flags=["-DIREE_RUNTIME_DEMO_LOAD_FILE_FROM_EMBEDDED_DATA"]), "local-sync", parts=want)
    else:
        expect(s.build("runtime/src/iree/runtime/demo/hello_world_explained.c",
                       flags=["-DIREE_RUNTIME_DEMO_LOAD_FILE_FROM_COMMAND_LINE_ARG"]), module, parts=want)


def variables_and_state(prefix):
    s = Sample("variables_and_state", prefix)
    binary = s.build("samples/variables_and_state/main.c")
    expect(binary, s.compile(COUNTER, *CPU), "local-task", parts=("get_value.*", "set_value", "add_to_value", "reset_value"))


def dynamic_shapes(prefix):
    s = Sample("dynamic_shapes", prefix)
    expect(s.build("samples/dynamic_shapes/main.c"), s.compile(DYNAMIC, *CPU), "local-task",
           parts=(r"reduce_sum_1d", r"reduce_sum_2d", r"add_one"))


def custom_module(kind, prefix):
    s = Sample("custom_module-" + kind, prefix)
    base = "samples/custom_module/%s/" % kind
    flags = {"basic": ("--iree-execution-model=host-only",), "sync": CPU, "async": (*CPU, "--iree-execution-model=async-external")}[kind]
    parts = {"basic": ("CREATE hello", "PRINT hello", "LENGTH hello = 5", "PRINT (debug|optimized)"), "sync": ("MATCHED!",),
             "async": ("INITIALIZE T=0", "SIGNALED T=1", "VM INVOKE BEGIN example.main", "VM INVOKE END", "REACHED T=2", "MATCHED!")}[kind]
    module = s.compile(s.tree / (base + "test/example.mlir"), *flags)
    for defines in ((), ("-DNDEBUG",)):
        expect(s.build(base + "main.c", base + "module.cc", flags=["-I", s.tree / base, *defines]), module, "example.main", parts=parts)


def custom_module_dynamic(prefix):
    s = Sample("custom_module-dynamic", prefix)
    module = s.compile(s.tree / "samples/custom_module/dynamic/test/example.mlir", *CPU)
    library = s.build("samples/custom_module/dynamic/module.cc", shared=True)
    expect(harness.ours("iree-run-module"), "--device=local-sync", "--module=%s@create_custom_module" % library, "--module=%s" % module,
           "--function=main", parts=("CREATE 5xi8=0 1 2 3 4", "PRINT 5xi8=0 1 2 3 4"))


def static_library(prefix):
    s = Sample("static_library", prefix)
    here, kernels = s.folder / "samples/static_library", s.folder / "samples/static_library/simple_mul.o"
    here.mkdir(parents=True, exist_ok=True)
    module = s.compile(s.tree / "samples/static_library/simple_mul.mlir", *CPU, "--iree-llvmcpu-target-cpu=generic", "--iree-llvmcpu-link-embedded=false",
                       "--iree-llvmcpu-link-static", "--iree-llvmcpu-static-library-output-path=%s" % kernels, "--iree-vm-target-index-bits=32")
    made = s.embed(module, "iree_samples_static_library_simple_mul", "samples/static_library/simple_mul_c.h")
    expect(s.build("samples/static_library/create_bytecode_module.c", "samples/static_library/static_library_demo.c", made, kernels),
           parts=("static_library_run_bytecode passed",))


def plugin(kind, program, function, prefix):
    """Kernels that call a plugin, which is built against our headers; the modules are upstream's compiler's, as ours has no custom dispatches."""
    s = Sample("plugin-%s-%s" % (kind, program), prefix)
    base = s.tree / "samples/custom_dispatch/cpu/plugin"
    module = s.folder / "module.vmfb"
    harness.must([harness.upstream("iree-compile"), base / (program + ".mlir"), *CPU, "-o", module])
    library = s.folder / "plugin.so"
    harness.must(["gcc", "-std=gnu11", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", *(["-ffreestanding", "-nostdlib", "-Wl,--hash-style=sysv"] if kind == "standalone" else []),
                  "-I", s.prefix / "include", base / (kind + "_plugin.c"), "-o", library])
    want = r"8xf32=12 12 12 12 12 12 12 12" if function == "mixed_invocation" else r"8xf32=8 8 8 8 8 8 8 8"
    for spec in ("%s" % library, *(["embedded:%s" % library] if kind == "standalone" else [])):
        expect(harness.ours("iree-run-module"), "--device=local-sync", "--module=%s" % module, "--function=" + function, "--input=8xf32=2",
               "--input=8xf32=4", "--executable_plugin=" + spec, parts=(want,))


def tests(prefix):
    for kind in ("system", "standalone"):
        for program, function in (("example", "mixed_invocation"), ("ukernel", "ukernel_example")):
            yield "plugin/%s_%s" % (kind, program), lambda kind=kind, program=program, function=function: plugin(
                kind, "%s_%s" % (kind, program), function, prefix)
    for device in ("embedded_sync", "embedded", "vmvx_sync"):
        yield "simple_embedding/" + device, lambda device=device: simple_embedding(device, prefix)
    for which in ("terse", "embedded", "file"):
        yield "hello_world/" + which, lambda which=which: hello_world(which, prefix)
    yield "variables_and_state", lambda: variables_and_state(prefix)
    yield "dynamic_shapes", lambda: dynamic_shapes(prefix)
    for kind in ("basic", "sync", "async"):
        yield "custom_module/" + kind, lambda kind=kind: custom_module(kind, prefix)
    yield "static_library", lambda: static_library(prefix)
    yield "custom_module/dynamic", lambda: custom_module_dynamic(prefix)
