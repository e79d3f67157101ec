#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records what a runtime (.NET 9 or later) streams when it is asked to walk its heap. Usage: record-heap.py SOCKET FILE"""
import socket
import struct
import sys

COLLECT_TRACING_4 = 0x0205
STOP_TRACING = 0x0201
HEAP_SNAPSHOT = 0x1980001  # keywords of Microsoft-Windows-DotNETRuntime
MODULES_AT_END = 0x8
VERBOSE = 5


def text(ascii):
    return struct.pack("<I", len(ascii) + 1) + ascii.encode("utf-16le") + b"\0\0"


def ask(path, command, payload):
    """The connection, on which the stream follows the answer."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    connection.sendall(b"DOTNET_IPC_V1\0" + struct.pack("<HBBH", 20 + len(payload), command >> 8, command & 0xFF, 0) + payload)
    return connection


def answer(connection):
    header = connection.recv(20, socket.MSG_WAITALL)
    return connection.recv(struct.unpack_from("<H", header, 14)[0] - 20, socket.MSG_WAITALL)


path, target = sys.argv[1:]
request = struct.pack("<IIQBIQI", 256, 1, MODULES_AT_END, 0, 1, HEAP_SNAPSHOT, VERBOSE)
stream = ask(path, COLLECT_TRACING_4, request + text("Microsoft-Windows-DotNETRuntime") + text(""))
session = answer(stream)[:8]
stream.settimeout(3)  # seconds of silence, in which the collection has surely ended
recorded = b""
stopping = None
while True:
    try:
        piece = stream.recv(1 << 16)
    except TimeoutError:
        if stopping:
            raise
        stopping = ask(path, STOP_TRACING, session)
        continue
    if not piece:
        break
    recorded += piece
with open(target, "wb") as file:
    file.write(recorded)
