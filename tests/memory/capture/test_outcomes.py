"""What mended a failing command, out of what tools answered and the model said."""

import pytest

from limpet.ground.message import Message
from limpet.memory.capture.outcomes import Activity, CommandRun, activity, read_mends

NO_TABLE = "Exit code 1\nE   sqlalchemy.exc.OperationalError: no such table: jobs"


def run(command, error="", at=0.0):
    return Message(role="tool", tool_input={"command": command}, failed=bool(error), error=error, at=at, offset=int(at))


def tell(text):
    return Message(role="assistant", text=text)


def edit(path):
    return Message(role="tool", tool_input={"file_path": path}, edited=path)


def mends(*messages):
    return [(each.failed, each.words) for each in read_mends(messages)]


def test_what_was_edited_between_failing_and_passing_mended_it():
    """The command may differ in how much of its output is shown."""
    failed = run("cd app && pytest -q 2>&1 | tail -5", NO_TABLE)
    ((error, words),) = mends(failed, edit("a.py"), failed, edit("b.py"), run("pytest -q"))
    assert error == "`pytest -q` failed: sqlalchemy.exc.OperationalError: no such table: jobs"
    assert words == "gone from `pytest -q` after changes to `a.py`, `b.py`"


def test_a_mend_is_told_in_the_words_of_who_mended_it():
    """Without what only tells a step; the error is known again by its signature."""
    told = tell("Let me look. The problem was that the fixture never created the table. I'll run it again.")
    (found,) = read_mends([run("pytest", NO_TABLE), told, edit("a.py"), run("pytest")])
    assert found.words == "The problem was that the fixture never created the table."
    assert found.error.endswith("no such table: jobs") and found.failure.signature


def test_cause_and_mend_come_from_several_messages():
    """Without the question between them."""
    said = ("The problem is that the cookie lacks SameSite.", "Shall I go on?", "Fixed: the cookie now has it.")
    ((_, words),) = mends(run("pytest", NO_TABLE), *map(tell, said), edit("a.py"), run("pytest"))
    assert words == f"{said[0]}\n{said[2]}"


def test_the_reason_is_what_explains_the_failure_until_it_passed():
    """Not what tells of other work, a failure that was wanted, or what is said later."""
    wanted, why = tell("The test fails as expected."), tell("The problem is that the cookie lacks SameSite.")
    other, late = tell("Fixed the grammar of the greeting."), tell("The issue is the next one.")
    said = [run("pytest", NO_TABLE), wanted, why, edit("a.py"), other, run("pytest"), tell("Done."), late]
    (found,) = read_mends(said)
    assert found.reason == why.text
    again = [run("pytest", "Exit code 1\nE   KeyError: 'rate'"), edit("a.py"), run("pytest", NO_TABLE), run("pytest")]
    (found,) = read_mends(again)
    assert found.failure.first == "KeyError: 'rate'" and found.failure.error.endswith("jobs") and found.reason == ""


def test_a_fix_may_be_told_up_to_two_turns_later():
    """In words that tell of one; not later than that."""
    on = Message(role="user", text="Go on.")
    why = tell("The problem was that the fixture never created the table.")
    edited = (run("pytest", NO_TABLE), edit("a.py"))
    ((_, words),) = mends(*edited, run("pytest", NO_TABLE), on, tell("Let me look."), on, why, run("pytest"))
    assert words == why.text
    ((_, words),) = mends(*edited, run("pytest", NO_TABLE), on, on, on, why, run("pytest"))
    assert words.startswith("gone from")


def test_edits_before_a_second_failure_count_too():
    """They may be part of the fix."""
    found = mends(run("pytest", NO_TABLE), edit("a.py"), run("pytest", NO_TABLE), edit("b.py"), run("pytest"))
    assert "`a.py`, `b.py`" in found[-1][1]


GREP = run("grep -rn x src", "Exit code 1\nerror: x")
SILENT = run("make", "Exit code 3")
MISSED = Message(role="tool", tool_input={"file_path": "a"}, failed=True, error="String not found")


@pytest.mark.parametrize(
    "messages",
    [
        (run("pytest", NO_TABLE), edit("a.py"), run("pytest")),
        (run("pytest", NO_TABLE), run("pytest", NO_TABLE), run("pytest")),
        (GREP, edit("a.py"), GREP, run("grep -rn x src")),
        (SILENT, edit("a.py"), SILENT, run("make")),
        (MISSED, edit("a.py"), MISSED),
    ],
    ids=["at once and without a word", "without an edit", "only a look", "an error that says nothing", "no command"],
)
def test_what_mended_nothing_is_none(messages):
    """A typing error, a flaky test, an answer of grep, the model's own slip."""
    assert mends(*messages) == []


def run_activity(command, failed=False):
    return Message(role="tool", tool_input={"command": command}, failed=failed)


def said(role, text):
    return Message(role=role, text=text)


def test_edits_and_runs_are_counted():
    """Files as they first came; runs with failures, however much of the output was shown, but not looks."""
    edits = [edit(path) for path in ("b.py", "a.py", "b.py")]
    runs = [
        run_activity("ls"),
        run_activity("make | tail -3", failed=True),
        run_activity("cd x && make"),
        run_activity("npm i", failed=True),
    ]
    done = activity([*edits, *runs])
    assert done.files == (("b.py", 2), ("a.py", 1))
    assert done.runs == (CommandRun("make", 2, 1, False), CommandRun("npm i", 1, 1, True))


def test_what_the_model_asked_last_is_open_until_the_user_answers():
    """Tools in between answer nothing, and any answer does."""
    asked = activity([said("user", "Why?"), said("assistant", "Done. Shall I push? Or wait?"), run_activity("make")])
    assert asked.questions == ("Shall I push?", "Or wait?")
    assert activity([said("assistant", "Shall I push?"), said("user", "no")]) == Activity()
