"""The server: requests of the protocol to calls of the tools and texts, each on the project as it is then.

What blocks runs in a thread, one call at a time. The work's tools come and go with the work; the client is told.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

import anyio
import mcp_types as types
from anyio.to_thread import run_sync
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.session import ServerSession
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from limpet import __version__
from limpet.ground.errors import LimpetError
from limpet.ground.own_name import find_name, with_name
from limpet.ground.storage.files import stamp
from limpet.ground.text.escaping import visible
from limpet.ground.workspace import Workspace
from limpet.hosts.surroundings import read_surroundings
from limpet.mcp import offer
from limpet.mcp.offer import TOOLS, open_called
from limpet.mcp.wire import answer_call, describe_tools, require_named, unfold_arguments
from limpet.operations.project import Project, open_unasked
from limpet.work.project import NAME

Context = ServerRequestContext[Any, Any]
Page = types.PaginatedRequestParams | None
Reading = types.ReadResourceRequestParams
T = TypeVar("T")

SAYS = "Rules, memories and the state of the work of this project, kept by Limpet across conversations and agents."
# Seconds that a client may take to name its roots, and between two looks at whether work began or ended.
PATIENCE, PAUSE = 2.0, 2.0


def serve(folder: str = "") -> None:
    """Serve one client over stdin and stdout, until it leaves; ``folder`` is the project's, "" to find it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the thread that reads stdin would be waited for
    anyio.run(_serve, Door(folder))


async def _serve(door: Door) -> None:
    server = door.make_server()
    options = server.create_initialization_options(NotificationOptions(tools_changed=True))
    lines: Any = _read_lines()
    async with stdio_server(lines) as (read, write), anyio.create_task_group() as tasks:
        tasks.start_soon(door.watch)
        await server.run(read, write, options)
        tasks.cancel_scope.cancel()


async def _read_lines() -> AsyncIterator[str]:
    """What the client writes; what this process starts reads nothing of it. The SDK answers no line in which half a
    pair of surrogates is escaped: such a half becomes a question mark."""
    wire, nowhere = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    given = open(wire, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115 (a thread may be reading it)
    async for line in anyio.wrap_file(given):
        with suppress(ValueError):
            if "\\ud" in line.lower():
                line = json.dumps(json.loads(line), ensure_ascii=False).encode("utf-8", "replace").decode() + "\n"
        yield line


class Door:
    """What the requests of one client share: where the server runs, and whom to tell that the list of tools changed."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._bus = InMemorySubscriptionBus()
        self._one_at_a_time = anyio.CapacityLimiter(1)
        self._seen: Workspace | None = None
        self._session: ServerSession | None = None
        self._at_work = False

    def make_server(self) -> Server[Any]:
        server = Server[Any](
            "limpet",
            version=__version__,
            title="Limpet",
            instructions=SAYS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_subscriptions_listen=ListenHandler(self._bus),
        )
        server.middleware.append(unfold_arguments)
        return server

    async def watch(self) -> None:
        last = None
        while True:
            await anyio.sleep(PAUSE)
            if self._seen and last != (last := stamp(self._seen.kept(NAME))):
                await self._tell_changes()

    async def _list_tools(self, context: Context, _: Page) -> types.ListToolsResult:
        with suppress(LimpetError):  # what is wrong says the tool that is called, where a model reads it
            await self._call(context, lambda project: None)
        self._at_work = await self._in_thread(self._is_at_work)
        listed = {name: tool for name, tool in TOOLS.items() if self._at_work or not tool.at_work}
        return describe_tools(listed)

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = require_named(TOOLS, params.name, "tool")

        async def carry_out(given: Mapping[str, Any]) -> offer.Answer:
            return await self._call(context, lambda project: offer.carry_out(tool, project, given))

        try:
            return await answer_call(tool, params, carry_out, self._runnable)
        finally:
            await self._tell_changes()

    async def _list_resources(self, context: Context, _: Page) -> types.ListResourcesResult:
        found = []
        for uri, one in offer.RESOURCES.items():
            name = uri.rpartition("/")[2]
            found.append(types.Resource(uri=uri, name=name, description=one.says, mime_type=one.kind))
        return types.ListResourcesResult(resources=found)

    async def _list_templates(self, context: Context, _: Page) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def _read_resource(self, context: Context, params: Reading) -> types.ReadResourceResult:
        uri = str(params.uri)
        found = require_named(offer.RESOURCES, uri, "resource", uri=uri)
        text = await self._make(context, found.text)
        content = types.TextResourceContents(uri=uri, text=text, mime_type=found.kind)
        return types.ReadResourceResult(contents=[content])

    async def _list_prompts(self, context: Context, _: Page) -> types.ListPromptsResult:
        found = []
        for name, one in offer.PROMPTS.items():
            takes = [types.PromptArgument(name=each) for each in one.takes]
            found.append(types.Prompt(name=name, description=one.says, arguments=takes))
        return types.ListPromptsResult(prompts=found)

    async def _get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        prompt = require_named(offer.PROMPTS, params.name, "prompt")
        given = {name: text for name, text in (params.arguments or {}).items() if name in prompt.takes}
        text = await self._make(context, lambda project: prompt.text(project, **given))
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=prompt.says, messages=[message])

    async def _make(self, context: Context, text: Callable[[Project], str]) -> str:
        try:
            return self._runnable(visible(await self._call(context, text)))
        except (LimpetError, OSError) as error:
            raise MCPError(types.INTERNAL_ERROR, self._runnable(str(error))) from None

    def _runnable(self, text: str) -> str:
        return with_name(text, find_name(read_surroundings(os.environ).host))

    async def _call(self, context: Context, does: Callable[[Project], T]) -> T:
        roots, meta = await self._roots(context), dict(context.meta or {})
        self._session = context.session

        def call() -> T:
            self._seen = None
            project = open_called(self._folder, read_surroundings(os.environ), roots, meta)
            self._seen = project.workspace
            return does(project)

        return await self._in_thread(call)

    async def _in_thread(self, does: Callable[[], T]) -> T:
        return await run_sync(does, limiter=self._one_at_a_time)

    async def _roots(self, context: Context) -> list[str]:
        """Return the folders in which the client works, as it names them; the current protocol has no such question."""
        known = context.session.client_capabilities
        can_say = known and known.roots and context.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS
        if can_say and not self._folder:
            with suppress(Exception):  # whatever a client answers, there is the working folder
                found = await context.session.send_request(types.ListRootsRequest(), types.ListRootsResult, PATIENCE)
                return [str(root.uri) for root in found.roots]
        return []

    def _is_at_work(self) -> bool:
        try:
            return self._seen is not None and open_unasked(self._seen).step_under_way is not None
        except (LimpetError, OSError):
            return False

    async def _tell_changes(self) -> None:
        before, self._at_work = self._at_work, await self._in_thread(self._is_at_work)
        if before != self._at_work and self._session:
            await self._session.send_tool_list_changed()
            await self._bus.publish(ToolsListChanged())
