# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C API as users meet it: headers alone, an installed tree by pkg-config, CMake and plain cc, the amalgamation,
our samples, and upstream's samples (IREE_SOURCE=FOLDER of an IREE checkout, docs/c-api.md)."""
import os
import pathlib
import re
import shutil
import subprocess

import harness
import program
import upstream_samples

SO_LIMIT = 300 * 1024  # bytes of libiree_runtime.so
SUM = b"4xf32=6 8 10 12\n"


def tests(options):
    yield "headers/alone", headers_alone
    yield "headers/g++", lambda: headers_together("g++", "-std=c++17")
    yield "headers/clang++", lambda: headers_together("clang++-22", "-std=c++20")
    yield "shared/size", shared_size
    yield "shared/exports", shared_exports
    for name in ("pkg-config", "pkg-config-static", "plain-static", "plain-shared", "moved"):
        yield "install/" + name, lambda name=name: installed(name)
    yield "install/cmake", cmake
    yield "our-samples/custom_module", lambda: our_sample("custom_module", b"7 * 2 * 3 = 42\n", "--iree-execution-model=host-only")
    yield "our-samples/state", lambda: our_sample("state", b"first 6, second 10\n", *program.FLAGS)
    for compiler in ("gcc", "clang-22"):
        yield "amalgamation/" + compiler, lambda compiler=compiler: amalgamation(compiler)
    yield "compiler/loader", compiler_loader
    for name, function in upstream_samples.tests(prefix):
        yield "samples/" + name, function


def need(name):
    """The path of a program of the system, or a skip."""
    path = shutil.which(name)
    return path if path else harness.skip("no %s on this machine" % name)


# ---- headers

def public_headers():
    for path in sorted((harness.ROOT / "include").rglob("*.h")):
        if path.name != "mlir_interop.h":  # which is there to say that it is not
            yield str(path.relative_to(harness.ROOT / "include"))


def compiles(compiler, language, standard, text, what):
    result = harness.run([compiler, language, standard, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", harness.ROOT / "include",
                          "-I", harness.ROOT, "-"], stdin=text.encode())
    if result.code:
        raise harness.Fail("%s: %s" % (what, harness.tail(result.err)))


def headers_alone():
    """Each public header stands alone."""
    for name in public_headers():
        if not name.endswith(("_cc.h", "_packing.h")):
            compiles(need("gcc"), "-xc", "-std=c11", '#include "%s"\n' % name, name)


def headers_together(compiler, standard):
    """All of them in one C++ file, in both orders."""
    names = list(public_headers())
    for order in (names, names[::-1]):
        compiles(need(compiler), "-xc++", standard, "".join('#include "%s"\n' % n for n in order), compiler)


# ---- the shared runtime

def built(name):
    path = harness.OUT / "lib" / name
    return path if path.exists() else harness.skip("%s is not built (make shared)" % name)


def shared_size():
    size = built("libiree_runtime.so").stat().st_size
    if size > SO_LIMIT and harness.OUT.name == "build":
        raise harness.Fail("libiree_runtime.so has %d bytes, more than %d" % (size, SO_LIMIT))


def shared_exports():
    for name in ("libiree_runtime.so", "libiree_modules.so"):
        symbols = harness.must([need("nm"), "-D", "--defined-only", built(name)]).out.decode().split("\n")
        other = [s for s in symbols if s and " iree_" not in s and not s.endswith("IREE_PRIVATE") and " A IREE_" not in s]
        if other:
            raise harness.Fail("%s exports %s" % (name, ", ".join(other[:5])))


# ---- an installed tree

@harness.shared
def prefix():
    for name in ("libiree_runtime.so", "libiree_modules.so", "libIREECompiler.so"):
        built(name)
    path = harness.WORK / "capi" / "prefix"
    shutil.rmtree(path, ignore_errors=True)
    harness.must(["python3", harness.ROOT / "scripts/install", harness.OUT.relative_to(harness.ROOT), path])
    return path


@harness.shared
def add_module():
    path = harness.scratch("capi") / "add.vmfb"
    harness.must([harness.ours("iree-compile"), harness.ROOT / "samples/add.mlir", *program.FLAGS, "-o", path])
    return path


def check_embed(binary, library_path=None):
    env = {"LD_LIBRARY_PATH": str(library_path)} if library_path else None
    for device in ("local-sync", "local-task"):
        out = harness.must([binary, add_module(), device], env=env).out
        if out != SUM:
            raise harness.Fail("%s prints %r" % (device, out))


def installed(way):
    tree, cc, sample = prefix(), need("cc"), harness.ROOT / "samples/embed.c"
    binary = harness.scratch("capi") / ("embed-" + way)
    if way == "moved":  # what the tree says of itself still holds elsewhere
        tree = harness.WORK / "capi" / "moved"
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(prefix(), tree, symlinks=True)
    lib = tree / "lib"
    if way in ("pkg-config", "pkg-config-static", "moved"):
        static = ["--static"] if way == "pkg-config-static" else []
        flags = harness.must([need("pkg-config"), *static, "--cflags", "--libs", "iree-runtime"],
                             env={"PKG_CONFIG_PATH": str(lib / "pkgconfig")}).out.decode().split()
        flags += ["-static"] if static else []
    elif way == "plain-static":
        flags = ["-I", tree / "include", lib / "libiree_runtime.a", "-lpthread", "-lm"]
    else:
        flags = ["-I", tree / "include", "-L", lib, "-Wl,-rpath," + str(lib), "-liree_runtime"]
    harness.must([cc, "-std=c11", "-Wall", "-Wextra", "-Werror", sample, *flags, "-o", binary])
    check_embed(binary, lib if way in ("pkg-config", "moved") else None)


