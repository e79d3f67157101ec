# SPDX-License-Identifier: MIT
"""Just enough of Chromium's DevTools protocol: starts it without a window, and talks to one page."""
import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
PATIENCE = 30  # seconds


def find_browser():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Socket:
    """A web socket for text messages (RFC 6455)."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        self._socket = socket.create_connection((parts.hostname, parts.port), PATIENCE)
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self._take(1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(head.decode())

    def _take(self, size):
        taken = b""
        while len(taken) < size:
            piece = self._socket.recv(size - len(taken))
            if not piece:
                raise RuntimeError("the browser has hung up")
            taken += piece
        return taken

    def send(self, text):
        data = text.encode()
        mask = os.urandom(4)
        length = len(data)
        if length < 126:
            head = struct.pack("!BB", 0x81, 0x80 | length)
        elif length < 65536:
            head = struct.pack("!BBH", 0x81, 0xFE, length)
        else:
            head = struct.pack("!BBQ", 0x81, 0xFF, length)
        self._socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def receive(self):
        message = b""
        while True:
            first, second = self._take(2)
            length = second & 0x7F
            if length == 126:
                length = struct.unpack("!H", self._take(2))[0]
            elif length == 127:
                length = struct.unpack("!Q", self._take(8))[0]
            message += self._take(length)
            if first & 0x80:
                return message.decode()


class Browser:
    """A browser with a profile of its own, gone with it."""

    def __init__(self, program):
        self._profile = tempfile.TemporaryDirectory(prefix="heapscape-browser-", ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--remote-debugging-port=0", f"--user-data-dir={self._profile.name}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self._page = Socket(self._page_url())
        except Exception:
            self.close()
            raise
        self._number = 0
        self.events = []

    def _page_url(self):
        port_file = os.path.join(self._profile.name, "DevToolsActivePort")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if os.path.exists(port_file):
                lines = open(port_file).read().split()
                if lines:
                    with urllib.request.urlopen(f"http://127.0.0.1:{lines[0]}/json/list") as answer:
                        for target in json.load(answer):
                            if target["type"] == "page":
                                return target["webSocketDebuggerUrl"]
            time.sleep(0.05)
        raise RuntimeError("the browser did not start")

    def call(self, method, **parameters):
        self._number += 1
        self._page.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._page.receive())
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(message["error"])
                return message["result"]
            self.events.append(message)

    def wait_for(self, method):
        while True:
            for event in self.events:
                if event["method"] == method:
                    return event
            self.events.append(json.loads(self._page.receive()))

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def close(self):
        self._process.terminate()
        self._process.wait()
        self._profile.cleanup()
