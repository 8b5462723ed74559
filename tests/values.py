# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays as the tools write them (`2x3xf32=1 2 3 4 5 6`), as bytes and back, and their distance in ulps.

In a manifest the values may be fewer than the shape wants: they repeat. Booleans are hex bytes, as in the tools; so are
*8 and f8*, and *4 are hex digits. Elements of 2 and 4 bits are packed, low bits first.
"""
import re
import struct

_FORMAT = {"i1": "B", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "ui8": "B", "ui16": "H", "ui32": "I", "ui64": "Q",
           "f16": "e", "f32": "f", "f64": "d", "bf16": None}
BYTES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "ui8": 1, "ui16": 2, "ui32": 4, "ui64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8, "*8": 1, "f8E4M3FN": 1, "f8E4M3FNUZ": 1, "f8E8M0FNU": 1}
HEX = ("*8", "f8E4M3FN", "f8E4M3FNUZ", "f8E8M0FNU")
PACKED = {"i2": 2, "ui2": 2, "i4": 4, "ui4": 4, "*4": 4}  # bits


def parse(text):
    """(dims, element type, bytes)"""
    shape, _, values = text.partition("=")
    dims, element = re.fullmatch(r"((?:\d+x)*)(.+)", shape).groups()
    dims = dims.split("x")[:-1]
    count = 1
    for dim in dims:
        count *= int(dim)
    if element in PACKED:
        words = values.replace(",", " ").split() or ["0"]
        data = encode(element, (words * count)[:count])
        return [int(d) for d in dims], element, data
    data = encode(element, values.replace(",", " ").split() or ["0"])
    size = count * BYTES[element]
    return [int(d) for d in dims], element, (data * (size // max(len(data), 1) + 1))[:size]


def encode(element, words):
    if element in PACKED:
        bits, number = PACKED[element], 0
        for i, word in enumerate(words):
            number |= (int(word, 16 if element[0] == "*" else 10) & (1 << bits) - 1) << bits * i
        return number.to_bytes((len(words) * bits + 7) // 8, "little")
    if element == "i1" or element in HEX:
        return bytes(int(w, 16) for w in words)
    if element == "bf16":
        return b"".join(_bf16(float(w)) for w in words)
    number = float if element[0] == "f" else lambda w: int(w, 0)
    return struct.pack("<%d%s" % (len(words), _FORMAT[element]), *[number(w) for w in words])


def decode(element, data):
    if element in PACKED:
        bits, number = PACKED[element], int.from_bytes(data, "little")
        return [number >> bits * i & (1 << bits) - 1 for i in range(len(data) * 8 // bits)]
    if element in HEX:
        return list(data)
    if element == "bf16":
        return [struct.unpack("<f", b"\0\0" + data[i:i + 2])[0] for i in range(0, len(data) - 1, 2)]
    n = len(data) // BYTES[element]
    return list(struct.unpack("<%d%s" % (n, _FORMAT[element]), data[:n * BYTES[element]]))


def _bf16(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    if value != value:
        return b"\xc0\x7f"
    bits += 0x7FFF + (bits >> 16 & 1)  # to nearest, ties to even
    return struct.pack("<H", bits >> 16 & 0xFFFF)


def full(text):
    """Whether the text spells every value, so that a tool can read it as it is."""
    dims, element, data = parse(text)
    if element in PACKED or element in HEX:
        return False
    return len(re.split(r"[ ,]+", text.partition("=")[2])) in (1, len(data) // BYTES[element])


def difference(element, got, want, ulp=0, atol=0.0, count=None):
    """None when equal within |ulp| units in the last place or |atol|, else one line that says where not.

    |count| elements count: bits of the last byte past a packed element mean nothing.
    """
    if got == want:
        return None
    if len(got) != len(want):
        return "%d bytes, want %d" % (len(got), len(want))
    a, b = decode(element, got)[:count], decode(element, want)[:count]
    far = [i for i in range(len(a)) if not _near(element, a[i], b[i], ulp, atol)]
    if not far:
        return None
    i = far[0]
    return "%d of %d differ; [%d] is %r, want %r%s" % (len(far), len(a), i, a[i], b[i], _distance_text(element, a[i], b[i]))


def _near(element, a, b, ulp, atol):
    if a == b or (a != a and b != b):
        return True
    if "f" not in element or element in HEX or a != a or b != b or abs(a) == float("inf") or abs(b) == float("inf"):
        return False
    return abs(_rank(element, a) - _rank(element, b)) <= ulp or abs(a - b) <= atol


def _rank(element, value):
    """Neighbouring floats have neighbouring ranks."""
    data = encode(element, [repr(value)])
    bits, half = int.from_bytes(data, "little"), 1 << (8 * len(data) - 1)
    return half - bits if bits & half else bits


def _distance_text(element, a, b):
    if "f" not in element or element in HEX or a != a or b != b or float("inf") in (abs(a), abs(b)):
        return ""
    return " (%d ulp)" % abs(_rank(element, a) - _rank(element, b))
