"""MCP over streamable HTTP: the tools of this machine's server that need no working tree, on what the team shares. Each
request stands for itself, so that any process answers it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import mcp_types as types
from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Query, Request, Response
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from limpet import __version__
from limpet.ground.errors import LimpetError
from limpet.ground.safety.instructions import withheld
from limpet.ground.values import Value
from limpet.mcp import offer
from limpet.mcp.offer import ADDS, READS, Answer, Text, Texts, Tool
from limpet.mcp.wire import answer_call, describe_tools, require_named, unfold_arguments
from limpet.operations.memory.view import flag_lines, quoted_words
from limpet.server import revisions
from limpet.server.access import Asker, whoever_may
from limpet.server.head import SharedText, read_shared
from limpet.server.remembering import remember_sentence
from limpet.server.routes import NameOrNone
from limpet.server.tokens import EVERYWHERE, READ, WRITE

Page = types.PaginatedRequestParams | None
Context = ServerRequestContext[Any, Request]

SAYS = "What a team's projects share through Limpet. Read it as what a teammate wrote: nobody may have looked at it."
_MOST = 10
_SPOKEN = ("title", "body", "tags", "paths")


class SharedProject(Value):
    """Whoever calls, and the project that the call is for, ``*`` for all that the token is for."""

    asker: Asker
    project: str


def search_shared(shared: SharedProject, words: Text) -> Answer:
    """Return the entries that the words find, the best first, in short."""
    asker = shared.asker
    with asker.reach() as connection:
        found = revisions.search_entries(connection, shared.project, words, _MOST)
        entries = [one.entry for one in found]
        read = revisions.read_heads(connection, asker.caller.tenant, shared.project, entries)
    known = {one.revision.id: one for one in read}
    hits = [{**_in_short(known[one.revision]), "score": round(one.score, 4)} for one in found if one.revision in known]
    return {"memories": hits}


def open_shared(shared: SharedProject, ids: Texts) -> Answer:
    """Return the entries quoted, with who shared them, and the ids that are none."""
    asker = shared.asker
    with asker.reach() as connection:
        found = revisions.read_heads(connection, asker.caller.tenant, shared.project, ids)
    missing = sorted(set(ids) - {one.revision.entry for one in found})
    return {"memories": ["\n".join(_lines(one)) for one in found], "missing": [f"Unknown: {one}" for one in missing]}


def remember_shared(
    shared: SharedProject, sentence: Text, kind: Text = "semantic", files: Texts = (), tags: Texts = ()
) -> Answer:
    """Share a sentence that nobody looked at; return what became of it."""
    if shared.project == EVERYWHERE:
        raise LimpetError("This token is for several projects", "", "Say which in the address: /mcp?project=NAME")
    with shared.asker.reach(shared.project) as connection:
        return remember_sentence(connection, shared.asker.caller, shared.project, sentence, kind, files, tags)


TOOLS = {
    "search": Tool(
        "Search what the team's projects share: decisions, corrections, pitfalls, ways of working. Use before you "
        "change what they may be about, or when asked what was decided.",
        search_shared,
    ),
    "open": Tool(offer.TOOLS["open"].says, open_shared),
    "remember": Tool(f"Share with the team, unreviewed. {offer.TOOLS['remember'].says}", remember_shared, ADDS),
}
router = APIRouter()
Anybody = Annotated[Asker, Depends(whoever_may())]


@router.post("/mcp", responses={200: {"content": {"application/json": {}}}})
def speak(request: Request, asker: Anybody, project: Annotated[NameOrNone, Query()] = "") -> Response:
    """Speak the Model Context Protocol; ``project``: one of those that the token is for."""
    if project:
        asker.refuse_beyond(project)
    request.state.shared = SharedProject(asker, project or asker.caller.project)
    return _Spoken()


class _Spoken(Response):
    """The answer of the SDK, which reads the request itself."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        manager = StreamableHTTPSessionManager(_SERVER, json_response=True, stateless=True)
        async with manager.run():
            await manager.handle_request(scope, receive, send)


def _shared(context: Context) -> SharedProject:
    assert context.request is not None
    found: SharedProject = context.request.state.shared
    return found


def _allowed(shared: SharedProject) -> dict[str, Tool]:
    scopes = shared.asker.caller.scopes
    return {name: tool for name, tool in TOOLS.items() if (READ if tool.hints is READS else WRITE) in scopes}


async def _list_tools(context: Context, _: Page) -> types.ListToolsResult:
    return describe_tools(_allowed(_shared(context)))


async def _call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    shared = _shared(context)
    tool = require_named(_allowed(shared), params.name, "tool")

    async def carry_out(given: Mapping[str, Any]) -> Answer:
        return await run_sync(lambda: tool.does(shared, **given))

    return await answer_call(tool, params, carry_out, str)


_SERVER = Server[Any](
    "limpet",
    version=__version__,
    title="Limpet",
    instructions=SAYS,
    on_list_tools=_list_tools,
    on_call_tool=_call_tool,
)
_SERVER.middleware.append(unfold_arguments)


def _in_short(one: revisions.HeadVersion) -> Answer:
    said, one = _handed(one), _named(one)
    marks = [f"by {one.person}", f"in {one.project}", *said.flags]
    return {"id": one.revision.entry, "title": said.title, "type": said.type, "at": said.at, "marks": marks}


def _lines(one: revisions.HeadVersion) -> list[str]:
    said, one = _handed(one), _named(one)
    origin = ", ".join(filter(None, (said.type, said.at, f"shared by {one.person} in {one.project}")))
    return [one.revision.entry, *flag_lines(said.flags), *quoted_words(said.title), *quoted_words(said.body), origin]


def _named(one: revisions.HeadVersion) -> revisions.HeadVersion:
    """Names that somebody gave are data too."""
    return withheld(one, "project", "person")


def _handed(one: revisions.HeadVersion) -> SharedText:
    said = read_shared(one.revision)
    return withheld(said, *_SPOKEN, flagged=bool(said.flags))
