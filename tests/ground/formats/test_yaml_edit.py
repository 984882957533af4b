"""Setting one value while every other byte stays."""

import difflib

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_edit import Day, remove_value, render_value, set_values, set_yaml_value
from limpet.ground.formats.yaml_text import load_yaml


@pytest.mark.parametrize(
    ("before", "path", "value", "after"),
    [
        ("", "a.b", 1, "a:\n  b: 1\n"),
        ("# only a comment", "a", 1, "# only a comment\na: 1\n"),
        ("---\n# c\n", "a", 1, "---\n# c\na: 1\n"),
        ("a: 1 # why\nb: 2\n", "a", 7, "a: 7 # why\nb: 2\n"),
        ("a:   1\n", "a", 7, "a:   7\n"),
        ("'a' : \"x\" # c\n", "a", "z", "'a' : z # c\n"),
        ("a: 1\n# end\n", "b", 2, "a: 1\nb: 2\n# end\n"),
        ("a: 1", "b", 2, "a: 1\nb: 2\n"),
        ("a:   # why\n  # b: 9\nc: 1\n", "a.b", 2, "a:   # why\n  b: 2\n  # b: 9\nc: 1\n"),
        ("a:\n    b: 1\n    # c: 2\n\nd: 3\n", "a.c", 5, "a:\n    b: 1\n    c: 5\n    # c: 2\n\nd: 3\n"),
        ("a:\n  b:\n    c: 1\nd: 2\n", "a.e.f", 3, "a:\n  b:\n    c: 1\n  e:\n    f: 3\nd: 2\n"),
        ("a: 1\r\nb:\r\n  c: 2 # x\r\n", "b.d", 3, "a: 1\r\nb:\r\n  c: 2 # x\r\n  d: 3\r\n"),
        ("a: {b: 1, c: 2}  # x\n", "a.c", 3, "a: {b: 1, c: 3}  # x\n"),
        ("a: {b: 1, }\n", "a.c", 3, "a: {b: 1, c: 3, }\n"),
        ("a: {}\n", "a.c.d", 3, "a: {c: {d: 3}}\n"),
        ("{}\n", "a", 3, "{a: 3}\n"),
        ("a: ~\n", "a.b", 3, "a: {b: 3}\n"),
        ("a:\n- 1\n- 2 # two\n# z\nb: 2\n", "a", [3], "a: [3] # two\n# z\nb: 2\n"),
        ("a: # list\n  # of\n  - 1\nb: 2\n", "a", [3], "a: [3] # list\n  # of\nb: 2\n"),
        ("a: |\n  x\n  y\n\n# c\nb: 1\n", "a", "z", "a: z\n\n# c\nb: 1\n"),
        ("a: |+\n  x\n\n\n", "b", 1, "a: |+\n  x\n\n\nb: 1\n"),
        ("a: x\n  y\n  z\nb: 1\n", "a", 1, "a: 1\nb: 1\n"),
        ("? a\n: 1\n", "a", 2, "? a\n: 2\n"),
        ("t:\n  id: S-1\n  title: x # c\nz: 1\n", "t", {"title": "y: z"}, 't: {title: "y: z"} # c\nz: 1\n'),
        ("é: 'ü' # 😀\n日: 1\n", "日", "本", "é: 'ü' # 😀\n日: 本\n"),
        ("\ufeffa: 1\n", "a", 2, "\ufeffa: 2\n"),
        ("a: &x 1\nb: *x\n", "c", 2, "a: &x 1\nb: *x\nc: 2\n"),
        ("x: .nan\n", "a", True, "x: .nan\na: true\n"),
        ("a: 1\n...\n", "b", 2, "a: 1\nb: 2\n...\n"),
    ],
)
def test_only_the_set_value_changes(before, path, value, after):
    """Comments, spacing, quotes, line ends, flow and block style, and the order of keys stay as they were."""
    assert set_yaml_value(before, path.split("."), value, "f.yaml") == after


@pytest.mark.parametrize(("text", "path"), [
    ("a: &x 1\nb: *x\n", ("a",)), ("a: &x 1\nb: *x\n", ("b",)), ("a: &x {c: 1}\nb: *x\n", ("b", "c")),
    ("a: &x\n  c: 1\nb: *x\n", ("a", "c")), ("a: 5\n", ("a", "b")), ("- 1\n", ("a",)), ("a: [\n", ("a",)),
    ("a: |\n  no line end", ("b",)), ("a: 1\na: 2\n", ("b",)), ("a: [1]\n", ("a", 2)), ("a: 5\n", ("a", 0)),
    ("a: {b: 1}\n", ("a", 0)), ("a: &q [1]\nb: *q\n", ("b", 0)), ("a: [&q 1, *q]\n", ("a", 1)),
])  # fmt: skip
def test_what_cannot_be_done_safely_is_refused(text, path):
    """Values shared by an alias, parents that are no mapping, places that are not there, and broken files."""
    with pytest.raises(LimpetError, match=r"f\.yaml"):
        set_yaml_value(text, path, 2, "f.yaml")


