"""Evaluating documents and noting where they lie, on the files."""

import json
import os

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.documents import store
from limpet.work.documents.evaluation import add_backlog, add_log, evaluate, finish_backlog, list_backlog
from limpet.work.documents.form import BacklogItem
from limpet.work.documents.scan import DocumentCandidate, write_candidates
from limpet.work.documents.store import read_detail, read_documents_manifest, transact
from limpet.work.documents.survey import VAGUE, make_survey, propose_priorities

from ...places import private_path
from .conftest import NOW

MANIFEST = ".limpet/manifest.yaml"
DETAIL = ".limpet/artifacts/architecture.yaml"


def test_an_evaluation_sets_score_moment_and_log(tracked):
    """In both tiers the same moment."""
    tracked.evaluate("architecture", relationships=("no", "no queue"))
    artifact = read_documents_manifest(tracked.workspace).artifact("architecture")
    detail = read_detail(tracked.workspace, "architecture")
    assert (artifact.score, artifact.status) == (4, "current")
    for one in (artifact, detail):
        assert (one.last_evaluated, one.time) == ("2026-02-20", "12:00:05.931Z")
    assert read_documents_manifest(tracked.workspace).log[0] == "2026-02-20: Evaluated architecture (4/5)"
    assert tracked.status().state == "current"


def test_an_incomplete_evaluation_stays_work_in_progress(tracked):
    """The last score stands until every item is answered."""
    tracked.evaluate("architecture")
    found = tracked.answer("architecture", components=("yes", ""))
    assert (found.score.level, tracked.status().state, tracked.status().score) == (None, "wip", 5)
    assert tracked.status().reason == "evaluation: 1 of 12 answered"
    rest = dict.fromkeys(found.score.unanswered, ("no", ""))
    assert tracked.answer("architecture", **rest).score.level == 1
    assert (tracked.status().state, read_detail(tracked.workspace, "architecture").wip) == ("current", "")
    assert read_documents_manifest(tracked.workspace).log[0].endswith("Evaluated architecture (5 -> 1/5)")


@pytest.mark.parametrize("wip", ["half done", '"half: done"', "'half: done'", "|-\n  half: done", "half done  # ours"])
def test_a_note_on_work_in_progress_of_somebody_else_stays(tracked, wip):
    """Read as YAML reads it; an evaluation does not finish that work."""
    tracked.put(DETAIL, f"artifact: architecture\nlast_evaluated: null\nwip: {wip}\n")
    for _ in range(2):
        assert (tracked.status().state, tracked.status().reason.replace(":", "")) == ("wip", "half done")
        tracked.evaluate("architecture")


def test_an_evaluation_that_the_manifest_does_not_know_of_is_done_again(tracked):
    """Also where the one before it was of the same day."""
    tracked.evaluate("architecture")
    before = tracked.get(MANIFEST)
    tracked.now += 60
    tracked.evaluate("architecture", current=("no", ""))
    tracked.put(MANIFEST, before)
    assert (tracked.status().state, tracked.status().score) == ("stale", 5)
    assert "interrupted" in tracked.status().reason


def test_what_is_not_written_cannot_be_evaluated(tracked):
    """Nor a document of which nobody knows, by a key that is a way out of the folder, or outside the project."""
    os.unlink(os.path.join(tracked.workspace.root, "specs/architecture.md"))
    with pytest.raises(LimpetError, match="File specs/architecture.md does not exist"):
        tracked.evaluate("architecture")
    with pytest.raises(LimpetError, match="Document 'security' is not tracked"):
        tracked.evaluate("security")
    for key in ("../x", "a/b", "", "A", "x" * 80):
        with pytest.raises(LimpetError):
            tracked.answer(key, current=("yes", ""))
    tracked.put(MANIFEST, "artifacts:\n  architecture: {path: ../../outside.md}\n")
    with pytest.raises(LimpetError, match="does not exist"):
        tracked.evaluate("architecture")
    assert not os.path.exists(tracked.workspace.path("artifacts"))


