# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where outputs go: what is there already stays what it is, and what cannot be written is told and fails."""
import os
import resource
import subprocess

import harness
import program

LLVM = "--iree-hal-target-backends=llvm-cpu"


def tests(options):
    for test in (link, mode, dangling, other_name, no_temporary, size_limit, devices, full, reader_gone):
        yield "outputs/" + test.__name__, test


def fresh(name):
    folder = harness.scratch("outputs", name)
    for path in folder.iterdir():
        path.unlink()
    return folder


def compiling(out, fails=None, **how):
    """Compiles a small program; |fails| is what the message has to name."""
    command = [str(harness.ours("iree-compile")), str(harness.ROOT / "samples" / "add.mlir"), LLVM, "-o", str(out)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, **how)
    said = result.stderr.decode()
    if result.returncode != (1 if fails else 0) or (fails and (fails not in said or ".tmp" in said)):
        raise harness.Fail("exit %d: %s" % (result.returncode, said))
    return result.stdout


def names(folder, *wanted):
    have = sorted(os.listdir(folder))
    if have != sorted(wanted):
        raise harness.Fail("files %s, want %s" % (have, sorted(wanted)))


def is_module(path):
    if path.stat().st_size < 1000:
        raise harness.Fail("%s: %d bytes" % (path, path.stat().st_size))


def link():
    folder = fresh("link")
    (folder / "real.vmfb").write_text("old")
    (folder / "x.vmfb").symlink_to("real.vmfb")
    compiling(folder / "x.vmfb")
    if not (folder / "x.vmfb").is_symlink():
        raise harness.Fail("the link is no link any more")
    is_module(folder / "real.vmfb")
    names(folder, "real.vmfb", "x.vmfb")


def dangling():
    folder = fresh("dangling")
    (folder / "x.vmfb").symlink_to("new.vmfb")
    compiling(folder / "x.vmfb")
    is_module(folder / "new.vmfb")
    names(folder, "new.vmfb", "x.vmfb")


def mode():
    path = fresh("mode") / "x.vmfb"
    path.write_text("old")
    path.chmod(0o640)
    compiling(path)
    is_module(path)
    if path.stat().st_mode & 0o777 != 0o640:
        raise harness.Fail("mode %o" % path.stat().st_mode)


def other_name():
    folder = fresh("other_name")
    (folder / "a.vmfb").write_text("old")
    os.link(folder / "a.vmfb", folder / "b.vmfb")
    compiling(folder / "a.vmfb")
    is_module(folder / "b.vmfb")


def no_temporary():
    """No longer name fits in a folder, so the file is written in place."""
    folder = fresh("no_temporary")
    compiling(folder / ("x" * 255))
    is_module(folder / ("x" * 255))


def size_limit():
    """The old file stays, nothing is left beside it, and the message names what the user named."""
    folder = fresh("size_limit")
    (folder / "x.vmfb").write_text("old")
    compiling(folder / "x.vmfb", fails="x.vmfb", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)))
    if (folder / "x.vmfb").read_text() != "old":
        raise harness.Fail("the file was touched")
    names(folder, "x.vmfb")


def devices():
    compiling("/dev/null")
    for out in ("-", "/dev/stdout"):
        if len(compiling(out)) < 1000:
            raise harness.Fail("no module on stdout for %s" % out)


def printing():
    """Commands that print, and hold the file of a module."""
    module = harness.scratch("outputs") / "add.vmfb"
    program.once(module, compiling)
    call = ["--module=%s" % module, "--device=local-sync", "--function=add", "--input=4xf32=1", "--input=4xf32=2"]
    yield [harness.ours("iree-run-module"), *call]
    yield [harness.ours("iree-dump-module"), module]
    yield [harness.ours("iree-benchmark-module"), *call, "--benchmark_min_time=1x"]
    yield [harness.ours("iree-cpuinfo")]


def full():
    """Results that get lost are a failure."""
    for command in [*printing(), [harness.ours("iree-compile"), "--help"]]:
        with open("/dev/full", "wb") as out:
            result = subprocess.run([str(c) for c in command], stdout=out, stderr=subprocess.PIPE, timeout=60)
        if result.returncode != 1 or b"cannot write all of the output" not in result.stderr:
            raise harness.Fail("exit %d: %s\n%s" % (result.returncode, harness.shown(command), result.stderr.decode()))


def reader_gone():
    """... unless nobody wants to read more."""
    for command in printing():
        ours, theirs = os.pipe()
        os.close(ours)
        result = subprocess.run([str(c) for c in command], stdout=theirs, stderr=subprocess.PIPE, timeout=60, restore_signals=False)
        os.close(theirs)
        if result.returncode != 0 or b"write" in result.stderr:
            raise harness.Fail("exit %d: %s\n%s" % (result.returncode, harness.shown(command), result.stderr.decode()))
