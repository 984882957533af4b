"""artifacts/<key>.yaml: both variants read, edits that touch what changed."""

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import holdfast
from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.yaml_text import load_yaml
from holdfast.work.documents.backlog import BacklogItem
from holdfast.work.documents.detail import (
    Glance,
    add_item,
    drop_item,
    glance_at,
    new_detail_text,
    read_detail_text,
    set_answers,
)
from holdfast.work.documents.scoring import Answer

FIRST = """\
# ours
artifact: architecture
last_evaluated: 2025-02-20

checklist:
  - id: components
    question: "Lists all major system components?"
    weight: 2
    result: yes   # sure
  - id: relationships
    question: "Describes how components communicate?"
    weight: 2
    result: no
    note: "Only mentions API gateway"

backlog:
  - item: "Add data flow diagram"
    priority: high
    found: 2025-02-20

wip: null   # or a note about in-progress work
"""
# As it is written here, every kind of line.
OWN = """\
artifact: a
type: architecture
last_evaluated: 2026-02-20
checklist:
  - {id: components, result: "yes"}
  - {id: current, result: "no", note: "x: \\"y\\" \\u00e9 # z"}
backlog: []
wip: "evaluation: 1 of 2"
time: "10:00:00.000Z"
version: 1
document_hash: "012345678901"
watched_hash: e12345678901
watched: {"src/": there, src/main.py: "0e2345678901"}
"""
SLIPS = [
    *": -#'\"[]{},&*!|>%@`\\~?\n\r\t\x01\x85\u2028\ufeff",
    "  ",
    "null",
    "true",
    "\n---\n",
    "\nwip: b\n",
    "0x",
    "1e",
    ".inf",
]


def test_the_first_variant_is_read():
    """Questions and weights beside the answers, yes and no without quotes, no type."""
    found = read_detail_text("architecture", FIRST)
    assert found.answers == (
        Answer("components", "yes"),
        Answer("relationships", "no", "Only mentions API gateway"),
    )
    assert (found.day, found.type, found.wip) == ("2025-02-20", "", "")
    assert found.backlog == (BacklogItem("architecture", "Add data flow diagram", "high", "2025-02-20"),)


def test_yes_and_no_survive_a_yaml_11_writer():
    """Which made booleans of them."""
    text = "checklist:\n- {id: a, result: true}\n- {id: b, result: false}\n- {id: c, result: n/a}\n- {id: d}\n"
    assert [answer.result for answer in read_detail_text("a", text).answers] == ["yes", "no", "n/a", ""]


def test_an_answer_changes_its_own_value_only():
    """Questions, weights, comments and order stay; a note that no longer holds goes; days stay dates."""
    detail = read_detail_text("architecture", FIRST)
    said = [Answer("components", "no", "one is missing"), Answer("relationships", "yes"), Answer("current", "yes")]
    wanted = (
        FIRST.replace("result: yes   # sure", 'result: "no"   # sure\n    note: one is missing')
        .replace("result: no\n", 'result: "yes"\n', 1)
        .replace('note: "Only mentions API gateway"\n', 'note: null\n  - {id: current, result: "yes"}\n')
        .replace("2025-02-20\n\n", "2026-01-01\n\n", 1)
        .replace(
            "wip: null   # or a note about in-progress work\n",
            'wip: null   # or a note about in-progress work\ntime: "10:00:00Z"\n',
        )
    )
    assert set_answers(FIRST, detail, said, "2026-01-01", "10:00:00Z", "") == wanted


def test_an_evaluation_begun_anew_empties_the_old_results():
    """And leaves the notes that told why, for whoever answers."""
    detail = read_detail_text("architecture", FIRST)
    said = [Answer("components", "yes"), Answer("relationships", "")]
    text = set_answers(FIRST, detail, said, detail.day, detail.time, "evaluation: 1 of 2 answered")
    assert [answer.result for answer in read_detail_text("a", text).answers] == ["yes", ""]
    assert "Only mentions API gateway" in text


def test_a_problem_comes_and_goes_without_a_trace():
    """Every other byte stays."""
    detail = read_detail_text("architecture", FIRST)
    item = BacklogItem("architecture", "Say: no", "low", "2026-01-01")
    added = add_item(FIRST, detail, item)
    assert '  - {item: "Say: no", priority: low, found: 2026-01-01}\n' in added
    assert drop_item(added, read_detail_text("architecture", added), item) == FIRST


def test_a_new_file_obeys_the_schema():
    """Before and after the first answers."""
    path = Path(holdfast.__file__).parent / "framework/schemas/artifact.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    text = new_detail_text("a", "api-docs")
    said = [Answer("x", "yes"), Answer("y", "n/a", "none: here")]
    for one in (text, set_answers(text, read_detail_text("a", text), said, "2026-01-01", "10:00:00Z", "")):
        jsonschema.Draft202012Validator(schema).validate(load_yaml(one, "f"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (FIRST, Glance(day="2025-02-20")),
        (new_detail_text("a", "security"), Glance(type="security")),
        (
            "last_evaluated: 2026-01-01 # c\ntime: '10:00:00Z'\nwip: half\n",
            Glance("", "2026-01-01", "10:00:00Z", "half"),
        ),
        ("{type: security, last_evaluated: 2026-01-01}", Glance("security", "2026-01-01")),
        ("", Glance()),
        (
            'last_evaluated: 2026-01-01\nbacklog:\n  - {item: a b, priority: low}\nwip: "a: \\u00e9"\n',
            Glance("", "2026-01-01", "", "a: é"),
        ),
        ("version: 9\r\nlast_evaluated: null\r\n", Glance(newer=True)),
        ("wip: >-\n  two\n  lines\n", Glance(wip="two lines")),
    ],
)
def test_a_glance_sees_what_the_whole_reading_sees(text, wanted):
    """Without reading YAML where lines tell it."""
    assert glance_at("architecture", text) == wanted


@given(st.integers(0, len(OWN)), st.integers(0, 4), st.sampled_from(SLIPS) | st.text(max_size=3), st.booleans())
def test_a_glance_never_differs_from_the_whole_reading(place, gone, slip, is_cut):
    """Whatever a slip of the hand made of a file, wherever it ends: it fails where that fails, and tells the same."""
    text = OWN[:place] + slip + ("" if is_cut else OWN[place + gone :])
    try:
        detail = read_detail_text("a", text)
    except HoldfastError as error:
        assert glance_at("a", text) == Glance(problem=str(error))
    else:
        ids = (detail.baseline.document, detail.baseline.watched, detail.baseline.by)
        assert glance_at("a", text) == Glance(detail.type, detail.day, detail.time, detail.wip, detail.newer, *ids)


@pytest.mark.parametrize(
    "text",
    ["a: [\n", "x\n<<<<<<< a\n", "- a\n", "last_evaluated: null\na: [\n", "wip: a\nwip: b\n", 'wip: "\x01"\n'],
)
def test_a_glance_tells_of_a_file_that_cannot_be_used(text):
    """With its place."""
    assert ".holdfast/artifacts/architecture.yaml" in glance_at("architecture", text).problem


def test_what_does_not_count_in_a_detail_is_told():
    """An answer that is none, a day that is none, a list that is none."""
    text = "last_evaluated: soon\nbacklog: x\nchecklist: [{id: a, result: maybe}, {id: b, result: yes}]\n"
    name = ".holdfast/artifacts/k.yaml"
    assert read_detail_text("k", text).problems == (
        f"{name}: backlog must be a list",
        f"{name}: last_evaluated: 'soon' is not a date",
        f"{name}: a: 'maybe' is not an answer",
    )
