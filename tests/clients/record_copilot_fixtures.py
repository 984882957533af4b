"""Record `tests/fixtures/copilot-cli` anew: what Copilot CLI hands to hooks, and its log of a conversation.

    LIMPET_COPILOT=/path/to/copilot python -m tests.clients.record_copilot_fixtures

Paths and ids of the machine it ran on are replaced. POSIX only.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
import tempfile
from pathlib import Path

from .claude_code import hook_settings
from .clients import Copilot, call
from .directives import Json
from .record_fixtures import EVENTS

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "copilot-cli"
# Writes down what it is handed; where a file says so, keeps an agent going that had not been kept going before.
HOOK = """
import os, sys
text = sys.stdin.read().strip()
open(sys.argv[1], "a").write(sys.argv[2] + " " + text + chr(10))
if os.path.exists("unfinished") and '"stop_hook_active":false' in text:
    os.remove("unfinished")
    print('{"decision": "block", "reason": "The tests were not run."}')
"""
SKILL = "---\nname: tidy\ndescription: Tidy up\n---\nTidy the files.\n"
LONGEST = 300  # characters of a text in a line of the log

_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")


def main() -> int:
    """Record, and return the exit status."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        project, log = folder / "project", folder / "payloads.txt"
        commands = {event: shlex.join([sys.executable, "-c", HOOK, str(log), event]) for event in EVENTS}
        _write(project / ".github" / "copilot" / "settings.local.json", json.dumps({"hooks": hook_settings(commands)}))
        _write(project / ".agents" / "skills" / "tidy" / "SKILL.md", SKILL)
        _write(project / "notes.txt", "old\n")
        copilot = Copilot(folder / "copilot")
        copilot.consent(project)
        events = record_conversation(copilot, project)
        record_continuation(copilot, project)
        record_terminal(copilot, project, log)
        record_patch(CopilotWithPatches(copilot.folder), project)
        places = {str(project): "/home/dev/project", str(copilot.home): "/home/dev", str(folder): "/tmp/x"}
        numbers: dict[str, str] = {}
        _save(_anonymous(log.read_text(encoding="utf-8"), places, numbers))
        cut = (_shortened(json.loads(line)) for line in _anonymous(events, places, numbers).splitlines())
        lines = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in cut)
        _write(FIXTURES / "transcript.jsonl", "".join(f"{line}\n" for line in lines))
    return 0


class CopilotWithPatches(Copilot):
    """Copilot CLI with a model to which it gives the tool that applies patches."""

    def variables(self) -> dict[str, str]:
        tongue = {"COPILOT_PROVIDER_TYPE": "openai", "COPILOT_PROVIDER_WIRE_API": "responses"}
        return {**super().variables(), **tongue, "COPILOT_MODEL": "gpt-5.5"}


def record_conversation(copilot: Copilot, project: Path) -> str:
    """Tools that work and fail, an edit, a subagent with a command, a compaction and a prompt behind it; the log."""
    look = call("bash", command="ls", description="List the files")
    key = copilot.ask(project, "Add a test for the parser.").conversation
    copilot.ask(project, f"What is here? {look}", conversation=key)
    missing = call("view", path=str(project / "none.txt"))
    failing = call("bash", command="ls none.txt", description="Look") + missing
    copilot.ask(project, f"Is it there? {failing}", conversation=key)
    copilot.ask(project, f"Change it. {copilot.edit(project / 'notes.txt', 'old', 'new')}", conversation=key)
    task = call("task", description="Look around", prompt=f"Which? {look}", agent_type="general-purpose", name="x")
    copilot.ask(project, f"Ask another. {task}", conversation=key)
    copilot.compact(project, key)
    copilot.ask(project, "Now fix the parser.", conversation=key)
    return "".join(f"{json.dumps(event, ensure_ascii=False)}\n" for event in copilot.events(key))


def record_continuation(copilot: Copilot, project: Path) -> None:
    """A hook keeps the agent going."""
    _write(project / "unfinished", "")
    copilot.ask(project, "Finish it.")


def record_patch(copilot: Copilot, project: Path) -> None:
    """Its text is all that the tool is given."""
    patch = "*** Begin Patch\n*** Add File: more.txt\n+one\n*** End Patch\n"
    copilot.ask(project, f"Write more. {call('apply_patch', input=patch)}")


def record_terminal(copilot: Copilot, project: Path, log: Path) -> None:
    """A skill that is called with words, and the prompt that the client gives itself when a command has ended."""
    with copilot.terminal(project) as terminal:
        terminal.type("/tidy all of them")
        terminal.wait(lambda: "\nStop " in log.read_text(encoding="utf-8").partition("<skill-context")[2])
        waiting = call("bash", command="sleep 5", description="Wait", mode="async")
        terminal.type(f"Wait. {waiting}")
        terminal.wait_for("Do you want to run this command?")
        terminal.type("")
        terminal.wait(lambda: "<system_notification>" in log.read_text(encoding="utf-8"))


def _anonymous(text: str, places: dict[str, str], numbers: dict[str, str]) -> str:
    """A text without the paths of this machine, with ids numbered in order of appearance."""
    for path, shown in places.items():
        text = text.replace(path, shown)
    text = text.replace(sys.executable, "python3")
    return _UUID.sub(
        lambda found: numbers.setdefault(found[0], f"00000000-0000-4000-8000-{len(numbers) + 1:012}"), text
    )


def _save(text: str) -> None:
    """Keep the first payload of each kind."""
    saved = set()
    for line in text.splitlines():
        event, _, raw = line.partition(" ")
        payload = json.loads(raw)
        name = "-".join(filter(None, (event, _variant(payload))))
        if name not in saved:
            saved.add(name)
            _write(FIXTURES / f"{name}.json", json.dumps(payload, indent=2) + "\n")


def _variant(payload: Json) -> str:
    if "agent_id" in payload:
        return "subagent"
    if isinstance(payload.get("tool_input"), str):
        return "patch"
    if payload.get("stop_hook_active"):
        return "continuing"
    words = {"<skill-context": "skill", "<system_notification>": "notification", "The tests were": "continuing"}
    known = [variant for start, variant in words.items() if start in payload.get("prompt", "")]
    kinds = [str(payload[key]) for key in ("source", "trigger", "reason", "tool_name") if key in payload]
    return next(iter((*known, *kinds)), "")


def _shortened(value: object) -> object:
    if isinstance(value, str):
        return value if len(value) <= LONGEST else value[:LONGEST] + " [cut]"
    if isinstance(value, dict):
        return {name: _shortened(each) for name, each in value.items()}
    return [_shortened(each) for each in value[:5]] if isinstance(value, list) else value


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
