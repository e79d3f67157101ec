# SPDX-License-Identifier: MIT
"""What the files of a runtime tell of its structures: its descriptor, those of its GCs, and the entries of g_dacTable.
Used by draft-contract.py."""
import json
import mmap
import re
import struct


class Library:
    """A little-endian ELF64 library on disk, with its pointers as the loader would set them for a base of 0."""
    LOAD, DYNAMIC = 1, 2
    EXECUTABLE, WRITABLE = 1, 2
    STRTAB, SYMTAB, RELA, RELASZ, RELRSZ, RELR = 5, 6, 7, 8, 35, 36
    RELATIVE, ABSOLUTE = (8, 1027), (1, 257)  # of x86-64 and aarch64

    def __init__(self, path):
        with open(path, 'rb') as file:
            self.bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if self.bytes[:6] != b'\x7fELF\2\1':
            raise ValueError(f'{path} is no little-endian ELF64 library')
        first, size, count = *struct.unpack_from('<Q', self.bytes, 32), *struct.unpack_from('<HH', self.bytes, 54)
        headers = [struct.unpack_from('<IIQQQQ', self.bytes, first + size * i) for i in range(count)]
        self.loads = [(flags, offset, start, held) for kind, flags, offset, start, _, held in headers if kind == self.LOAD]
        _, _, offset, _, _, size = next(header for header in headers if header[0] == self.DYNAMIC)
        self.tags = dict(struct.iter_unpack('<QQ', self.bytes[offset:offset + size]))
        self.pointers = dict(self.relocated())

    def read(self, address, size):
        for _, offset, start, held in self.loads:
            if start <= address and address + size <= start + held:
                return self.bytes[offset + address - start:offset + address - start + size]
        return bytes(size)  # .bss

    def word(self, address):
        return struct.unpack('<Q', self.read(address, 8))[0]

    def segments(self, flag):
        return [(start, self.bytes[offset:offset + held]) for flags, offset, start, held in self.loads if flags & flag]

    def relocated(self):
        bits, whole = [self.read(self.tags.get(table, 0), self.tags.get(size, 0))
                       for table, size in ((self.RELR, self.RELRSZ), (self.RELA, self.RELASZ))]
        place = 0
        for entry, in struct.iter_unpack('<Q', bits):
            is_address = entry % 2 == 0  # else it tells which of the next 63 words are pointers
            place = entry if is_address else place
            for i in [0] if is_address else [i for i in range(63) if entry >> (i + 1) & 1]:
                yield place + 8 * i, self.word(place + 8 * i)
            place += 8 if is_address else 8 * 63
        for address, info, addend in struct.iter_unpack('<QQq', whole):
            if info & 0xffffffff in self.RELATIVE:
                yield address, addend
            elif info & 0xffffffff in self.ABSOLUTE:
                yield address, self.word(self.tags[self.SYMTAB] + 24 * (info >> 32) + 8) + addend

    def symbol(self, name):
        """Address and size, (None, 0) if there is none. Nothing tells how many symbols there are, but their names lie
        behind them."""
        first, wanted = self.tags[self.SYMTAB], name.encode() + b'\0'
        for at in range(first, self.tags[self.STRTAB] - 23, 24):
            text, _, _, _, address, size = struct.unpack('<IBBHQQ', self.read(at, 24))
            if address and self.read(self.tags[self.STRTAB] + text, len(wanted)) == wanted:
                return address, size
        return None, 0

    def descriptors(self):
        """(JSON, addresses) of each, the runtime's own first. Those of the GCs are reached through a variable that is set
        as the runtime starts, so that in the file they are found by their mark."""
        own, _ = self.symbol('DotNetRuntimeContractDescriptor')
        found = []
        for start, data in self.segments(self.WRITABLE):
            for mark in re.finditer(rb'DNCCDAC\0', data):
                at = start + mark.start()
                size, count = struct.unpack_from('<4xI8xI', data, mark.start() + 8)
                text, table = self.pointers.get(at + 16), self.pointers.get(at + 32)
                if text:
                    addresses = [self.pointers.get(table + 8 * i) if table else None for i in range(count)]
                    found.append((at != own, at, json.loads(self.read(text, size)), addresses))
        return [(text, addresses) for _, _, text, addresses in sorted(found, key=lambda entry: entry[:2])]

    def global_table(self):
        """Entries of g_dacTable, None where they are not known. The table is empty in the file: code of the runtime fills
        it, on x86-64 by pairs of lea rax,[rip+VARIABLE] and mov [rdi+PLACE],rax (or rbx), in a function that gets the
        table's address in rdi."""
        table, size = self.symbol('g_dacTable')
        entries = [None] * (size // 8)
        for start, code in self.segments(self.EXECUTABLE) if entries else []:
            for call in re.finditer(rb'\x48\x8d\x3d(....)(?:.{0,4}\xe9(....))?', code, re.S):
                if start + call.start() + 7 + int.from_bytes(call[1], 'little', signed=True) != table:
                    continue
                body = call.end() + int.from_bytes(call[2] or b'', 'little', signed=True)
                for pair in re.finditer(rb'\x48\x8d\x05(....)\x48\x89(?:[\x07\x03]|[\x47\x43](.)|[\x87\x83](....))',
                                        code[body:body + 40 * len(entries)], re.S):
                    place = int.from_bytes(pair[2] or pair[3] or b'', 'little')
                    if place < size and entries[place // 8] is None:
                        entries[place // 8] = start + body + pair.start() + 7 + int.from_bytes(pair[1], 'little', signed=True)
        return entries


class RuntimeDescription:
    """All parts of the descriptor as one, in whichever form: 16 or [16, "pointer"], "0x10" or ["0x10", "uint8"]."""

    def __init__(self, folder):
        libraries = [Library(folder / name) for name in ('libcoreclr.so', 'libclrgc.so') if (folder / name).exists()]
        if not libraries:
            raise ValueError(f'{folder} has no libcoreclr.so')
        self.table = libraries[0].global_table()
        self.types, self.numbers, self.addresses, self.contracts, self.parts = {}, {}, {}, {}, []
        for part, addresses in [pair for library in libraries for pair in library.descriptors()]:
            self.parts.append(f'{len(part["types"])} types and {len(part["globals"])} globals')
            for name, members in part['types'].items():
                known = self.types.setdefault(name, {})
                for member, value in members.items():
                    known.setdefault(member, value[0] if isinstance(value, list) else value)
            for name, value in part['globals'].items():
                value = value[0] if isinstance(value, list) else value
                if isinstance(value, list):
                    self.addresses.setdefault(name, addresses[value[0]])
                elif re.fullmatch(r'-?(0x[0-9a-f]+|\d+)', str(value)):
                    self.numbers.setdefault(name, int(str(value), 0))
            for name, version in part['contracts'].items():
                self.contracts.setdefault(name, str(version).lstrip('c'))

    def offset(self, name):
        """Of "Type.Member"; None if it is not told."""
        structure, _, member = name.partition('.')
        return self.types.get(structure, {}).get(member)
