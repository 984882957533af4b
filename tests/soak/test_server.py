"""Long conversations with the MCP server: what it holds on to, and what a model may make up."""

import os
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ..mcp.conftest import connected
from ..memories import Memories
from .scale import amount

pytest.importorskip("mcp")
LINUX = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="/proc")
TOOLS = ("search", "open", "remember", "rules", "why", "next", "finish", "back")
NAMES = (
    "words",
    "ids",
    "sentence",
    "kind",
    "files",
    "tags",
    "prompt",
    "domain",
    "document",
    "agent",
    "issue",
    "reason",
)
# Calls before the first look, by which all is imported, and after it.
WARM, CALLS = amount((10, 100), (100, 1000))


@pytest.fixture
def client(workspace):
    """A client of a server of its own."""
    with connected(workspace.root) as session:
        yield session


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
TEXTS = st.text(max_size=60) | st.lists(st.text(max_size=20), max_size=4)


def test_no_arguments_stop_the_server(client):
    """Whatever a model makes up: an answer, or a line that says what is wrong."""

    @settings(max_examples=amount(30, 1000), suppress_health_check=list(HealthCheck))
    @given(
        st.sampled_from(TOOLS), st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=5), TEXTS | JSON, max_size=4)
    )
    def try_out(tool, arguments):
        failed, text = client.call(tool, **arguments)
        assert text and "Limpet failed" not in text and "Traceback" not in text, (tool, arguments)

    try_out()
    assert client.ask("search", words="still there") == {"memories": []}


@LINUX
def test_many_calls_leak_nothing(workspace, client):
    """Neither file descriptors nor memory."""
    Memories(workspace).add_many([{"title": f"The ferry {number} leaves at noon."} for number in range(50)])
    key = client.ask("search", words="ferry")["memories"][0]["id"]
    calls = (
        ("search", {"words": "ferry noon"}),
        ("open", {"ids": [key]}),
        ("rules", {"prompt": "the ferry"}),
        ("next", {}),
        ("open", {"ids": ["none"]}),
    )

    def make(count):
        for number in range(count):
            tool, arguments = calls[number % len(calls)]
            client.call(tool, **arguments)
        return measure(server)

    server = child_of(os.getpid())
    files, memory = make(WARM)
    more_files, more_memory = make(CALLS)
    assert more_files <= files
    assert more_memory - memory < 20_000_000


def child_of(parent):
    """The id of the one process of the server that this process started."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                above = int(file.read().rpartition(")")[2].split()[1])
            with open(f"/proc/{name}/cmdline", encoding="utf-8") as file:
                words = file.read().split("\0")
        except OSError:
            continue
        if above == parent and words[:4] == [sys.executable, "-m", "limpet", "mcp"]:
            found.append(int(name))
    (only,) = found
    return only


def measure(process):
    """(open files, resident bytes) of a process."""
    with open(f"/proc/{process}/statm", encoding="utf-8") as file:
        pages = int(file.read().split()[1])
    return len(os.listdir(f"/proc/{process}/fd")), pages * os.sysconf("SC_PAGE_SIZE")
