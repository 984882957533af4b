"""Commands in a real terminal of 80 columns: what a person sees, line by line. POSIX only."""

import os
import re
import select
import struct
import subprocess

import pytest

STYLE = re.compile(r"\x1b\[[0-9;]*m")
COLUMNS = 80


def in_terminal(command, *, cwd, env, columns=COLUMNS, typed=""):
    """All that the command writes to a terminal of its own, as it writes it; its exit code."""
    pty, fcntl, termios = (pytest.importorskip(name) for name in ("pty", "fcntl", "termios"))
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    streams = {"stdin": terminal, "stdout": terminal, "stderr": terminal}
    process = subprocess.Popen(command, cwd=cwd, env=env, start_new_session=True, **streams)
    os.close(terminal)
    os.write(controller, typed.encode())
    screen = bytearray()
    while select.select([controller], [], [], 60)[0]:
        try:
            screen += os.read(controller, 65536)
        except OSError:  # Linux: the last writer is gone
            break
        if not screen or process.poll() is not None and not select.select([controller], [], [], 0)[0]:
            break
    os.close(controller)
    return bytes(screen).decode(), process.wait()


def plain_lines(screen):
    """The lines on the screen without styles, and without what was cleared again."""
    return [STYLE.sub("", line).rpartition("\x1b[K")[2] for line in screen.replace("\r\n", "\n").split("\n")]
