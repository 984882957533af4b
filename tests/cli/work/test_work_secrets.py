"""What is typed behind ``limpet work`` and ``spec`` is kept and said again without secrets."""

import os

import pytest

from ...conversation import write
from ...leaks import KNOWN, TOKEN, holding, know_secret, leaks
from ..conftest import inside

TYPED = f"it needs {KNOWN} and {TOKEN}"


@pytest.fixture
def project(workspace, call):
    """A project with a secret in its ``.env``, in the midst of a pipeline; returns what runs a command and gives all
    that it said."""
    know_secret(workspace.root)
    write(os.path.join(workspace.root, "docs", "architecture.md"), "# Architecture\n")
    inside(workspace, "dev")

    def say(*arguments):
        done = call(*arguments)
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    say("work", "start", "greenfield")
    say("work", "spec", "scan", "--write")
    return say


@pytest.mark.parametrize(
    "words",
    [
        ("set", "--squad", KNOWN),
        ("set", "--squad", KNOWN, "--session", "of-dev"),
        ("start", KNOWN),
        ("set", "--mode", KNOWN),
    ],
)
def test_a_refusal_does_not_say_the_secret_that_was_typed(project, workspace, words):
    """Nor is it kept: nothing has this name."""
    assert leaks(workspace, project("work", *words), project("work", "status", "--json")) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("work", "start", "greenfield", "--afresh", "--name", TYPED),
        ("work", "set", "--task", TYPED, "--id", KNOWN),
        ("work", "set", "--task", TYPED, "--session", "of-dev"),
        ("work", "start", KNOWN, "--session", "of-dev"),
        ("work", "set", "--mode", "build", "--reason", TYPED),
        ("work", "deviate", "off_topic", TYPED, "--progress", TYPED),
        ("work", "spec", "log", TYPED),
        ("work", "spec", "backlog", "architecture", TYPED),
        ("work", "spec", "evaluate", "architecture", "--answer", "components=yes", "--note", f"components={TYPED}"),
    ],
    ids=lambda each: "-".join(each[:3]),
)
def test_no_file_and_no_answer_holds_the_secret_that_was_typed(project, workspace, arguments):
    """Neither a value of ``.env`` nor a token of a known form; and the rest of the words is there."""
    assert leaks(workspace, project(*arguments), project("work", "status", "--json")) == []
    assert holding(workspace, "[redacted:known-secret]")


@pytest.mark.parametrize("words", [("back", "greenfield-wu", "--reason", TYPED), ("deviate", "--resolve")])
def test_later_moves_keep_no_secret_either(project, workspace, override, words):
    """Going back, coming back."""
    override(reason=TYPED)
    project("work", "deviate", "off_topic", TYPED)
    assert leaks(workspace, project("work", *words), project("work", "status", "--json")) == []


def test_a_workflow_that_is_called_like_a_value_of_env_can_be_started(workspace, call):
    """Names that are known are no secrets."""
    write(os.path.join(workspace.root, ".env"), "AUTH_FLOW=greenfield\nAUTH_MODE=planning\n")
    assert call("work", "start", "greenfield").returncode == 0
    inside(workspace, "dev")
    assert call("work", "set", "--mode", "planning", "--session", "of-dev").stdout.startswith("pipeline mode: planning")
    assert holding(workspace, "workflow: greenfield")
