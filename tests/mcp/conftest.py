"""Clients of the server: each starts ``holdfast mcp`` with an interpreter of its own and speaks to it over stdio."""

import os
import sys
from contextlib import contextmanager
from functools import partial

import pytest

from holdfast.hosts.surroundings import variables_of_hosts

from ..forking import SOURCE

pytest.importorskip("mcp")

# The current version of the protocol, and the one before it, which opens with a handshake.
VERSIONS = {"auto": "2026-07-28", "legacy": "2025-11-25"}


class Session:
    """A client that is connected, for tests that are no coroutines."""

    def __init__(self, portal, client):
        self.portal = portal
        self.client = client

    def do(self, name, *arguments, **named):
        """What a request of the client returns."""
        return self.portal.call(partial(getattr(self.client, name), *arguments, **named))

    def tools(self):
        """The names of the tools that are listed now."""
        return [tool.name for tool in self.do("list_tools", cache_mode="bypass").tools]

    def call(self, tool, conversation="", **arguments):
        """(whether it failed, its text) of a call; where it did not, the text says what the structure does."""
        import json

        meta = {"holdfast/conversation": conversation} if conversation else None
        done = self.do("call_tool", tool, arguments, meta=meta)
        (content,) = done.content
        assert done.is_error or json.loads(content.text) == done.structured_content
        return bool(done.is_error), content.text

    def ask(self, tool, conversation="", **arguments):
        """The structured answer of a call that does not fail."""
        import json

        failed, text = self.call(tool, conversation, **arguments)
        assert not failed, text
        return json.loads(text)

    def refusal(self, tool, conversation="", **arguments):
        """The text of a call that fails."""
        failed, text = self.call(tool, conversation, **arguments)
        assert failed and "Traceback" not in text, text
        return text


@pytest.fixture
def connect(workspace, monkeypatch):
    """Connects a client in a context: its protocol, the server's arguments, its folder and variables; other arguments
    are the client's."""
    from anyio.from_thread import start_blocking_portal
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    for name in variables_of_hosts():
        monkeypatch.delenv(name, raising=False)

    @contextmanager
    def connected(mode="auto", *arguments, cwd=workspace.root, around=None, **given):
        environment = {**os.environ, "PYTHONPATH": SOURCE, **(around or {})}
        started = StdioServerParameters(
            command=sys.executable, args=["-m", "holdfast", "mcp", *arguments], cwd=cwd, env=environment
        )
        client = Client(stdio_client(started), mode=mode, **given)
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
            assert client.protocol_version == VERSIONS[mode]
            yield Session(portal, client)

    return connected


@pytest.fixture
def client(connect):
    """A client of the current protocol."""
    with connect() as session:
        yield session
