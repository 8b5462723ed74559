#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles programs by upstream's compilers of earlier releases: `scripts/releases.py FOLDER [RELEASE ...]`.

Each release is installed from PyPI into a venv of its own below FOLDER (about 300 MB each, kept). Writes tests/releases/RELEASE.vmfb
from tests/programs/releases.mlir, and FOLDER/programs/RELEASE/NAME.vmfb of each program in tests/programs that the release compiles;
`IREE_RELEASES=FOLDER tests/run.py compat.releases` runs all of them.
"""
import concurrent.futures
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import program  # noqa: E402

RELEASES = ("3.0", "3.5", "3.9", "3.10", "3.11", "3.12")  # each has something that its neighbours have not
FLAGS = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=generic",
         "--iree-input-demote-f64-to-f32=false"]
SMALL = ["--iree-llvmcpu-debug-symbols=false", "--iree-vm-bytecode-module-strip-source-map=true", "--iree-vm-emit-polyglot-zip=false"]


def compiler(folder, release):
    """The compiler of a release, installed when it is not there."""
    tool = folder / release / "bin" / "iree-compile"
    if not tool.exists():
        python = folder / release / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", folder / release], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "iree-base-compiler==%s.*" % release], check=True)
    return tool


def compiled(tool, source, out, flags):
    """Whether it compiled; upstream's compiler may crash, and may never end."""
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run([tool, source, *FLAGS, *flags, "-o", out], capture_output=True, timeout=120).returncode == 0
    except subprocess.TimeoutExpired:
        done = False
    if not done:
        out.unlink(missing_ok=True)
    return done


def main(folder, releases):
    for release in releases:
        tool = compiler(folder, release)
        if not compiled(tool, ROOT / "tests/programs/releases.mlir", ROOT / "tests/releases" / (release + ".vmfb"), SMALL):
            sys.exit("%s does not compile tests/programs/releases.mlir" % tool)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            done = list(pool.map(lambda p: compiled(tool, p.source_path(), folder / "programs" / release / (p.name + ".vmfb"), []),
                                 program.programs()))
        print("%s: %d of %d programs" % (release, sum(done), len(done)), flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:] or RELEASES)