texts = st.text(st.characters(exclude_categories=["Cs"]))
plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


@given(plain_values)
def test_a_rendered_value_reads_back_as_itself(value):
    """Any JSON-like value survives being written on one line, alone and inside a flow list."""
    assert repr(load_yaml(f"k: {render_value(value)}\n", "f")) == repr({"k": value})
    assert repr(load_yaml(f"[{render_value(value)}, 1]\n", "f")) == repr([value, 1])


@pytest.mark.parametrize(
    "text", ["no", "Yes", "off", "y", "null", "~", "012", "1:30", "2026-11-21", "1e3", "", " x", "x ", "- a", "a: b"]
)
def test_text_that_another_reader_could_mistake_is_quoted(text):
    """What YAML 1.1 or 1.2 would read as something other than this text is written in quotes."""
    assert render_value(text).startswith('"')


KEYS = st.sampled_from(["a", "b", "c", "with space", "é", "no", "7"])
SCALARS = st.sampled_from(
    ["1", "x", "'q: #'", '"d\\n"', "~", "[1, {z: 2}]", "{}", "{q: 1}"]
    + ["|\n{i}  block\n{i}  two", ">-\n{i}  folded", "plain\n{i}  goes on"]
)
COMMENTS = st.sampled_from(["", "", "  # c", "   # a: 1"])
BETWEEN = st.sampled_from([[], [], [""], ["# note: x"], ["{i}# inner", ""]])


@st.composite
def mappings(draw, indent="", depth=0):
    """The lines of a block mapping in a hand-written style."""
    lines = []
    for key in draw(st.lists(KEYS, min_size=1, max_size=4, unique=True)):
        lines += [line.replace("{i}", indent) for line in draw(BETWEEN)]
        name = indent + render_value(key) + ":"
        nested = depth < 2 and draw(st.booleans())
        if nested:
            step = draw(st.sampled_from([" ", "  ", "    "]))
            lines += [name + draw(COMMENTS), *draw(mappings(indent + step, depth + 1))]
        else:
            value = draw(SCALARS).replace("{i}", indent)
            comment = "" if "\n" in value else draw(COMMENTS)
            lines += f"{name} {value}{comment}".split("\n")
    return lines


@settings(max_examples=150)
@given(mappings(), st.lists(KEYS, min_size=1, max_size=3), plain_values, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_setting_changes_the_data_and_no_line_of_another_key(lines, path, value, line_break, ends):
    """Afterwards the text reads as the old data plus the change, and differs in that key's lines only."""
    before = line_break.join(lines) + (line_break if ends else "")
    try:
        after = set_yaml_value(before, path, value, "f.yaml")
    except LimpetError:
        cut_off = not ends
        assert cut_off or wanted(load_yaml(before, "f.yaml"), path, value) is None
        return
    assert repr(load_yaml(after, "f.yaml")) == repr(wanted(load_yaml(before, "f.yaml"), path, value))
    codes = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False).get_opcodes()
    assert [code[0] != "equal" for code in codes].count(True) <= 2
    assert after.count("\r\n") == (after.count("\n") if "\r\n" in before else 0)


def wanted(data, path, value):
    """The data with the change, None where a parent is no mapping."""
    if data is not None and not isinstance(data, dict):
        return None
    head, rest = path[0], path[1:]
    inner = wanted((data or {}).get(head), rest, value) if rest else value
    return None if rest and inner is None else {**(data or {}), head: inner}


@given(st.text(alphabet="ab01:-[]{},&*|'\"#? \n", max_size=50), st.sampled_from(["a", "b", "aa", "ab", "bc"]))
def test_any_text_is_edited_rightly_or_refused(text, path):
    """On arbitrary input the result reads as the old data plus the change, or there is a LimpetError."""
    try:
        after = set_yaml_value(text, path, 5, "f.yaml")
    except LimpetError:
        return
    data = load_yaml(after, "f.yaml")
    for name in path:
        data = data[name]
    assert data == 5


