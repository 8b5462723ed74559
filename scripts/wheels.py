#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs build/python into two wheels: `scripts/wheels.py PACKAGES OUT`.

iree-c-runtime (the extension, the runtime's tools) works with every CPython from 3.11 on; iree-c-compiler (the
tool and its Python half) with any. The platform tag names the oldest glibc whose symbols the programs use.
Archives have fixed times and orders, so that equal files give equal wheels.
"""
import base64
import csv
import hashlib
import io
import pathlib
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSION = re.search(r'VERSION = "(.+)"', (ROOT / "bindings/python/iree/runtime/version.py").read_text()).group(1)
RUNTIME_TOOLS = ("iree-run-module", "iree-benchmark-module", "iree-dump-module")
COMPILER_TOOLS = ("iree-compile",)
OTHER_NAMES = {"iree-opt": "iree-compile", "iree-reduce": "iree-compile"}  # programs that go by what they are called
WHEELS = {
    "iree-c-runtime": dict(package="runtime", tag="cp311-abi3", tools=RUNTIME_TOOLS, requires=["numpy"],
                           summary="Runs programs compiled by iree-c or IREE"),
    "iree-c-compiler": dict(package="compiler", tag="py3-none", tools=COMPILER_TOOLS, requires=[],
                            summary="Compiles StableHLO to programs for iree-c's runtime or IREE's"),
}


def glibc(paths):
    """(2, N): the newest glibc version that these files ask for."""
    newest = (2, 17)
    for path in paths:
        symbols = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=True).stdout
        for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols):
            newest = max(newest, (int(major), int(minor)))
    return newest


def script(program, name):
    return ("import os, pathlib, sys\n"
            "\n\ndef main():\n"
            "    path = str(pathlib.Path(__file__).parent / '%s')\n"
            "    os.execv(path, ['%s'] + sys.argv[1:])\n" % (program, name))


def names(wheel):
    """{name that users type: program}"""
    programs = {tool: tool for tool in wheel["tools"]}
    return {**programs, **{n: p for n, p in OTHER_NAMES.items() if p in programs}}


def entry(tool):
    return tool.replace("-", "_")


def contents(name, wheel, packages):
    """[(path in the wheel, bytes, is a program)]"""
    base = packages / "iree" / wheel["package"]
    rows = [(str(p.relative_to(packages)), p.read_bytes(), False) for p in base.rglob("*")
            if p.is_file() and p.parent.name not in ("__pycache__", "_bin")]
    folder = "iree/%s/_bin/" % wheel["package"]
    for tool in wheel["tools"]:
        rows.append((folder + tool, (ROOT / "build/bin" / tool).read_bytes(), True))
    rows += [(folder + entry(n) + ".py", script(p, n).encode(), False) for n, p in names(wheel).items()]
    rows.append((folder + "__init__.py", b"", False))
    info = "%s-%s.dist-info/" % (name.replace("-", "_"), VERSION)
    metadata = ["Metadata-Version: 2.1", "Name: " + name, "Version: " + VERSION, "Summary: " + wheel["summary"],
                "License: Apache-2.0 WITH LLVM-exception", "Requires-Python: >=3.11"]
    metadata += ["Requires-Dist: " + r for r in wheel["requires"]]
    rows.append((info + "METADATA", ("\n".join(metadata) + "\n").encode(), False))
    points = "\n".join("%s = iree.%s._bin.%s:main" % (t, wheel["package"], entry(t)) for t in names(wheel))
    rows.append((info + "entry_points.txt", ("[console_scripts]\n%s\n" % points).encode(), False))
    rows.append((info + "LICENSE", (ROOT / "LICENSE").read_bytes(), False))
    return info, sorted(rows)


def write(name, wheel, packages, out):
    info, rows = contents(name, wheel, packages)
    programs = [ROOT / "build/bin" / t for t in wheel["tools"]] + list((packages / "iree" / wheel["package"]).rglob("*.so"))
    machine = subprocess.run(["uname", "-m"], capture_output=True, text=True, check=True).stdout.strip()
    tag = "%s-manylinux_%d_%d_%s" % (wheel["tag"], *glibc(programs), machine)
    rows.append((info + "WHEEL", ("Wheel-Version: 1.0\nGenerator: iree-c\nRoot-Is-Purelib: false\nTag: %s\n" % tag).encode(), False))
    record = io.StringIO()
    table = csv.writer(record, lineterminator="\n")
    path = out / ("%s-%s-%s.whl" % (name.replace("-", "_"), VERSION, tag))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for where, data, is_program in rows:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            table.writerow([where, "sha256=" + digest, len(data)])
            add(archive, where, data, is_program)
        table.writerow([info + "RECORD", "", ""])
        add(archive, info + "RECORD", record.getvalue().encode(), False)
    return path


def add(archive, where, data, is_program):
    entry_info = zipfile.ZipInfo(where, (1980, 1, 1, 0, 0, 0))
    entry_info.external_attr = (0o100755 if is_program else 0o100644) << 16
    entry_info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry_info, data)


def main():
    packages, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    for name, wheel in WHEELS.items():
        path = write(name, wheel, packages, out)
        print("%s: %.2f MB" % (path, path.stat().st_size / 1e6))


if __name__ == "__main__":
    main()
