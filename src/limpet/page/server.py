"""Serves the page on this machine alone, until it is ended."""

from __future__ import annotations

import socket
import sys
import webbrowser
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from limpet.ground.errors import LimpetError
from limpet.page.access import PageKeys
from limpet.page.app import App, PageScene

LOOPBACK = "127.0.0.1"
# Seconds that an answer under way gets once the page is ended: a live page is one that never ends by itself.
GRACE = 1


def serve_page(scene: PageScene, port: int, announce: Callable[[str], None], opens: bool) -> None:
    """``port``: 0 for a free one. ``announce`` gets the address with its token. Raises LimpetError for a port that
    cannot be had."""
    with _listen(port) as listening:
        keys = PageKeys(listening.getsockname()[1])
        announce(f"{keys.address}?token={keys.token}")
        if opens:
            webbrowser.open(f"{keys.address}?token={keys.take_ticket()}")
        config = uvicorn.Config(
            App(scene, keys).asgi,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE,
        )
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":  # where it would let two programs listen
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
        listening.listen()
    except OSError as error:
        listening.close()
        what = f"Cannot listen on port {port} ({error.strerror})"
        raise LimpetError(what, LOOPBACK, "Another program may have it. Give a free one: --port 0") from None
    return listening
