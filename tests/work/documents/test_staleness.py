"""Which documents may no longer be true: by git, and by file times where there is none."""

import os
import subprocess

import pytest

from holdfast.work.documents import tree
from holdfast.work.documents.staleness import Change, change_since, latest_changes
from holdfast.work.documents.survey import make_survey

from .conftest import NOW


def git(workspace, *words, moment=NOW):
    who = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    when = {f"GIT_{who}_DATE": f"{int(moment)} +0000" for who in ("AUTHOR", "COMMITTER")}
    subprocess.run(
        ["git", *words], cwd=workspace.root, env={**os.environ, **who, **when}, check=True, capture_output=True
    )


@pytest.fixture(params=["git", "files"])
def evaluated(project, request):
    """A project with two documents, evaluated at NOW, everything older than that; once in a repository, once not."""
    project.put("src/a.py")
    project.put("README.txt")
    project.track("architecture", "dependencies")
    if request.param == "git":
        git(project.workspace, "init", "-q")
        git(project.workspace, "add", "-A")
        git(project.workspace, "commit", "-qm", "x", moment=NOW - 500)
    project.evaluate("architecture")
    project.evaluate("dependencies")
    project.git = request.param == "git"
    return project


def states(project):
    return {one.key: one.state for one in make_survey(project.workspace).statuses}


def test_nothing_is_stale_right_after_its_evaluation(evaluated):
    """Nor after what was evaluated is committed."""
    assert states(evaluated) == {"architecture": "current", "dependencies": "current"}
    if evaluated.git:
        git(evaluated.workspace, "add", "-A", moment=NOW + 60)
        git(evaluated.workspace, "commit", "-qm", "y", moment=NOW + 60)
        assert states(evaluated) == {"architecture": "current", "dependencies": "current"}


def test_what_was_evaluated_before_it_was_committed_stays_current(project):
    """Write, evaluate, commit: the usual order."""
    project.put("src/a.py")
    project.track("architecture")
    git(project.workspace, "init", "-q")
    project.evaluate("architecture")
    git(project.workspace, "add", "-A")
    git(project.workspace, "commit", "-qm", "x", moment=NOW + 60)
    assert states(project) == {"architecture": "current"}


@pytest.mark.parametrize(
    ("path", "stale"),
    [
        ("src/a.py", {"architecture"}),
        ("src/new.py", {"architecture"}),
        ("specs/architecture.md", {"architecture"}),
        ("pyproject.toml", {"dependencies"}),
        ("README.txt", set()),
    ],
)
def test_a_later_change_makes_those_stale_that_it_concerns(evaluated, path, stale):
    """The document itself, and what its type watches; of files that git does not keep yet too."""
    evaluated.put(path, "changed\n", NOW + 5)
    assert {key for key, state in states(evaluated).items() if state == "stale"} == stale
    if evaluated.git:
        git(evaluated.workspace, "add", "-A")
        git(evaluated.workspace, "commit", "-qm", "y", moment=NOW + 60)
        assert {key for key, state in states(evaluated).items() if state == "stale"} == stale


def test_a_change_of_the_same_day_counts(evaluated):
    """Days alone could not tell it from one before the evaluation."""
    evaluated.put("src/a.py", "y\n", NOW + 1)
    assert states(evaluated)["architecture"] == "stale"


def test_a_change_committed_in_the_second_of_the_evaluation_counts(evaluated):
    """Git keeps whole seconds: the commit's own moment lies before the evaluation that it came after."""
    evaluated.put("src/a.py", "y\n", NOW + 0.05)
    if evaluated.git:
        git(evaluated.workspace, "add", "-A", moment=NOW)
        git(evaluated.workspace, "commit", "-qm", "y", moment=NOW)
    assert states(evaluated)["architecture"] == "stale"


def test_a_document_that_git_ignores_is_watched_by_its_file_time(evaluated):
    """From the start, or since it was taken out of git; one outside the project changes nothing for the others."""
    evaluated.put(".gitignore", "specs/\n")
    text = evaluated.get(".holdfast/manifest.yaml")
    evaluated.put(".holdfast/manifest.yaml", text.replace("artifacts:", "artifacts:\n  x: {path: ../x.md}"))
    if evaluated.git:
        git(evaluated.workspace, "rm", "-rq", "--cached", "specs")
        git(evaluated.workspace, "add", "-A")
        git(evaluated.workspace, "commit", "-qm", "y", moment=NOW - 400)
    assert states(evaluated)["dependencies"] == "current"
    evaluated.put("specs/dependencies.md", "changed\n", NOW + 5)
    assert states(evaluated)["dependencies"] == "stale"


