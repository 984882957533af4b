"""A process that is played is one that was started: the same answer, and nothing of it is left."""

import gc
import os
import signal
import subprocess
import sys
import threading

import pytest

from limpet.ground.processes import own_command

from .forking import can_fork, run_forked
from .playing import can_play, play

pytestmark = pytest.mark.skipif(not can_play() or not can_fork(), reason="nothing is played or forked here")
HERE = os.path.dirname(__file__)


def say():
    """Say all that a process has been given, on both streams."""
    streams = [stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)]
    print(os.getcwd(), sorted(os.environ.items()), sys.stdin.read(), streams, flush=True)
    os.write(1, b"straight\n")
    subprocess.run(["sh", "-c", "pwd; echo $GIVEN; echo aside >&2"])
    print("ação", file=sys.stderr)


def end(code):
    """End in the given way."""
    print("said before", flush=True)
    if code == "error":
        raise ValueError("wrong")
    if code == "now":
        os._exit(7)
    sys.exit(code)


@pytest.mark.parametrize("act", [say, *(lambda code=code: end(code) for code in (0, 3, None, "a text", "now"))])
def test_it_says_and_returns_what_a_fork_does(tmp_path, act):
    """Folder, environment, streams and the end are those of a process."""
    environment = {"PATH": os.environ["PATH"], "GIVEN": "given"}
    played, forked = (
        (done.returncode, done.stdout, done.stderr)
        for done in (run(act, tmp_path, environment, "é\n".encode()) for run in (play, run_forked))
    )
    assert played == forked
    assert played[1]


def test_an_error_ends_it_as_it_ends_an_interpreter(tmp_path):
    """With its traceback on stderr."""
    done = play(lambda: end("error"), tmp_path)
    assert (done.returncode, done.stdout) == (1, b"said before\n")
    assert done.stderr.endswith(b"ValueError: wrong\n")


def change():
    """Change whatever a process can change for itself."""
    os.environ["LEFT"] = "yes"
    del os.environ["PATH"]
    os.chdir("/")
    sys.argv[:] = ["other"]
    sys.path.insert(0, "/nowhere")
    sys.meta_path.insert(0, None)
    sys.stdin = sys.stdout = sys.stderr
    gc.disable()
    sys.exit(3)


def test_the_tests_process_is_as_it_was(tmp_path):
    """Whatever the played one changed."""
    before = around()
    assert play(change, tmp_path, {**os.environ, "GIVEN": "given"}).returncode == 3
    assert around() == before


def around():
    """What a process can change for itself."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    held = [os.fstat(number) for number in range(3)]
    places = [(each.st_dev, each.st_ino) for each in held]
    return (
        os.getcwd(),
        {**os.environ},
        [*sys.argv],
        [*sys.path],
        [*sys.meta_path],
        streams,
        places,
        os._exit,
        gc.isenabled(),
    )


def open_file():
    """Leave a file open."""
    held.append(os.open(HERE, os.O_RDONLY))


def start_thread():
    """Leave a thread."""
    threading.Thread(target=going.wait, daemon=True).start()


held: list[int] = []
going = threading.Event()


@pytest.mark.parametrize(
    ("act", "what", "undo"),
    [
        (lambda: os.umask(0o123), "umask", lambda: os.umask(0o022)),
        (open_file, "open files", lambda: os.close(held.pop())),
        (start_thread, "threads", going.set),
        (
            lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN),  # behind "&" SIGINT is ignored already
            "signal handlers",
            lambda: signal.signal(signal.SIGTERM, signal.SIG_DFL),
        ),
    ],
)
def test_what_is_left_is_told(tmp_path, act, what, undo):
    """A test that leaves something behind fails, and not one that is played later."""
    try:
        with pytest.raises(AssertionError, match=f"left something.*{what}"):
            play(act, tmp_path)
    finally:
        undo()


def test_another_thread_plays_nothing():
    """There is one folder, one environment and one stdout for all of them."""
    found = []
    thread = threading.Thread(target=lambda: found.append(can_play()))
    thread.start()
    thread.join()
    assert found == [False]


def test_what_it_starts_ends_as_a_process(workspace):
    """A second process of ours is forked, whose end is its own and not the tests' one."""

    def start():
        done = subprocess.run(own_command("limpet.__main__", "hook", "claude-code", "Stop"), input=b"{}")
        print(done.returncode)

    assert play(start, workspace.root).stdout == b"0\n"
