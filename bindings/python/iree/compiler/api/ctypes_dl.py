# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sessions, invocations, sources and outputs over libIREECompiler.so.

Who keeps whom: invocations and sources keep their session, an invocation the sources that it parsed, memory that an
output maps the output. `close()` ends an object before that, and with a session all that is made of it; a closed one
raises ValueError when it is used. `with` closes.
"""
import ctypes
import enum
import os
import weakref
from ctypes import byref, c_char_p, c_uint64, c_void_p

from .library import FLAG_CALLBACK, library

__all__ = ["Invocation", "Output", "PipelineType", "Session", "Source"]


class PipelineType(enum.IntEnum):
    """How far to compile."""
    IREE_COMPILER_PIPELINE_STD = 0
    IREE_COMPILER_PIPELINE_HAL_EXECUTABLE = 1
    IREE_COMPILER_PIPELINE_PRECOMPILE = 2
    IREE_COMPILER_PIPELINE_VM = 3


def _initializeGlobalCL(*cl_args):
    """Flags of the whole process, the program's name first; before the first session."""
    library.SetupGlobalCL(len(cl_args), (c_char_p * len(cl_args))(*(a.encode() for a in cl_args)), b"python", False)


class _Handle:
    """An object of the C API."""

    _pointer = None  # for those whose creation fails

    def __init__(self, pointer, destroy):
        self._pointer, self._destroy = pointer, destroy

    def _get(self):
        if not self._pointer:
            raise ValueError("the %s is closed" % type(self).__name__)
        return self._pointer

    def close(self):
        """Ends it; again is nothing."""
        pointer, self._pointer = self._pointer, None
        if pointer:
            self._destroy(pointer)

    def __del__(self):
        self.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


class Session(_Handle):
    """Flags and what compilations share: `Session()`."""

    def __init__(self):
        super().__init__(library.SessionCreate(), library.SessionDestroy)
        self._parts = weakref.WeakSet()

    def close(self):
        """Ends it with its invocations and sources."""
        for part in list(getattr(self, "_parts", ())):
            part.close()
        super().close()

    @property
    def context(self):
        """Absent: raises ImportError, there is no MLIR context."""
        from .._absent import refuse
        refuse("ir")

    def invocation(self) -> "Invocation":
        """A new Invocation."""
        return Invocation(self)

    def get_flags(self, non_default_only: bool = False) -> list[str]:
        """The flags in effect, as --name=value."""
        flags = []
        callback = FLAG_CALLBACK(lambda text, length, _: flags.append(ctypes.string_at(text, length).decode()))
        library.SessionGetFlags(self._get(), non_default_only, callback, None)
        return flags

    def set_flags(self, *flags: str) -> None:
        """Sets flags of iree-compile.  Raises ValueError for unknown ones and wrong values."""
        library.check(library.SessionSetFlags(self._get(), len(flags), (c_char_p * len(flags))(*(f.encode() for f in flags))))


class _Part(_Handle):
    """What is made of a session, and ends before it."""

    def __init__(self, session, pointer, destroy):
        super().__init__(pointer, destroy)
        self._session = session
        session._parts.add(self)

    @property
    def session(self):
        """The Session."""
        return self._session


class Source(_Part):
    """A program to compile: `Source.open_file(session, path)` or `Source.wrap_buffer(session, bytes)`."""

    def __init__(self, session, pointer, backing=None):
        super().__init__(session, pointer, library.SourceDestroy)
        self._backing = backing  # the bytes, which are not copied

    def close(self):
        super().close()
        self._backing = None

    @staticmethod
    def open_file(session: Session, file_path) -> "Source":
        """Of a file: text or MLIR bytecode.  Raises ValueError if it cannot be read."""
        pointer = c_void_p()
        library.check(library.SourceOpenFile(session._get(), os.fsencode(file_path), byref(pointer)))
        return Source(session, pointer.value)

    @staticmethod
    def wrap_buffer(session: Session, buffer, *, buffer_name: str = "source.mlir") -> "Source":
        """Of bytes-like text or MLIR bytecode, kept as long as this.  Raises ValueError if it is not contiguous."""
        view = memoryview(buffer)
        if not view.c_contiguous:
            raise ValueError("the buffer is not contiguous")
        # Text is read up to a NUL, which the library wants where it is told of one; else it copies.
        is_bytecode = bytes(view.cast("B")[:4]) == b"ML\xefR" if view.nbytes >= 4 else False
        is_terminated = view.nbytes > 0 and not is_bytecode and view.cast("B")[-1] == 0
        backing = bytes(view) if view.readonly and not isinstance(buffer, bytes) else buffer
        address = c_char_p(backing) if isinstance(backing, bytes) else (ctypes.c_char * view.nbytes).from_buffer(backing)
        pointer = c_void_p()
        library.check(library.SourceWrapBuffer(session._get(), buffer_name.encode(), ctypes.cast(address, c_void_p), view.nbytes,
                                               is_terminated, byref(pointer)))
        return Source(session, pointer.value, (backing, address))

    def __repr__(self):
        return "<Source %s>" % ("at %#x" % self._pointer if self._pointer else "closed")


