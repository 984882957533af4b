"""Evaluating, the backlog and the log, on the files."""

import json
import os

import pytest

from holdfast.ground.errors import HoldfastError
from holdfast.work.spec import store
from holdfast.work.spec.actions import add_backlog, add_log, finish_backlog, list_backlog
from holdfast.work.spec.backlog import BacklogItem
from holdfast.work.spec.store import read_detail, read_manifest, transact
from holdfast.work.spec.survey import make_survey

MANIFEST = ".holdfast/manifest.yaml"
DETAIL = ".holdfast/artifacts/architecture.yaml"


@pytest.fixture
def tracked(project):
    """Two documents, neither evaluated."""
    project.track("architecture", "features")
    return project


def standing(project, key="architecture"):
    return next(one for one in make_survey(project.workspace).standings if one.key == key)


def test_an_evaluation_sets_score_moment_and_log(tracked):
    """In both tiers the same moment."""
    tracked.evaluate("architecture", relationships=("no", "no queue"))
    artifact = read_manifest(tracked.workspace).artifact("architecture")
    detail = read_detail(tracked.workspace, "architecture")
    assert (artifact.score, artifact.status) == (4, "current")
    assert (artifact.day, artifact.time) == (detail.day, detail.time) == ("2026-02-20", "12:00:05.931Z")
    assert read_manifest(tracked.workspace).log[0] == "2026-02-20: Evaluated architecture (4/5)"
    assert standing(tracked).state == "current"


def test_an_incomplete_evaluation_stays_work_in_progress(tracked):
    """The last score stands until every item is answered."""
    tracked.evaluate("architecture")
    found = tracked.answer("architecture", components=("yes", ""))
    assert (found.score.level, standing(tracked).state, standing(tracked).score) == (None, "wip", 5)
    assert standing(tracked).reason == "evaluation: 1 of 12 answered"
    rest = dict.fromkeys(found.score.unanswered, ("no", ""))
    assert tracked.answer("architecture", **rest).score.level == 1
    assert (standing(tracked).state, read_detail(tracked.workspace, "architecture").wip) == ("current", "")
    assert read_manifest(tracked.workspace).log[0].endswith("Evaluated architecture (5 -> 1/5)")


def test_a_note_on_work_in_progress_of_somebody_else_stays(tracked):
    """An evaluation does not finish that work."""
    tracked.put(DETAIL, "artifact: architecture\nlast_evaluated: null\nwip: section 3 is half done\n")
    tracked.evaluate("architecture")
    assert (standing(tracked).state, standing(tracked).reason) == ("wip", "section 3 is half done")


def test_an_evaluation_that_the_manifest_does_not_know_of_is_done_again(tracked):
    """Also where the one before it was of the same day."""
    tracked.evaluate("architecture")
    before = tracked.get(MANIFEST)
    tracked.now += 60
    tracked.evaluate("architecture", current=("no", ""))
    tracked.put(MANIFEST, before)
    assert (standing(tracked).state, standing(tracked).score) == ("stale", 5)
    assert "cut off" in standing(tracked).reason


def test_what_is_not_written_cannot_be_evaluated(tracked):
    """Nor a document of which nobody knows."""
    os.unlink(os.path.join(tracked.workspace.root, "specs/architecture.md"))
    with pytest.raises(HoldfastError, match="there is no file specs/architecture.md"):
        tracked.evaluate("architecture")
    with pytest.raises(HoldfastError, match="no document 'security' is tracked"):
        tracked.evaluate("security")
    assert not os.path.exists(tracked.workspace.path("artifacts"))


def test_a_document_that_is_gone_is_broken(tracked):
    """After it was evaluated; before that it is missing."""
    tracked.evaluate("architecture")
    for key in ("architecture", "features"):
        os.unlink(os.path.join(tracked.workspace.root, f"specs/{key}.md"))
    assert (standing(tracked).state, standing(tracked, "features").state) == ("broken", "missing")


def test_secrets_stay_out_of_files_that_go_into_git(tracked):
    """Of notes, problems and log."""
    secret = "ghp_" + "A1b2C3d4E5" * 4
    tracked.evaluate("architecture", contradictions=("yes", f"it shows {secret}"))
    add_backlog(tracked.workspace, BacklogItem("architecture", f"remove {secret}"), tracked.author())
    add_log(tracked.workspace, f"saw {secret}", tracked.author())
    assert secret not in tracked.get(MANIFEST) + tracked.get(DETAIL)


