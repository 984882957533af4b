"""What the page costs as a project grows: its first page, and a search while somebody types, beside those of an empty
project, in the same run and asked in turn.

The large one has memories as files, rules in domains, and events of conversations, as many as wanted. What counts is
the processor time of the real server for an answer, of all its threads, which other processes do not lengthen; beside
it stands the wall's time from request to last byte. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlsplit

from hook_projects import make_project
from memory_speed import make_questions, make_texts
from nobody import become_nobody, trusted_project

from limpet.ground.clock import iso
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event_log import events_folder, metrics_path
from limpet.ground.workspace import Workspace
from limpet.memory.files.codec import write_entry_text
from limpet.memory.index.sync import refresh_index
from limpet.memory.model.entry import MemoryEntry
from limpet.memory.model.ids import new_id
from limpet.memory.model.layout import memories
from limpet.work.session import new_session, write_session

MOST_OF_FIRST, MOST_OF_SEARCH = 3.0, 2.0
CONVERSATIONS = 200
# Kinds of events, so that every column of the first page has some.
KINDS = ("memory.added", "memory.changed", "guard.decided", "story.started")


def main() -> int:
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        become_nobody(folder)
        small = trusted_project(os.path.join(folder, "small"), time.time())
        texts = make_texts(arguments.entries)
        large = _make_large(os.path.join(folder, "large"), texts, arguments.domains, arguments.events)
        figures = _measure(small, large, make_questions(texts)[: arguments.times], arguments.times)
    print(json.dumps(figures, indent=1) if arguments.json else _render(figures))
    holds = figures["first_ratio"] <= MOST_OF_FIRST and figures["search_ratio"] <= MOST_OF_SEARCH
    return int(arguments.check and not holds)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--domains", type=int, default=1_000)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=40, help="so many requests of each kind to each project")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help="exit 1 where a promise is broken")
    return parser.parse_args()


def _make_large(root: str, texts: Sequence[str], domains: int, events: int) -> Workspace:
    os.makedirs(os.path.join(root, ".limpet"))
    make_project(root, domains)
    workspace = trusted_project(root, time.time())
    now = time.time()
    names = [_write_memory(workspace, number, text, now) for number, text in enumerate(texts)]
    refresh_index(workspace.shared, DEFAULTS["memory"], now)
    for number in range(CONVERSATIONS):
        state = new_session(f"talk-{number:03}", "claude-code", root, now - number * 60)
        write_session(workspace, {**state, "title": f"Talk {number}", "prompt_count": events // CONVERSATIONS})
    _write_lines(Path(events_folder(workspace.shared), "bench.jsonl"), _events(names, events // 2, now))
    _write_lines(Path(metrics_path(workspace)), _prompts(events // 2, now))
    return workspace


def _write_memory(workspace: Workspace, number: int, text: str, now: float) -> str:
    at = now - number * 60
    entry = MemoryEntry(
        id=new_id(at), type="decision", title=text[:90].rsplit(" ", 1)[0], body=text, created_at=iso(at)
    )
    file = Path(memories(workspace.shared), "shared", "daily", iso(at)[:10], f"{entry.id}.md")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(write_entry_text(entry.replace(source="person")), encoding="utf-8")
    return entry.id


def _events(names: Sequence[str], count: int, now: float) -> Iterator[dict[str, object]]:
    for number in range(count, 0, -1):
        kind, at = KINDS[number % len(KINDS)], now - number * 5
        data = {"id": names[number % len(names)], "answer": "deny", "rule": "authority.push", "act": "git push"}
        event = {"id": f"{int(at * 1e6):x}-1", "time": iso(at), "writer": "bench", "kind": kind, "data": data}
        yield {**event, "session": f"talk-{number % CONVERSATIONS:03}"}


def _prompts(count: int, now: float) -> Iterator[dict[str, object]]:
    for number in range(count, 0, -1):
        line = {"time": iso(now - number * 5), "event": "prompt", "session": f"talk-{number % CONVERSATIONS:03}"}
        yield {**line, "prompt": number, "tokens": 90, "pieces": [["rules", "GLOBAL", 80]], "out": []}


def _write_lines(path: Path, lines: Iterator[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def _measure(small: Workspace, large: Workspace, questions: Sequence[str], times: int) -> dict[str, float]:
    """Medians in milliseconds, but for the ratios; those named ``wall`` by the wall's time."""
    names = [f"{what}_{which}" for what in ("first", "search") for which in ("small", "large")]
    found: dict[str, list[float]] = {name: [] for name in (*names, *(f"{name}_wall" for name in names))}
    with _serving(small) as ask_small, _serving(large) as ask_large:
        for asker in (ask_small, ask_large):  # what is compiled and read once
            asker.time_of("/")
            asker.time_of("/memories?typed=1&q=warm")
        for number in range(times):
            question = questions[number % len(questions)]
            typed = question if number % 2 else question[:-2]  # the last word unfinished
            search = f"/memories?typed=1&q={quote(typed)}"
            for name, asker in (("small", ask_small), ("large", ask_large)):
                for what, path in (("first", "/"), ("search", search)):
                    processor, wall = asker.time_of(path)
                    found[f"{what}_{name}"].append(processor)
                    found[f"{what}_{name}_wall"].append(wall)
    figures = {name: statistics.median(spent) for name, spent in found.items()}
    figures["first_ratio"] = figures["first_large"] / figures["first_small"]
    figures["search_ratio"] = figures["search_large"] / figures["search_small"]
    return figures