def test_a_document_that_is_gone_is_missing(tracked):
    """After it was evaluated; before that it is missing."""
    tracked.evaluate("architecture")
    for key in ("architecture", "features"):
        os.unlink(os.path.join(tracked.workspace.root, f"specs/{key}.md"))
    assert (tracked.status().state, tracked.status("features").state) == ("missing", "missing")


def test_secrets_stay_out_of_files_that_go_into_git(tracked):
    """Of notes, problems and log."""
    secret = "ghp_" + "A1b2C3d4E5" * 4
    tracked.evaluate("architecture", contradictions=("yes", f"it shows {secret}"))
    add_backlog(tracked.workspace, BacklogItem("architecture", f"remove {secret}"), tracked.actor())
    add_log(tracked.workspace, f"saw {secret}", tracked.actor())
    assert secret not in tracked.get(MANIFEST) + tracked.get(DETAIL)


def test_an_editor_that_is_faster_is_not_overwritten(tracked):
    """The action is worked out again on what the editor wrote."""
    tries = []

    def work(state):
        manifest = state.manifest
        if not tries:
            tracked.put(MANIFEST, tracked.get(MANIFEST) + "# just saved\n")
        tries.append(manifest)
        state.put(manifest.logged("2026-02-20", "something", 5))

    transact(tracked.workspace, work)
    assert len(tries) == 2
    assert tracked.get(MANIFEST).endswith("# just saved\n") and "something" in tracked.get(MANIFEST)


def test_the_detail_is_written_before_the_manifest(tracked, monkeypatch):
    """Always."""
    order = []
    real = store.replace_text
    monkeypatch.setattr(
        store, "replace_text", lambda path, *rest: order.append(os.path.basename(path)) or real(path, *rest)
    )
    tracked.evaluate("architecture")
    add_backlog(tracked.workspace, BacklogItem("features", "a"), tracked.actor())
    assert order == ["architecture.yaml", "manifest.yaml", "features.yaml", "manifest.yaml"]


@pytest.mark.parametrize(
    ("path", "text", "where"),
    [
        (MANIFEST, "artifacts: {a: [\n", r"manifest.yaml:\d"),
        (MANIFEST, "version: 1\n<<<<<<< HEAD\n", "manifest.yaml:2: Unresolved merge conflict"),
        (MANIFEST, "version: 9\n", "Update Limpet"),
        (DETAIL, "checklist: [\n", r"architecture.yaml:\d"),
        (DETAIL, "a: 1\n=======\n", "architecture.yaml:2: Unresolved merge conflict"),
        (DETAIL, "version: 2\n", "Update Limpet"),
    ],
)
def test_what_cannot_be_read_without_loss_is_not_written(tracked, path, text, where):
    """Neither of the two files changes."""
    tracked.put(path, text)
    before = [tracked.get(MANIFEST), os.path.exists(tracked.workspace.path("artifacts"))]
    with pytest.raises(LimpetError, match=where):
        tracked.evaluate("architecture")
    assert (tracked.get(path), tracked.get(MANIFEST)) == (text, before[0])
    assert os.path.exists(tracked.workspace.path("artifacts")) == before[1]


@pytest.mark.parametrize(
    "text", ["a: [\n", "last_evaluated: 2026-02-20\nchecklist: [\n", "last_evaluated: null\nwip: a\nwip: b\n"]
)
def test_a_broken_detail_is_broken_and_first(tracked, text):
    """Also behind the lines that the manifest is compared with; the survey goes on without it."""
    tracked.put(".limpet/artifacts/features.yaml", text)
    tracked.evaluate("architecture")
    found = make_survey(tracked.workspace).statuses
    assert [(one.key, one.state) for one in found] == [("features", "broken"), ("architecture", "current")]
    assert "features.yaml:" in found[0].reason


def test_a_problem_noted_about_a_document_without_detail_leaves_its_evaluation_alone(tracked):
    """As of a manifest that another tool wrote: the new detail file knows of no evaluation, the manifest does."""
    row = "{path: specs/architecture.md, score: 3, max_score: 5, status: current, last_evaluated: 2026-02-21}"
    tracked.put(MANIFEST, f"artifacts:\n  architecture: {row}\n")
    add_backlog(tracked.workspace, BacklogItem("architecture", "a gap"), tracked.actor())
    assert (tracked.status().state, tracked.status().score) == ("current", 3)


