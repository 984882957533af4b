"""An editor that Claude Code can connect with, and that tells it of a selection: for record_origins.py.

    python fake_editor.py PROJECT PORT CLIENT [ARGUMENT ...]

It leaves the lock file by which the client finds an editor, answers its websocket, and runs the client beside itself.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

SELECTED = "*agent devops\nprint('hello')\n"


def main() -> int:
    """Serve while the client runs; returns its status."""
    project, port, client = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    lock = Path(os.environ["HOME"]) / ".claude" / "ide" / f"{port}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    known = {"pid": os.getpid(), "workspaceFolders": [project], "ideName": "Visual Studio Code", "transport": "ws"}
    lock.write_text(json.dumps({**known, "runningInWindows": False, "authToken": "fake"}), encoding="utf-8")
    server = socket.create_server(("127.0.0.1", port))
    threading.Thread(target=serve, args=(server, project), daemon=True).start()
    return subprocess.run(client, check=False).returncode


def serve(server: socket.socket, project: str) -> None:
    """Answer every connection."""
    while True:
        connection, _ = server.accept()
        threading.Thread(target=talk, args=(connection, project), daemon=True).start()


def talk(connection: socket.socket, project: str) -> None:
    """The websocket's handshake, then JSON-RPC."""
    head = b""
    while b"\r\n\r\n" not in head:
        more = connection.recv(4096)
        if not more:
            return
        head += more
    fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:] if ": " in line)
    fields = {name.lower(): value for name, value in fields.items()}
    key = fields["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    accepted = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
    answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    answer += f"Sec-WebSocket-Accept: {accepted}\r\n"
    if "sec-websocket-protocol" in fields:
        answer += f"Sec-WebSocket-Protocol: {fields['sec-websocket-protocol']}\r\n"
    connection.sendall((answer + "\r\n").encode())
    while (text := receive(connection)) is not None:
        message = json.loads(text)
        if message.get("method") == "initialize":
            info = {"name": "fake editor", "version": "1"}
            result = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}}}
            send(connection, {"id": message["id"], "result": {**result, "serverInfo": info}})
        elif message.get("method") == "tools/list":
            send(connection, {"id": message["id"], "result": {"tools": []}})
        elif message.get("method") == "notifications/initialized":
            threading.Thread(target=select, args=(connection, project), daemon=True).start()
        elif "id" in message and "method" in message:
            send(connection, {"id": message["id"], "result": {"content": []}})


def select(connection: socket.socket, project: str) -> None:
    """Tell of a selection, again and again: the client may not listen yet."""
    path = f"{project}/app.py"
    ends = {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}, "isEmpty": False}
    told = {"text": SELECTED, "filePath": path, "fileUrl": f"file://{path}", "selection": ends}
    for _ in range(20):
        send(connection, {"method": "selection_changed", "params": told})
        time.sleep(1)


def send(connection: socket.socket, message: dict[str, object]) -> None:
    """One text frame."""
    data = json.dumps({"jsonrpc": "2.0", **message}).encode()
    size = bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack(">H", len(data))
    connection.sendall(b"\x81" + size + data)


def receive(connection: socket.socket) -> str | None:
    """The text of the next frame; None at the end."""
    while True:
        head = exactly(connection, 2)
        if head is None:
            return None
        size = head[1] & 127
        if size > 125:
            more = exactly(connection, 2 if size == 126 else 8) or b""
            size = int.from_bytes(more, "big")
        mask = exactly(connection, 4) or b"\0\0\0\0"
        data = exactly(connection, size) or b""
        plain = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        if head[0] & 15 == 8:
            return None
        if head[0] & 15 == 1:
            return plain.decode()
        if head[0] & 15 == 9:
            connection.sendall(bytes([0x8A, len(plain)]) + plain)


def exactly(connection: socket.socket, size: int) -> bytes | None:
    """So many bytes; None at the end."""
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            return None
        data += more
    return data


if __name__ == "__main__":
    sys.exit(main())
