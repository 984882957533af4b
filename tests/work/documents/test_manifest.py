"""manifest.yaml: both variants read, one written, caps kept, and the bytes of others kept."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

import limpet
from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_text import load_yaml
from limpet.work.documents.form import BacklogItem, refuse_newer_form, show_form, without
from limpet.work.documents.manifest import Artifact, edit_manifest, new_manifest_text, read_manifest_text

from ...chat_spec import FIRST

SCHEMA = json.loads(
    (Path(limpet.__file__).parent / "framework/schemas/manifest.schema.json").read_text(encoding="utf-8")
)

SECOND = FIRST.replace('protocol: "0.1"', "protocol_version: 0.1\n  created: 2025-02-18").replace(
    "artifacts:", 'config:\n  artifact_directory: "docs/specs"\n  auto_evaluate: false\n\nartifacts:', 1
)
ARCHITECTURE = Artifact("architecture", "specs/architecture.md", 3, 5, "current", "2025-02-20")


def with_artifact(text, artifact):
    return edit_manifest(text, read_manifest_text(text).with_artifact(artifact))


def with_line(text, what):
    return edit_manifest(text, read_manifest_text(text).logged("2026-02-20", what, 5))


def with_problem(text, item):
    found = read_manifest_text(text)
    shown, gone = show_form(found.backlog, item, 10)
    return edit_manifest(text, found.replace(backlog=shown)), gone


@pytest.mark.parametrize("text", [FIRST, SECOND, FIRST.replace("\n", "\r\n"), "\ufeff" + FIRST])
def test_both_variants_are_read(text):
    """``protocol`` or ``protocol_version``, as text or as a number, with and without config."""
    found = read_manifest_text(text)
    assert (found.name, found.protocol, found.problems) == ("my-project", "0.1", ())
    assert found.artifacts[0] == ARCHITECTURE
    assert [item.priority for item in found.backlog] == ["high", "medium"]
    assert len(found.log) == 2
    config = ("docs/specs", False) if text == SECOND else ("specs", True)
    assert (found.directory, found.auto_evaluate) == config


@pytest.mark.parametrize(
    ("written", "day", "time"),
    [
        ("2026-02-20", "2026-02-20", ""),
        ('"2026-02-20"', "2026-02-20", ""),
        ("2026-02-20T12:00:05Z", "2026-02-20", "12:00:05.000Z"),
        ("2026-02-20 14:00:05+02:00", "2026-02-20", "12:00:05.000Z"),
        ("null", "", ""),
        ("soon", "", ""),
        ("2026-02-31", "", ""),
        ('"0001-01-01T00:00:00+14:00"', "", ""),
        ('"9999-12-31T23:59:59-14:00"', "", ""),
    ],
)
def test_dates_are_read_as_people_and_tools_write_them(written, day, time):
    """Quoted, plain, with a time; what is no date is none."""
    found = read_manifest_text(FIRST.replace("2025-02-20\n", f"{written}\n")).artifacts[0]
    assert (found.last_evaluated, found.time) == (day, time)


def test_a_written_day_is_a_date_to_a_yaml_11_reader_and_no_time_is_a_number():
    """Neither quotes around the day, nor sixty-based figures."""
    text = with_artifact(new_manifest_text("x", "2026-02-20"), ARCHITECTURE.replace(time="12:00:05Z"))
    entry = yaml.safe_load(text)["artifacts"]["architecture"]
    assert str(entry["last_evaluated"]) == "2025-02-20" and not isinstance(entry["last_evaluated"], str)
    assert entry["time"] == "12:00:05Z"
    assert yaml.safe_load(text)["project"]["protocol_version"] == "0.1"


def test_a_change_touches_the_changed_values_only():
    """Comments, order, the other variant's keys and unknown ones stay byte for byte."""
    text = FIRST.replace("    score: 3", "    owner: me  # ours\n    score: 3")
    after = ARCHITECTURE.replace(score=4, last_evaluated="2026-01-01")
    wanted = text.replace("score: 3", "score: 4").replace("2025-02-20\n", "2026-01-01\n", 1)
    assert with_artifact(text, after) == wanted


