"""The ``holdfast`` command in a process of its own, forked from the tests' one where the system allows it: everything
but the interpreter's start and the imports, some 0.2 s each, is as a person's shell does it."""

import os
import subprocess
import sys
import threading
import traceback
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from tempfile import TemporaryFile

import holdfast

SOURCE = os.path.dirname(os.path.dirname(holdfast.__file__))


def run_command(arguments, cwd, env, given="", terminal=None):
    """Run ``holdfast`` with these arguments and on stdin this text or this ``terminal``; what ``subprocess.run`` would
    return.

    What the test replaced in a module is replaced in the fork too. Beside other threads of the test nothing is forked:
    one of them might hold a lock, which nobody would release in the fork.
    """
    if sys.platform != "linux" or threading.current_thread() is not threading.main_thread():
        return spawn_command(arguments, cwd, env, given, terminal)
    _import_commands()
    with TemporaryFile() as stdin, TemporaryFile() as out, TemporaryFile() as err:
        stdin.write(given.encode())
        stdin.seek(0)
        pid = os.fork()
        if pid == 0:
            _end_with(
                arguments, cwd, env, (stdin.fileno() if terminal is None else terminal, out.fileno(), err.fileno())
            )
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return subprocess.CompletedProcess(["holdfast", *arguments], code, _text_of(out), _text_of(err))


def spawn_command(arguments, cwd, env, given="", terminal=None):
    """The same with an interpreter of its own, as an installation starts it."""
    command = [sys.executable, "-m", "holdfast", *arguments]
    stdin = {"input": given} if terminal is None else {"stdin": terminal}
    return subprocess.run(command, cwd=cwd, env=_with_source(env), capture_output=True, text=True, **stdin)


@cache
def _import_commands():
    """Import what any command may need, so that no fork has to."""
    for module in walk_packages(holdfast.__path__, "holdfast."):
        if not module.name.endswith("__main__"):
            import_module(module.name)


def _end_with(arguments, cwd, env, streams):
    """Be that process; never returns."""
    code = 1
    try:
        for number, file in enumerate(streams):
            os.dup2(file, number)
        sys.stdin, sys.stdout = os.fdopen(0, encoding="utf-8"), os.fdopen(1, "w", encoding="utf-8")
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace")
        os.chdir(cwd)
        environment = _with_source(env)
        os.environ.clear()
        os.environ.update(environment)
        code = _exit_code(arguments)
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)


def _exit_code(arguments):
    from holdfast.__main__ import main

    sys.argv = ["holdfast", *arguments]
    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else bool(end.code)
    return 0


def _with_source(env):
    return {**env, "PYTHONPATH": SOURCE}


def _text_of(file):
    file.seek(0)
    return file.read().decode().replace("\r\n", "\n")