@pytest.mark.parametrize(
    ("before", "path", "value", "after"),
    [
        ("", ("a", 0), {"id": 1}, "a:\n  - {id: 1}\n"),
        ("a:\n", ("a", 0), {"id": 1}, "a:\n  - {id: 1}\n"),
        ("a: []\nb: 1\n", ("a", 0), {"id": 1}, "a: [{id: 1}]\nb: 1\n"),
        ("a: [1] # c\n", ("a", 1), 2, "a: [1, 2] # c\n"),
        (
            "a:\n  - x: 1  # one\n    z: 2\n  # tail\nb: 1\n",
            ("a", 1),
            2,
            "a:\n  - x: 1  # one\n    z: 2\n  - 2\n  # tail\nb: 1\n",
        ),
        ("a:\n- x: 1\n# tail\nb: 1\n", ("a", 1), {"c": 2}, "a:\n- x: 1\n- {c: 2}\n# tail\nb: 1\n"),
        ("a:\n- |\n  hi\n# tail\n", ("a", 1), 2, "a:\n- |\n  hi\n- 2\n# tail\n"),
        ("a:\r\n  - 1\r\n", ("a", 1), 2, "a:\r\n  - 1\r\n  - 2\r\n"),
        ("a:\n  - 1", ("a", 1), 2, "a:\n  - 1\n  - 2\n"),
        ("a:\n- x: 1  # one\n# t\n", ("a", 0, "x"), 2, "a:\n- x: 2  # one\n# t\n"),
        ("a:\n- x: 1  # one\n# t\n", ("a", 0, "z"), 2, "a:\n- x: 1  # one\n  z: 2\n# t\n"),
        ("a:\n- {x: 1}  # one\n", ("a", 0, "z"), 2, "a:\n- {x: 1, z: 2}  # one\n"),
        ("a:\n- {x: 1}  # one\n", ("a", 0), 2, "a:\n- 2  # one\n"),
        ("a:\n-\n- 2\n", ("a", 0), 1, "a:\n- 1\n- 2\n"),
        ("g: {d: {}}\n", ("g", "d", "e", 0), 1, "g: {d: {e: [1]}}\n"),
        ("g:\n", ("g", "d", "e", 0, "f"), 1, "g:\n  d:\n    e:\n      - {f: 1}\n"),
        ("- 1\n", (1,), 2, "- 1\n- 2\n"),
    ],
)
def test_a_place_in_a_list_is_set_or_appended(before, path, value, after):
    """The place after the last one is a new item; comments and style of the others stay."""
    assert set_yaml_value(before, path, value, "f.yaml") == after


def test_several_values_are_set_together_or_not_at_all():
    """One that cannot be set leaves the others undone."""
    changes = [(("a",), 1), (("b", "c"), 2), (("d", 0), 3)]
    assert set_values("a: 0 # c\n", changes, "f.yaml") == "a: 1 # c\nb:\n  c: 2\nd:\n  - 3\n"
    with pytest.raises(LimpetError):
        set_values("a: 0\n", [*changes, (("a", "x"), 1)], "f.yaml")


def test_a_day_is_written_without_quotes_and_a_set_not_at_all():
    """A date to a reader of YAML 1.1; a text that looks like one keeps its quotes, and nothing is guessed."""
    text = set_yaml_value("a: 1\n", ("a",), {"found": Day("2026-02-20"), "item": "2026-02-20"}, "f")
    assert text == 'a: {found: 2026-02-20, item: "2026-02-20"}\n'
    with pytest.raises(LimpetError, match="set"):
        render_value({"a": {1, 2}})


@given(
    st.lists(st.one_of(plain_values, st.dictionaries(KEYS, plain_values, max_size=3)), max_size=4),
    plain_values,
    st.integers(0, 4),
    st.booleans(),
)
def test_any_list_takes_a_value_at_a_place_or_refuses(items, value, place, flow):
    """Afterwards it reads as the old list with this one item changed or appended, and the neighbours are untouched."""
    before = yaml.safe_dump(
        {"n": 1, "items": items, "z": 2}, default_flow_style=flow, allow_unicode=True, sort_keys=False
    )
    data = load_yaml(before, "f.yaml")
    try:
        after = set_yaml_value(before, ("items", place), value, "f.yaml")
    except LimpetError:
        assert place > len(items) or before.count("&") or "\n\n" in before or "?" in before
        return
    data["items"][place : place + 1] = [value]
    assert repr(load_yaml(after, "f.yaml")) == repr(data)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("rules:\n  checks:\n    a: x\n", ""),
        (
            "# hi\nwork: {}\nrules:\n  checks:\n    a: x  # of a\n    b: y\n",
            "# hi\nwork: {}\nrules:\n  checks:\n    b: y\n",
        ),
        ("rules: {checks: {a: x, b: y}}\n", "rules: {checks: {b: y}}\n"),
        ("rules: {checks: {b: y, a: x}, full: true}\n", "rules: {checks: {b: y}, full: true}\n"),
        ("rules:\n  checks: {a: x}\n  # tail\n  full: true", "rules:\n  # tail\n  full: true"),
        ("work: {}\n", "work: {}\n"),
    ],
)
def test_a_key_is_removed_with_what_held_nothing_else(before, after):
    assert remove_value(before, ("rules", "checks", "a"), "f") == after
