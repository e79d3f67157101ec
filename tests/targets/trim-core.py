#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Leaves out of a full core dump what the C library and other libraries have in their files: the memory of every mapped
# file but the program's that nothing has written to. Usage: trim-core.py CORE PROGRAM OUT [--without-code]
#    PROGRAM: the program's path as the dump has it. --without-code: the program's own code as well.
import struct
import sys

PAGE = 4096
PT_LOAD, PT_NOTE, NT_FILE, PF_X, PF_W = 1, 4, 0x46494C45, 1, 2


def mapped_files(core, headers):
    for kind, _, offset, _, size, _ in headers:
        if kind != PT_NOTE:
            continue
        at = offset
        while at < offset + size:
            name_size, data_size, note = struct.unpack_from('<III', core, at)
            data = at + 12 + (name_size + 3 & ~3)
            if note == NT_FILE:
                count, _ = struct.unpack_from('<QQ', core, data)
                names = core[data + 16 + 24 * count:data + data_size].split(b'\0')
                for i in range(count):
                    start, end, _ = struct.unpack_from('<QQQ', core, data + 16 + 24 * i)
                    yield start, end, names[i].decode()
            at = data + (data_size + 3 & ~3)


def main():
    core = open(sys.argv[1], 'rb').read()
    table, = struct.unpack_from('<Q', core, 32)
    entry_size, count = struct.unpack_from('<HH', core, 54)
    headers = []
    for i in range(count):
        kind, flags, offset, address, _, size, memory, _ = struct.unpack_from('<IIQQQQQQ', core, table + i * entry_size)
        headers.append((kind, flags, offset, address, size, memory))
    others = [(a, b) for a, b, name in mapped_files(core, headers) if name != sys.argv[2]]
    without_code = '--without-code' in sys.argv
    out = bytearray(core[:table + count * entry_size])
    struct.pack_into('<QHH', out, 40, 0, 64, 56)  # no sections
    struct.pack_into('<HHH', out, 58, 64, 0, 0)
    for i, (kind, flags, offset, address, size, memory) in enumerate(headers):
        lies_in_file = any(a <= address < b for a, b in others) or (without_code and flags & PF_X)
        keep = size if kind != PT_LOAD or flags & PF_W or not lies_in_file else 0
        if kind == PT_LOAD:
            out += b'\0' * (-len(out) % PAGE)
        struct.pack_into('<Q', out, table + i * entry_size + 8, len(out))
        struct.pack_into('<Q', out, table + i * entry_size + 32, keep)
        out += core[offset:offset + keep]
    open(sys.argv[3], 'wb').write(out)


main()