class Output(_Handle):
    """Where results go: `Output.open_file(path)` or `Output.open_membuffer()`."""

    def __init__(self, pointer):
        super().__init__(pointer, library.OutputDestroy)

    @staticmethod
    def open_file(file_path) -> "Output":
        """To a file, which is there when this is closed if `keep()` was called.  Raises ValueError."""
        pointer = c_void_p()
        library.check(library.OutputOpenFile(os.fsencode(file_path), byref(pointer)))
        return Output(pointer.value)

    @staticmethod
    def open_membuffer() -> "Output":
        """To memory, which `map_memory()` shows."""
        pointer = c_void_p()
        library.check(library.OutputOpenMembuffer(byref(pointer)))
        return Output(pointer.value)

    def keep(self):
        """Keeps the file."""
        library.OutputKeep(self._get())
        return self

    def write(self, buffer):
        """Appends bytes."""
        data = bytes(buffer)
        library.check(library.OutputWrite(self._get(), data, len(data)))

    def map_memory(self):
        """The bytes so far, without a copy: has the buffer protocol and keeps this output, which may not be closed meanwhile."""
        contents, size = c_void_p(), c_uint64()
        library.check(library.OutputMapMemory(self._get(), byref(contents), byref(size)))
        memory = (ctypes.c_char * size.value).from_address(contents.value) if contents.value else (ctypes.c_char * 0)()
        weakref.finalize(memory, lambda output: None, self).atexit = False
        return memory


class Invocation(_Part):
    """One compilation: `session.invocation()`."""

    def __init__(self, session):
        super().__init__(session, library.InvocationCreate(session._get()), library.InvocationDestroy)
        self._sources = []

    def close(self):
        super().close()
        self._sources = []

    def enable_console_diagnostics(self):
        """Errors and warnings go to stderr."""
        library.InvocationEnableConsoleDiagnostics(self._get())

    def parse_source(self, source: Source) -> bool:
        """Reads a Source; did it succeed?"""
        self._sources.append(source)
        return library.InvocationParseSource(self._get(), source._get())

    def execute(self, pipeline: PipelineType = PipelineType.IREE_COMPILER_PIPELINE_STD) -> bool:
        """Compiles what was parsed, up to where the flags and `pipeline` say; did it succeed?"""
        return library.InvocationPipeline(self._get(), int(pipeline))

    def execute_text_pass_pipeline(self, text_pipeline_spec: str) -> bool:
        """Runs passes as iree-opt's --pass-pipeline names them; did all succeed?"""
        return library.InvocationRunPassPipeline(self._get(), text_pipeline_spec.encode())

    def output_ir(self, output: Output) -> None:
        """Writes the program as text.  Raises ValueError."""
        library.check(library.InvocationOutputIR(self._get(), output._get()))

    def output_ir_bytecode(self, output: Output, bytecode_version: int = -1) -> None:
        """Writes the program as MLIR bytecode.  Raises ValueError where the compiler does not write it."""
        library.check(library.InvocationOutputIRBytecode(self._get(), output._get(), bytecode_version))

    def output_vm_bytecode(self, output: Output) -> None:
        """Writes the compiled program, a .vmfb.  Raises ValueError before `execute` has succeeded."""
        library.check(library.InvocationOutputVMBytecode(self._get(), output._get()))

    def import_module(self, module_op=None):
        """Absent: raises ImportError, there are no modules of MLIR's bindings."""
        from .._absent import refuse
        refuse("ir")

    export_module = import_module
