"""Our server is added to a configuration and taken out of it, and nothing beside it changes."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.hosts.server_edits import (
    NAME,
    TABLE,
    add_entry,
    find_server_entry,
    is_our_server,
    is_shared,
    render_server,
    take_entry,
)

from ..ground.formats.test_json_edit import SPACES, texts

KEY = "mcpServers"
ENTRY = {"command": "/opt/py thon", "args": ["-P", "-m", "limpet", "mcp"]}
MOVED = {"command": 'C:\\new "py"\\python.exe', "args": ["-P", "-m", "limpet", "mcp", "--project", "${here}"]}
SHARED = {"command": "limpet", "args": ["mcp"]}
ENTRIES = st.sampled_from([ENTRY, MOVED, SHARED])
FOREIGN = [{"command": "other"}, {"url": "https://x"}, {"command": "limpet", "args": ["serve"]}, "text", []]

# Lines of a TOML text that may stand in any table, and tables that do not collide.
LINES = st.sampled_from(
    [
        "",
        "# a [comment]",
        "#[mcp_servers.limpet]",
        "  ",
        'key{} = "v # [x]"',
        "key{} = [1,\n  2]",
        'key{} = """\n[a]\n"""',
    ]
)
TABLES = ["[other]", "[mcp_servers.docs]", "[mcp_servers.docs.env]", "[[many]]", "[mcp_servers.limpetest]", "  [x.y]"]


@st.composite
def tomls(draw):
    """A TOML text with comments, blank lines and tables, in one of both kinds of line ends."""
    heads = ["", *draw(st.lists(st.sampled_from(TABLES), unique=True))]
    parts = [[head, *draw(st.lists(LINES, max_size=4))] for head in heads]
    lines = [line.format(at) for at, line in enumerate(line for part in parts for line in part)]
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@given(texts(), SPACES, ENTRIES)
def test_of_json_what_was_added_goes_and_all_else_stays(body, tail, entry):
    """Its bytes come back from the record, where nobody changed the file."""
    text = body + tail
    added = add_entry(KEY, text, entry, "f")
    assert find_server_entry(KEY, added) == entry
    assert add_entry(KEY, added, entry, "f") == added
    assert json.loads(take_entry(KEY, added, text)) == json.loads(text)


@given(tomls(), ENTRIES)
def test_of_toml_what_was_added_goes_without_a_trace(text, entry):
    """But for the line end that the last line did not have."""
    added = add_entry("", text, entry, "f")
    assert added.startswith(text) and find_server_entry("", added) == entry
    assert add_entry("", added, entry, "f") == added
    ended = text if not text or text.endswith("\n") else text + ("\r\n" if "\r\n" in text else "\n")
    assert take_entry("", added, text) == ended


@given(tomls(), st.sampled_from(["# Theirs.\n[theirs]\nx = 1\n", "\n# Theirs.\n[theirs]\nx = 1", "\n\n"]), ENTRIES)
def test_what_somebody_wrote_behind_our_table_stays(text, behind, entry):
    """A table with the comment above it, or blank lines."""
    added = add_entry("", text, ENTRY, "f") + behind
    updated = add_entry("", added, entry, "f")
    assert updated.endswith(behind) and find_server_entry("", updated) == entry
    kept = take_entry("", updated, text)
    assert kept.startswith(text) and kept.endswith(behind)
    assert tomllib.loads(kept) == tomllib.loads(text + "\n" + behind)


@given(tomls(), ENTRIES, ENTRIES)
def test_of_an_entry_in_toml_what_somebody_added_to_it_stays(text, first, second):
    own = "cwd = '/w' # mine\n\n# Why.\n[mcp_servers.limpet.env]\nA = \"[x]\"\n[last]\n"
    added = add_entry("", text, first, "f") + own + "[mcp_servers.limpet.tools.search]\nmode = 'ask'\n"
    updated = add_entry("", added, second, "f")
    extra = {"cwd": "/w", "env": {"A": "[x]"}, "tools": {"search": {"mode": "ask"}}}
    assert find_server_entry("", updated) == {**second, **extra} and own in updated
    assert tomllib.loads(take_entry("", updated, text)) == {**tomllib.loads(text), "last": {}}


@given(ENTRIES, ENTRIES)
def test_of_an_entry_in_json_what_somebody_added_to_it_stays(first, second):
    env = '"env" : {"A":"b"}'
    text = (
        f'{{\n\t"mcpServers": {{"limpet": {{"args": {json.dumps(first["args"])}, {env},\n "command": "python"}}}}\n}}'
    )
    updated = add_entry(KEY, text, second, "f")
    assert find_server_entry(KEY, updated) == {**second, "env": {"A": "b"}}


@pytest.mark.parametrize("entry", FOREIGN)
def test_a_server_of_another_program_with_our_name_stays(entry):
    assert not is_our_server(entry) and not is_shared(entry) or entry["args"] == ["serve"]
    text = json.dumps({KEY: {NAME: entry}})
    assert take_entry(KEY, text, "") == text


def test_a_foreign_table_with_our_name_stays():
    text = '[mcp_servers.limpet]\nurl = "https://x"\n'
    assert take_entry("", text, "") == text


@pytest.mark.parametrize(
    ("key", "text", "why"),
    [
        *(
            (KEY, f'{{"mcpServers": {container}}}', f"{KEY} is not a JSON object")
            for container in ("null", "[]", "5", '"x"')
        ),
        *((KEY, text, "") for text in ('{"a": 1, // why\n}', "{", "[]")),
        *(("", text, "") for text in ("mcp_servers = 5\n", "a = \n")),
    ],
)
def test_a_text_without_a_place_for_the_server_is_refused(key, text, why):
    with pytest.raises(LimpetError, match=why or None):
        add_entry(key, text, ENTRY, "f")


@pytest.mark.parametrize("other", ['docs = {url = "x}"}', ""])
def test_servers_in_one_line_are_edited_in_their_line(other):
    text = f"mcp_servers = {{ {other} }} # limpet = {{ }}\n"
    added = add_entry("", text, ENTRY, "f")
    moved = add_entry("", added, MOVED, "f")
    assert (find_server_entry("", added), find_server_entry("", moved)) == (ENTRY, {**ENTRY, **MOVED})
    assert take_entry("", moved, text).replace(" ", "") == text.replace(" ", "")
    assert take_entry("", added, text).endswith(" # limpet = { }\n")


@pytest.mark.parametrize(
    "text",
    [
        '[mcp_servers]\nlimpet.command = "limpet"\nlimpet.args = ["mcp"]\n',
        '[mcp_servers."limpet"]\ncommand = "limpet"\nargs = ["mcp"]\n',
    ],
)
def test_ours_in_another_of_tomls_ways_is_neither_changed_nor_torn(text):
    assert is_our_server(find_server_entry("", text)) and take_entry("", text, "") == text
    with pytest.raises(LimpetError, match="as the file is written"):
        add_entry("", text, MOVED, "f")


def test_an_array_over_several_lines_is_replaced_whole():
    """As a formatter writes it."""
    text = '[mcp_servers.limpet]\nargs = [\n    "-P",\n    "-m",\n    "limpet",\n    "mcp"]\ncommand = \'py\' # old\n'
    updated = add_entry("", text, ENTRY, "f")
    assert find_server_entry("", updated) == ENTRY and "# old" in updated
    assert take_entry("", text, "") == ""


def test_an_object_that_was_there_before_us_stays():
    text = '{"mcpServers": {}}'
    added = add_entry(KEY, text, ENTRY, "f")
    assert take_entry(KEY, added, text) == text and take_entry(KEY, added, "{}") == "{}"


def test_what_is_to_be_added_by_hand_is_a_line_that_can_be_read():
    assert json.loads(render_server(KEY, MOVED)) == {KEY: {NAME: MOVED}}
    assert tomllib.loads(render_server("", MOVED)) == {TABLE: {NAME: MOVED}}


@pytest.mark.parametrize(
    ("entry", "ours", "shared"),
    [(ENTRY, True, False), (SHARED, True, True), ({"command": "py", "args": 5}, False, False)],
)
def test_ours_is_known_by_what_it_starts(entry, ours, shared):
    assert (is_our_server(entry), is_shared(entry)) == (ours, shared)
