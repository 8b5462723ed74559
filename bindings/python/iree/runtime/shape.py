# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Extents of an array."""
import operator

__all__ = ["Shape"]


class Shape(tuple):
    """Extents of an array, outermost first: `Shape([2, 3])`.  Raises ValueError for negative ones, TypeError for others than int."""

    def __new__(cls, indices):
        extents = [operator.index(i) for i in indices]
        if any(i < 0 for i in extents):
            raise ValueError("a negative extent: %s" % extents)
        return super().__new__(cls, extents)
