# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds the goldens beside the code that they test: <folder>/test/*.mlir and *.vmasm of the whole tree.
# `build/venv-upstream/bin/lit -v tests --filter=NAME` runs some of them by hand.
import os
import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
config.name = "iree-c"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".vmasm"]
config.excludes = ["build", "tests", "samples", "docs"] + [d for d in os.listdir(root) if d.startswith(".")]
config.test_source_root = root
config.test_exec_root = os.environ.get("LIT_WORK", os.path.join(root, "build", "testing", "lit"))
config.environment["PATH"] = os.pathsep.join([
    os.environ.get("LIT_IREE_BIN", os.path.join(root, "build", "bin")),
    os.environ.get("LIT_LLVM_BIN", "/usr/lib/llvm-22/bin"),
    os.environ["PATH"],
])
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# A golden that a tool is still missing for says `REQUIRES: iree-compile` (or another tool's name).
for tool in os.listdir(config.environment["PATH"].split(os.pathsep)[0]) if os.path.isdir(config.environment["PATH"].split(os.pathsep)[0]) else []:
    config.available_features.add(tool)
