"""Commands in a real terminal of 80 columns: what a person sees, line by line. POSIX only."""

import os
import re
import select
import struct
import subprocess

import pytest

# What a person is asked for where their word is needed.
ASKED = re.compile(rb"To agree, type (\w+):")
STYLE = re.compile(r"\x1b\[[0-9;]*m")
COLUMNS = 80


def in_terminal(command, *, cwd, env, columns=COLUMNS, typed="", agrees=False):
    """All that the command writes to a terminal of its own, as it writes it; its exit code. Somebody types ``typed``
    and, where they agree, the word that they are shown."""
    pty, fcntl, termios = (pytest.importorskip(name) for name in ("pty", "fcntl", "termios"))
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    streams = {"stdin": terminal, "stdout": terminal, "stderr": terminal}
    process = subprocess.Popen(command, cwd=cwd, env=env, start_new_session=True, **streams)
    os.close(terminal)
    os.write(controller, typed.encode())
    screen = _read(process, controller, controller if agrees else None)
    os.close(controller)
    return screen.decode(), process.wait()


def _read(process, source, keyboard):
    """All that comes from ``source`` to its end, or to that of the process, which is killed where it waits for more;
    the word that is asked for is typed at the ``keyboard``, None for nobody."""
    read = bytearray()
    while select.select([source], [], [], 60)[0]:
        try:
            more = os.read(source, 65536)
        except OSError:  # Linux: the last writer has left the terminal
            break
        read += more
        if keyboard is not None and (word := ASKED.search(read)):
            os.write(keyboard, word[1] + b"\n")
            keyboard = None
        if not more or process.poll() is not None and not select.select([source], [], [], 0)[0]:
            break
    else:
        process.kill()
    return bytes(read)


def plain_lines(screen):
    """The lines on the screen without styles, and without what was cleared again."""
    return [STYLE.sub("", line).rpartition("\x1b[K")[2] for line in screen.replace("\r\n", "\n").split("\n")]
