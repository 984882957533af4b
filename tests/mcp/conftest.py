"""Clients of the server, which is ``limpet mcp`` with an interpreter of its own, over stdio: one for the tests of a
module, or one of the test's own where its start is the subject."""

import json
import os
import shutil
import sys
from contextlib import ExitStack, contextmanager
from functools import cache, partial

import pytest

from limpet.hosts.surroundings import variables_of_hosts

from ..conftest import trusted
from ..forking import SOURCE

pytest.importorskip("mcp")

# The current version of the protocol, and the one before it, which opens with a handshake.
VERSIONS = {"auto": "2026-07-28", "legacy": "2025-11-25"}
FOLDERS = {
    "XDG_CONFIG_HOME": "user",
    "XDG_STATE_HOME": "state",
    "XDG_DATA_HOME": "data",
    "XDG_CACHE_HOME": "cache",
}


class Session:
    """A client that is connected, for tests that are no coroutines."""

    def __init__(self, portal, client):
        self.portal = portal
        self.client = client

    def do(self, name, *arguments, **named):
        """What a request of the client returns; lists and resources are not answered from the client's memory."""
        if name.startswith(("list_", "read_")):
            named.setdefault("cache_mode", "bypass")
        return self.portal.call(partial(getattr(self.client, name), *arguments, **named))

    def tools(self):
        """The names of the tools that are listed now."""
        return [tool.name for tool in self.do("list_tools").tools]

    def call(self, tool, conversation="", **arguments):
        """(whether it failed, its text) of a call; where it did not, the text says what the structure does."""
        meta = {"limpet/conversation": conversation} if conversation else None
        done = self.do("call_tool", tool, arguments, meta=meta)
        (content,) = done.content
        assert done.is_error or json.loads(content.text) == done.structured_content
        return bool(done.is_error), content.text

    def ask(self, tool, conversation="", **arguments):
        """The structured answer of a call that does not fail."""
        failed, text = self.call(tool, conversation, **arguments)
        assert not failed, text
        return json.loads(text)

    def refusal(self, tool, conversation="", **arguments):
        """The text of a call that fails."""
        failed, text = self.call(tool, conversation, **arguments)
        assert failed and "Traceback" not in text, text
        return text


def environment_of_server():
    """That of this process, without what says which client is around it."""
    around = set(variables_of_hosts())
    return {**{name: value for name, value in os.environ.items() if name not in around}, "PYTHONPATH": SOURCE}


@contextmanager
def connected(cwd, mode="auto", *arguments, around=None, **given):
    """A client of a server of its own: its folder, its protocol, the server's arguments and variables; other arguments
    are the client's."""
    from anyio.from_thread import start_blocking_portal
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    environment = {**environment_of_server(), **(around or {})}
    started = StdioServerParameters(
        command=sys.executable, args=["-m", "limpet", "mcp", *arguments], cwd=cwd, env=environment
    )
    client = Client(stdio_client(started), mode=mode, **given)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        assert client.protocol_version == VERSIONS[mode]
        yield Session(portal, client)


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    """The folder of the project and of its user, in which the servers of a module run."""
    folder = tmp_path_factory.mktemp("stage")
    for name in ("project", *FOLDERS.values()):
        (folder / name).mkdir()
    return folder


@pytest.fixture
def workspace(stage, monkeypatch):
    """A project that the user trusts; what the test before left there is gone."""
    for name in ("project", *FOLDERS.values()):
        empty(stage / name)
    for variable, name in FOLDERS.items():
        monkeypatch.setenv(variable, str(stage / name))
    (stage / "project" / ".limpet").mkdir()
    return trusted(stage / "project")


def empty(folder):
    """Remove what is in it, but not itself: a server runs there."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


@pytest.fixture
def connect(workspace):
    """Connects a client to a server of its own, as ``connected`` does, in the project unless a folder is given."""
    return lambda *arguments, cwd=workspace.root, **given: connected(cwd, *arguments, **given)


@pytest.fixture(scope="module")
def servers(stage):
    """Returns the client of one server for the whole module, by its protocol."""
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        for variable, name in FOLDERS.items():
            patch.setenv(variable, str(stage / name))
        yield cache(lambda mode: stack.enter_context(connected(stage / "project", mode)))


@pytest.fixture
def shared(workspace, servers):
    """The module's client of a protocol, in a project that is new."""
    return servers


@pytest.fixture
def client(shared):
    """The module's client of the current protocol, in a project that is new."""
    return shared("auto")
