# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program should give, by jaxlib: StableHLO's reference interpreter, or XLA for CPUs where that has no answer.

Either may end the process (an op that the interpreter lacks is fatal to it): callers run this in a child of theirs.
"""
import numpy as np
from jaxlib import _jax, xla_client
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, stablehlo

import arrays
from elements import ELEMENTS

CHLO = "builtin.module(func.func(chlo-legalize-to-stablehlo))"


class Refused(Exception):
    """The oracle does not take the program; the message says why."""


class Oracle:
    def __init__(self):
        registry = ir.DialectRegistry()
        _jax_mlir_ext.register_dialects(registry)
        self.context = ir.Context()
        self.context.append_dialect_registry(registry)
        self.context.load_all_available_dialects()
        stablehlo.register_dialect(self.context)
        chlo.register_dialect(self.context)
        stablehlo.register_stablehlo_passes()
        self.client = None

    def parse(self, text):
        try:
            return ir.Module.parse(text, self.context)
        except ir.MLIRError as error:
            raise Refused(str(error).replace("\n", " ")[:400])

    def evaluate(self, program):
        """The bits of each result."""
        if callable(program.oracle):
            return [arrays.bits_of(a, v.element) for a, (v, _) in zip(program.oracle(program), program.results)]
        if program.oracle == "xla":
            return self.by_xla(program)
        return self.by_interpreter(program)

    def by_interpreter(self, program):
        text, readers = _readable(program)
        module = self.parse(text)
        with self.context, ir.Location.unknown():
            if "chlo." in text:
                passmanager.PassManager.parse(CHLO).run(module.operation)
            try:
                out = [np.array(a) for a in stablehlo.eval_module(module, [])]
            except (RuntimeError, ValueError, ir.MLIRError) as error:
                raise Refused(str(error).replace("\n", " ")[:400])
        return [read(out) for read in readers]

    def by_xla(self, program):
        module = self.parse(program.closed())
        if self.client is None:
            self.client = xla_client.make_cpu_client()
        devices = _jax.DeviceList(tuple(self.client.local_devices()[:1]))
        with self.context, ir.Location.unknown():
            if "chlo." in program.closed():
                passmanager.PassManager.parse(CHLO).run(module.operation)
        try:
            run = self.client.compile_and_load(module, devices, xla_client.CompileOptions())
            out = run.execute_sharded([]).disassemble_into_single_device_arrays()
        except Exception as error:  # its error type has no stable name
            raise Refused(str(error).replace("\n", " ")[:400])
        return [arrays.bits_of(np.asarray(a[0]), v.element) for a, (v, _) in zip(out, program.results)]


def _readable(program):
    """The closed text with results that numpy can hold, and how to get the bits from those."""
    text, readers, lines, outs = program.closed(), [], [], []

    def add(line, t):
        lines.append("  %%o%d = %s" % (len(outs), line))
        outs.append(("%%o%d" % len(outs), t))
        return len(outs) - 1

    for v, _ in program.results:
        shape = "".join("%dx" % e for e in v.shape)
        t, e = "tensor<%s%s>" % (shape, v.element), ELEMENTS[v.element]
        if e.kind == "c":
            half = "tensor<%s%s>" % (shape, e.part)
            re, im = (add("stablehlo.%s %s : (%s) -> %s" % (op, v, t, half), half) for op in ("real", "imag"))
            readers.append(lambda out, re=re, im=im, v=v: _join(out[re], out[im]).tobytes())
            continue
        if e.kind == "f" and v.element not in ("f32", "f64"):
            wide = "tensor<%sui%d>" % (shape, e.bits)
            i = add("stablehlo.bitcast_convert %s : (%s) -> %s" % (v, t, wide), wide)
        elif e.bits < 8:
            wide = "tensor<%s%s8>" % (shape, v.element.rstrip("0123456789"))
            i = add("stablehlo.convert %s : (%s) -> %s" % (v, t, wide), wide)
        else:
            i = len(outs)
            outs.append((str(v), t))
        mask = (1 << e.bits) - 1 if e.bits < 8 else None
        readers.append(lambda out, i=i, mask=mask: (out[i].astype(np.uint8) & mask if mask else np.ascontiguousarray(out[i])).tobytes())
    at = text.rindex("  return ")
    head = text[:at]
    start = head.rindex("func.func @main(")
    sign_at = head.index(" -> (", start)
    head = head[:sign_at] + " -> (%s) {\n" % ", ".join(t for _, t in outs) + head[head.index("{\n", sign_at) + 2:]
    head += "\n".join(lines) + "\n  return %s : %s\n}\n" % (", ".join(n for n, _ in outs), ", ".join(t for _, t in outs))
    return head, readers


def _join(real, imag):
    """Not real + 1j * imag, which turns infinities into NaN."""
    out = np.empty(real.shape, np.complex64 if real.dtype == np.float32 else np.complex128)
    out.real, out.imag = real, imag
    return out
