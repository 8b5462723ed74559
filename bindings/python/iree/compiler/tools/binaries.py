# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds and runs the compiler's program."""
import os
import pathlib
import shlex
import subprocess
import sys

__all__ = ["CompilerToolError", "find_tool", "get_tool_path", "invoke_immediate"]


class CompilerToolError(Exception):
    """The compiler refused: its messages, and the command that repeats them."""

    def __init__(self, command, code, messages):
        self.command, self.code, self.messages = list(command), code, messages
        super().__init__("%s failed with exit code %d\n%s\nInvoked with: %s"
                         % (pathlib.Path(command[0]).name, code, messages.rstrip(), shlex.join(str(c) for c in command)))


def get_tool_path():
    """Folders to look for programs first: those of IREE_TOOL_PATH."""
    return [p for p in os.environ.get("IREE_TOOL_PATH", "").split(os.pathsep) if p]


def find_tool(name):
    """The path of a tool: of a folder of IREE_TOOL_PATH, or of this package.  Raises ValueError."""
    folders = [pathlib.Path(p) for p in get_tool_path()] + [pathlib.Path(__file__).parent.parent / "_bin"]
    for folder in folders:
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    raise ValueError("there is no tool '%s' in %s" % (name, ", ".join(str(f) for f in folders)))


def invoke_immediate(command, immediate_input=None):
    """Runs a command to its end; what it writes to stdout. Warnings go to this process's stderr."""
    result = subprocess.run(command, input=immediate_input, stdin=None if immediate_input is not None else subprocess.DEVNULL,
                            capture_output=True)
    messages = result.stderr.decode("utf-8", "replace")
    if result.returncode != 0:
        raise CompilerToolError(command, result.returncode, messages)
    if messages:
        sys.stderr.write(messages)
    return result.stdout
