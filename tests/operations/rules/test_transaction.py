"""An edit of several files, whole or not at all."""

import errno
import os

import pytest

from limpet.ground.errors import LimpetError
from limpet.ground.storage import durable
from limpet.operations.rules import transaction
from limpet.operations.rules.transaction import carry_out_edit, read_rule_file

from ...conversation import write, write_over_shipped

MANIFEST, QA = ".limpet/rules/manifest", ".limpet/rules/qa"


@pytest.fixture
def project(workspace):
    """A manifest and a domain file."""
    write_over_shipped(workspace, "QA_RECALL=test\n", qa="QA_RULE_0=a\n")
    return workspace


def text(workspace, path):
    with open(os.path.join(workspace.root, path)) as file:
        return file.read()


def test_what_somebody_else_wrote_meanwhile_is_planned_upon_again(project):
    """An editor that knows no lock loses nothing."""
    planned = []

    def plan():
        change = read_rule_file(project, QA)
        if not planned:
            write(project.path("rules", "qa"), "QA_RULE_0=by hand\n")
        planned.append(change.before)
        return (change.replace(after=f"{change.before}QA_RULE_1=b\n"),)

    carry_out_edit(project, plan, dry_run=False)
    assert planned == ["QA_RULE_0=a\n", "QA_RULE_0=by hand\n"]
    assert text(project, QA) == "QA_RULE_0=by hand\nQA_RULE_1=b\n"


def test_who_is_never_left_alone_gives_up(project):
    """After some tries, with nothing written."""
    count = iter(range(100))

    def plan():
        change = read_rule_file(project, QA)
        write(project.path("rules", "qa"), f"QA_RULE_0={next(count)}\n")
        return (change.replace(after="lost"),)

    with pytest.raises(LimpetError, match="Another process is writing the rules; nothing was changed"):
        carry_out_edit(project, plan, dry_run=False)
    assert "lost" not in text(project, QA)


@pytest.mark.parametrize("failing", ["new", "manifest"])
def test_a_write_that_fails_takes_the_others_back(project, monkeypatch, failing):
    """New files go, old ones get their text back."""
    real = durable.replace_patiently

    def replace(draft, path):
        if path.endswith(failing):
            raise PermissionError(13, "Permission denied", path)
        real(draft, path)

    monkeypatch.setattr(durable, "replace_patiently", replace)
    with pytest.raises(
        LimpetError, match=f"Cannot write the file .Permission denied.; nothing was changed: .*{failing}"
    ):
        carry_out_edit(project, three_changes(project), dry_run=False)
    assert is_as_before(project)


@pytest.mark.parametrize("full_from", [1, 2, 3])
def test_a_full_disk_changes_no_file(project, monkeypatch, full_from):
    """There is room for none of them before there is room for all: taking one back would need room too."""
    real, written = durable.write_all, []

    def write(handle, raw):
        written.append(raw)
        if len(written) >= full_from:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(handle, raw)

    monkeypatch.setattr(durable, "write_all", write)
    monkeypatch.setattr(transaction, "write_durably", lambda *_: pytest.fail("something was taken back"))
    with pytest.raises(
        LimpetError, match="Cannot write the file .No space left on device.; nothing was changed: the rules"
    ):
        carry_out_edit(project, three_changes(project), dry_run=False)
    assert is_as_before(project)


def three_changes(project):
    """A plan that changes two files and makes a third."""

    def plan():
        new = read_rule_file(project, ".limpet/rules/new").replace(after="x\n")
        return (
            read_rule_file(project, QA).replace(after="y\n"),
            new,
            read_rule_file(project, MANIFEST).replace(after="z\n"),
        )

    return plan


def is_as_before(project):
    """Whether nothing of it is left, drafts neither."""
    names = sorted(os.listdir(project.path("rules")))
    return (text(project, MANIFEST), text(project, QA), names) == (
        "QA_RECALL=test\n",
        "QA_RULE_0=a\n",
        ["manifest", "qa"],
    )


def test_two_removals_in_one_moment_are_kept_apart(project):
    """Each in a folder of its own."""

    def plan():
        return (read_rule_file(project, QA).replace(after=None),)

    first = carry_out_edit(project, plan, dry_run=False, keep_at=1_800_000_000.0)
    write(project.path("rules", "qa"), "QA_RULE_0=second\n")
    second = carry_out_edit(project, plan, dry_run=False, keep_at=1_800_000_000.0)
    assert first.kept != second.kept
    assert (text(project, f"{first.kept}/qa"), text(project, f"{second.kept}/qa")) == (
        "QA_RULE_0=a\n",
        "QA_RULE_0=second\n",
    )
