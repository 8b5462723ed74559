# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps what went into the compiler, to look at it later."""
import itertools
import os
import pathlib
import shutil
import threading

__all__ = ["TempFileSaver"]

_ids = itertools.count()


class TempFileSaver:
    """While entered, inputs and outputs of compiles in this thread are kept in a folder.

    temp_path_pattern: the folder; "{id}" stands for the invocation's id, "{pid}" for the process and "{main}" for the program
    that runs. By default IREE_SAVE_TEMPS; without it nothing is kept.
    retained: is there a folder?  retained_path: it.
    """

    TEMP_PATH_ENV_KEY = "IREE_SAVE_TEMPS"
    _current = threading.local()

    def __init__(self, temp_path_pattern=None, *, invocation_id=None):
        pattern = temp_path_pattern or os.environ.get(self.TEMP_PATH_ENV_KEY)
        self.retained = bool(pattern)
        self.invocation_id = next(_ids) if invocation_id is None else invocation_id
        if self.retained:
            main = pathlib.Path(getattr(__import__("__main__"), "__file__", "interactive")).stem
            for key, value in (("id", self.invocation_id), ("pid", os.getpid()), ("main", main)):
                pattern = pattern.replace("{%s}" % key, str(value))
            self.retained_path = pattern
        self._kept, self._exports = {}, []

    @classmethod
    def implicit(cls):
        """The innermost one that is entered, or a new one."""
        stack = getattr(cls._current, "stack", None)
        return stack[-1] if stack else cls()

    @classmethod
    def current(cls):
        """As `implicit`."""
        return cls.implicit()

    def __enter__(self):
        self._current.__dict__.setdefault("stack", []).append(self)
        return self

    def __exit__(self, *exception):
        self._current.stack.pop()
        if self not in self._current.stack:
            self._finalize()

    def _alloc_retained_path(self, name):
        folder = pathlib.Path(self.retained_path)
        folder.mkdir(parents=True, exist_ok=True)
        n = self._kept[name] = self._kept.get(name, -1) + 1
        stem, dot, suffix = name.rpartition(".")
        return str(folder / (name if n == 0 else "%s_%d%s%s" % (stem or suffix, n, dot, suffix if stem else "")))

    def _finalize(self):
        for kept, wanted in self._exports:
            if os.path.exists(kept):
                shutil.copyfile(kept, wanted)
        self._exports = []

    def alloc_optional(self, file_name, *, export_as=None):
        """Where to write a file: into the folder, from where it is copied to `export_as` at the end; without one, `export_as`."""
        if not self.retained:
            return export_as
        path = self._alloc_retained_path(file_name)
        if export_as:
            self._exports.append((path, export_as))
        return path

    def keep(self, name, contents):
        """Keeps bytes or text under a name."""
        if self.retained:
            pathlib.Path(self._alloc_retained_path(name)).write_bytes(contents.encode() if isinstance(contents, str) else contents)

    def keep_file(self, name, path):
        """Keeps a copy of a file under a name."""
        if self.retained:
            shutil.copyfile(path, self._alloc_retained_path(name))
