"""The server as each client's own configuration has it started: by a generic client that reads that file."""

import json
import os
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from limpet.cli import limpet
from limpet.hosts.servers import CLIENTS, server_place

from .conftest import Session, environment_of_server


def entry_of(client, project):
    """Our entry as the client's page says where it stands."""
    text = Path(server_place(client, "local", project)).read_text()
    data = tomllib.loads(text) if client.file.endswith(".toml") else json.loads(text)
    return data[client.key or "mcp_servers"]["limpet"]


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_it_answers_where_the_client_starts_it(client, workspace, user, tmp_path, monkeypatch):
    """Command and arguments as they stand there; a client that names its folder starts it elsewhere."""
    from anyio.from_thread import start_blocking_portal
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    monkeypatch.chdir(workspace.root)
    done = CliRunner().invoke(limpet, ["init", "--yes", "--mcp", "--host", client.name], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    entry = entry_of(client, workspace.root)
    words = [word.replace("${workspaceFolder}", workspace.root) for word in entry["args"]]
    cwd = str(tmp_path) if client.folder else workspace.root
    started = {"command": entry["command"], "args": words, "cwd": cwd, "env": environment_of_server()}
    with open(os.devnull, "w") as errors, start_blocking_portal() as portal:
        transport = stdio_client(StdioServerParameters(**started), errlog=errors)
        with portal.wrap_async_context_manager(Client(transport)) as connected:
            session = Session(portal, connected)
            assert {"search", "rules", "remember"} <= set(session.tools())
            assert "rules" in session.ask("rules", prompt="the parser")
            assert session.ask("search", words="parser")["memories"] == []