class _Asker:
    def __init__(self, address: str, process: int) -> None:
        parts, self._process = urlsplit(address), process
        self._host = parts.netloc
        answer = self._ask(f"/?{parts.query}", {})
        self._cookie = {"Cookie": str(answer[1]).partition(";")[0]}

    def time_of(self, path: str) -> tuple[float, float]:
        """Milliseconds of the server's processor time, and of the wall's."""
        before, started = self._spent(), time.perf_counter()
        status, _ = self._ask(path, self._cookie)
        assert status == 200, f"{path}: {status}"
        wall = 1000 * (time.perf_counter() - started)
        return self._spent() - before, wall

    def _spent(self) -> float:
        """Nanoseconds on a processor are the first figure of a thread's schedstat."""
        tasks = Path(f"/proc/{self._process}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6

    def _ask(self, path: str, headers: dict[str, str]) -> tuple[int, str | None]:
        connection = HTTPConnection(self._host, timeout=120)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status, answer.getheader("Set-Cookie")


@contextmanager
def _serving(workspace: Workspace) -> Iterator[_Asker]:
    """As a person has it, who sits at a terminal."""
    command = (sys.executable, "-m", "limpet", "dashboard", "--no-open")
    keyboard, terminal = os.openpty()
    process = subprocess.Popen(command, cwd=workspace.root, stdout=subprocess.PIPE, stdin=terminal, text=True)
    try:
        assert process.stdout
        process.stdout.readline()
        yield _Asker(process.stdout.readline().split()[-1], process.pid)
    finally:
        process.terminate()
        process.wait()
        os.close(keyboard)
        os.close(terminal)


def _render(figures: dict[str, float]) -> str:
    lines = []
    for name, most in (("first", MOST_OF_FIRST), ("search", MOST_OF_SEARCH)):
        small, large = (f"{figures[f'{name}_{which}']:.1f}" for which in ("small", "large"))
        walls = " and ".join(f"{figures[f'{name}_{which}_wall']:.1f}" for which in ("small", "large"))
        ratio = f"{figures[f'{name}_ratio']:.2f} x (at most {most:g} x)"
        lines.append(f"{name:<7} {small} ms empty, {large} ms large: {ratio}; by the wall {walls} ms")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
