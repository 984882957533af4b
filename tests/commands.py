"""The ``limpet`` command, as a person's shell starts it."""

import subprocess
import sys

from .forking import SOURCE
from .playing import can_play, play


def run_command(arguments, cwd, env, given="", terminal=None):
    """Play ``limpet`` in the tests' process, with these arguments and on stdin this text or this ``terminal``; what
    ``subprocess.run`` would return."""
    if not can_play():
        return spawn_command(arguments, cwd, env, given, terminal)
    return _in_text(play(lambda: _command(arguments), cwd, _with_source(env), given.encode(), terminal))


def spawn_command(arguments, cwd, env, given="", terminal=None):
    """Run it with an interpreter of its own, as an installation starts it."""
    command = [sys.executable, "-m", "limpet", *arguments]
    stdin = {"input": given} if terminal is None else {"stdin": terminal}
    return subprocess.run(command, cwd=cwd, env=_with_source(env), capture_output=True, text=True, **stdin)


def _command(arguments):
    from limpet.__main__ import main

    sys.argv = ["limpet", *arguments]
    main()


def _with_source(env):
    return {**env, "PYTHONPATH": SOURCE}


def _in_text(done):
    return subprocess.CompletedProcess(done.args, done.returncode, _text_of(done.stdout), _text_of(done.stderr))


def _text_of(raw):
    return raw.decode().replace("\r\n", "\n")
