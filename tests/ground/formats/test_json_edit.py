"""JSON of others is edited as data, and written the way it was."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_edit import (
    append_item,
    drop_empty,
    look_up,
    parse_json_object,
    parse_json_text,
    reach,
    render_like,
)

SPACES = st.lists(st.sampled_from([" ", "\t", "\n", "\r\n"]), max_size=3).map("".join)
KEYS = st.text(st.sampled_from('abñ"\\ {[,:'), max_size=4)
SCALARS = st.none() | st.booleans() | st.integers() | st.text(st.sampled_from('xé"\\\n{}[],:'), max_size=5)


@st.composite
def rendered(draw, depth=3):
    """A JSON text with arbitrary white space in it."""
    kind = draw(st.sampled_from(["scalar", "object", "array"] if depth else ["scalar"]))
    return draw({"scalar": SCALARS.map(json.dumps), "object": texts(depth), "array": arrays(depth)}[kind])


@st.composite
def texts(draw, depth=3):
    keys = draw(st.lists(KEYS, max_size=3, unique=True))
    colon = draw(st.sampled_from([":", ": "]))
    members = [draw(SPACES) + json.dumps(key) + colon + draw(rendered(depth - 1)) for key in keys]
    return "{" + ",".join(members) + draw(SPACES) + "}"


@st.composite
def arrays(draw, depth=3):
    items = [draw(SPACES) + draw(rendered(depth - 1)) for _ in range(draw(st.integers(0, 3)))]
    return "[" + ",".join(items) + draw(SPACES) + "]"


def with_member(text, key, value):
    """The text of an object with a member more."""
    return render_like({**parse_json_object(text), key: value}, text)


@given(texts(), SPACES)
def test_what_says_the_same_keeps_its_bytes(body, tail):
    text = body + tail
    assert render_like(json.loads(text), text) == text


@given(texts(), SPACES, KEYS, rendered())
def test_the_written_text_reads_as_the_data_in_the_same_order(body, tail, key, value):
    data = {**json.loads(body), key: json.loads(value)}
    assert json.dumps(json.loads(render_like(data, body + tail))) == json.dumps(data)


@pytest.mark.parametrize("indent", [None, 1, 2, 4, "\t"])
@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_a_formatter_wrote_gets_its_bytes_back(indent, end, newline):
    """Once what was added is gone again."""
    data = {"a": [1, {"b": "\u00e9"}], "c": {}}
    text = (json.dumps(data, indent=indent, ensure_ascii=False) + end).replace("\n", newline)
    assert render_like(data, with_member(text, "new", {"deep": [1]})) == text


@pytest.mark.parametrize(
    ("text", "key", "value", "written"),
    [
        (
            '{\n    "a": 1\n}\n',
            "b",
            {"c": [1]},
            '{\n    "a": 1,\n    "b": {\n        "c": [\n            1\n        ]\n    }\n}\n',
        ),
        ('{\r\n\t"a": 1\r\n}', "b", {"c": 2}, '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}'),
        ('{"a":1}', "b", {"c": [1, 2]}, '{"a":1,"b":{"c":[1,2]}}'),
        ('{"a": [], "b": 1}', "c", [1, {"d": 2}], '{"a": [], "b": 1, "c": [1, {"d": 2}]}'),
        ("{}", "a", 1, '{\n  "a": 1\n}'),
        *((empty, "a", 1, '{\n  "a": 1\n}\n') for empty in ("", "\n", "  ")),
        ('\ufeff{"a": 1}', "a", 2, '\ufeff{"a": 2}'),
        ('{"a": "\\u00e9"}', "b", 1, '{"a": "\\u00e9", "b": 1}'),
        ('{"a": "\u00e9 \\ud800"}', "b", 1, '{"a": "\u00e9 \\ud800", "b": 1}'),
    ],
)
def test_a_text_is_written_the_way_it_was(text, key, value, written):
    """Its indentation, tabs, line ends and last newline, on one line or minified, its byte order mark and escapes; an
    empty object opens over lines and closes again."""
    assert with_member(text, key, value) == written
    assert text != "{}" or render_like({}, written) == "{}"


def test_missing_objects_and_lists_are_made():
    """What is not there is none."""
    data = {}
    append_item(data, ("hooks", "Stop"), 1)
    append_item(data, ("hooks", "Stop"), 2)
    assert reach(data, ("a", "b")) == {}
    assert data == {"hooks": {"Stop": [1, 2]}, "a": {"b": {}}}
    assert look_up({"a": [{"b": 1}]}, ("a", 0, "b")) == 1
    assert [look_up({"a": [5]}, path) for path in [("b",), ("a", 1), ("a", "b"), ("a", 0, "c")]] == [None] * 4


def test_what_was_emptied_goes_but_for_what_was_there():
    data = {"a": {"b": {"c": []}}, "d": {"e": []}, "f": [1]}
    drop_empty(data, ("a", "b", "c"), {"a": {"x": 1}})
    drop_empty(data, ("d", "e"), {"d": {"e": []}})
    drop_empty(data, ("f",), {})
    assert data == {"a": {}, "d": {"e": []}, "f": [1]}


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (lambda: parse_json_text('{\n  "a": oops\n}', "settings.json"), r"settings\.json:2:8: Invalid JSON"),
        (
            lambda: parse_json_text('{\n  // my own\n  "a": 1\n}', "s.json"),
            r"s\.json:2:3: A comment, which JSON cannot",
        ),
        (lambda: parse_json_text("/* my own */ {}", "s.json"), r"s\.json:1:1: A comment, which JSON cannot"),
        (lambda: parse_json_object("[]"), "not a JSON object"),
        (lambda: reach({"a": 5}, ("a", "b"), "s.json"), r"a is not a JSON object: s\.json"),
        (lambda: append_item({"hooks": {}}, ("hooks",), 1), "hooks is not a list"),
    ],
)
def test_json_of_another_shape_is_told_with_its_place(act, told):
    with pytest.raises(LimpetError, match=told):
        act()
