# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The release whose files and API these are; the same file in iree.runtime and in iree.compiler."""
import pathlib
import re
import warnings

PACKAGE_SUFFIX = ""
VERSION = "3.13.0"
REVISIONS: dict[str, str] = {}


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
