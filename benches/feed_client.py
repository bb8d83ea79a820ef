"""A client of the feed: a WebSocket, written by hand so that thousands of them cost little."""

import json
import socket
import struct
import sys

# Seconds until a connection or an answer counts as failed.
TIMEOUT = 60
# Kinds of frames.
TEXT, PONG = 1, 10


def connect(http):
    """A WebSocket to the feed of the server at this address."""
    host, port = http.split(":")
    connection = socket.create_connection((host, int(port)), timeout=TIMEOUT)
    connection.sendall(
        f"GET /feed HTTP/1.1\r\nHost: {http}\r\nOrigin: http://{http}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        more = connection.recv(1)
        if not more:
            sys.exit(f"refused: {head.decode()}")
        head += more
    if b" 101 " not in head:
        sys.exit(head.decode())
    return connection


def frame(kind, message=None):
    """A frame of a client. The mask of zeros leaves the text as it is."""
    text = b"" if message is None else json.dumps(message).encode()
    length = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + struct.pack(">H", len(text))
    return bytes([0x80 | kind]) + length + b"\0\0\0\0" + text
