"""Commands run for a gate."""

import hashlib
import os
import sys

import pytest

from holdfast.ground.errors import HoldfastError
from holdfast.work.pipeline.evidence import run_command

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
    with pytest.raises(HoldfastError, match="no-such-command: cannot be started"):
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
