# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameter files, written from their formats' descriptions: what our readers and writers are tested against."""
import struct


def irpa_entry(kind, name, metadata, rest, alignment=64):
    """An entry of an archive; |name| and |metadata| are (offset, length) in the names."""
    size = 60 + len(rest)
    head = struct.pack("<QIQQQQQQ", size, kind, 0, *name, *metadata, alignment)
    return (head + rest).ljust((size + 15) // 16 * 16, b"\0")


def irpa_archive(entries, names, data, next_offset=0):
    """Header, entries, names, contents."""
    table = b"".join(entries)
    storage = (96 + len(table) + len(names) + 63) // 64 * 64
    head = struct.pack("<4sHHQQQQQQQQQQ", b"IRPA", 0, 0, 88, next_offset, 0, len(entries), 96, len(table),
                       96 + len(table), len(names), storage, len(data))
    return (head.ljust(96, b"\0") + table + names).ljust(storage, b"\0") + data


def irpa(parameters):
    """An archive of {name: bytes}."""
    entries, names, data = [], b"", b""
    for name, value in parameters.items():
        data = data.ljust((len(data) + 63) // 64 * 64, b"\0")
        entries.append(irpa_entry(2, (len(names), len(name.encode())), (0, 0), struct.pack("<QQ", len(data), len(value))))
        names += name.encode()
        data += value
    return irpa_archive(entries, names, data)


def safetensors(parameters):
    """A file of {name: bytes}, each as a list of bytes."""
    heads, data = [], b""
    for name, value in parameters.items():
        heads.append('"%s":{"dtype":"U8","shape":[%d],"data_offsets":[%d,%d]}' % (name, len(value), len(data), len(data) + len(value)))
        data += value
    head = ("{%s}" % ",".join(heads)).encode()
    return struct.pack("<Q", len(head)) + head + data


def gguf_string(value):
    return struct.pack("<Q", len(value)) + value


def gguf_file(version, pairs, tensors, data, alignment=64):
    head = struct.pack("<4sIQQ", b"GGUF", version, len(tensors), len(pairs)) + b"".join(pairs) + b"".join(tensors)
    return head.ljust((len(head) + alignment - 1) // alignment * alignment, b"\0") + data


def gguf(parameters):
    """A file of {name: bytes}, as 8-bit integers."""
    tensors, data = [], b""
    for name, value in parameters.items():
        data = data.ljust((len(data) + 31) // 32 * 32, b"\0")
        tensors.append(gguf_string(name.encode()) + struct.pack("<IQIQ", 1, len(value), 16, len(data)))
        data += value
    return gguf_file(3, (), tensors, data, 32)


FORMATS = {"irpa": irpa, "safetensors": safetensors, "gguf": gguf}
