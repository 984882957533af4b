"""A fake of the Anthropic Messages API on loopback: separate, because it runs as a program, beside a client.

As a library:

    with FakeModel(log=Path("requests.jsonl")) as model:
        ...                 # point a client at model.url
        model.exchanges     # every request received so far, oldest first

As a program it serves while one command runs in a folder, and exits with that command's status:

    python -m tests.clients.fake_model --log requests.jsonl [--window N] [--folder PROJECT] -- claude -p hello

The command finds the address in the variables that clients read. Without a command it serves until interrupted.

What the user typed last steers the answer, see directives.py. A request for a summary of the conversation gets a
`<summary>`, anything else gets `FAKE-ANSWER <number>`. A malformed directive is answered with HTTP 400 that names it,
so that a misspelt test fails.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import cast

from .answers import Answer, answer, classify, stream_events
from .directives import Json
from .tongues import translate

ADDRESSES = ("ANTHROPIC_BASE_URL", "COPILOT_PROVIDER_BASE_URL", "GOOGLE_GEMINI_BASE_URL")
"""Where Claude Code, Copilot CLI and Gemini CLI look for the model's address."""
URL = "{url}"
"""Stands for it in a command's words, for Codex."""


@dataclass(frozen=True)
class Exchange:
    """One request: `kind` is main, subagent, summary, count or other; `status` the HTTP status it was answered with."""

    number: int
    kind: str
    method: str
    path: str
    status: int
    body: Json


class FakeModel:
    """The server: listens from `with` to its end, on a free port of 127.0.0.1.

    `window` is the largest request, in tokens, that it accepts; a larger one is "prompt is too long".
    """

    def __init__(self, log: Path | None = None, window: int | None = None) -> None:
        self._log = log
        self._window = window
        self._numbers = itertools.count(1)
        self._exchanges: list[Exchange] = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.model = self

    @property
    def url(self) -> str:
        """The base address to hand to a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Every request received so far, oldest first."""
        with self._lock:
            return tuple(self._exchanges)

    def __enter__(self) -> FakeModel:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def respond(self, method: str, path: str, headers: dict[str, str], body: Json) -> Answer:
        """The answer to one request, after it was recorded and the pause is over."""
        number, kind = next(self._numbers), classify(path, headers, body)
        chosen = answer(number, kind, body, self._window)
        self._record(Exchange(number, kind, method, path, chosen.status, body))
        time.sleep(chosen.pause)
        return chosen

    def _record(self, exchange: Exchange) -> None:
        with self._lock:
            self._exchanges.append(exchange)
            if self._log:
                with self._log.open("a", encoding="utf-8") as log:
                    log.write(json.dumps(asdict(exchange)) + "\n")


def read_log(log: Path) -> tuple[Exchange, ...]:
    """The exchanges of a log file that another process writes, without a line that it is still writing."""
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    return tuple(Exchange(**json.loads(line)) for line in text.split("\n")[:-1])


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: FakeModel


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        body: Json = json.loads(raw or b"{}")
        headers = {name.lower(): value for name, value in self.headers.items()}
        other = translate(self.path, body)
        asked = ("/v1/messages", other[0]) if other else (self.path, body)
        given = cast(_Server, self.server).model.respond(self.command, asked[0], headers, asked[1])
        if given.status == 200 and other:
            self._send(given.status, *other[1](given.body))
        elif given.status == 200 and body.get("stream"):
            self._send(given.status, "text/event-stream", b"".join(stream_events(given.body)))
        else:
            self._send(given.status, "application/json", json.dumps(given.body).encode())

    do_GET = do_HEAD = do_PUT = do_POST

    def _send(self, status: int, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *arguments: object) -> None:
        """Standard error belongs to the client that runs beside."""


def bring_up_loopback() -> None:
    """Switch on `lo`, which is off in a new network namespace (Linux; needs no `ip` command)."""
    import fcntl
    import socket
    import struct

    get_flags, set_flags, up = 0x8913, 0x8914, 0x1  # SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(control, get_flags, request))[1]
        fcntl.ioctl(control, set_flags, struct.pack("16sH14x", b"lo", flags | up))


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve while a command runs, or until interrupted; returns the exit status."""
    parser = argparse.ArgumentParser(description="A fake of the Anthropic Messages API on loopback.")
    parser.add_argument("--log", type=Path, default=Path("requests.jsonl"), help="every request, as JSON lines")
    parser.add_argument("--window", type=int, help="refuse requests of more tokens")
    parser.add_argument("--new-namespace", action="store_true", help="switch on loopback first")
    parser.add_argument("--folder", help="where to run the command")
    parser.add_argument("command", nargs="*", help="what to run (after --)")
    options = parser.parse_args(arguments)
    if options.new_namespace:
        bring_up_loopback()
    with FakeModel(options.log, options.window) as model:
        if options.command:
            environment = {**os.environ, **dict.fromkeys(ADDRESSES, model.url)}
            command = [word.replace(URL, model.url) for word in options.command]
            return subprocess.run(command, cwd=options.folder, env=environment, check=False).returncode
        print(f"serving on {model.url}", file=sys.stderr, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