CMAKE = """cmake_minimum_required(VERSION 3.13)
project(embed C)
find_package(IREERuntime 3.13 REQUIRED)
add_executable(embed_static %(sample)s)
target_link_libraries(embed_static iree_runtime_unified)
add_executable(embed_shared %(sample)s)
target_link_libraries(embed_shared iree_runtime_shared)
add_executable(embed_parts %(sample)s)
target_link_libraries(embed_parts iree_base_base iree_hal_hal iree_vm_vm iree_runtime_runtime)
"""


def cmake():
    folder = harness.WORK / "capi" / "cmake"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "CMakeLists.txt").write_text(CMAKE % dict(sample=harness.ROOT / "samples/embed.c"))
    harness.must([need("cmake"), "-S", folder, "-B", folder / "out", "-DCMAKE_PREFIX_PATH=%s" % prefix()])
    harness.must(["cmake", "--build", folder / "out"])
    for name in ("static", "shared", "parts"):
        check_embed(folder / "out" / ("embed_" + name))


# ---- our samples

def our_sample(name, want, *flags):
    binary = harness.OUT / "samples" / name
    if not binary.exists():
        harness.skip("samples are not built (make samples)")
    module = harness.scratch("capi") / (name + ".vmfb")
    harness.must([harness.ours("iree-compile"), harness.ROOT / "samples" / (name + ".mlir"), *flags, "-o", module])
    out = harness.must([binary, module]).out
    if out != want:
        raise harness.Fail("%s prints %r" % (name, out))


# ---- one file

def amalgamation(compiler):
    """It compiles without a word, runs a program, and is the same when made again."""
    folder = harness.scratch("capi-amalgamation", compiler)
    for name in ("one", "two"):
        harness.must(["python3", harness.ROOT / "scripts/amalgamate", folder / name])
    for name in ("iree_runtime.h", "iree_runtime.c"):
        if (folder / "one" / name).read_bytes() != (folder / "two" / name).read_bytes():
            raise harness.Fail("%s differs when it is made again" % name)
    sample = (harness.ROOT / "samples/embed.c").read_text().replace('"iree/runtime/api.h"', '"iree_runtime.h"')
    (folder / "one/embed.c").write_text(sample)
    said = harness.must([need(compiler), "-c", "iree_runtime.c"], cwd=folder / "one", timeout=300).err
    if said:
        raise harness.Fail(harness.tail(said))
    harness.must([compiler, "-Wall", "-Wextra", "-Werror", "embed.c", "iree_runtime.o", "-lpthread", "-lm", "-o", "embed"], cwd=folder / "one")
    check_embed(folder / "one/embed")


# ---- the compiler's library

LOADER = r"""
#include <stdio.h>
#include "iree/compiler/embedding_api.h"
#include "iree/compiler/loader.h"
int main(int argc, char **argv) {
  if (argc != 4 || !ireeCompilerLoadLibrary(argv[1])) return 1;
  ireeCompilerGlobalInitialize();
  iree_compiler_session_t *session = ireeCompilerSessionCreate();
  const char *flags[] = {"--iree-hal-target-backends=llvm-cpu"};
  iree_compiler_source_t *source = NULL;
  iree_compiler_output_t *output = NULL;
  iree_compiler_invocation_t *inv = NULL;
  iree_compiler_error_t *error = ireeCompilerSessionSetFlags(session, 1, flags);
  if (!error) error = ireeCompilerSourceOpenFile(session, argv[2], &source);
  if (!error) error = ireeCompilerOutputOpenFile(argv[3], &output);
  if (!error) {
    inv = ireeCompilerInvocationCreate(session);
    ireeCompilerInvocationEnableConsoleDiagnostics(inv);
    if (!ireeCompilerInvocationParseSource(inv, source) || !ireeCompilerInvocationPipeline(inv, IREE_COMPILER_PIPELINE_STD)) return 2;
    error = ireeCompilerInvocationOutputVMBytecode(inv, output);
  }
  if (!error) ireeCompilerOutputKeep(output);
  else fprintf(stderr, "%s\n", ireeCompilerErrorGetMessage(error));
  int code = error ? 3 : 0;
  ireeCompilerErrorDestroy(error);
  ireeCompilerOutputDestroy(output);
  ireeCompilerInvocationDestroy(inv);
  ireeCompilerSourceDestroy(source);
  ireeCompilerSessionDestroy(session);
  ireeCompilerGlobalShutdown();
  return code;
}
"""


def compiler_loader():
    """A program that loads the compiler writes the bytes that iree-compile writes."""
    folder = harness.scratch("capi-loader")
    (folder / "main.c").write_text(LOADER)
    tree = prefix()
    harness.must([need("cc"), "-Wall", "-Wextra", "-Werror", folder / "main.c", "-I", tree / "include",
                  tree / "lib/libiree_compiler_loader.a", "-ldl", "-o", folder / "main"])
    sample = harness.ROOT / "samples/add.mlir"
    harness.must([folder / "main", tree / "lib/libIREECompiler.so", sample, folder / "api.vmfb"])
    harness.must([harness.ours("iree-compile"), sample, "--iree-hal-target-backends=llvm-cpu", "-o", folder / "tool.vmfb"])
    if (folder / "api.vmfb").read_bytes() != (folder / "tool.vmfb").read_bytes():
        raise harness.Fail("the module differs from that of iree-compile")
    missing = harness.run([folder / "main", folder / "none.so", sample, folder / "x"])
    if missing.code != 1 or "none.so" not in missing.err:
        raise harness.Fail("a library that is not there: exit %d, %s" % (missing.code, missing.err))
