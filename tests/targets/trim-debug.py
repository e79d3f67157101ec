#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Leaves of a Native AOT program's .dbg what tells of its managed code: trim-debug.py PROGRAM.dbg SMALL.dbg

Needs objcopy and readelf. Places stay as they are: what belongs to native code becomes zeros, which compress away."""
import re
import subprocess
import sys
import tempfile

KEPT = [".debug_info", ".debug_abbrev", ".debug_str", ".debug_line"]


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, errors="replace").stdout


def section(path, name):
    for line in run("readelf", "-SW", path).splitlines():
        found = re.match(r"\s*\[\s*\d+\] (\S+)\s+\S+\s+[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)", line)
        if found and found[1] == name:
            return int(found[2], 16), int(found[3], 16)
    return None


def zero_but(data, start, size, kept):
    """Zeros a section but for the ranges of it that are kept."""
    whole = bytearray(size)
    for begin, end in kept:
        whole[begin:end] = data[start + begin:start + end]
    data[start:start + size] = whole


source, target = sys.argv[1:3]
with tempfile.NamedTemporaryFile(suffix=".dbg") as plain:
    others = [name for name in re.findall(r"\] (\.debug_\S+)", run("readelf", "-SW", source)) if name not in KEPT]
    run("objcopy", "--decompress-debug-sections", "--wildcard", "--strip-symbol=!_ZTV*",
        "--strip-symbol=!__GCSTATICS*", "--strip-symbol=!__TypeThreadStaticIndex*", "--strip-symbol=*",
        *(f"--remove-section={name}" for name in [*others, ".comment"]), source, plain.name)
    data = bytearray(open(plain.name, "rb").read())
    places = {name: section(plain.name, name) for name in KEPT}

    # The compiler's unit is the first; its strings, abbreviations and lines lie anywhere among the others'.
    text = run("readelf", "--debug-dump=info", plain.name)
    unit = re.search(r"Compilation Unit @ offset (0x0|0):\n\s+Length:\s+0x([0-9a-f]+)", text)
    assert unit and "NetRuntime" in text[:text.find("<1>")], "The first unit is not of managed code."
    end = int(unit[2], 16) + 4
    second = text.find("Compilation Unit @ offset 0x%x:" % end)
    own = text if second < 0 else text[:second]
    zero_but(data, *places[".debug_info"], [(0, end)])

    # readelf stops at a unit of zeros; libdw as well.
    start, size = places[".debug_str"]
    strings = []
    for offset in {int(one, 16) for one in re.findall(r"\(indirect string, offset: (0x[0-9a-f]+|0)\)", own)}:
        strings.append((offset, data.index(0, start + offset) - start + 1))
    zero_but(data, start, size, strings)

    abbreviations = int(re.search(r"Abbrev Offset:\s+(?:0x)?([0-9a-f]+)", own)[1], 16)
    assert abbreviations == 0
    offsets = [int(one, 16) for one in re.findall(r"Abbrev Offset:\s+(?:0x)?([0-9a-f]+)", text)]
    zero_but(data, *places[".debug_abbrev"], [(0, min(o for o in offsets if o > 0))])

    start, size = places[".debug_line"]
    lines = int(re.search(r"DW_AT_stmt_list\s*: (?:0x)?([0-9a-f]+)", own)[1], 16)
    length = int.from_bytes(data[start + lines:start + lines + 4], "little")
    zero_but(data, start, size, [(lines, lines + length + 4)])
    open(target, "wb").write(data)
