"""Arguments as clients and models make them."""

import json
import os
import subprocess
import sys

import pytest

from limpet.ground.errors import LimpetError
from limpet.mcp.arguments import read_arguments

from ..forking import SOURCE
from ..memories import Memories
from .test_process import HELLO


@pytest.mark.parametrize("shape", ['["{}"]', "{}", " {} ", "['{}']", '["{}", null]', "{}, {}"])
def test_ids_in_a_text_are_opened(workspace, client, shape):
    key = Memories(workspace).add("The ferry leaves at noon.")
    assert client.ask("open", ids=shape.replace("{}", key))["memories"][0].count("noon") == 1


def test_a_list_of_files_and_tags_in_a_text_is_kept(workspace, client):
    client.ask("remember", sentence="Amounts are cents.", kind=["decision"], files='["src/a.py", "b.py"]', tags="money")
    (entry,) = Memories(workspace).entries()
    assert (entry.paths, entry.tags, entry.type) == (("src/a.py", "b.py"), ("money",), "decision")


def test_null_is_not_given(workspace, client):
    """As itself or as a text for a list."""
    client.ask("remember", sentence="Amounts are cents.", kind=None, files="null", tags=None)
    (entry,) = Memories(workspace).entries()
    assert (entry.paths, entry.tags, entry.type) == ((), (), "semantic")
    assert client.ask("rules", prompt="hello", domain=None)["rules"] is not None


@pytest.mark.parametrize("words", [["ferry", "8080"], 8080, "ferry 8080"])
def test_words_as_a_list_or_a_number_are_searched(workspace, client, words):
    Memories(workspace).add("The ferry listens on 8080.")
    (found,) = client.ask("search", words=words)["memories"]
    assert found["title"] == "The ferry listens on 8080."


def of_every_kind(project, name: str, sizes: list[int] = (), count: int = 1, exact: bool = False, more: dict = None):  # noqa: RUF013
    """Takes what no tool takes yet."""


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"sizes": "[1, 2]"}, {"sizes": [1, 2]}),
        ({"sizes": "3"}, {"sizes": [3]}),
        ({"sizes": ["4", None]}, {"sizes": [4]}),
        ({"count": "7"}, {"count": 7}),
        ({"exact": "true"}, {"exact": True}),
        ({"exact": "False"}, {"exact": False}),
        ({"more": '{"a": [1]}'}, {"more": {"a": [1]}}),
        ({"count": None, "unknown": 1}, {"count": 1}),
        ({"name": True}, {"name": "true"}),
    ],
)
def test_numbers_truth_values_and_objects_are_read_by_the_schema(given, read):
    found = read_arguments(of_every_kind, "any", {"name": "x", **given})
    assert {key: found[key] for key in read} == read


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, 'Wrong arguments of any: name: Field required. Give {"name": "TEXT"}'),
        ({"name": {"a": 1}}, 'Wrong arguments of any: name: Input should be a valid string. Give {"name": "TEXT"}'),
        ({"name": "x", "sizes": "one, 2"}, 'Give {"sizes": ["TEXT"]}'),
        ({"name": "x", "more": "[1]"}, 'Give {"more": {}}'),
    ],
)
def test_what_does_not_fit_is_told_with_how_it_should_look(given, said):
    with pytest.raises(LimpetError) as caught:
        read_arguments(of_every_kind, "any", given)
    assert said in str(caught.value) and "one, 2" not in str(caught.value)


def asked(workspace, method, params):
    """The answer of a server to a request whose arguments no library would send."""
    lines = [
        {"id": 1, "method": "initialize", "params": json.loads(HELLO)},
        {"method": "notifications/initialized"},
        {"id": 2, "method": method, "params": params},
    ]
    command, environment = [sys.executable, "-m", "limpet", "mcp"], {**os.environ, "PYTHONPATH": SOURCE}
    opened = {"cwd": workspace.root, "env": environment, "stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **opened, text=True) as server:
        for line in lines:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **line}) + "\n")
            server.stdin.flush()
        answer = next(each for each in map(json.loads, server.stdout) if each.get("id") == 2)
        server.stdin.close()
        return answer


def test_all_arguments_in_a_text_are_an_object(workspace):
    Memories(workspace).add("The ferry leaves at noon.")
    answer = asked(workspace, "tools/call", {"name": "search", "arguments": '{"words": "ferry"}'})
    assert "leaves at noon" in answer["result"]["content"][0]["text"]