def test_every_problem_lies_in_its_detail_and_the_urgent_ones_in_the_manifest(tracked):
    """Thirteen are noted, ten shown, none lost; the room of one that is done is filled."""
    for number in range(13):
        item = BacklogItem("architecture", f"problem {number:02}", "high" if number > 9 else "low")
        assert add_backlog(tracked.workspace, item, tracked.author())
    shown = [item.item for item in read_manifest(tracked.workspace).backlog]
    assert shown[:3] == ["problem 10", "problem 11", "problem 12"] and len(shown) == 10
    assert len(list_backlog(tracked.workspace)[0]) == len(read_detail(tracked.workspace, "architecture").backlog) == 13
    finish_backlog(tracked.workspace, "architecture", "problem 11", tracked.author())
    shown = [item.item for item in read_manifest(tracked.workspace).backlog]
    assert len(shown) == 10 and "problem 11" not in shown
    assert len(list_backlog(tracked.workspace)[0]) == 12


def test_a_problem_that_stands_in_the_manifest_only_is_not_lost_when_it_leaves(tracked):
    """As those of a manifest that another tool wrote."""
    rows = "".join(f"  - {{artifact: features, item: old {number}, priority: low}}\n" for number in range(10))
    tracked.put(MANIFEST, tracked.get(MANIFEST).replace("backlog: []\n", f"backlog:\n{rows}"))
    add_backlog(tracked.workspace, BacklogItem("architecture", "new", "high"), tracked.author())
    assert [item.item for item in read_detail(tracked.workspace, "features").backlog] == ["old 9"]
    assert len(list_backlog(tracked.workspace)[0]) == 11


def test_the_same_problem_is_noted_once_with_its_last_priority(tracked):
    """And its first day."""
    long = "The section on caching does not say when entries become invalid, nor who may clear them"
    assert add_backlog(tracked.workspace, BacklogItem("architecture", long, "low"), tracked.author())
    tracked.now += 86_400
    assert not add_backlog(tracked.workspace, BacklogItem("architecture", long, "high"), tracked.author())
    assert list_backlog(tracked.workspace)[0] == (BacklogItem("architecture", long, "high", "2026-02-20"),)
    assert [item.priority for item in read_manifest(tracked.workspace).backlog] == ["high"]


@pytest.mark.parametrize("words", ["problem", "nothing like it"])
def test_words_that_fit_none_or_several_finish_nothing(tracked, words):
    """The error counts them."""
    for number in range(2):
        add_backlog(tracked.workspace, BacklogItem("architecture", f"problem {number}"), tracked.author())
    with pytest.raises(HoldfastError, match="have these words|has these words"):
        finish_backlog(tracked.workspace, "architecture", words, tracked.author())
    assert len(list_backlog(tracked.workspace)[0]) == 2


def test_everything_that_happens_is_in_the_audit_log(tracked):
    """With who and what, without the texts."""
    tracked.evaluate("architecture")
    add_backlog(tracked.workspace, BacklogItem("architecture", "a"), tracked.author())
    finish_backlog(tracked.workspace, "architecture", "a", tracked.author())
    add_log(tracked.workspace, "b", tracked.author())
    lines = tracked.get(".holdfast/events/person.jsonl").splitlines()
    kinds = [json.loads(line)["kind"] for line in lines]
    assert kinds == ["spec.scanned", "spec.evaluated", "spec.backlog", "spec.backlog-done", "spec.log"]


def test_hand_edits_in_the_middle_stay(tracked):
    """Comments, unknown fields, order and quoting, in both tiers, through every action."""
    marks = ("# by hand", "team: 'blue'   # odd  spacing", "  - {artifact: features, item: 'by  hand', priority: low}")
    text = tracked.get(MANIFEST).replace("backlog: []", f"{marks[0]}\n{marks[1]}\nbacklog:\n{marks[2]}")
    tracked.put(MANIFEST, text)
    tracked.put(DETAIL, "# mine\nartifact: architecture\nx: [1,  2]\nlast_evaluated: null\nchecklist:\n# c\n")
    tracked.evaluate("architecture")
    add_backlog(tracked.workspace, BacklogItem("architecture", "a"), tracked.author())
    finish_backlog(tracked.workspace, "architecture", "a", tracked.author())
    add_log(tracked.workspace, "b", tracked.author())
    assert [mark for mark in marks if mark not in tracked.get(MANIFEST)] == []
    assert [mark for mark in ("# mine\n", "x: [1,  2]\n", "# c\n") if mark not in tracked.get(DETAIL)] == []


