"""A process of ours played in the tests' own one: streams, folder, environment and what a module keeps are as in a
process that was started, and afterwards as they were.

What is a process apart is not played: one that is killed, that outlives the test or runs beside others (``forking``, or
``subprocess`` for an interpreter of its own). The second processes that the played one starts are forked.
"""

import gc
import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from tempfile import TemporaryFile

import pytest

from limpet import hook
from limpet.ground import bundle

from .forking import IN_FORKS, REAL_EXIT, ForkingPopen, bytes_of, exit_code, forking_spawn, open_streams, prepare

# What a process of ours may change for all of the process, and nobody would notice here.
SIGNALS = (signal.SIGINT, signal.SIGTERM)
gc.enable()  # which the hook's module ended


def can_play():
    """Whether a process can be played here: beside other threads of the test none is, for there is one folder, one
    environment and one stdout for all of them."""
    return os.name == "posix" and threading.current_thread() is threading.main_thread()


def play(act, cwd, env=None, given=b"", terminal=None):
    """Run ``act`` in this folder and environment (None: the test's), on stdin these bytes or this ``terminal``; return
    what ``subprocess.run`` would.

    Raises AssertionError where it left something behind that would have gone with a process.
    """
    prepare()  # a hook that imported much would be late
    with TemporaryFile() as stdin, TemporaryFile() as out, TemporaryFile() as err:
        stdin.write(given)
        stdin.seek(0)
        before = _seen()
        files = (stdin.fileno() if terminal is None else terminal, out.fileno(), err.fileno())
        with _in_place(cwd, env), _streams(files), _afresh():
            code = exit_code(act)
        _check(before)
        return subprocess.CompletedProcess([], code, bytes_of(out), bytes_of(err))


@contextmanager
def _in_place(cwd, env):
    """Folder and environment."""
    folder, environment = os.getcwd(), dict(os.environ)
    try:
        os.chdir(cwd)
        if env is not None:
            _set_environment(env)
        yield
    finally:
        os.chdir(folder)
        _set_environment(environment)


def _set_environment(wanted):
    for name in set(os.environ) - set(wanted):
        del os.environ[name]
    for name, value in wanted.items():
        if os.environ.get(name) != value:
            os.environ[name] = value


@contextmanager
def _streams(files):
    """The three streams, for what is started too."""
    before = sys.stdin, sys.stdout, sys.stderr
    for stream in before[1:]:
        stream.flush()
    kept = [os.dup(number) for number in range(3)]
    try:
        for number, file in enumerate(files):
            os.dup2(file, number)
        open_streams()
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        sys.stdin, sys.stdout, sys.stderr = before
        for number, file in enumerate(kept):
            os.dup2(file, number)
            os.close(file)


@contextmanager
def _afresh():
    """What a module of ours keeps for one process, and what would end or change the tests' one.

    The hook's modules are there already: it needs no bundle, and has none made. Nor does it need the thread that ends
    it when it is late.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", ["limpet"])
        patched.setattr(sys, "meta_path", [*sys.meta_path])
        patched.setattr(sys, "path", [*sys.path])
        patched.setattr(os, "_exit", _end)
        patched.setattr(subprocess, "Popen", ForkingPopen)
        patched.setattr(os, "posix_spawn", forking_spawn, raising=False)
        patched.setattr(hook, "_watch", lambda began: None)
        patched.setattr(hook, "_last_word", threading.Lock())
        patched.setattr(hook, "_late", hook._late)
        patched.setattr(hook, "_given", hook._given)
        patched.setattr(bundle, "use_bundle", lambda way: None)
        patched.setattr(bundle, "is_due", lambda: False)
        IN_FORKS.append(patched.undo)
        gc.disable()  # as the hook's module does
        try:
            yield
        finally:
            gc.enable()
            IN_FORKS.remove(patched.undo)


def _end(code):
    """``os._exit``: of the process that is played; a thread of it that ends the process ends the tests' one, loudly."""
    if threading.current_thread() is not threading.main_thread():
        REAL_EXIT(code)
    raise SystemExit(code)


def _seen():
    """What a process may leave behind in another one."""
    mask = os.umask(0)
    os.umask(mask)
    return {
        "signal handlers": {(each, signal.getsignal(each)) for each in SIGNALS},
        "umask": {mask},
        "threads": {thread.name for thread in threading.enumerate()},
        "open files": _open_files(),
    }


def _open_files():
    folder = "/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd"
    files = {f"{name} {_target(folder, name)}" for name in os.listdir(folder)}
    return {file for file in files if file[-1] != " "}


def _target(folder, name):
    """Where the file lies, "" for that of the listing itself."""
    try:
        return os.readlink(os.path.join(folder, name))
    except OSError:
        return ""


def _check(before):
    if _left(before):
        gc.collect()  # a cycle may hold a file
    assert not _left(before), f"a process that was played left something: {_left(before)}"


def _left(before):
    """What is there now and was not before, by its kind."""
    return {what: now - before[what] for what, now in _seen().items() if now - before[what]}
