# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Literals of dense constants as bytes, one element after another in whole bytes (see elements.py)."""
import re

from elements import ELEMENTS, count, encode, whole_bytes

TOKEN = re.compile(r"0x[0-9A-Fa-f]+|[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?|true|false|\(")


class Unsupported(Exception):
    """A type or form that has no bytes here."""


def shape_of(text):
    """tensor<2x?xf32> -> (element, [2, None])"""
    m = re.fullmatch(r"tensor<((?:\d+x|\?x)*)([^,]+?)(?:,.*)?>", text) or re.fullmatch(r"()([a-z0-9]+)", text)
    name = m.group(2) if m else text
    name = name[1:] if name.startswith("si") else "i64" if name == "index" else name
    if name not in ELEMENTS:
        raise Unsupported("element type " + name)
    return ELEMENTS[name], [None if d == "?" else int(d) for d in m.group(1).split("x")[:-1]]


def literal(text, kind):
    """The bytes of dense<text> : kind."""
    element, shape = shape_of(kind)
    n, size = count(shape), whole_bytes(element)
    text = text.strip()
    if text.startswith('"0x'):
        data = bytes.fromhex(text[3:-1])
        if element.name == "i1" and len(data) != n:
            if len(data) == 1 and data[0] in (0, 255):  # one value for all
                return bytes([data[0] & 1]) * n
            return bytes(data[i // 8] >> i % 8 & 1 for i in range(n))
        return data * n if len(data) == size and n != 1 else data
    part = ELEMENTS[element.part] if element.part else element
    values = [number(part, t) for t in TOKEN.findall(text) if t != "("]
    data = b"".join(v.to_bytes(whole_bytes(part), "little") for v in values)
    return data * n if len(data) == size and n != 1 else data[:0] if n == 0 else data


def number(element, text):
    if text in ("true", "false"):
        return int(text == "true")
    if text.startswith("0x"):
        return int(text, 16)  # of a float: its bits
    return encode(element, float(text) if element.kind == "f" else int(text) if "." not in text else int(float(text)))
