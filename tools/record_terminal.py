"""Record the README's picture of a terminal: python tools/record_terminal.py [FOLDER]

Plays SCENES in a scratch project with a scratch home: commands as a person types them, hook events as the client sends
them. What they print becomes ``terminal.svg`` in FOLDER (docs/assets without one). Two recordings have the same bytes:
ids, times and milliseconds, which differ from run to run, are replaced by fixed ones. The picture names no folder or
host of the machine and loads nothing from the web. Run it with the Python in ``.venv``, which ``run.py test`` makes.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from limpet.ground.clock import iso
from limpet.ground.values import Value

# Characters in a line of the picture; as many as the commands are told.
WIDTH = 92
SESSION = "3f6c2a91-5b7d-4e08-9c41-d2a6f08b7e15"
FRAME = "limpet-context"
MODEL = "claude-haiku-4-5"
# What a run's own values are replaced by.
FIXED = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "2026-11-21T12:00:00Z"),
    (re.compile(r"\b\d{4}-\d\d-\d\d\b"), "2026-11-21"),
    (re.compile(r"\b\d\d:\d\d:\d\d\b"), "12:00:00"),
    (re.compile(r"(?<=2026-11-21 )\d\d:\d\d\b(?!:)"), "12:00"),
    (re.compile(r"\b\d+(?:\.\d+)? ms\b"), "30 ms"),
    (re.compile(r"\b\d+ (?:second|minute)s? ago\b"), "just now"),
)
# A memory's id in a line that the client shows.
SHORT_ID = re.compile(r"\([0-9a-z]{8}\)")
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


class Scene(Value):
    """A step of the recording.

    ``title``: a line above it, "" for a step that is played and not shown.
    ``command``: the arguments of ``limpet``, () for none.
    ``memory``: end of the id, type and title of a memory that a person writes by hand, () for none.
    ``event``: the client's name of an event, "" for none.
    ``typed``: the prompt of the event, or what started it.
    ``said``: what the agent answered by then.
    ``used``: tokens of the window in use by then.
    ``lines``: the most lines shown of an element of the block, or of the command's output.
    ``elements``: the elements of the block that are shown, () for all.
    """

    title: str = ""
    command: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    event: str = ""
    typed: str = ""
    said: str = ""
    used: int = 0
    lines: int = 40
    elements: tuple[str, ...] = ()


SCENES = (
    Scene(command=("init", "--yes")),
    Scene(command=("rules", "add", "checkout", "--recall", "checkout", "--rule", "Prices come from the basket.")),
    Scene(memory=("b3w8t5hd", "user_correction", "Amounts are integers of the smallest unit.")),
    Scene(event="SessionStart", typed="startup"),
    Scene(memory=("k7q2m9xa", "lesson", "The staging database is reset every night at 02:00.")),
    Scene(command=("memory", "list")),
    Scene(
        "What the agent gets with a prompt",
        event="UserPromptSubmit",
        typed="why does the checkout test fail against the staging database?",
        used=30_000,
        lines=2,
    ),
    Scene("Why it got that", command=("why",)),
    Scene(
        event="UserPromptSubmit",
        typed="Never retry a payment without an idempotency key.",
        said="I will mend the test and leave the retry alone.",
        used=150_000,
    ),
    Scene(event="PreCompact", typed="auto", said="The retry now sends an idempotency key.", used=180_000),
    Scene(
        "What it gets after a compaction",
        event="SessionStart",
        typed="compact",
        lines=3,
        elements=("continuation", "memory"),
    ),
    Scene("Does it work here?", command=("status",)),
)


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
    with tempfile.TemporaryDirectory(prefix="limpet-recording-") as scratch:
        stage = Stage(os.path.realpath(scratch))
        return [line for scene in SCENES for line in stage.play(scene)]


def picture(lines: Sequence[str]) -> str:
    """Return the lines as an SVG."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for line in lines:
        console.print(Text.from_ansi(line), soft_wrap=False)
    drawn = console.export_svg(title="limpet", theme=THEME, code_format=SVG, unique_id="limpet")
    return "".join(line.rstrip() + "\n" for line in drawn.splitlines())


