"""artifacts/<key>.yaml: both variants read, edits that touch what changed."""

import json
from pathlib import Path

import jsonschema
import pytest

import limpet
from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_text import load_yaml
from limpet.work.documents.detail import Detail, edit_detail, read_detail_text
from limpet.work.documents.form import BacklogItem
from limpet.work.documents.rubrics import RubricAnswer

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


def test_the_first_variant_is_read():
    """Questions and weights beside the answers, yes and no without quotes, no type."""
    found = read_detail_text("architecture", FIRST)
    assert found.answers == (
        RubricAnswer("components", "yes"),
        RubricAnswer("relationships", "no", "Only mentions API gateway"),
    )
    assert (found.last_evaluated, found.type, found.wip) == ("2025-02-20", "", "")
    assert found.backlog == (BacklogItem("architecture", "Add data flow diagram", "high", "2025-02-20"),)


def test_yes_and_no_survive_a_yaml_11_writer():
    """Which made booleans of them."""
    text = "checklist:\n- {id: a, result: true}\n- {id: b, result: false}\n- {id: c, result: n/a}\n- {id: d}\n"
    assert [answer.result for answer in read_detail_text("a", text).answers] == ["yes", "no", "n/a", ""]


def test_an_answer_changes_its_own_value_only():
    """Questions, weights, comments and order stay; a note that no longer holds goes; days stay dates."""
    detail = read_detail_text("architecture", FIRST)
    said = (
        RubricAnswer("components", "no", "one is missing"),
        RubricAnswer("relationships", "yes"),
        RubricAnswer("current", "yes"),
    )
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
    assert edit_detail(FIRST, detail.replace(answers=said, last_evaluated="2026-01-01", time="10:00:00Z")) == wanted


def test_a_result_that_is_taken_back_leaves_its_note():
    """That told why, for whoever answers."""
    detail = read_detail_text("architecture", FIRST)
    second = detail.answers[1].replace(result="")
    text = edit_detail(FIRST, detail.replace(answers=(detail.answers[0], second), wip="evaluation: 1 of 2 answered"))
    assert [answer.result for answer in read_detail_text("a", text).answers] == ["yes", ""]
    assert "Only mentions API gateway" in text


def test_a_problem_comes_and_goes_without_a_trace():
    """Every other byte stays."""
    detail = read_detail_text("architecture", FIRST)
    item = BacklogItem("architecture", "Say: no", "low", "2026-01-01")
    added = edit_detail(FIRST, detail.replace(backlog=(*detail.backlog, item)))
    assert '  - {item: "Say: no", priority: low, found: 2026-01-01}\n' in added
    assert edit_detail(added, detail) == FIRST


def test_a_new_file_obeys_the_schema():
    """Before and after the first answers."""
    path = Path(limpet.__file__).parent / "framework/schemas/artifact.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    bare = Detail("a", "api-docs")
    said = bare.replace(
        answers=(RubricAnswer("x", "yes"), RubricAnswer("y", "n/a", "none: here")), last_evaluated="2026-01-01"
    )
    for one in (bare, said.replace(time="10:00:00.000Z")):
        text = edit_detail("", one)
        jsonschema.Draft202012Validator(schema).validate(load_yaml(text, "f"))
        assert read_detail_text("a", text) == one


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "last_evaluated: 2026-01-01 # c\ntime: '10:00:00Z'\nwip: half\n",
            Detail("k", "", "2026-01-01", "10:00:00.000Z", wip="half"),
        ),
        ("{type: security, last_evaluated: 2026-01-01}", Detail("k", "security", "2026-01-01")),
        ("", Detail("k")),
        ("version: 9\r\nlast_evaluated: null\r\n", Detail("k", version=9)),
        ("wip: >-\n  two\n  lines\n", Detail("k", wip="two lines")),
    ],
)
def test_a_detail_is_read_however_it_is_written(text, wanted):
    """With comments, quotes, in braces, of several lines."""
    assert read_detail_text("k", text) == wanted


@pytest.mark.parametrize("text", ["a: [\n", "x\n<<<<<<< a\n", "- a\n", "wip: a\nwip: b\n", 'wip: "\x01"\n'])
def test_a_file_that_cannot_be_used_is_told(text):
    """With its place."""
    with pytest.raises(LimpetError, match=r"\.limpet/artifacts/architecture\.yaml"):
        read_detail_text("architecture", text)


def test_what_does_not_count_in_a_detail_is_told():
    """An answer that is none, a day that is none, a list that is none."""
    text = "last_evaluated: soon\nbacklog: x\nchecklist: [{id: a, result: maybe}, {id: b, result: yes}]\n"
    name = ".limpet/artifacts/k.yaml"
    assert read_detail_text("k", text).problems == (
        f"{name}:2: backlog must be a list (got 'x')",
        f"{name}:1: last_evaluated must be a date, not 'soon'",
        f"{name}:3: checklist a: 'maybe' is not an answer",
    )