@pytest.mark.parametrize("artifacts", [8, 40])
def test_a_full_manifest_is_three_kilobytes_for_eight_artifacts_and_a_line_for_each_more(artifacts):
    """With ten problems and five lines of log, all of them as long as they may be."""
    text = new_manifest_text("a-project-with-a-name", "2026-02-20")
    for number in range(artifacts):
        key = f"design-system-{number}"
        one = Artifact(key, f"specs/{key}.md", 3, 5, "current", "2026-02-20", "12:00:05.931Z")
        text = with_artifact(text, one)
    for number in range(12):
        text, _ = with_problem(text, BacklogItem("design-system-1", f"{number} " + "long words " * 40))
        text = with_line(text, f"{number} " + "long words " * 40)
    found = read_manifest_text(text)
    assert (len(found.backlog), len(found.log)) == (10, 5)
    assert len(text.encode()) <= 3072 + (artifacts - 8) * 160
    assert found.problems == ()


def test_what_is_written_obeys_the_schema():
    """By the referee's reading."""
    text = with_artifact(new_manifest_text("yes", "2026-02-20"), ARCHITECTURE)
    text, _ = with_problem(text, BacklogItem("architecture", "no: this", "high"))
    jsonschema.Draft202012Validator(SCHEMA).validate(load_yaml(with_line(text, "null"), "f"))
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_log_keeps_the_newest_five_first():
    """Older ones go, whatever was written by hand."""
    text = FIRST
    for number in range(5):
        text = with_line(text, str(number))
    assert [line[-1] for line in read_manifest_text(text).log] == ["4", "3", "2", "1", "0"]
    assert text.partition("\nlog:")[0] == FIRST.partition("\nlog:")[0]


def test_an_urgent_problem_stands_in_front_and_the_least_urgent_leaves():
    """The tenth one, in an order that hands may have made."""
    text = FIRST
    for number in range(10):
        text, gone = with_problem(text, BacklogItem("features", f"p{number}", "low" if number % 2 else "high"))
    found = read_manifest_text(text).backlog
    assert [item.priority for item in found] == ["high"] * 6 + ["medium"] + ["low"] * 3
    assert [item.item for item in gone] == ["p9"]


def test_a_finished_problem_leaves_alone():
    """Its lines only."""
    item = BacklogItem("architecture", "Add data flow diagram", "low")
    wanted = FIRST.replace('  - artifact: architecture\n    item: "Add data flow diagram"\n    priority: high\n', "")
    found = read_manifest_text(FIRST)
    assert edit_manifest(FIRST, found.replace(backlog=without(found.backlog, item))) == wanted


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("version: 1\nartifacts: {a: {path: x\n", r"manifest\.yaml:\d"),
        ("a: 1\n<<<<<<< ours\nb: 2\n=======\nb: 3\n>>>>>>> theirs\n", r"manifest\.yaml:2: Unresolved merge conflict"),
        ("- a\n", "Must be a mapping"),
        ("a: 1\na: 2\n", "duplicate key"),
    ],
)
def test_a_file_that_is_none_is_told_with_its_line(text, where):
    """Half-written, in conflict, of another shape."""
    with pytest.raises(LimpetError, match=where):
        read_manifest_text(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("artifacts:\n  a: {score: nine}\n", "manifest.yaml:2: artifacts.a.score must be an integer"),
        ("artifacts:\n  ../x: {}\n", "manifest.yaml:2: artifacts.../x is not a valid artifact key"),
        ("artifacts:\n  a: {status: done}\n", "artifacts.a.status must be one of"),
        ("backlog: [{item: x, priority: huge}]\n", "must be one of high, medium, low"),
        ("artifacts: 3\n", "artifacts must be a mapping"),
        ("artifacts: {a: 3}\n", "artifacts.a must be a mapping"),
        ("artifacts:\n  a: {last_evaluated: soon}\n", "manifest.yaml:2: artifacts.a.last_evaluated must be a date"),
    ],
)
def test_a_bad_value_costs_itself_only(text, problem):
    """And is told with its line; the rest is read."""
    found = read_manifest_text(text + "log: [x]\n")
    assert problem in found.problems[0]
    assert found.log == ("x",)


@pytest.mark.parametrize("key", ["version", "schema_version"])
def test_a_future_version_is_read_and_not_written(key):
    """With what to do."""
    found = read_manifest_text(FIRST.replace("version: 1", f"{key}: 7", 1))
    assert found.newer and len(found.artifacts) == 2
    with pytest.raises(LimpetError, match="Version 7.*Update Limpet"):
        refuse_newer_form(found.version, "f")


@pytest.mark.parametrize("score", [".inf", ".nan", '"' + "9" * 5000 + '"', "-3", "1e400", "true"])
def test_a_score_that_is_none_is_no_reason_to_fail(score):
    """However odd the number."""
    found = read_manifest_text(FIRST.replace("score: 3", f"score: {score}", 1))
    assert 0 <= found.artifacts[0].score <= 5 and len(found.artifacts) == 2
