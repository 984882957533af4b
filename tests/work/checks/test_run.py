"""Commands and checks, run."""

import hashlib
import os
import sys
import time

import pytest

from holdfast.ground.errors import HoldfastError
from holdfast.work.checks.run import check_words, run_check, run_command

PRINTS = "import sys; print('out', flush=True); print('err', file=sys.stderr, flush=True); sys.exit(3)"


def test_exit_code_and_output_are_what_the_command_gave(workspace, tmp_path):
    """The digest is of both streams as they were shown."""
    shown = []
    done = run_command([sys.executable, "-c", PRINTS], workspace, str(tmp_path), shown.append)
    output = b"".join(shown)
    assert output.split() == [b"out", b"err"]
    assert (done.exit_code, done.digest) == (3, hashlib.sha256(output).hexdigest())
    assert done.command.endswith("sys.exit(3)'")


def test_one_word_with_spaces_goes_through_the_shell(workspace, tmp_path):
    """As agents write it."""
    assert run_command(["exit 4 && exit 5"], workspace, str(tmp_path), bytes).exit_code in (4, 5)


def test_a_command_that_cannot_start_is_an_error(workspace, tmp_path):
    """There is nothing to record."""
    with pytest.raises(HoldfastError, match="Cannot start the command"):
        run_command(["no-such-command"], workspace, str(tmp_path), bytes)


@pytest.mark.skipif(os.name != "posix", reason="signals as shells tell them")
def test_a_killed_command_ended_as_shells_say(workspace, tmp_path):
    """128 and the signal's number."""
    code = "import os; os.kill(os.getpid(), 9)"
    assert run_command([sys.executable, "-c", code], workspace, str(tmp_path), bytes).exit_code == 137


def test_secrets_in_the_command_are_not_kept(workspace, tmp_path):
    """Session and audit log hold a mark in their place."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    done = run_command([sys.executable, "-c", "0", f"--token={secret}"], workspace, str(tmp_path), bytes)
    assert secret not in done.command


def check(line, patience=30.0):
    """The end of a check in the current folder."""
    return run_check("tests", line, os.getcwd(), patience)


def test_a_check_ends_as_it_ended_with_the_end_of_its_output():
    """Both streams as one, the last part of them."""
    done = check(f"{sys.executable} -c \"import sys; print('x' * 50_000 + 'end'); sys.exit(3)\"")
    assert (done.exit_code, len(done.tail), done.tail.split()[-1][-3:]) == (3, 20_000, b"end")


@pytest.mark.skipif(os.name != "posix", reason="bash")
def test_a_failure_before_a_pipe_is_one():
    """W2: ``pytest | tail -1`` ended with 0."""
    assert check("exit 3 | cat").exit_code == 3
    assert check("true | cat").exit_code == 0


def test_without_bash_a_pipe_is_refused(monkeypatch):
    """Any other shell would lose the failure."""
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(HoldfastError, match="needs bash.*check tests"):
        check_words("tests", "pytest | tail -1")


def test_a_line_without_signs_of_the_shell_needs_none():
    """Quotes are read all the same."""
    assert check_words("tests", "pytest -q 'a b'") == ["pytest", "-q", "a b"]


@pytest.mark.parametrize("line", ["", "  ", "pytest 'a", "no-such-command-at-all"])
def test_a_check_that_cannot_be_run_is_told(line):
    """With the command that mends it."""
    with pytest.raises(HoldfastError, match="check tests.*holdfast config set work.checks.tests"):
        check(line)


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_a_check_that_takes_too_long_is_ended_with_what_it_started(tmp_path):
    """124, as ``timeout`` says it."""
    mark = tmp_path / "mark"
    assert check(f"(sleep 3; touch {mark}) & sleep 30", 0.5).exit_code == 124
    time.sleep(3.2)
    assert not mark.exists()
