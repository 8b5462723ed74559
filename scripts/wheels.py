#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs build/python into two wheels: `scripts/wheels.py PACKAGES OUT`.

iree-c-runtime: the extension (CPython's limited API, so one file for 3.11 and later) and the runtime's programs.
iree-c-compiler: the compiler's library and the programs that share it.
The platform tag names the oldest glibc that has the symbols of all programs; what they load besides has to be on every
Linux of that age (PEP 600). Archives have fixed times and orders: equal files give equal wheels.
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
WHEELS = {
    "iree-c-runtime": dict(package="runtime", tag="cp311-abi3", requires=["numpy"],
                           summary="Runs programs compiled by iree-c or IREE"),
    "iree-c-compiler": dict(package="compiler", tag="cp311-abi3", requires=[],
                            summary="Compiles StableHLO to programs for iree-c's runtime or IREE's"),
}
# Libraries that PEP 600 promises, and the newest symbols of the C++ one by the glibc that came with it.
SYSTEM_LIBRARIES = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "libgcc_s.so.1", "libstdc++.so.6"}
CPLUSPLUS = [((2, 34), (3, 4, 29)), ((2, 35), (3, 4, 30)), ((2, 37), (3, 4, 31)), ((2, 39), (3, 4, 33))]


VERSION = re.search(r'^VERSION = "(.+)"', (ROOT / "bindings/python/version.py").read_text(), re.M).group(1)


def numbers(text):
    return tuple(int(n) for n in text.split("."))


def glibc(paths):
    """(2, N): the oldest glibc that these files can be loaded with. Ends the program for a library that nobody promises."""
    newest = (2, 17)
    for path in paths:
        headers = subprocess.run(["objdump", "-p", path], capture_output=True, text=True, check=True).stdout
        symbols = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=True).stdout
        for library in re.findall(r"NEEDED\s+(\S+)", headers):
            if library not in SYSTEM_LIBRARIES and not library.startswith("ld-linux") and not (path.parent.parent / library).exists():
                sys.exit("%s loads %s, which other systems may not have; link its archive" % (path.name, library))
        for found in re.findall(r"GLIBC_([\d.]+)", symbols):
            newest = max(newest, numbers(found)[:2])
        for found in re.findall(r"GLIBCXX_([\d.]+)", symbols):
            newest = max(newest, next((g for g, c in CPLUSPLUS if numbers(found) <= c), CPLUSPLUS[0][0] if numbers(found) <= CPLUSPLUS[0][1] else newest))
    return newest


def is_program(path):
    return path.read_bytes()[:4] == b"\x7fELF"


def scripts(base):
    """Names that users type; `_bin/_tools NAME` is what they run."""
    return sorted(p.name for p in (base / "_bin").glob("iree-*"))


def script(name):
    return ("import os, pathlib, sys\n"
            "\n\ndef main():\n"
            "    path = str(pathlib.Path(__file__).parent / '_tools')\n"
            "    os.execv(path, [path, '%s'] + sys.argv[1:])\n" % name)


def contents(name, wheel, packages):
    """(folder of metadata, [(path in the wheel, bytes, is a program)])"""
    base = packages / "iree" / wheel["package"]
    rows = [(str(p.relative_to(packages)), p.read_bytes(), False) for p in base.rglob("*")
            if p.is_file() and p.parent.name not in ("__pycache__", "_bin")]
    folder, names = "iree/%s/_bin/" % wheel["package"], scripts(base)
    rows += [(folder + p, (base / "_bin" / p).read_bytes(), True) for p in ["_tools", *names]]
    rows += [(folder + n.replace("-", "_") + ".py", script(n).encode(), False) for n in names]
    rows.append((folder + "__init__.py", b"", False))
    info = "%s-%s.dist-info/" % (name.replace("-", "_"), VERSION)
    metadata = ["Metadata-Version: 2.1", "Name: " + name, "Version: " + VERSION, "Summary: " + wheel["summary"],
                "License: Apache-2.0 WITH LLVM-exception", "Requires-Python: >=3.11"]
    metadata += ["Requires-Dist: " + r for r in wheel["requires"]]
    rows.append((info + "METADATA", ("\n".join(metadata) + "\n").encode(), False))
    points = "\n".join("%s = iree.%s._bin.%s:main" % (n, wheel["package"], n.replace("-", "_")) for n in names)
    rows.append((info + "entry_points.txt", ("[console_scripts]\n%s\n" % points).encode(), False))
    rows.append((info + "LICENSE", (ROOT / "LICENSE").read_bytes(), False))
    return info, sorted(rows)


def write(name, wheel, packages, out):
    info, rows = contents(name, wheel, packages)
    programs = [p for p in (packages / "iree" / wheel["package"]).rglob("*") if p.is_file() and is_program(p)]
    machine = subprocess.run(["uname", "-m"], capture_output=True, text=True, check=True).stdout.strip()
    tag = "%s-manylinux_%d_%d_%s" % (wheel["tag"], *glibc(programs), machine)
    rows.append((info + "WHEEL", ("Wheel-Version: 1.0\nGenerator: iree-c\nRoot-Is-Purelib: false\nTag: %s\n" % tag).encode(), False))
    record = io.StringIO()
    table = csv.writer(record, lineterminator="\n")
    for old in out.glob(name.replace("-", "_") + "-*.whl"):
        old.unlink()
    path = out / ("%s-%s-%s.whl" % (name.replace("-", "_"), VERSION, tag))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for where, data, executable in rows:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            table.writerow([where, "sha256=" + digest, len(data)])
            add(archive, where, data, executable)
        table.writerow([info + "RECORD", "", ""])
        add(archive, info + "RECORD", record.getvalue().encode(), False)
    return path


def add(archive, where, data, executable):
    entry_info = zipfile.ZipInfo(where, (1980, 1, 1, 0, 0, 0))
    entry_info.external_attr = (0o100755 if executable else 0o100644) << 16
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
