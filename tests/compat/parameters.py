# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tools of parameter archives beside upstream's: equal stdout, equal files; part of the group compat.tools."""
import harness
import parameter_files

DATA = {"first": bytes(range(100)), "second": b"abc", "": b"", "a/b.c": bytes(64)}

# name -> (tool, arguments); {dir} holds in.irpa, in.safetensors and in.gguf, {out} is the file to compare.
CASES = {
    "create": ("create", ["--splat=s=4xf32=2.5", "--data=a=3xi8", "--data=b=2x2xf64", "--splat=z=1xi64", "--output={out}"]),
    "create-quiet": ("create", ["--data=a=100xi16", "--quiet", "--output={out}"]),
    "create-splats": ("create", ["--splat=s=7xi8=-1", "--splat=c=2x*32=CAFEF00D", "--output={out}"]),
    "create-nothing": ("create", ["--output={out}"]),
    "create-aligned": ("create", ["--alignment=4096", "--data=a=3xi8", "--data=b=3xi8", "--output={out}"]),
    "convert-irpa": ("convert", ["--parameters={dir}/in.irpa", "--output={out}"]),
    "convert-safetensors": ("convert", ["--parameters={dir}/in.safetensors", "--output={out}"]),
    "convert-gguf": ("convert", ["--parameters={dir}/in.gguf", "--output={out}"]),
    "convert-edits": ("convert", ["--parameters=x={dir}/in.irpa", "--exclude=second", "--rename=first=FIRST", "--splat=a/b.c=f32=4.5",
                                  "--output={out}"]),
    "convert-strip": ("convert", ["--parameters={dir}/in.irpa", "--strip", "--splat=second=i8=3", "--output={out}"]),
    "convert-renamed-splat": ("convert", ["--parameters={dir}/in.irpa", "--rename=first=F", "--splat=F", "--output={out}", "--quiet"]),
    "convert-two": ("convert", ["--parameters=a={dir}/in.irpa", "--parameters=b={dir}/other.irpa", "--output={out}"]),
    "dump": ("dump", ["--parameters={dir}/in.irpa"]),
    "dump-scopes": ("dump", ["--parameters=a={dir}/in.safetensors", "--parameters={dir}/in.gguf", "--parameters=a={dir}/other.irpa"]),
    "dump-preloaded": ("dump", ["--parameters={dir}/in.irpa", "--parameter_mode=preload"]),
    "extract": ("dump", ["--parameters=s={dir}/in.safetensors", "--parameter_mode=preload", "--extract=s::first={out}"]),
    "extract-nothing": ("dump", ["--parameters={dir}/in.irpa", "--parameter_mode=preload", "--extract=={out}"]),
}

# Arguments that are wrong, and what the message has to name.
WRONG = {
    "no-output": ("create", ["--data=a=3xi8"], ["INVALID_ARGUMENT", "--output="]),
    "no-type": ("create", ["--data=a", "--output={out}"], ["INVALID_ARGUMENT", "--data=a", "shapextype"]),
    "sub-byte": ("create", ["--splat=a=2xi4=1", "--output={out}"], ["INVALID_ARGUMENT", "1xi8"]),
    "huge": ("create", ["--data=a=4611686018427387904x4xi8", "--output={out}"], ["OUT_OF_RANGE"]),
    "alignment": ("create", ["--alignment=3", "--data=a=3xi8", "--output={out}"], ["INVALID_ARGUMENT", "power of two"]),
    "missing-file": ("dump", ["--parameters={dir}/none.irpa"], ["NOT_FOUND", "none.irpa"]),
    "folder": ("dump", ["--parameters={dir}/folder.irpa"], ["INVALID_ARGUMENT"]),
    "extension": ("dump", ["--parameters={dir}/in.npz"], ["UNIMPLEMENTED", ".safetensors"]),
    "truncated": ("dump", ["--parameters={dir}/short.irpa"], ["OUT_OF_RANGE", "short.irpa", "storage segment"]),
    "not-irpa": ("dump", ["--parameters={dir}/in.gguf.irpa"], ["INVALID_ARGUMENT", "IRPA"]),
    "no-such-key": ("dump", ["--parameters={dir}/in.irpa", "--extract=none={out}"], ["NOT_FOUND", "'none'"]),
}