def test_an_editor_that_is_faster_is_not_overwritten(tracked):
    """The action is worked out again on what the editor wrote."""
    tries = []

    def work(files):
        text = files.manifest
        if not tries:
            tracked.put(MANIFEST, text + "# just saved\n")
        tries.append(text)
        files.put_manifest(text.replace("log:", "more: 1\nlog:"))

    transact(tracked.workspace, work)
    assert len(tries) == 2
    assert tracked.get(MANIFEST).endswith("# just saved\n") and "more: 1" in tracked.get(MANIFEST)


def test_the_detail_is_written_before_the_manifest(tracked, monkeypatch):
    """Always."""
    order = []
    real = store.replace_text
    monkeypatch.setattr(
        store, "replace_text", lambda path, *rest: order.append(os.path.basename(path)) or real(path, *rest)
    )
    tracked.evaluate("architecture")
    add_backlog(tracked.workspace, BacklogItem("features", "a"), tracked.author())
    assert order == ["architecture.yaml", "manifest.yaml", "features.yaml", "manifest.yaml"]


@pytest.mark.parametrize(
    ("path", "text", "where"),
    [
        (MANIFEST, "artifacts: {a: [\n", r"manifest.yaml:\d"),
        (MANIFEST, "version: 1\n<<<<<<< HEAD\n", "manifest.yaml:2: an unsettled merge conflict"),
        (MANIFEST, "version: 9\n", "update holdfast"),
        (DETAIL, "checklist: [\n", r"architecture.yaml:\d"),
        (DETAIL, "a: 1\n=======\n", "architecture.yaml:2: an unsettled merge conflict"),
        (DETAIL, "version: 2\n", "update holdfast"),
    ],
)
def test_what_cannot_be_read_without_loss_is_not_written(tracked, path, text, where):
    """Neither of the two files changes."""
    tracked.put(path, text)
    before = [tracked.get(MANIFEST), os.path.exists(tracked.workspace.path("artifacts"))]
    with pytest.raises(HoldfastError, match=where):
        tracked.evaluate("architecture")
    assert (tracked.get(path), tracked.get(MANIFEST)) == (text, before[0])
    assert os.path.exists(tracked.workspace.path("artifacts")) == before[1]


def test_a_broken_detail_is_broken_and_first(tracked):
    """The survey goes on without it."""
    tracked.put(".holdfast/artifacts/features.yaml", "a: [\n")
    tracked.evaluate("architecture")
    found = make_survey(tracked.workspace).standings
    assert [(one.key, one.state) for one in found] == [("features", "broken"), ("architecture", "current")]
    assert "features.yaml:2" in found[0].reason


def test_a_detail_that_cannot_be_read_does_not_hide_the_problems_of_others(tracked):
    """It is told; asked for by name it is an error."""
    add_backlog(tracked.workspace, BacklogItem("architecture", "a"), tracked.author())
    tracked.put(".holdfast/artifacts/features.yaml", "last_evaluated: null\nbacklog: [\n")
    items, unread = list_backlog(tracked.workspace)
    assert [item.item for item in items] == ["a"]
    assert unread[0].startswith(".holdfast/artifacts/features.yaml:")
    with pytest.raises(HoldfastError):
        list_backlog(tracked.workspace, "features")


def test_a_key_is_no_way_out_of_the_folder(tracked):
    """Nor is a document outside the project."""
    for key in ("../x", "a/b", "", "A", "x" * 80):
        with pytest.raises(HoldfastError):
            tracked.answer(key, current=("yes", ""))
    tracked.put(MANIFEST, "artifacts:\n  architecture: {path: ../../outside.md}\n")
    with pytest.raises(HoldfastError, match="there is no file"):
        tracked.evaluate("architecture")
