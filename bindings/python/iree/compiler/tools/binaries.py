# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds and runs the compiler's program."""
import os
import pathlib
import shlex
import subprocess

__all__ = ["CompilerToolError", "find_tool", "invoke_immediate"]


class CompilerToolError(Exception):
    """The compiler refused: its messages, and the command that repeats them."""

    def __init__(self, command, code, messages):
        self.command, self.code, self.messages = list(command), code, messages
        super().__init__("%s failed with exit code %d\n%s\nto repeat: %s"
                         % (pathlib.Path(command[0]).name, code, messages.rstrip(), shlex.join(str(c) for c in command)))


def find_tool(name):
    """The path of a tool: of the folder IREE_TOOL_PATH, or of this package."""
    folder = os.environ.get("IREE_TOOL_PATH")
    path = pathlib.Path(folder) / name if folder else pathlib.Path(__file__).parent.parent / "_bin" / name
    if not path.exists():
        raise ValueError("there is no %s at %s" % (name, path))
    return str(path)


def invoke_immediate(command, immediate_input=None):
    """Runs a command to its end; what it writes to stdout. Warnings go to this process's stderr."""
    result = subprocess.run(command, input=immediate_input, stdin=None if immediate_input is not None else subprocess.DEVNULL,
                            capture_output=True)
    messages = result.stderr.decode("utf-8", "replace")
    if result.returncode != 0:
        raise CompilerToolError(command, result.returncode, messages)
    if messages:
        import sys
        sys.stderr.write(messages)
    return result.stdout
