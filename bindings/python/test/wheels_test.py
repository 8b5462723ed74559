# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The wheels: sizes, tags, a fresh venv with the console scripts, and versions that do not belong together."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import venv
import zipfile

import numpy

ROOT = pathlib.Path(os.environ["IREE_ROOT"])
PACKAGES = pathlib.Path(os.environ["PYTHONPATH"].split(os.pathsep)[0])
LIMITS = {"iree_c_compiler": 25, "iree_c_runtime": 1}  # MB


@unittest.skipIf(PACKAGES.parent.name != "build", "wheels are made of the release")
class Wheels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name)
        cls.env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "IREE"))}
        subprocess.run([sys.executable, ROOT / "scripts/wheels.py", PACKAGES, cls.path], check=True, capture_output=True)
        cls.wheels = {p.name.split("-")[0]: p for p in cls.path.glob("*.whl")}
        venv.create(cls.path / "venv", with_pip=True)
        cls.site = next(cls.path.glob("venv/lib/python3*/site-packages"))
        for name in ("numpy", "numpy.libs"):  # as pip would, without a download
            source = pathlib.Path(numpy.__file__).parent.parent / name
            if source.exists():
                os.symlink(source, cls.site / name)
        cls.run_in("python", "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", *cls.wheels.values())

    @classmethod
    def run_in(cls, program, *args, **kwargs):
        done = subprocess.run([cls.path / "venv/bin" / program, *args], capture_output=True, text=True, env=cls.env, **kwargs)
        if done.returncode:
            raise AssertionError("%s: exit %d\n%s" % (program, done.returncode, done.stderr))
        return done

    def test_sizes_and_tags(self):
        self.assertEqual(set(self.wheels), set(LIMITS))
        for name, wheel in self.wheels.items():
            self.assertLessEqual(wheel.stat().st_size, LIMITS[name] * 1e6)
            self.assertRegex(wheel.name, r"-cp311-abi3-manylinux_2_\d+_\w+\.whl$")
            with zipfile.ZipFile(wheel) as archive:
                self.assertTrue(any(n.endswith("py.typed") for n in archive.namelist()))

    def test_scripts_and_packages(self):
        program, source = self.path / "add.vmfb", ROOT / "samples/add.mlir"
        self.run_in("iree-compile", source, "-o", program, "--iree-hal-target-backends=llvm-cpu")
        out = self.run_in("iree-run-module", "--module=%s" % program, "--function=add", "--input=4xf32=1", "--input=4xf32=2").stdout
        self.assertIn("4xf32=3 3 3 3", out)
        self.assertIn("add", self.run_in("iree-dump-module", program).stdout)
        self.assertIn("stablehlo.add", self.run_in("iree-opt", source).stdout)
        code = ("import iree.runtime as rt, iree.compiler as c, numpy as np, sys\n"
                "a = np.ones(4, np.float32)\n"
                "import pathlib; text = pathlib.Path(sys.argv[1]).read_text()\n"
                "vmfb = c.compile_str(text, target_backends=['llvm-cpu'])\n"
                "assert (rt.load_vm_flatbuffer(vmfb, driver='local-task').add(a, a).to_host() == 2).all()\n"
                "from iree.compiler.api import Session\n"
                "assert Session().get_flags()\n"
                "assert rt.benchmark_exe()\n")
        self.assertEqual(self.run_in("python", "-W", "error", "-c", code, source).stderr, "")

    def test_every_program_has_a_script_that_starts(self):
        for package in ("runtime", "compiler"):
            for name in (p.name for p in (PACKAGES / "iree" / package / "_bin").glob("iree-*")):
                with self.subTest(name):
                    self.assertTrue(self.run_in(name, "--help").stdout)

    def test_mismatch_is_told_at_import(self):
        version = self.site / "iree/compiler/version.py"
        text = version.read_text()
        self.addCleanup(version.write_text, text)
        version.write_text(re.sub(r'^VERSION = ".+"', 'VERSION = "9.9.9"', text, flags=re.M))
        for package, words in (("runtime", "iree-c-compiler of 9.9.9"), ("compiler", "iree-c-runtime of")):
            err = self.run_in("python", "-c", "import iree.%s" % package).stderr
            self.assertIn(words, err)
            self.assertIn("pip install iree-c-compiler==", err)

    def test_upstream_beside_is_told_at_import(self):
        for name in ("iree_base_runtime-3.13.0.dist-info", "iree_compiler-20250101.1.dist-info"):
            (self.site / name).mkdir()
            self.addCleanup((self.site / name).rmdir)
        for package in ("runtime", "compiler"):
            err = self.run_in("python", "-c", "import iree.%s" % package).stderr
            self.assertIn("pip uninstall iree-base-runtime iree-compiler iree-c-compiler iree-c-runtime", err)

    def test_one_package_alone_works(self):
        other = self.path / "alone"
        for package in ("runtime", "compiler"):
            shutil.copytree(self.site / "iree" / package, other / package / "iree" / package, copy_function=os.link)
            code = "import sys; sys.path.insert(0, sys.argv[1]); import iree.%s as m; print(m.__file__)" % package
            env = dict(self.env, PYTHONPATH=str(self.site / "nothing"))
            out = subprocess.run([sys.executable, "-W", "error", "-c", code, other / package], capture_output=True, text=True, env=env)
            self.assertIn(str(other), out.stdout, out.stderr)


if __name__ == "__main__":
    unittest.main()
