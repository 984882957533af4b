"""How well memories come in languages of other scripts: what people wrote enters by the command, their prompts by the
hook, as Claude Code starts it, each in a conversation of its own.

Reads a folder with a file LANG.jsonl a language, whose lines are {"memory": id, "type": "wish", "decision" or "fact",
"text": ...} and {"prompt": ..., "helps": [ids]}, where idle prompts have no ids. The files are named on the command
line and are no part of this repository.

whole: of what a prompt needs, what stands in words in the block of the start or of the prompt.
sight: what is whole or stands in the list of titles.
five: what the prompt itself brings, whole or among the first five titles, for of a small store all is in sight.
noise: idle prompts that bring a statement.
stray: of the statements that prompts bring, those that do not help.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import uuid
from collections import Counter
from pathlib import Path
from typing import Any

TYPES = {"wish": "user_correction", "decision": "decision", "fact": "lesson"}
FIRST = 5
# Characters by which a title is known in a list.
KNOWN = 14
MEASURES = (("whole", "needed"), ("sight", "needed"), ("five", "needed"), ("noise", "idle"), ("stray", "shown"))


class Project:
    """A project with these memories, in a home of its own."""

    def __init__(self, home: Path, texts: dict[str, tuple[str, str]]) -> None:
        self.root, self.home = home / "app", home
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "SYSTEMROOT")}
        self.environment = kept | {"HOME": str(home), "LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1"}
        self.root.mkdir()
        self._run("git", "init", "-q", "-b", "main")
        self._limpet("init", "--yes")
        for type, text in texts.values():
            self._limpet("memory", "add", "--type", TYPES[type], text)

    def ask(self, prompt: str) -> tuple[str, str]:
        """Return what the start of a conversation and its first prompt tell the model."""
        session = str(uuid.uuid4())
        start = self._event(session, "SessionStart", {"source": "startup"})
        return start, self._event(session, "UserPromptSubmit", {"permission_mode": "default", "prompt": prompt})

    def _event(self, session: str, event: str, more: dict[str, str]) -> str:
        payload = {
            "session_id": session,
            "transcript_path": str(self.home / f"{session}.jsonl"),
            "cwd": str(self.root),
            "hook_event_name": event,
            **more,
        }
        hook = self.home / ".local" / "state" / "limpet" / "hook"
        client = {
            "CLAUDECODE": "1",
            "CLAUDE_CODE_ENTRYPOINT": "cli",
            "CLAUDE_CODE_SESSION_ATTENDED": "1",
            "CLAUDE_PROJECT_DIR": str(self.root),
        }
        told = self._run(str(hook), "claude-code", event, input=json.dumps(payload), **client)
        output = json.loads(told).get("hookSpecificOutput", {}) if told.strip() else {}
        return html.unescape(output.get("additionalContext", ""))

    def _limpet(self, *words: str) -> None:
        self._run(sys.executable, "-m", "limpet", *words)

    def _run(self, *command: str, input: str = "", **more: str) -> str:
        environment = self.environment | more
        done = subprocess.run(command, cwd=self.root, env=environment, input=input, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{command}: {done.stdout}{done.stderr}")
        return done.stdout


def read_set(path: Path) -> tuple[dict[str, tuple[str, str]], list[tuple[str, list[str]]]]:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    memories = {each["memory"]: (each["type"], each["text"]) for each in lines if "memory" in each}
    return memories, [(each["prompt"], each["helps"]) for each in lines if "prompt" in each]


def stands(text: str, block: str) -> bool:
    """A short beginning of it may stand in a list; its end stands where it is whole."""
    return plain(text) in plain(block)


def plain(text: str) -> str:
    return " ".join(text.split()).rstrip(" .\u3002").casefold()


def split_contents(block: str) -> tuple[str, list[str]]:
    found = re.search(r"<contents[^>]*>(.*?)</contents>", block, re.DOTALL)
    if found is None:
        return block, []
    titles = [line for line in found[1].splitlines() if re.match(r"(- )?[a-z0-9-]{4,} \S", line.strip())]
    return block.replace(found[0], ""), titles


def score(memories: dict[str, tuple[str, str]], start: str, block: str, helps: list[str]) -> Counter[str]:
    counted = Counter(needed=len(helps), idle=not helps)
    opening, listed = split_contents(start)
    said, titles = split_contents(block)
    for id in helps:
        text = memories[id][1]
        places = [at for at, title in enumerate([*titles, *listed]) if stands(text[:KNOWN], title)]
        whole = stands(text, said)
        counted["whole"] += whole or stands(text, opening)
        counted["sight"] += whole or stands(text, opening) or bool(places)
        counted["five"] += whole or bool(places and places[0] < min(FIRST, len(titles)))
    shown = [id for id, (_, text) in memories.items() if stands(text[: 2 * KNOWN], said)]
    counted["shown"] = len(shown)
    counted["stray"] = len(set(shown) - set(helps))
    counted["noise"] = bool(shown and not helps)
    return counted


def measure(path: Path, show: bool) -> Counter[str]:
    memories, prompts = read_set(path)
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as home:
        project = Project(Path(home), memories)
        for prompt, helps in prompts:
            start, block = project.ask(prompt)
            counted = score(memories, start, block, helps)
            total += counted
            if show:
                print(f"\n{path.stem} {helps} {dict(+counted)}\n> {prompt}\n{block}")
                print(*(f"  {id}: {memories[id][1]}" for id in helps), sep="\n")
    return total


def line(name: str, counted: Counter[str]) -> str:
    return f"{name:8}" + "".join(f"{counted[part]:5} of {counted[of]:<4}" for part, of in MEASURES)


def main(given: list[str] | None = None) -> dict[str, Any]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("languages", nargs="*")
    parser.add_argument("--show", action="store_true", help="print each prompt with its block")
    options = parser.parse_args(given)
    total: dict[str, Counter[str]] = {}
    print(f"{'':8}" + "".join(f"{part:>5}{'':8}" for part, _ in MEASURES))
    for path in sorted(options.folder.glob("*.jsonl")):
        if not options.languages or path.stem in options.languages:
            total[path.stem] = measure(path, options.show)
            print(line(path.stem, total[path.stem]), flush=True)
    print(line("all", sum(total.values(), Counter())))
    return dict(total)


if __name__ == "__main__":
    main()
