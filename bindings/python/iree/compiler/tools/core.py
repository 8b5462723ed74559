# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`compile_str` and `compile_file`."""
import dataclasses
import enum
import pathlib
import re
import shlex
from typing import Optional, Sequence, Union

from .binaries import CompilerToolError, find_tool, invoke_immediate
from .debugging import TempFileSaver

DEFAULT_TESTING_BACKENDS = ["llvm-cpu"]
DEFAULT_TESTING_DRIVER = "local-task"


class InputType(enum.Enum):
    """What dialects the input holds."""
    NONE = "none"
    AUTO = "auto"
    STABLEHLO = "stablehlo"
    STABLEHLO_XLA = "stablehlo_xla"
    TOSA = "tosa"
    TM_TENSOR = "tm_tensor"
    TORCH = "torch"
    ONNX = "onnx"

    def __str__(self):
        return self.value

    @staticmethod
    def parse(spec):
        """An InputType of one or of its name, in any case.  Raises ValueError."""
        return _parse(InputType, "input_type", spec)


class OutputFormat(enum.Enum):
    """What the compiler writes."""
    FLATBUFFER_BINARY = "flatbuffer-binary"
    FLATBUFFER_TEXT = "flatbuffer-text"
    MLIR_TEXT = "mlir-text"

    def __str__(self):
        return self.value

    @staticmethod
    def parse(spec):
        """An OutputFormat of one or of its name, in any case.  Raises ValueError."""
        return _parse(OutputFormat, "output_format", spec)


def _parse(kind, argument, spec):
    if isinstance(spec, kind):
        return spec
    name = str(spec).replace("-", "_").upper()
    if name not in kind.__members__:
        raise ValueError("For %s= argument, expected one of: %s; got %r" % (argument, ", ".join(kind.__members__), spec))
    return kind[name]


@dataclasses.dataclass
class CompilerOptions:
    """How to compile; the fields are the keyword arguments of `compile_str` and `compile_file`.

    output_file: where to write; without it the functions return bytes.  target_backends: e.g. ["llvm-cpu"].
    extra_args: more flags of iree-compile, last.  optimize: False keeps the program as it is written, for debugging.
    output_mlir_debuginfo, output_generic_mlir: of textual output.  strip_debug_ops, strip_source_map: smaller files.
    crash_reproducer_path: where a program is kept, with the command that repeats it, should the compiler crash.
    """
    output_file: Optional[str] = None
    target_backends: Sequence[str] = ()
    input_type: Union[InputType, str] = InputType.AUTO
    output_format: Union[OutputFormat, str] = OutputFormat.FLATBUFFER_BINARY
    extra_args: Sequence[str] = ()
    optimize: bool = True
    output_mlir_debuginfo: bool = True
    output_generic_mlir: bool = False
    extended_diagnostics: bool = False
    strip_debug_ops: bool = False
    strip_source_map: bool = False
    crash_reproducer_path: Optional[str] = None
    enable_tflite_bindings: bool = False
    enable_benchmark: bool = False

    def __post_init__(self):
        self.input_type = InputType.parse(self.input_type)
        self.output_format = OutputFormat.parse(self.output_format)
        if isinstance(self.target_backends, str):
            raise TypeError("target_backends is a list of names, e.g. [%r]" % self.target_backends)


def _refuse(options):
    for name in ("enable_tflite_bindings", "enable_benchmark"):
        if getattr(options, name):
            raise ValueError("%s is not supported" % name)
    if options.output_format == OutputFormat.FLATBUFFER_TEXT:
        raise ValueError("there is no textual FlatBuffer; use iree-dump-module on the binary one")


def _command(options, source):
    _refuse(options)
    is_text = options.output_format == OutputFormat.MLIR_TEXT
    command = [find_tool("iree-compile"), source, "-o", options.output_file or "-", "--iree-input-type=%s" % options.input_type]
    command += ["--iree-hal-target-backends=%s" % b for b in options.target_backends]
    if is_text:
        command += ["--compile-to=vm", "--mlir-print-debuginfo=%s" % str(options.output_mlir_debuginfo).lower()]
        if options.output_generic_mlir:
            command.append("--mlir-print-op-generic")
    if not options.optimize:
        command.append("--iree-opt-level=O0")
    if options.strip_debug_ops:
        command.append("--iree-vm-bytecode-module-strip-debug-ops")
    if options.strip_source_map:
        command.append("--iree-vm-bytecode-module-strip-source-map")
    return command + list(options.extra_args)


def _finish(options, output):
    saver = TempFileSaver.current()
    if options.output_file is not None:
        saver.keep_file("core-output.bin", options.output_file)
        return None
    saver.keep("core-output.bin", output)
    return output


def _run(options, command, program):
    """Runs the compiler on bytes, or on the file that the command names."""
    try:
        return invoke_immediate(command, program)
    except CompilerToolError as e:
        if options.crash_reproducer_path and (e.code < 0 or e.code > 128):
            if program is None:
                program = pathlib.Path(command[1]).read_bytes()
            pathlib.Path(options.crash_reproducer_path).write_bytes(b"// RUN: " + shlex.join(command).encode() + b"\n" + program)
        raise


def compile_str(input_str: str | bytes, **kwargs) -> bytes | None:
    """Compiles a program given as text (or bytes: MLIR bytecode).

    kwargs: the fields of CompilerOptions.  Returns bytes, or None if `output_file` is given.
    Raises CompilerToolError with the compiler's messages.
    """
    options = CompilerOptions(**kwargs)
    data = input_str.encode("utf-8") if isinstance(input_str, str) else bytes(input_str)
    TempFileSaver.current().keep("core-input.mlir", data)
    return _finish(options, _run(options, _command(options, "-"), data))


def compile_file(input_file, **kwargs) -> bytes | None:
    """Compiles a program's file; as `compile_str`."""
    options = CompilerOptions(**kwargs)
    TempFileSaver.current().keep_file("core-input.mlir", input_file)
    return _finish(options, _run(options, _command(options, str(input_file)), None))


def query_available_targets() -> list[str]:
    """Names of the target backends of this compiler."""
    text = invoke_immediate([find_tool("iree-compile"), "--iree-hal-list-target-backends"]).decode()
    return re.findall(r"^\s+([\w-]+)\s*$", text, re.M)