class Stage:
    """A scratch project with a scratch home, and one conversation in it."""

    def __init__(self, scratch: str) -> None:
        self.scratch = scratch
        self.home = os.path.join(scratch, "you")
        self.project = os.path.join(self.home, "shop")
        self.transcript = os.path.join(self.home, "transcript.jsonl")
        self.minute = 0
        os.makedirs(os.path.join(self.project, ".git"))
        self.environment = {
            **{name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ},
            "HOME": self.home,
            "LIMPET_STATE": os.path.join(self.home, ".local", "state", "limpet"),
            "LIMPET_DATA": os.path.join(self.home, ".local", "share", "limpet"),
            "LIMPET_CACHE": os.path.join(self.home, ".cache", "limpet"),
            "FORCE_COLOR": "1",
            "COLUMNS": str(WIDTH),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
        }

    def play(self, scene: Scene) -> Iterator[str]:
        """Play the scene, and yield the lines to be shown of it."""
        if scene.memory:
            self.write_memory(*scene.memory)
            return
        seen, output = ("", self.run(scene.command)) if scene.command else self.send(scene)
        if not scene.title:
            return
        yield f"\x1b[1;36m# {scene.title}\x1b[0m"
        if scene.command:
            yield f"\x1b[1m$ limpet {' '.join(scene.command)}\x1b[0m"
        elif scene.event == "UserPromptSubmit":
            yield f"\x1b[1m> {scene.typed}\x1b[0m"
        for line in seen.splitlines():
            yield f"\x1b[33m{SHORT_ID.sub('(r6j1y7se)', self.steady(line))}\x1b[0m"
        shown = output.splitlines()[: scene.lines] if scene.command else shortened(output, scene)
        yield from map(self.steady, shown)
        yield ""

    def run(self, command: Sequence[str]) -> str:
        """Return what the command prints."""
        return self.start([sys.executable, "-m", "limpet", *command], b"")

    def send(self, scene: Scene) -> tuple[str, str]:
        """Send the event to the hook, and return the line that the client shows, and the block that the model gets."""
        self.write_transcript(scene)
        payload = {
            "session_id": SESSION,
            "transcript_path": self.transcript,
            "cwd": self.project,
            "hook_event_name": scene.event,
        }
        if scene.event == "UserPromptSubmit":
            payload |= {"prompt": scene.typed, "prompt_id": f"prompt-{self.minute}"}
        else:
            payload |= {"source": scene.typed, "trigger": scene.typed, "model": MODEL}
        answer = self.start(
            [sys.executable, "-m", "limpet", "hook", "claude-code", scene.event], json.dumps(payload).encode()
        )
        data = json.loads(answer or "{}")
        return str(data.get("systemMessage", "")), str(data.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def write_memory(self, end: str, kind: str, title: str) -> None:
        """Write a memory as a person does by hand, so that its id is always the same."""
        path = Path(self.project, ".limpet", "memories", "shared", "durable", f"{kind}-{end}.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        head = f"id: mem-2026-11-21-{end}\ntype: {kind}\ncreated_at: {iso(time.time())}\n"
        path.write_text(f"---\n{head}---\n\n# {title}\n", encoding="utf-8")

    def start(self, command: Sequence[str], stdin: bytes) -> str:
        done = subprocess.run(
            command, input=stdin, cwd=self.project, env=self.environment, capture_output=True, timeout=120
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.decode()}")
        return done.stdout.decode()

    def write_transcript(self, scene: Scene) -> None:
        """Write what the client's own record holds by the time of the event."""
        if scene.typed == "compact":
            self.write_line("system", subtype="compact_boundary", content="Conversation compacted")
        if scene.said or scene.used:
            usage = {"input_tokens": 10, "output_tokens": 100, "cache_read_input_tokens": max(0, scene.used - 110)}
            content = [{"type": "text", "text": scene.said or "I look at the test first."}]
            self.write_line(
                "assistant", message={"role": "assistant", "model": MODEL, "content": content, "usage": usage}
            )
        if scene.event == "UserPromptSubmit":
            self.write_line("user", message={"role": "user", "content": scene.typed}, promptSource="cli")

    def write_line(self, kind: str, **fields: object) -> None:
        self.minute += 1
        common = {
            "type": kind,
            "isSidechain": False,
            "sessionId": SESSION,
            "uuid": f"line-{self.minute}",
            "timestamp": f"2026-11-21T12:{self.minute:02}:00.000Z",
            "cwd": self.project,
        }
        with open(self.transcript, "a", encoding="utf-8") as file:
            file.write(json.dumps({**common, **fields}) + "\n")

    def steady(self, line: str) -> str:
        """Return the line without what differs from run to run and from machine to machine."""
        line = line.replace(self.project, "~/shop").replace(self.home, "~")
        for pattern, fixed in FIXED:
            line = pattern.sub(fixed, line)
        return line


def shortened(block: str, scene: Scene) -> Iterator[str]:
    """Yield the lines of the block that the scene shows, each cut at the edge; dots stand for the rest."""
    element, count, dots = "", 0, False
    for line in block.splitlines():
        opens = re.match(r"<([\w-]+)", line)
        if opens:
            element, count = opens[1], -1
        elif line.startswith("</"):
            count = -1
        count += 1
        if element != FRAME and not line.startswith(f"</{FRAME}") and scene.elements and element not in scene.elements:
            shown = False
        else:
            shown = count <= scene.lines
        if shown:
            yield f"\x1b[34m{cut(line)}\x1b[0m" if line.startswith("<") else cut(line)
        elif not dots:
            yield "\x1b[90m...\x1b[0m"
        dots = not shown


def cut(line: str) -> str:
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"


if __name__ == "__main__":
    sys.exit(main())
