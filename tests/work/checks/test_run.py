"""Checks, run."""

import os
import sys

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.checks.run import check_words, run_check

from ...memories import until
from ...processes import lives


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
    monkeypatch.setattr("shutil.which", lambda name, path=None: None)
    with pytest.raises(LimpetError, match="needs bash.*check tests"):
        check_words("tests", "pytest | tail -1")


def test_a_line_without_signs_of_the_shell_needs_none():
    """Quotes are read all the same."""
    assert check_words("tests", "pytest -q 'a b'") == ["pytest", "-q", "a b"]


@pytest.mark.parametrize("line", ["", "  ", "pytest 'a", "no-such-command-at-all"])
def test_a_check_that_cannot_be_run_is_told(line):
    """With the command that mends it."""
    with pytest.raises(LimpetError, match="check tests.*limpet config set work.checks.tests"):
        check(line)


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_a_check_that_takes_too_long_is_ended_with_what_it_started(tmp_path):
    """124, as ``timeout`` says it."""
    assert check(f"sleep 600 & echo $! > {tmp_path}/pid; wait", 2).exit_code == 124
    pid = (tmp_path / "pid").read_text().strip()
    assert until(lambda: not lives(pid))