def tests():
    for name, (tool, args) in CASES.items():
        yield "parameters/" + name, lambda name=name, tool=tool, args=args: equal(name, tool, args)
    for name, (tool, args, words) in WRONG.items():
        yield "parameters/wrong/" + name, lambda name=name, tool=tool, args=args, words=words: refused(name, tool, args, words)
    yield "parameters/create-pattern", create_pattern
    yield "parameters/extract-splat", extract_splat


def folder(name):
    """The files that tests read, for each test its own: tests run side by side."""
    path = harness.scratch("tools", "parameters-" + name)
    for kind, write in parameter_files.FORMATS.items():
        (path / ("in." + kind)).write_bytes(write(DATA))
    (path / "other.irpa").write_bytes(parameter_files.irpa({"more": b"12345"}))
    (path / "short.irpa").write_bytes(parameter_files.irpa(DATA)[:-1])
    (path / "in.gguf.irpa").write_bytes(parameter_files.gguf(DATA))
    (path / "in.npz").write_bytes(b"")
    (path / "folder.irpa").mkdir(exist_ok=True)
    return path


def run(tool, args, name):
    path = folder(name)
    out = path / ("%s.out" % name)
    out.unlink(missing_ok=True)
    result = harness.run([tool, *(a.format(dir=path, out=out) for a in args)])
    return result, out.read_bytes() if out.exists() else None


def equal(name, tool, args):
    ours, our_file = run(harness.ours("iree-%s-parameters" % tool), args, name)
    theirs, their_file = run(harness.upstream("iree-%s-parameters" % tool), args, name)
    if ours.code or theirs.code:
        raise harness.Fail("exit %d, upstream's %d\n%s\n%s" % (ours.code, theirs.code, harness.tail(ours.err), harness.tail(theirs.err)))
    if ours.out != theirs.out:
        raise harness.Fail("stdout\n%s\n    where upstream's is\n%s" % (ours.out.decode(), theirs.out.decode()))
    if our_file != their_file:
        at = next((i for i, (a, b) in enumerate(zip(our_file, their_file)) if a != b), min(len(our_file), len(their_file)))
        raise harness.Fail("files of %d and %d bytes differ at %d" % (len(our_file), len(their_file), at))


def refused(name, tool, args, words):
    result, _ = run(harness.ours("iree-%s-parameters" % tool), args, "wrong-" + name)
    if result.code != 1 or not all(word in result.err for word in words) or len(result.err.strip().splitlines()) > 6:
        raise harness.Fail("exit %d, want %s in\n%s" % (result.code, words, result.err))


def create_pattern():
    """Values of --data, which upstream's tool fails to write."""
    result, data = run(harness.ours("iree-create-parameters"), ["--data=a=3xi16=258", "--data=b=2xf32=1", "--output={out}"], "pattern")
    if result.code or data.count(b"\2\1\2\1\2\1") != 1 or data.count(b"\0\0\x80\x3f\0\0\x80\x3f") != 1:
        raise harness.Fail("exit %d\n%s" % (result.code, result.err))


def extract_splat():
    """Splats have no bytes in the file, but those of a parameter; upstream's tool refuses them."""
    tools = [harness.ours("iree-%s-parameters" % tool) for tool in ("create", "dump")]
    path = folder("splat") / "splat.irpa"
    harness.must([tools[0], "--splat=s=50000xi16=258", "--output=%s" % path])
    result, data = run(tools[1], ["--parameters=%s" % path, "--extract=s={out}"], "splat")
    if result.code or data != b"\2\1" * 50000:
        raise harness.Fail("exit %d\n%s" % (result.code, result.err))
