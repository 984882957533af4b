"""The server as an application of ASGI: routes, refusals as JSON, and what operators look at. It keeps nothing between
two requests but its own counts of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from psycopg import DataError
from psycopg_pool import ConnectionPool
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from limpet import __version__
from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import clip, on_one_line, visible
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
    app.add_middleware(BoundedBody)
    app.add_exception_handler(LimpetError, _tell)
    app.add_exception_handler(DataError, _tell_of_data)
    app.add_exception_handler(RequestValidationError, _tell_of_values)
    app.include_router(router)
    app.include_router(mcp.router)
    app.add_api_route("/healthz", _is_alive, include_in_schema=False)
    app.add_api_route("/readyz", _is_ready, include_in_schema=False)
    app.add_api_route("/metrics", _metrics, include_in_schema=False)
    return app


class BoundedBody:
    """Ends a request whose body is larger than ``LARGEST``, said beforehand or not."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        left, is_begun = LARGEST, False

        async def receive_part() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            return message if left >= 0 else {"type": "http.disconnect"}

        async def send_part(message: Message) -> None:
            nonlocal is_begun
            if left >= 0 or is_begun:
                is_begun = True
                await send(message)

        try:
            await self.app(scope, receive_part, send_part)
        except Exception:
            if left >= 0:
                raise
        if left < 0 and not is_begun:
            error = LimpetError("The request is too large", f"at most {LARGEST} bytes")
            await _answer(413, error)(scope, receive, send)


async def _count(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
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


def _tell_of_values(_: Request, error: Exception) -> JSONResponse:
    """Without the values: no JSON can hold some of them, and none is handed back."""
    assert isinstance(error, RequestValidationError)
    found = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:5]]
    return _answer(422, LimpetError("Wrong values", clip(on_one_line("; ".join(found)), 1000)))


def _answer(status: int, error: LimpetError) -> JSONResponse:
    headers = {"Retry-After": "60"} if status == 429 else {"Retry-After": "2"} if status == 503 else {}
    return JSONResponse({"error": visible(str(error))}, status, headers)


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
