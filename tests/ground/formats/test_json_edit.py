"""Edits of a JSON text change what they are asked to change and no byte beside it."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_edit import append_item, parse_json_text, remove_value, set_json_value

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


def containers(value, kind, path=()):
    """The paths of every object or array inside a value."""
    found = [path] if isinstance(value, kind) else []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return found + [deeper for key, item in inner for deeper in containers(item, kind, (*path, key))]


def at(value, path):
    for key in path:
        value = value[key]
    return value


@given(texts(), SPACES, st.data())
def test_removing_what_was_inserted_gives_the_original_text(body, tail, data):
    text = body + tail
    path = data.draw(st.sampled_from(containers(json.loads(text), dict)))
    key = data.draw(KEYS.filter(lambda key: key not in at(json.loads(text), path)))
    edited = set_json_value(text, (*path, key), {"deep": [1, {"x": "y"}]})
    assert remove_value(edited, (*path, key)) == text


@given(arrays(), SPACES, st.data())
def test_removing_what_was_appended_gives_the_original_text(body, tail, data):
    text = '{"list":' + body + "}" + tail
    path = data.draw(st.sampled_from(containers(json.loads(text), list)))
    edited = append_item(text, path, {"command": "x"})
    assert remove_value(edited, (*path, len(at(json.loads(text), path)))) == text


@given(texts(), st.data())
def test_the_edited_text_reads_as_the_edited_data_in_the_same_order(text, data):
    expected = json.loads(text)
    path = data.draw(st.sampled_from(containers(expected, dict)))
    key = data.draw(st.sampled_from([*at(expected, path), "new"]))
    at(expected, path)[key] = [{"deep": None}]
    edited = json.loads(set_json_value(text, (*path, key), [{"deep": None}]))
    assert json.dumps(edited) == json.dumps(expected)


@given(texts(), st.data())
def test_the_text_without_a_member_reads_as_the_data_without_it(text, data):
    expected = json.loads(text)
    paths = [path for path in containers(expected, (dict, list)) if at(expected, path)]
    if not paths:
        return
    path = data.draw(st.sampled_from(paths))
    holder = at(expected, path)
    key = data.draw(st.sampled_from(list(holder) if isinstance(holder, dict) else list(range(len(holder)))))
    del holder[key]
    assert json.dumps(json.loads(remove_value(text, (*path, key)))) == json.dumps(expected)


@given(texts(), st.data())
def test_bytes_outside_the_replaced_value_stay(text, data):
    value = json.loads(text)
    paths = [(*path, key) for path in containers(value, dict) for key in at(value, path)]
    if not paths:
        return
    path = data.draw(st.sampled_from(paths))
    marked = set_json_value(text, path, "\x00mark")
    before, after = marked.split('"\\u0000mark"')
    assert text.startswith(before) and text.endswith(after)
    assert copy.deepcopy(value) == json.loads(text)


def test_indentation_of_four_blanks_is_kept():
    text = '{\n    "a": 1\n}\n'
    assert set_json_value(text, ("b",), {"c": [1]}) == (
        '{\n    "a": 1,\n    "b": {\n        "c": [\n            1\n        ]\n    }\n}\n'
    )


def test_tabs_and_crlf_and_a_missing_last_newline_are_kept():
    assert set_json_value('{\r\n\t"a": 1\r\n}', ("b", "c"), 2) == '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}'


def test_a_minified_text_stays_minified():
    assert set_json_value('{"a":1}', ("b",), {"c": [1, 2]}) == '{"a":1,"b":{"c":[1,2]}}'


def test_a_text_on_one_line_stays_on_one_line():
    assert set_json_value('{"a": [], "b": 1}', ("c",), [1, {"d": 2}]) == '{"a": [], "b": 1, "c": [1, {"d": 2}]}'


def test_an_empty_object_opens_over_lines_and_closes_again():
    opened = set_json_value("{}", ("a",), 1)
    assert opened == '{\n  "a": 1\n}'
    assert remove_value(opened, ("a",)) == "{}"


@pytest.mark.parametrize("text", ["", "\n", "  "])
def test_an_empty_file_becomes_an_object(text):
    assert json.loads(set_json_value(text, ("a",), 1)) == {"a": 1}


def test_a_byte_order_mark_stays_in_front():
    assert set_json_value('\ufeff{"a": 1}', ("a",), 2) == '\ufeff{"a": 2}'


def test_an_item_in_the_middle_leaves_its_neighbours():
    assert remove_value('{"l": [1, {"x": [2]},  3]}', ("l", 1)) == '{"l": [1,  3]}'


def test_a_missing_array_is_made_on_appending():
    assert json.loads(append_item("{}", ("hooks", "Stop"), 1)) == {"hooks": {"Stop": [1]}}


def test_a_doubled_key_is_removed_whole_and_replaced_where_readers_look():
    text = '{"a": 1, "b": 2, "a": 3}'
    assert json.loads(remove_value(text, ("a",))) == {"b": 2}
    assert set_json_value(text, ("a",), 4) == '{"a": 1, "b": 2, "a": 4}'


def test_broken_json_is_told_with_file_line_and_column():
    with pytest.raises(LimpetError, match=r"settings\.json:2:8: Invalid JSON"):
        parse_json_text('{\n  "a": oops\n}', "settings.json")


@pytest.mark.parametrize("edit", [set_json_value, append_item])
def test_a_path_through_a_scalar_is_refused_with_its_place(edit):
    with pytest.raises(LimpetError, match=r"s\.json:2:9: Unexpected type at a") as caught:
        edit('{\n  "a":  5\n}', ("a", "b", "c"), 1, "s.json")
    assert "a" in caught.value.what


def test_appending_to_an_object_is_refused():
    with pytest.raises(LimpetError, match="Unexpected type at hooks"):
        append_item('{"hooks": {}}', ("hooks",), 1)


def test_an_array_item_cannot_be_set_beyond_the_end():
    with pytest.raises(LimpetError):
        set_json_value('{"a": [1]}', ("a", 1), 2)


def test_removing_what_is_not_there_is_refused():
    with pytest.raises(LimpetError, match="Unexpected type at a"):
        remove_value('{"b": 1}', ("a",))
