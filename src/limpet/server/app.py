"""The server as an application of ASGI: routes, refusals as JSON, and what operators look at. It keeps nothing between
two requests but its own counts of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from psycopg import DataError
from psycopg_pool import ConnectionPool
from starlette.middleware.base import BaseHTTPMiddleware

from limpet import __version__
from limpet.ground.errors import LimpetError
from limpet.server import mcp
from limpet.server.access import NotAllowed
from limpet.server.database import Unreachable, transaction
from limpet.server.revisions import Refused
from limpet.server.routes import router
from limpet.sharing.transport import Moved

LARGEST = 64_000_000
"""Bytes of a request's body."""


def make_app(pool: ConnectionPool, requests_a_minute: int) -> FastAPI:
    """``pool`` is closed when the server ends."""

    @asynccontextmanager
    async def close_at_the_end(_: FastAPI) -> AsyncIterator[None]:
        yield
        pool.close()

    app = FastAPI(title="Limpet", version=__version__, lifespan=close_at_the_end, docs_url=None, redoc_url=None)
    app.state.pool, app.state.requests_a_minute = pool, requests_a_minute
    app.state.counts = Counter[tuple[str, int]]()
    app.add_middleware(BaseHTTPMiddleware, dispatch=_count)
    app.add_exception_handler(LimpetError, _tell)
    app.add_exception_handler(DataError, _tell_of_data)
    app.include_router(router)
    app.include_router(mcp.router)
    app.add_api_route("/healthz", _is_alive, include_in_schema=False)
    app.add_api_route("/readyz", _is_ready, include_in_schema=False)
    app.add_api_route("/metrics", _metrics, include_in_schema=False)
    return app


async def _count(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
    if int(request.headers.get("content-length", "0") or 0) > LARGEST:
        return _answer(413, LimpetError("The request is too large", f"at most {LARGEST} bytes"))
    response = await go_on(request)
    route = request.scope.get("route")
    request.app.state.counts[(getattr(route, "path", ""), response.status_code)] += 1
    return response


def _tell(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, LimpetError)
    if isinstance(error, NotAllowed):
        return _answer(error.status, error)
    if isinstance(error, Unreachable):
        return _answer(503, error)
    if isinstance(error, Moved):
        return _answer(412, error)
    return _answer(409 if isinstance(error, Refused) else 422, error)


def _tell_of_data(_: Request, error: Exception) -> JSONResponse:
    """What PostgreSQL takes for no text: a NUL."""
    return _answer(422, LimpetError("A value cannot be stored", str(error).partition("\n")[0]))


def _answer(status: int, error: LimpetError) -> JSONResponse:
    headers = {"Retry-After": "60"} if status == 429 else {"Retry-After": "2"} if status == 503 else {}
    return JSONResponse({"error": str(error)}, status, headers)


def _is_alive() -> PlainTextResponse:
    return PlainTextResponse("alive\n")


def _is_ready(request: Request) -> PlainTextResponse:
    with transaction(request.app.state.pool) as connection:
        connection.execute("SELECT 1 FROM migration LIMIT 1")
    return PlainTextResponse("ready\n")


def _metrics(request: Request) -> PlainTextResponse:
    """In the text format of Prometheus. Nothing here tells whose requests they were."""
    lines = ["# TYPE limpet_requests_total counter"]
    for (path, status), count in sorted(request.app.state.counts.items()):
        lines.append(f'limpet_requests_total{{path="{path}",status="{status}"}} {count}')
    stats = request.app.state.pool.get_stats()
    for name in ("pool_size", "pool_available", "requests_waiting"):
        lines += [f"# TYPE limpet_database_{name} gauge", f"limpet_database_{name} {stats.get(name, 0)}"]
    return PlainTextResponse("\n".join(lines) + "\n")
