"""What was edited, run and left open."""

from limpet.memory.capture.outcomes import Activity, CommandRun, activity
from limpet.transcripts.messages import Message


def run(command, failed=False):
    return Message(role="tool", tool_input={"command": command}, failed=failed)


def said(role, text):
    return Message(role=role, text=text)


def test_edits_are_counted_by_file():
    """In the order in which the files first came."""
    edits = [Message(role="tool", edited=path) for path in ("b.py", "a.py", "b.py")]
    assert activity(edits).files == (("b.py", 2), ("a.py", 1))


def test_runs_are_counted_with_their_failures():
    """However much of their output was shown; commands that only look are left out."""
    runs = activity(
        [run("ls"), run("make | tail -3", failed=True), run("cd x && make"), run("npm i", failed=True)]
    ).runs
    assert runs == (CommandRun("make", 2, 1, False), CommandRun("npm i", 1, 1, True))


def test_what_the_model_asked_last_is_open():
    """Tools in between answer nothing."""
    asked = activity([said("user", "Why?"), said("assistant", "Done. Shall I push? Or wait?"), run("make")])
    assert asked.questions == ("Shall I push?", "Or wait?")


def test_what_the_user_has_answered_is_not_open():
    """Whatever the answer."""
    assert activity([said("assistant", "Shall I push?"), said("user", "no")]) == Activity()
