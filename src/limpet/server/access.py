"""Who asks: the token of a request, what it may do, and how often. Before anything else of a request is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from psycopg import Connection
from psycopg_pool import ConnectionPool

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value
from limpet.server.database import set_reach, transaction
from limpet.server.limits import count_request
from limpet.server.tokens import EVERYWHERE, ServerCaller, find_caller

Given = Annotated[HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))]


class NotAllowed(LimpetError):
    """``status``: of HTTP."""

    status = 403


class NoToken(NotAllowed):
    status = 401


class TooOften(NotAllowed):
    status = 429


class NotThere(NotAllowed):
    """Or not for this caller: nothing tells which."""

    status = 404


class Asker(Value):
    """Whoever made this request."""

    pool: ConnectionPool
    caller: ServerCaller

    @contextmanager
    def reach(self, project: str = "") -> Iterator[Connection[Any]]:
        """A transaction that sees what the caller may see; it is kept when the block ends. Raise NotThere for a
        project that the token is not for."""
        if project == EVERYWHERE:
            raise NotThere("Unknown project", project)
        if project:
            self.refuse_beyond(project)
        with transaction(self.pool) as connection:
            set_reach(connection, self.caller)
            yield connection

    def refuse_beyond(self, project: str) -> None:
        """Raise NotThere for a project that the token is not for, ``*`` for all of them."""
        if self.caller.project not in (EVERYWHERE, project):
            raise NotThere("Unknown project", project)

    @contextmanager
    def tenant(self) -> Iterator[Connection[Any]]:
        """A transaction that no policy binds, for what is the tenant's and no project's: each statement names it."""
        with transaction(self.pool) as connection:
            yield connection


def whoever_may(scope: str = "", everywhere: bool = False) -> Callable[[Request, Given], Asker]:
    """The dependency of a route that asks for a token with ``scope``, "" for any. ``everywhere``: for one of the whole
    tenant."""

    def find_asker(request: Request, given: Given) -> Asker:
        state = request.app.state
        with transaction(state.pool) as connection:
            caller = find_caller(connection, given.credentials) if given else None
            if caller is None:
                raise NoToken("This token opens nothing", "", "Run: limpet team join URL --token T")
            requests = count_request(connection, caller)
        if requests > state.requests_a_minute:
            raise TooOften("Too many requests", f"{requests} in this minute", "Wait a minute.")
        if scope and scope not in caller.scopes:
            raise NotAllowed(f"This token lacks the scope {scope}", f"it has {', '.join(caller.scopes)}")
        if everywhere and caller.project != EVERYWHERE:
            raise NotAllowed("This token is for one project alone", caller.project)
        return Asker(state.pool, caller)

    return find_asker
