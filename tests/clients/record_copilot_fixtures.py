"""Record the payloads of `tests/fixtures/copilot-cli` anew: what Copilot CLI hands to hooks of Claude Code's settings.

    HOLDFAST_COPILOT=/path/to/copilot python -m tests.clients.record_copilot_fixtures

Paths, ids and times of the machine it ran on are replaced. POSIX only.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
import tempfile
from pathlib import Path

from .claude_code import hook_settings
from .clients import Copilot
from .record_fixtures import EVENTS

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "copilot-cli"
HOOK = "import sys; open(sys.argv[1], 'a').write(sys.argv[2] + ' ' + sys.stdin.read().strip() + chr(10))"
TASK = {"description": "Look around", "prompt": "Which files are there?", "agent_type": "general-purpose", "name": "x"}
LOOK = {"command": "ls", "description": "List the files"}

_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")


def main() -> int:
    """Record, and return the exit status."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        project, log = folder / "project", folder / "payloads.txt"
        commands = {event: shlex.join([sys.executable, "-c", HOOK, str(log), event]) for event in EVENTS}
        settings = project / ".claude" / "settings.local.json"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps({"hooks": hook_settings(commands)}), encoding="utf-8")
        copilot = Copilot(folder / "copilot")
        copilot.consent(project)
        first = copilot.ask(project, f"Add a test for the parser. [[tool:bash {json.dumps(LOOK)}]]")
        copilot.ask(project, "/compact", conversation=first.conversation)
        copilot.ask(project, f"Now fix it. [[tool:task {json.dumps(TASK)}]]", conversation=first.conversation)
        places = {str(project): "/home/dev/project", str(copilot.home): "/home/dev"}
        _save(log.read_text(encoding="utf-8"), places)
    return 0


def _save(text: str, places: dict[str, str]) -> None:
    """Keep the first payload of each kind."""
    FIXTURES.mkdir(exist_ok=True)
    for path, shown in places.items():
        text = text.replace(path, shown)
    numbers: dict[str, str] = {}
    text = _UUID.sub(
        lambda found: numbers.setdefault(found[0], f"00000000-0000-4000-8000-{len(numbers) + 1:012}"), text
    )
    saved = set()
    for line in text.splitlines():
        event, _, raw = line.partition(" ")
        payload = json.loads(raw)
        name = "-".join(filter(None, (event, _variant(payload))))
        if name not in saved:
            saved.add(name)
            payload["timestamp"] = (
                "2026-11-21T12:00:00.000Z" if isinstance(payload["timestamp"], str) else 1795262400000
            )
            (FIXTURES / f"{name}.json").write_text(json.dumps(payload, indent=2) + "\n", encoding="utf-8")


def _variant(payload: dict[str, str]) -> str:
    if "agent_id" in payload:
        return "subagent"
    return next((payload[key] for key in ("source", "trigger", "reason", "tool_name") if key in payload), "")


if __name__ == "__main__":
    sys.exit(main())