def test_a_detail_of_a_newer_version_is_told_and_its_document_stands_as_it_did(tracked):
    """Read only, not broken."""
    tracked.evaluate("architecture")
    tracked.put(DETAIL, tracked.get(DETAIL) + "version: 2\n")
    survey = make_survey(tracked.workspace)
    assert survey.problems == ("read-only: a newer Limpet wrote .limpet/artifacts/architecture.yaml",)
    assert tracked.status().state == "current"


def test_a_penalty_whose_example_went_missing_does_not_count_silently(tracked):
    """Whoever took it out of the file; the other answers are not recorded either."""
    tracked.answer("architecture", contradictions=("yes", "line 1 says v1"))
    tracked.put(DETAIL, tracked.get(DETAIL).replace(", note: line 1 says v1", ""))
    before = tracked.get(DETAIL)
    with pytest.raises(LimpetError, match="A penalty needs a cited example: contradictions"):
        tracked.answer("architecture", components=("yes", ""))
    assert tracked.get(DETAIL) == before


def test_a_document_that_moved_keeps_its_evaluation(tracked):
    """Its place is noted, no answer is taken back; the document itself tells whether it changed."""
    tracked.evaluate("architecture", relationships=("no", "no queue"))
    detail = tracked.get(DETAIL)
    tracked.put("docs/a.md", moment=NOW - 900)
    evaluate(tracked.workspace, "architecture", {}, tracked.actor(), path="docs/a.md")
    assert tracked.get(DETAIL) == detail
    assert (tracked.status().path, tracked.status().state, tracked.status().score) == ("docs/a.md", "current", 4)


def test_a_document_is_tracked_by_its_place(tracked):
    """As a draft, with a line in the log; a place where nothing lies is refused."""
    tracked.put("docs/b.md")
    evaluate(tracked.workspace, "billing", {}, tracked.actor(), path="docs/b.md", kind="api-docs")
    assert (tracked.status("billing").state, tracked.status("billing").type) == ("draft", "api-docs")
    assert read_documents_manifest(tracked.workspace).log[0] == "2026-02-20: Tracked billing"
    with pytest.raises(LimpetError, match="File docs/none.md does not exist"):
        evaluate(tracked.workspace, "billing", {}, tracked.actor(), path="docs/none.md")


def test_a_scan_does_not_take_away_a_place_that_was_noted_meanwhile(tracked):
    """It had found nothing, somebody else has."""
    write_candidates(
        tracked.workspace, [DocumentCandidate("architecture", "", "every project needs it")], tracked.actor()
    )
    assert tracked.status().path == "specs/architecture.md"


def test_a_level_that_is_out_of_reach_is_not_asked_for(tracked):
    """The manifest keeps what can be reached while that is less than the best level."""
    tracked.evaluate("architecture", components=("n/a", ""))
    assert "reachable: 4" in tracked.get(MANIFEST)
    assert (tracked.status().score, tracked.status().best) == (4, 4)
    assert [one.key for one in propose_priorities([tracked.status()], VAGUE)] == []
    tracked.evaluate("architecture", relationships=("no", ""))
    assert (tracked.status().score, tracked.status().best) == (4, 5)
    assert [one.action for one in propose_priorities([tracked.status()], VAGUE)] == ["improve"]


def test_every_problem_lies_in_its_detail_and_the_urgent_ones_in_the_manifest(tracked):
    """Thirteen are noted, ten shown, none lost; the room of one that is done is filled."""
    for number in range(13):
        item = BacklogItem("architecture", f"problem {number:02}", "high" if number > 9 else "low")
        assert add_backlog(tracked.workspace, item, tracked.actor())
    shown = [item.item for item in read_documents_manifest(tracked.workspace).backlog]
    assert shown[:3] == ["problem 10", "problem 11", "problem 12"] and len(shown) == 10
    assert len(list_backlog(tracked.workspace)[0]) == len(read_detail(tracked.workspace, "architecture").backlog) == 13
    finish_backlog(tracked.workspace, "architecture", "problem 11", tracked.actor())
    shown = [item.item for item in read_documents_manifest(tracked.workspace).backlog]
    assert len(shown) == 10 and "problem 11" not in shown
    assert len(list_backlog(tracked.workspace)[0]) == 12


