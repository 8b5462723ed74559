# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters from compiler flags to results, by our tools alone; what is missing or damaged is told.

flags/...  constants that the compiler writes to an archive, reads from one, replaces by zeros
wrong/...  files that do not fit the program: exit code 1, the message names parameter, scope and the way out
"""
import harness
import parameter_files
import program

PROGRAM = """
util.global private @user = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
util.global private @splat = dense<3.0> : tensor<4xf32>
util.global private mutable @state = dense<0.5> : tensor<4xf32>
util.global private @given = #flow.parameter.named<"s"::"w"> : tensor<4xf32>
func.func @f(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %u = util.global.load @user : tensor<4xf32>
  %s = util.global.load @splat : tensor<4xf32>
  %t = util.global.load @state : tensor<4xf32>
  %g = util.global.load @given : tensor<4xf32>
  %0 = stablehlo.multiply %a, %u : tensor<4xf32>
  %1 = stablehlo.add %0, %s : tensor<4xf32>
  %2 = stablehlo.add %t, %1 : tensor<4xf32>
  %3 = stablehlo.multiply %2, %g : tensor<4xf32>
  util.global.store %2, @state : tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}
"""
W = b"\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40"  # 1 2 3 4
RESULTS = ["--expected_output=4xf32=4 5 6 7", "--expected_output=4xf32=4.5 11 19.5 30"]


def tests(options):
    for f in (exported, exported_large_only, imported, imported_keys, zeros):
        yield "flags/" + f.__name__, f
    for name in WRONG:
        yield "wrong/" + name, lambda name=name: wrong(name)
    for name in WRONG_FLAGS:
        yield "wrong-flag/" + name, lambda name=name: wrong_flag(name)


def folder(name):
    path = harness.scratch("parameters", name)
    (path / "f.mlir").write_text(PROGRAM)
    (path / "w.irpa").write_bytes(parameter_files.irpa({"w": W}))
    return path


def compiled(path, *flags):
    harness.must([harness.ours("iree-compile"), path / "f.mlir", *program.FLAGS, *flags, "-o", path / "f.vmfb"])
    return path / "f.vmfb"


def run(module, *flags):
    return harness.must([harness.ours("iree-run-module"), "--module=%s" % module, "--device=local-sync", "--function=f", "--input=4xf32=1", *flags])


def keys(path):
    """{name: bytes or -} of an archive."""
    lines = harness.must([harness.ours("iree-dump-parameters"), "--parameters=%s" % path]).out.decode().splitlines()
    rows = [line.split("|") for line in lines if "| `" in line]
    return {row[3].strip().strip("`"): (row[0].strip() == "-", int(row[2])) for row in rows}


def exported():
    """Constants go to the archive: one value throughout as a splat, unless it changes."""
    path = folder("exported")
    module = compiled(path, "--iree-parameter-export=out=%s" % (path / "out.irpa"))
    if keys(path / "out.irpa") != {"user": (False, 16), "splat": (True, 16), "state": (False, 16)}:
        raise harness.Fail(str(keys(path / "out.irpa")))
    run(module, "--parameters=out=%s" % (path / "out.irpa"), "--parameters=s=%s" % (path / "w.irpa"), *RESULTS)
    older = compiled(path, "--iree-opt-export-parameters=out=%s" % (path / "old.irpa"))
    run(older, "--parameters=out=%s" % (path / "old.irpa"), "--parameters=s=%s" % (path / "w.irpa"), *RESULTS)


def exported_large_only():
    path = folder("large")
    module = compiled(path, "--iree-parameter-export=%s" % (path / "out.irpa"), "--iree-parameter-export-minimum-size=17")
    if (path / "out.irpa").exists():
        raise harness.Fail("an archive without entries")
    run(module, "--parameters=s=%s" % (path / "w.irpa"), *RESULTS)


def imported():
    """A parameter that the compiler knows is none to the runtime."""
    path = folder("imported")
    run(compiled(path, "--iree-parameter-import=s=%s" % (path / "w.irpa"), "--iree-parameter-import-maximum-size=16"), *RESULTS)


def imported_keys():
    path = folder("keys")
    run(compiled(path, "--iree-parameter-import=s=%s" % (path / "w.irpa"), "--iree-parameter-import-keys=other,w"), *RESULTS)


def zeros():
    path = folder("zeros")
    module = compiled(path, "--iree-parameter-splat=%s" % (path / "zero.irpa"))
    if keys(path / "zero.irpa") != {"w": (True, 16)}:
        raise harness.Fail(str(keys(path / "zero.irpa")))
    run(module, "--parameters=s=%s" % (path / "zero.irpa"), RESULTS[0], "--expected_output=4xf32=0")


def gguf_of_type(type):
    import struct
    tensor = parameter_files.gguf_string(b"w") + struct.pack("<IQIQ", 1, 4, type, 0)
    return parameter_files.gguf_file(3, (), (tensor,), bytes(64))


# name -> (flag, contents of its file, words of the message)
WRONG = {
    "no-file": ("--module_mode=mmap", b"", ["NOT_FOUND", "scope 's'", "--parameters=s=FILE"]),
    "other-scope": ("--parameters=x={}.irpa", parameter_files.irpa({"w": W}), ["NOT_FOUND", "scope 's'", "--parameters=s=FILE"]),
    "other-key": ("--parameters=s={}.irpa", parameter_files.irpa({"v": W}), ["NOT_FOUND", "'s::w'", "iree-dump-parameters"]),
    "too-short": ("--parameters=s={}.irpa", parameter_files.irpa({"w": W[:-1]}), ["OUT_OF_RANGE", "'s::w'", "15 bytes", "16 from 0"]),
    "truncated": ("--parameters=s={}.irpa", parameter_files.irpa({"w": W})[:-1], ["OUT_OF_RANGE", ".irpa'", "truncated"]),
    "empty-file": ("--parameters=s={}.irpa", b"", ["INVALID_ARGUMENT", "empty or truncated"]),
    "newer-irpa": ("--parameters=s={}.irpa", parameter_files.irpa({"w": W}).replace(b"IRPA\0\0", b"IRPA\7\0"), ["UNIMPLEMENTED", "version 7.0"]),
    "safetensors-json": ("--parameters=s={}.safetensors", b"\3\0\0\0\0\0\0\0{x}", ["INVALID_ARGUMENT", "at 1", "string"]),
    "safetensors-range": ("--parameters=s={}.safetensors", parameter_files.safetensors({"w": W})[:-1], ["OUT_OF_RANGE", "'w'"]),
    "gguf-type": ("--parameters=s={}.gguf", gguf_of_type(99), ["UNIMPLEMENTED", "'w'", "type 99"]),
    "gguf-version": ("--parameters=s={}.gguf", b"GGUF\1\0\0\0" + bytes(16), ["UNIMPLEMENTED", "version 1"]),
    "extension": ("--parameters=s={}.bin", W, ["UNIMPLEMENTED", ".safetensors"]),
}

WRONG_FLAGS = {
    "import-missing": (["--iree-parameter-import=s={dir}/none.irpa"], ["none.irpa", "No such file"]),
    "import-size": (["--iree-parameter-import=s={dir}/short.irpa", "--iree-parameter-import-keys=w"], ["'w'", "15 bytes", "16"]),
    "export-nowhere": (["--iree-parameter-export={dir}/none/out.irpa"], ["none/out.irpa", "No such file"]),
}


def refused(result, words):
    if harness.crashed(result) or result.code != 1 or not all(word in result.err for word in words):
        raise harness.Fail("exit %d, want %s in\n%s" % (result.code, words, result.err))
    if len(result.err.strip().splitlines()) > 6:
        raise harness.Fail("more than six lines:\n" + result.err)


def wrong(name):
    flag, contents, words = WRONG[name]
    path = folder("wrong-" + name)
    file = path / ("file" + flag[flag.find("{}") + 2:])
    if "{}" in flag:
        file.write_bytes(contents)
    flag = flag.replace("{}", str(path / "file"))
    for mode in ("file", "preload"):
        refused(harness.run([harness.ours("iree-run-module"), "--module=%s" % compiled(path), "--function=f", "--input=4xf32=1", flag,
                             "--parameter_mode=" + mode]), words)


def wrong_flag(name):
    flags, words = WRONG_FLAGS[name]
    path = folder("flag-" + name)
    (path / "short.irpa").write_bytes(parameter_files.irpa({"w": W[:-1]}))
    refused(harness.run([harness.ours("iree-compile"), path / "f.mlir", *program.FLAGS, *(flag.format(dir=path) for flag in flags), "-o", "/dev/null"]), words)
