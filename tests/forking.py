"""Processes of ours, forked from the tests' one where the system allows it: everything but the interpreter's start and
the imports, some 0.2 s each, is as in a process that was started. So are the processes of ours that they start.

What needs no process of its own is played in the tests' one (``playing``), which saves 10 ms of a fork's 15 or so.
"""

import gc
import os
import re
import subprocess
import sys
import threading
import traceback
from functools import _lru_cache_wrapper as _Cached
from functools import cache
from importlib import import_module
from inspect import signature
from pkgutil import walk_packages
from tempfile import TemporaryFile

import limpet
from limpet.ground.processes import PACKAGE_ROOT, START
from limpet.ground.safety.instructions import matcher, orders
from limpet.ground.text.word_lists import read_words
from limpet.memory.capture.heard import cue

SOURCE = os.path.dirname(os.path.dirname(limpet.__file__))
REAL_EXIT = os._exit
REAL_SPAWN = getattr(os, "posix_spawn", None)
# What a fork calls first, so that it is no longer the process that is played in the tests' one.
IN_FORKS = []
_OWN = re.compile(re.escape(START).replace(r"\{\}", r"(\S+)"))


def can_fork():
    """Whether a process can be forked here. Beside other threads of the test none is: one of them might hold a lock,
    which nobody would release in the fork."""
    return sys.platform == "linux" and threading.current_thread() is threading.main_thread()


def run_forked(act, cwd, env=None, given=b"", terminal=None):
    """Run ``act`` in a fork, in this folder and environment (None: the test's), on stdin these bytes or this
    ``terminal``; return what ``subprocess.run`` would.

    What the test replaced in a module is replaced in the fork too.
    """
    prepare()
    with TemporaryFile() as stdin, TemporaryFile() as out, TemporaryFile() as err:
        stdin.write(given)
        stdin.seek(0)
        pid = os.fork()
        if pid == 0:
            _be(act, cwd, env, (stdin.fileno() if terminal is None else terminal, out.fileno(), err.fileno()))
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return subprocess.CompletedProcess([], code, bytes_of(out), bytes_of(err))


class ForkingPopen(subprocess.Popen):
    """Forks a process of ours too, instead of starting an interpreter."""

    def _execute_child(self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, *more):
        act = _own_act(args)
        if act is None:
            super()._execute_child(args, executable, preexec_fn, close_fds, pass_fds, cwd, env, *more)
            return
        pipes = more[3:9]
        given, _, _, out, _, err = pipes
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            _be(act, cwd or os.getcwd(), env, (given, out, err), alone=True)
        self._child_created = True
        self._close_pipe_fds(*pipes)

    def __del__(self):
        """Close what the end of the process that started it would close, also where it runs on."""
        for pipe in (self.stdin, self.stdout, self.stderr):
            if pipe:
                pipe.close()
        super().__del__()


_SPAWNED = set()


def forking_spawn(path, args, env, **more):
    """``os.posix_spawn``, which forks a process of ours instead."""
    _SPAWNED.difference_update({pid for pid in _SPAWNED if _has_ended(pid)})
    act = _own_act(args)
    if act is None:
        return REAL_SPAWN(path, args, env, **more)
    streams = [file for action, file, *_ in more["file_actions"] if action == os.POSIX_SPAWN_DUP2]
    pid = os.fork()
    if pid == 0:
        os.setsid()
        _be(act, os.getcwd(), dict(env), streams, alone=True)
    _SPAWNED.add(pid)
    return pid


def _has_ended(pid):
    """Of one that nobody waits for nothing stays."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def _own_act(args):
    """What a command of ``own_command`` does, None for any other command."""
    code = args[args.index("-c") + 1 :] if isinstance(args, list) and "-c" in args else []
    found = _OWN.fullmatch(code[0]) if code[1:2] == [PACKAGE_ROOT] else None
    return found and (lambda: import_module(found[1]).main(*code[2:]))


@cache
def prepare():
    """Import what any process of ours may need and read what it may need of the data, so that no fork has to."""
    names = [module.name for module in walk_packages(limpet.__path__, "limpet.")]
    modules = [import_module(name) for name in names if not name.endswith("__main__")]
    gc.enable()  # which the hook's module ended
    for function in {one for module in modules for one in vars(module).values() if isinstance(one, _Cached)}:
        if not signature(function).parameters:
            function()
    for name in read_words("capture/en.txt"):
        cue(name)
    for _, (first, others, section) in orders():
        for part in (first, *others):
            matcher(part, section)
    gc.collect()
    gc.freeze()  # nothing of it ever goes: looking through it takes a tenth of a second, and parts a fork's memory


def _be(act, cwd, env, streams, alone=False):
    """Be the forked process; never returns. ``alone``: with no other file open."""
    code = 1
    try:
        gc.disable()
        for undo in IN_FORKS:
            undo()
        subprocess.Popen, os.posix_spawn = ForkingPopen, forking_spawn
        # Kept, because a file that nobody knows any more is flushed, and where these went something else is now.
        before = sys.stdin, sys.stdout, sys.stderr  # noqa: F841
        for number, file in enumerate(streams):
            if file >= 0:
                os.dup2(file, number)
        if alone:
            os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        open_streams()
        os.chdir(cwd)
        if env is not None:
            os.environ.clear()
            os.environ.update(env)
        code = exit_code(act)
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            REAL_EXIT(code)


def open_streams():
    """Give this process streams on the files 0 to 2, as an interpreter does."""
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)


def exit_code(act):
    """Run ``act``; the code with which its process would end. An error goes to stderr, as in an interpreter."""
    try:
        act()
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(bool(end.code))
    except KeyboardInterrupt:  # whoever runs the tests wants to end them
        raise
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def bytes_of(file):
    """All that is in a file."""
    file.seek(0)
    return file.read()
