"""Runs the server's processes, and makes its first tokens."""

from __future__ import annotations

import os

import uvicorn
from fastapi import FastAPI

from limpet.ground.errors import LimpetError
from limpet.server.app import make_app
from limpet.server.audit import ISSUED, note_deed
from limpet.server.database import open_pool, transaction
from limpet.server.tokens import EVERYWHERE, ServerCaller, id_of_token, issue_server_token

# How each process is told what it serves.
_STORE, _REQUESTS = "LIMPET_STORE", "LIMPET_REQUESTS"
_GRACE = 20
"""Seconds that requests under way may take once the server is asked to end."""


def run_server(store: str, host: str, port: int, processes: int, requests: int) -> None:
    """Serve until a signal comes, then end what is under way. Raise LimpetError where the database cannot be used."""
    open_pool(store).close()  # the schema, once, before any process serves
    os.environ[_STORE], os.environ[_REQUESTS] = store, str(requests)
    uvicorn.run(
        "limpet.server.run:app_of_process",
        factory=True,
        host=host,
        port=port,
        workers=processes,
        timeout_graceful_shutdown=_GRACE,
        log_level="warning",
        server_header=False,
    )


def app_of_process() -> FastAPI:
    return make_app(open_pool(os.environ[_STORE]), int(os.environ[_REQUESTS]))


def make_first_token(store: str, reach: str, person: str, scopes: tuple[str, ...]) -> str:
    """``reach``: a tenant, or one of its projects as ``TENANT/PROJECT``."""
    tenant, _, project = reach.partition("/")
    if not person or not tenant:
        raise LimpetError("A token belongs to a person of a tenant", "", "Say --new-token TENANT --person NAME")
    pool = open_pool(store)
    try:
        with transaction(pool) as connection:
            made = issue_server_token(connection, tenant, project or EVERYWHERE, scopes, person)
            operator = ServerCaller(tenant, EVERYWHERE, "", (), "", "")
            note_deed(connection, operator, project or EVERYWHERE, ISSUED, id_of_token(made))
            return made
    finally:
        pool.close()