def test_a_problem_that_stands_in_the_manifest_only_is_not_lost_when_it_leaves(tracked):
    """As those of a manifest that another tool wrote."""
    rows = "".join(f"  - {{artifact: features, item: old {number}, priority: low}}\n" for number in range(10))
    tracked.put(MANIFEST, tracked.get(MANIFEST).replace("backlog: []\n", f"backlog:\n{rows}"))
    add_backlog(tracked.workspace, BacklogItem("architecture", "new", "high"), tracked.actor())
    assert [item.item for item in read_detail(tracked.workspace, "features").backlog] == ["old 9"]
    assert len(list_backlog(tracked.workspace)[0]) == 11


def test_the_same_problem_is_noted_once_with_its_last_priority(tracked):
    """And its first day; a detail that cannot be read hides no problem of others. Asked for by name it is an error."""
    long = "The section on caching does not say when entries become invalid, nor who may clear them"
    assert add_backlog(tracked.workspace, BacklogItem("architecture", long, "low"), tracked.actor())
    tracked.now += 86_400
    assert not add_backlog(tracked.workspace, BacklogItem("architecture", long, "high"), tracked.actor())
    tracked.put(".limpet/artifacts/features.yaml", "last_evaluated: null\nbacklog: [\n")
    items, unread = list_backlog(tracked.workspace)
    assert items == (BacklogItem("architecture", long, "high", "2026-02-20"),)
    assert unread[0].startswith(".limpet/artifacts/features.yaml:")
    with pytest.raises(LimpetError):
        list_backlog(tracked.workspace, "features")
    assert [item.priority for item in read_documents_manifest(tracked.workspace).backlog] == ["high"]


@pytest.mark.parametrize("words", ["problem", "nothing like it"])
def test_words_that_fit_none_or_several_finish_nothing(tracked, words):
    """The error counts them."""
    for number in range(2):
        add_backlog(tracked.workspace, BacklogItem("architecture", f"problem {number}"), tracked.actor())
    with pytest.raises(LimpetError, match="contain these words|contains these words"):
        finish_backlog(tracked.workspace, "architecture", words, tracked.actor())
    assert len(list_backlog(tracked.workspace)[0]) == 2


def test_everything_that_happens_is_in_the_audit_log(tracked):
    """With who and what, without the texts."""
    tracked.evaluate("architecture")
    add_backlog(tracked.workspace, BacklogItem("architecture", "a"), tracked.actor())
    finish_backlog(tracked.workspace, "architecture", "a", tracked.actor())
    add_log(tracked.workspace, "b", tracked.actor())
    with open(private_path(tracked.workspace, "events", "person.jsonl"), encoding="utf-8") as log:
        kinds = [json.loads(line)["kind"] for line in log]
    assert kinds == ["spec.scanned", "spec.evaluated", "spec.backlog", "spec.backlog-done", "spec.log"]


def test_hand_edits_in_the_middle_stay(tracked):
    """Comments, unknown fields, order and quoting, in both tiers, through every action."""
    marks = ("# by hand", "team: 'blue'   # odd  spacing", "  - {artifact: features, item: 'by  hand', priority: low}")
    text = tracked.get(MANIFEST).replace("backlog: []", f"{marks[0]}\n{marks[1]}\nbacklog:\n{marks[2]}")
    tracked.put(MANIFEST, text)
    tracked.put(DETAIL, "# mine\nartifact: architecture\nx: [1,  2]\nlast_evaluated: null\nchecklist:\n# c\n")
    tracked.evaluate("architecture")
    add_backlog(tracked.workspace, BacklogItem("architecture", "a"), tracked.actor())
    finish_backlog(tracked.workspace, "architecture", "a", tracked.actor())
    add_log(tracked.workspace, "b", tracked.actor())
    assert [mark for mark in marks if mark not in tracked.get(MANIFEST)] == []
    assert [mark for mark in ("# mine\n", "x: [1,  2]\n", "# c\n") if mark not in tracked.get(DETAIL)] == []
