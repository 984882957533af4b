"""Record the README's picture of a terminal: python tools/record_terminal.py [FOLDER]

Plays COMMANDS in a scratch project with a scratch home, as a person types them. What they print becomes
``terminal.svg`` in FOLDER (docs/assets without one). Two recordings have the same bytes: dates, which differ from
run to run, are replaced by a fixed one. The picture names no folder or host of the machine and loads nothing from the
web. Run it with the Python in ``.venv``, which ``run.py test`` makes.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

# Characters in a line of the picture; as many as the commands are told.
WIDTH = 80
# Each is shown as it is typed, with what it prints.
COMMANDS = (("init", "--yes"), ("demo",))
# What a run's own values are replaced by.
FIXED = ((re.compile(r"(?<=Said on )\d+ [A-Z][a-z]+"), "21 Nov"),)
THEME = TerminalTheme(
    (22, 27, 34),
    (201, 209, 217),
    [
        (72, 79, 88),
        (255, 123, 114),
        (63, 185, 80),
        (210, 153, 34),
        (88, 166, 255),
        (188, 140, 255),
        (57, 197, 207),
        (177, 186, 196),
    ],
    [
        (110, 118, 129),
        (255, 161, 152),
        (86, 211, 100),
        (227, 179, 65),
        (121, 192, 255),
        (210, 168, 255),
        (86, 212, 221),
        (240, 246, 252),
    ],
)
# rich's form without its fonts, which it would fetch from the web.
SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="A terminal recording">
<style>
.{unique_id}-matrix {{
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  font-size: {char_height}px;
  line-height: {line_height}px;
}}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix" xml:space="preserve">
{matrix}
</g>
</g>
</svg>
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Record the picture, and return the exit status."""
    parser = argparse.ArgumentParser(description="Record the README's picture of a terminal.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parents[1] / "docs" / "assets")
    folder: Path = parser.parse_args(arguments).folder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "terminal.svg").write_text(picture(record()), encoding="utf-8", newline="\n")
    return 0


def record() -> list[str]:
    """Return the lines of the recording, with their colours as escape sequences."""
    scratch = os.path.realpath(tempfile.mkdtemp(prefix="limpet-recording-"))
    try:
        return list(play(scratch))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def play(home: str) -> Iterator[str]:
    project = os.path.join(home, "shop")
    os.mkdir(project)
    os.mkdir(os.path.join(home, ".claude"))  # one who has used the client
    subprocess.run(["git", "init", "-q", project], check=True)
    around = {
        **{name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ},
        "HOME": home,
        "FORCE_COLOR": "1",
        "COLUMNS": str(WIDTH),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
    }
    around["PATH"] = os.pathsep.join((os.path.dirname(sys.executable), around.get("PATH", "")))
    for words in COMMANDS:
        yield f"\x1b[1m$ limpet {words[0]}\x1b[0m"
        done = subprocess.run(
            [sys.executable, "-m", "limpet", *words], cwd=project, env=around, capture_output=True, timeout=120
        )
        if done.returncode:
            raise SystemExit(f"limpet {' '.join(words)} ended with {done.returncode}: {done.stderr.decode()}")
        for line in done.stdout.decode().splitlines():
            yield steady(line.replace(project, "~/shop").replace(home, "~"))
        yield ""


def steady(line: str) -> str:
    for pattern, fixed in FIXED:
        line = pattern.sub(fixed, line)
    return line


def picture(lines: Sequence[str]) -> str:
    """Return the lines as an SVG."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for line in lines:
        console.print(Text.from_ansi(line), soft_wrap=False)
    drawn = console.export_svg(title="limpet", theme=THEME, code_format=SVG, unique_id="limpet")
    return "".join(line.rstrip() + "\n" for line in drawn.splitlines())


if __name__ == "__main__":
    sys.exit(main())
