# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The release whose files and API these are; the same file in iree.runtime and in iree.compiler."""
import os
import pathlib
import re
import warnings

PACKAGE_SUFFIX = ""
VERSION = "3.13.0"
REVISIONS: dict[str, str] = {}

_UPSTREAM = re.compile(r"(iree_(?:base_)?(?:compiler|runtime))-[^-]+\.dist-info$")


def check_other(package: str) -> None:
    """Warns if the other package, "runtime" or "compiler", is there in another version."""
    path = pathlib.Path(__file__).parent.parent / package / "version.py"
    try:
        other = re.search(r'^VERSION = "(.+)"', path.read_text(), re.M)
    except OSError:
        return
    if other and other.group(1) != VERSION:
        this = pathlib.Path(__file__).parent.name
        warnings.warn("iree-c-%s is of version %s but iree-c-%s of %s: programs of one may not load in the other. Install both "
                      "of one version: pip install iree-c-compiler==%s iree-c-runtime==%s"
                      % (this, VERSION, package, other.group(1), VERSION, VERSION), RuntimeWarning, stacklevel=3)


def check_upstream() -> None:
    """Warns if IREE's own packages are installed into the folder of this one: pip lets both write the same files."""
    folder = pathlib.Path(__file__).parent.parent.parent
    try:
        found = {m.group(1).replace("_", "-") for m in map(_UPSTREAM.match, os.listdir(folder)) if m}
    except OSError:  # inside an archive
        return
    if found:
        names = " ".join(sorted(found))
        warnings.warn("%s and iree-c-%s are installed together in %s and have overwritten each other's files. Remove all of them, then "
                      "install these again: pip uninstall %s iree-c-compiler iree-c-runtime; pip install build/wheels/*.whl"
                      % (names, pathlib.Path(__file__).parent.name, folder, names), RuntimeWarning, stacklevel=3)
