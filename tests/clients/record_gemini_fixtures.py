"""Record `tests/fixtures/gemini-cli` anew: what Gemini CLI hands to hooks, and the chat that it keeps.

    LIMPET_GEMINI=/path/to/gemini python -m tests.clients.record_gemini_fixtures

Paths, ids and times of the machine it ran on are replaced; what was said to the fake model alone is taken out. POSIX
only.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
import tempfile
from pathlib import Path

from .clients import Gemini, call

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "gemini-cli"
EVENTS = ("BeforeAgent", "BeforeTool", "AfterAgent", "SessionEnd")
# Notes what comes; adds a block to each prompt, refuses one command, and keeps the agent going once.
HOOK = """\
import json, sys
log, event = sys.argv[1:]
raw = sys.stdin.read().strip()
open(log, "a").write(event + " " + raw + chr(10))
payload, answer = json.loads(raw), {}
if event == "BeforeAgent":
    block = "<limpet-context>Version it.</limpet-context>"
    answer = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": block}}
elif event == "BeforeTool" and payload["tool_input"].get("command") == "git push":
    answer = {"decision": "deny", "reason": "dev may not push"}
elif event == "AfterAgent" and "Stop" in payload["prompt"] and not payload["stop_hook_active"]:
    answer = {"decision": "deny", "reason": "<limpet-context>Mend it.</limpet-context>"}
print(json.dumps(answer) if answer else "")
"""
_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_DIRECTIVE = re.compile(r" \[\[.*?\]\]")
_CHAT = re.compile(r"session-[-\dT]+-[0-9a-f]{8}\.jsonl")
_HASH = re.compile(r"\b[0-9a-f]{64}\b")
_CALL = re.compile(r"(?<=_)\d{13}(?=_)")


def main() -> int:
    """Record, and return the exit status."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        project, log = folder / "project", folder / "payloads.txt"
        _write_project(project, log)
        client = Gemini(folder / "gemini")
        client.consent(project)
        first = client.ask(project, "Add a test for the parser.")
        prompts = (
            f"Look around. {call('run_shell_command', command='ls')} {call('run_shell_command', command='exit 3')}",
            f"Read it. {call('read_file', file_path='absent.py')} {call('run_shell_command', command='git push')}",
            f"Now fix it. {client.edit(Path('parser.py'), 'old', 'new')}",
            "Explain @parser.py in a few words.",
            f"Stop here. {call('write_todos', todos=[{'description': 'Write the test', 'status': 'in_progress'}])}",
            "/compress",
            "Go on with the other one.",
        )
        for prompt in prompts:
            client.ask(project, prompt, conversation=first.conversation)
        chat = min((client.home / ".gemini" / "tmp").glob(f"*/chats/session-*-{first.conversation[:8]}.jsonl"))
        places = {str(project): "/home/dev/project", str(client.home): "/home/dev"}
        _save(log.read_text(encoding="utf-8"), chat.read_text(encoding="utf-8"), places)
    return 0


def _write_project(project: Path, log: Path) -> None:
    hooks = {}
    for event in EVENTS:
        command = shlex.join([sys.executable, "-c", HOOK, str(log), event])
        hooks[event] = [{"hooks": [{"type": "command", "name": "probe", "command": command, "timeout": 10_000}]}]
    settings = project / ".gemini" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"hooks": hooks}), encoding="utf-8")
    (project / "parser.py").write_text("old\n", encoding="utf-8")


def _save(payloads: str, chat: str, places: dict[str, str]) -> None:
    """Keep the first payload of each kind, and the chat."""
    FIXTURES.mkdir(exist_ok=True)
    numbers: dict[str, str] = {}
    for path, shown in places.items():
        payloads, chat = payloads.replace(path, shown), chat.replace(path, shown)
    payloads, chat = (_plain(text, numbers) for text in (payloads, chat))
    saved = set()
    for line in payloads.splitlines():
        event, _, raw = line.partition(" ")
        payload = json.loads(raw)
        name = "-".join(filter(None, (event, _variant(event, payload))))
        if name not in saved:
            saved.add(name)
            payload["timestamp"] = "2026-11-21T12:00:00.000Z"
            (FIXTURES / f"{name}.json").write_text(json.dumps(payload, indent=2) + "\n", encoding="utf-8")
    (FIXTURES / "transcript.jsonl").write_text(chat, encoding="utf-8")


def _plain(text: str, numbers: dict[str, str]) -> str:
    text = _CHAT.sub("session-2026-11-21T12-00-00000000.jsonl", _HASH.sub("0" * 64, _DIRECTIVE.sub("", text)))
    text = _CALL.sub(lambda found: numbers.setdefault(found[0], f"{1795262400000 + len(numbers)}"), text)
    return _UUID.sub(
        lambda found: numbers.setdefault(found[0], f"00000000-0000-4000-8000-{len(numbers) + 1:012}"), text
    )


def _variant(event: str, payload: dict[str, object]) -> str:
    prompt = str(payload.get("prompt"))
    if prompt.startswith("<limpet-context") or payload.get("stop_hook_active"):
        return "continued"
    if "--- Content from" in prompt and event == "BeforeAgent":
        return "file"
    return next((str(payload[key]) for key in ("reason", "tool_name") if key in payload), "")


if __name__ == "__main__":
    sys.exit(main())