def test_a_document_in_a_folder_that_is_not_looked_into_is_watched_too(evaluated):
    """Hidden, or of the kind that is built."""
    text = evaluated.get(".holdfast/manifest.yaml")
    for place in (".docs/dependencies.md", "build/dependencies.md"):
        evaluated.put(".holdfast/manifest.yaml", text.replace("specs/dependencies.md", place))
        evaluated.put(place)
        assert states(evaluated)["dependencies"] == "current"
        evaluated.put(place, "changed\n", NOW + 5)
        assert states(evaluated)["dependencies"] == "stale"


def test_a_path_that_a_hand_wrote_otherwise_is_the_same_path(evaluated):
    """``./specs/x.md`` changes as ``specs/x.md`` does."""
    text = evaluated.get(".holdfast/manifest.yaml")
    evaluated.put(".holdfast/manifest.yaml", text.replace("path: specs/dep", "path: ./specs/dep"))
    assert states(evaluated)["dependencies"] == "current"
    evaluated.put("specs/dependencies.md", "changed\n", NOW + 5)
    assert states(evaluated)["dependencies"] == "stale"


def test_a_deleted_file_is_a_change(project):
    """Told by git, once it took that in."""
    project.put("src/a.py")
    project.put("src/b.py")
    project.track("architecture")
    git(project.workspace, "init", "-q")
    git(project.workspace, "add", "-A")
    git(project.workspace, "commit", "-qm", "x", moment=NOW - 500)
    project.evaluate("architecture")
    git(project.workspace, "rm", "-q", "src/b.py")
    git(project.workspace, "commit", "-qm", "y", moment=NOW + 50)
    assert make_survey(project.workspace).statuses[0].reason.startswith("src/b.py changed")


def test_a_checkout_that_writes_files_anew_makes_nothing_stale(project):
    """A file's own time is later, what it holds is not."""
    project.put("src/a.py")
    project.track("architecture")
    git(project.workspace, "init", "-q")
    git(project.workspace, "add", "-A")
    git(project.workspace, "commit", "-qm", "x", moment=NOW - 500)
    project.evaluate("architecture")
    project.put("src/a.py", moment=NOW + 900)
    project.put("specs/architecture.md", moment=NOW + 900)
    assert states(project) == {"architecture": "current"}


def test_without_a_time_the_whole_day_counts(project):
    """A false alarm rather than a change that is missed."""
    project.track("architecture")
    project.evaluate("architecture")
    for path in (".holdfast/manifest.yaml", ".holdfast/artifacts/architecture.yaml"):
        text = project.get(path).replace(', time: "12:00:05.931Z"', "").replace('time: "12:00:05.931Z"\n', "")
        project.put(path, text)
    project.put("src/a.py", "x", NOW - 3600)
    assert states(project) == {"architecture": "stale"}


def test_git_is_asked_four_times_whatever_there_is(evaluated, monkeypatch):
    """Once for commits, once for the filters that must not run, twice for what is not committed."""
    asked = []
    real = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda *words, **more: asked.append(words) or real(*words, **more))
    make_survey(evaluated.workspace)
    assert len(asked) <= 4


def test_a_git_that_cannot_tell_leaves_the_file_times(evaluated, monkeypatch):
    """As where there is none."""
    monkeypatch.setattr(tree, "all_commit_times", lambda *_: None)
    evaluated.put("src/a.py", "y\n", NOW + 5)
    assert states(evaluated)["architecture"] == "stale"


def test_the_latest_change_is_found_once_for_all_that_watch_alike():
    """State of ours is no change."""
    changes = {"a.py": 3.0, "b.py": 7.0, ".holdfast/x.py": 9.0, "c.md": 8.0}
    latest = latest_changes(changes, [("*.py",), ("*.py",), ()])
    assert latest == {("*.py",): Change("b.py", 7.0), (): None}
    assert change_since(5.0, "c.md", (), changes, latest) == Change("c.md", 8.0)
    assert change_since(5.0, "", ("*.py",), changes, latest) == Change("b.py", 7.0)
    assert change_since(7.5, "", ("*.py",), changes, latest) is None
