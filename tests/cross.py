# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""AArch64: the programs compiled for it, and the runtime built for it, run under qemu-user."""
import os
import shutil

import harness
import program

FLAGS = ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-triple=aarch64-unknown-linux-gnu"]
FOLDER = harness.ROOT / "build" / "aarch64"


def tests(options):
    for p in program.programs():
        yield p.name, lambda p=p: run(p)


def run(p):
    tool = runtime()
    out = harness.scratch("programs", "aarch64") / (p.name + ".vmfb")
    harness.must([harness.ours("iree-compile"), p.source_path(), *FLAGS, "-o", out])
    for i, call in enumerate(p.calls):
        program.check(call, program.call(tool, out, call, tag="-%d" % i))


def runtime():
    """The command that runs our iree-run-module for AArch64, built on first use."""
    for tool, package in (("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"), ("qemu-aarch64-static", "qemu-user-static")):
        if not shutil.which(tool):
            raise harness.Skip("no %s (Debian package %s)" % (tool, package))
    if not os.path.exists("/usr/aarch64-linux-gnu/include/stdio.h"):
        raise harness.Skip("no C library for AArch64 (Debian package libc6-dev-arm64-cross)")
    harness.ours("iree-run-module")
    compiler = ("ccache " if shutil.which("ccache") else "") + "aarch64-linux-gnu-gcc"
    program.once(FOLDER / "built", lambda part: (
        harness.must(["make", "-s", "-j2", "O=" + str(FOLDER.relative_to(harness.ROOT)), "CC=" + compiler, "LLD=", "LDFLAGS=-static",
                      "runtime"], cwd=harness.ROOT, timeout=900, env={"MAKEFLAGS": ""}), part.touch()))
    return ["qemu-aarch64-static", FOLDER / "bin" / "iree-run-module"]
