# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps what went into the compiler, to look at it later."""
import os
import pathlib
import shutil
import threading

__all__ = ["TempFileSaver"]


class TempFileSaver:
    """While entered, inputs and outputs of compiles in this thread are kept in a folder.

    temp_path_pattern: the folder; "{id}" stands for the invocation's id. By default IREE_SAVE_TEMPS; without it
    nothing is kept.
    """

    TEMP_PATH_ENV_KEY = "IREE_SAVE_TEMPS"
    _current = threading.local()

    def __init__(self, temp_path_pattern=None, *, invocation_id=None):
        self._pattern = temp_path_pattern or os.environ.get(self.TEMP_PATH_ENV_KEY)
        self.invocation_id = invocation_id or "%d_%d" % (os.getpid(), threading.get_ident())
        self._kept = {}

    @classmethod
    def current(cls):
        """The innermost one that is entered; one that keeps nothing if there is none."""
        stack = getattr(cls._current, "stack", None)
        return stack[-1] if stack else cls()

    def __enter__(self):
        self._current.__dict__.setdefault("stack", []).append(self)
        return self

    def __exit__(self, *exception):
        self._current.stack.pop()

    def _path(self, name):
        folder = pathlib.Path(self._pattern.replace("{id}", self.invocation_id))
        folder.mkdir(parents=True, exist_ok=True)
        n = self._kept[name] = self._kept.get(name, -1) + 1
        stem, dot, suffix = name.partition(".")
        return folder / (name if n == 0 else "%s_%d%s%s" % (stem, n, dot, suffix))

    def keep(self, name, contents):
        """Keeps bytes or text under a name."""
        if self._pattern:
            self._path(name).write_bytes(contents.encode() if isinstance(contents, str) else contents)

    def keep_file(self, name, path):
        """Keeps a copy of a file under a name."""
        if self._pattern:
            shutil.copyfile(path, self._path(name))
