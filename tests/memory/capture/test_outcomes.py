"""Errors and resolutions out of what tools answered."""

from holdfast.ground.config.defaults import DEFAULTS
from holdfast.memory.capture.outcomes import read_outcomes
from holdfast.transcripts.messages import Message

NO_TABLE = "Exit code 1\nE   sqlalchemy.exc.OperationalError: no such table: jobs"


def run(command, error="", at=0.0):
    return Message(role="tool", tool_input={"command": command}, failed=bool(error), error=error, at=at, offset=int(at))


def tell(text):
    return Message(role="assistant", text=text)


def edit(path):
    return Message(role="tool", tool_input={"file_path": path}, edited=path)


def outcomes(*messages):
    return [(each.type, each.title) for each in read_outcomes(messages, DEFAULTS["memory"])]


def test_the_same_error_is_one_candidate_with_all_its_moments():
    """Numbers and paths in it may differ."""
    first, again = (f"Exit code 1\nTypeError: row {row} of /tmp/{row}.csv has no email" for row in (3, 14))
    (candidate,) = read_outcomes([run("make load", first, 1), run("make load", again, 2)], DEFAULTS["memory"])
    assert (candidate.title, candidate.seen) == ("TypeError: row 3 of /tmp/3.csv has no email", (1.0, 2.0))
    assert candidate.body.startswith("`make load` failed: TypeError")


def test_commands_that_only_look_make_no_errors():
    """Finding nothing is an answer."""
    assert outcomes(run("grep -rn x src", "Exit code 1\nerror: x"), run("A=1 ls y", "ls: cannot access 'y'")) == []


def test_a_failure_that_says_nothing_makes_no_error():
    """There would be nothing to remember."""
    assert outcomes(run("make", "Exit code 3")) == []


def test_a_program_that_is_not_installed_is_no_error_of_the_project():
    """It holds of one machine, for as long as nobody installs it."""
    assert outcomes(run("pnpm test", "Exit code 127\n(eval):1: command not found: pnpm")) == []


def test_tools_other_than_commands_make_no_errors():
    """An edit that misses is the model's slip."""
    assert outcomes(Message(role="tool", tool_input={"file_path": "a"}, failed=True, error="String not found")) == []


def test_what_was_edited_between_failing_and_passing_resolved_it():
    """The command may differ in how much of its output is shown."""
    failed = run("cd app && pytest -q 2>&1 | tail -5", NO_TABLE)
    found = outcomes(failed, edit("a.py"), failed, edit("b.py"), run("pytest -q"))
    assert [each[0] for each in found] == ["resolution"]
    assert "no such table: jobs - gone from `pytest -q` after changes to `a.py`, `b.py`" in found[0][1]


def test_a_mend_is_told_in_the_words_of_who_mended_it():
    """With the error and the files, as one memory."""
    told = tell("Let me look. The problem was that the fixture never created the table. I'll run it again.")
    (found,) = read_outcomes([run("pytest", NO_TABLE), told, edit("a.py"), run("pytest")], DEFAULTS["memory"])
    assert found.title.endswith("no such table: jobs - The problem was that the fixture never created the table")
    assert "`pytest` failed: sqlalchemy" in found.body and "after changes to `a.py`" in found.body
    assert "Let me look" not in found.body and found.signature


def test_a_mend_may_be_told_two_turns_later():
    """By a sentence that tells of a cause or a fix; what else is said meanwhile is not about it."""
    failed, passed = run("pytest", NO_TABLE), run("pytest")
    asked = Message(role="user", text="And now?")
    turns = [failed, edit("a.py"), asked, tell("The report has two pages."), passed, asked]
    (found,) = read_outcomes([*turns, tell("It failed because the fixture never made a table.")], DEFAULTS["memory"])
    assert found.mend == "It failed because the fixture never made a table."
    assert outcomes(*turns, asked, tell("It failed because of the clock.")) == []


def test_what_is_mended_at_once_and_without_a_word_is_nothing():
    """A typing error, or a test that was written to fail."""
    assert outcomes(run("pytest", NO_TABLE), edit("a.py"), run("pytest")) == []


def test_edits_before_a_second_failure_count_too():
    """They may be part of the fix."""
    found = outcomes(run("pytest", NO_TABLE), edit("a.py"), run("pytest", NO_TABLE), edit("b.py"), run("pytest"))
    assert "`a.py`, `b.py`" in found[-1][1]


def test_passing_without_an_edit_resolves_nothing():
    """It was flaky, or something outside changed."""
    assert [each[0] for each in outcomes(run("pytest", NO_TABLE), run("pytest"))] == ["error_pattern"]
