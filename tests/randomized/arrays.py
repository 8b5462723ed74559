# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random arrays: numpy arrays of an element type with the values that break things among them."""
import ml_dtypes
import numpy as np

from elements import ELEMENTS

DTYPES = {
    "i1": np.bool_, "f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16,
    "complex<f32>": np.complex64, "complex<f64>": np.complex128,
    "i2": ml_dtypes.int2, "i4": ml_dtypes.int4, "ui2": ml_dtypes.uint2, "ui4": ml_dtypes.uint4,
    **{"i%d" % b: getattr(np, "int%d" % b) for b in (8, 16, 32, 64)},
    **{"ui%d" % b: getattr(np, "uint%d" % b) for b in (8, 16, 32, 64)},
    **{name: getattr(ml_dtypes, "float8_" + name[2:].lower()) for name in ELEMENTS if name.startswith("f8")},
}

BOOL = ["i1"]
SIGNED = ["i4", "i8", "i16", "i32", "i64"]
UNSIGNED = ["ui4", "ui8", "ui16", "ui32", "ui64"]
INTS = SIGNED + UNSIGNED
TINY = ["i2", "ui2"]
FLOATS = ["f16", "bf16", "f32", "f64"]
F8 = [name for name in ELEMENTS if name.startswith("f8") and name != "f8E8M0FNU"]
COMPLEX = ["complex<f32>", "complex<f64>"]
ALL = BOOL + TINY + INTS + F8 + FLOATS + COMPLEX


def kind(element):
    return ELEMENTS[element].kind


def limits(element):
    e = ELEMENTS[element]
    return (0, (1 << e.bits) - 1) if e.kind == "u" else (-(1 << e.bits - 1), (1 << e.bits - 1) - 1)


def bits_of(array, element):
    """The array's bytes as elements.py wants them."""
    if ELEMENTS[element].bits < 8:
        return (np.asarray(array).astype(np.int16) & ((1 << ELEMENTS[element].bits) - 1)).astype(np.uint8).tobytes()
    return np.ascontiguousarray(np.asarray(array).astype(DTYPES[element])).tobytes()


def from_bits(data, element, shape):
    if ELEMENTS[element].bits < 8:
        return np.frombuffer(data, np.int8).astype(DTYPES[element]).reshape(shape)
    return np.frombuffer(data, DTYPES[element]).reshape(shape)


def make(rng, element, shape, values="any"):
    """|values|: any (specials among them), small (integers of magnitude 4 at most), positive (small, at least 1),
    normal (floats around 1), unit (0..1), finite, or (low, high) for integers or floats."""
    shape = tuple(shape)
    n = int(np.prod(shape, dtype=np.int64))
    k = kind(element)
    if k == "c":
        part = ELEMENTS[element].part
        out = np.empty(shape, DTYPES[element])
        out.real, out.imag = (make(rng, part, shape, values) for _ in range(2))
        return out
    if k == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if isinstance(values, tuple):
        low, high = values
        if k == "f":
            return rng.uniform(low, high, shape).astype(DTYPES[element])
        low, high = max(low, limits(element)[0]), min(high, limits(element)[1])
        return rng.integers(low, high, shape, endpoint=True, dtype=np.uint64 if high > 2**63 - 1 else np.int64).astype(DTYPES[element])
    if k in "iu":
        low, high = limits(element)
        if values in ("small", "normal", "unit", "positive"):
            low, high = max(low, 1 if values == "positive" else -4), min(high, 4)
            return rng.integers(low, high, shape, endpoint=True).astype(DTYPES[element])
        wide = rng.integers(0, 2**64 - 1, n, dtype=np.uint64, endpoint=True)
        picks = [low, low + 1, high, high - 1, 0, 1, 2, 3, max(low, -1), max(low, -2)]
        out = [int(w) % (high - low + 1) + low if rng.random() < 0.5 else int(rng.choice(np.array(picks, dtype=object))) for w in wide]
        return np.array(out, dtype=object).astype(DTYPES[element]).reshape(shape)
    return floats(rng, element, n, values).reshape(shape)


def floats(rng, element, n, values):
    if values == "small":
        return rng.integers(-4, 4, n, endpoint=True).astype(DTYPES[element])
    if values == "positive":
        return rng.integers(1, 5, n, endpoint=True).astype(DTYPES[element])
    if values == "normal":
        return rng.normal(0, 1, n).astype(DTYPES[element])
    if values == "unit":
        return rng.uniform(0, 1, n).astype(DTYPES[element])
    out = (rng.normal(0, 1, n) * 10.0 ** rng.integers(-3, 4, n)).astype(DTYPES[element])
    e = ELEMENTS[element]
    raw = out.view(np.dtype("u%d" % (e.bits // 8)))
    dice = rng.random(n)
    patterns = rng.integers(0, 2**e.bits - 1, n, dtype=np.uint64, endpoint=True).astype(raw.dtype)
    raw[dice < 0.1] = patterns[dice < 0.1]                      # any bits: NaNs, denormals, huge
    tiny = rng.integers(1, 2**max(e.mantissa, 1), n, dtype=np.uint64).astype(raw.dtype)
    raw[(dice > 0.1) & (dice < 0.15)] = tiny[(dice > 0.1) & (dice < 0.15)]  # denormals
    specials = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 1.5, 2.5, np.inf, -np.inf, np.nan])
    with np.errstate(all="ignore"):
        out[dice > 0.85] = rng.choice(specials, n)[dice > 0.85].astype(DTYPES[element])
        if values == "finite":
            wide = out.astype(np.float64)
            out[~np.isfinite(wide)] = np.array(1.0).astype(DTYPES[element])
    return out
