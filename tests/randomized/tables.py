# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All rows of op generators, and the generator of graphs."""
import elementwise  # noqa: F401
import contracting  # noqa: F401
import control  # noqa: F401
import folding  # noqa: F401
import quantized  # noqa: F401
import shaping  # noqa: F401
import special  # noqa: F401
from graphs import graph  # noqa: F401
from rows import ROWS  # noqa: F401

