"""Record the payloads and transcripts of `tests/fixtures/claude-code` anew: a program, run when the client changes.

    LIMPET_CLAUDE=/path/to/claude python -m tests.clients.record_fixtures

It drives the real client through every situation that a hook can meet, saves what the client handed to the hooks,
and replaces paths and session ids of the machine it ran on. POSIX only.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
import tempfile
from pathlib import Path

from .claude_code import OWN_TURN, ClaudeCode, find_client, hook_settings, write_settings
from .directives import Json

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "claude-code"
EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "Stop",
    "SessionEnd",
    "ConfigChange",
)
SMALL_MODEL = "claude-haiku-4-5"
LONGEST_TEXT = 200
LARGEST_VALUE = 1500  # characters of JSON that a field inside a field of a transcript line may have

_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_HOOK = """\
import sys
with open(sys.argv[1], "a", encoding="utf-8") as log:
    log.write(sys.stdin.read().strip() + "\\n")
"""
_REFUSING = """\
import json, sys
command = json.load(sys.stdin)["tool_input"].get("command", "")
answers = {"git push": "deny", "npm publish": "ask"}
if command in answers:
    answer = {"permissionDecision": answers[command], "permissionDecisionReason": f"dev may not run {command}"}
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **answer}}))
"""


def main() -> int:
    """Record all fixtures; returns the exit status."""
    with tempfile.TemporaryDirectory(prefix="fixtures-") as folder:
        stage = Stage(Path(folder).resolve())
        FIXTURES.mkdir(parents=True, exist_ok=True)
        record_sessions(stage)
        record_tools_and_tasks(stage)
        record_automatic_compaction(stage)
        record_terminal(stage)
        record_refusals(stage)
        for name, payload in stage.payloads().items():
            _write(FIXTURES / f"{name}.json", json.dumps(payload, indent=2, ensure_ascii=False) + "\n")
            print(name)
    return 0


class Stage:
    """A project whose every hook writes down what it is handed, and a client to play in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = folder / "project"
        self.log = folder / "payloads.jsonl"
        self.claude = ClaudeCode(find_client(), folder / "claude")
        self.project.mkdir()
        hook = folder / "hook.py"
        hook.write_text(_HOOK, encoding="utf-8")
        command = shlex.join([sys.executable, str(hook), str(self.log)])
        status = {"type": "command", "command": command}
        write_settings(self.project, hooks=hook_settings(dict.fromkeys(EVENTS, command)), statusLine=status)
        greeting = self.project / ".claude" / "commands" / "greet.md"
        greeting.parent.mkdir()
        greeting.write_text("---\ndescription: Greet somebody\n---\nSay hello to $ARGUMENTS.\n", encoding="utf-8")

    def payloads(self) -> dict[str, Json]:
        """The first payload of each kind, by the name of its fixture."""
        lines = self.log.read_text(encoding="utf-8").split("\n")
        found: dict[str, Json] = {}
        for line in filter(None, lines):
            payload = json.loads(self.anonymous(line))
            found.setdefault(fixture_name(payload), payload)
        return dict(sorted(found.items()))

    def anonymous(self, text: str) -> str:
        """A text without the paths of this machine, with session ids numbered in order of appearance."""
        places = {
            str(self.project): "/home/dev/project",
            str(self.claude.home): "/home/dev",
            str(self.claude.folder / "tmp"): "/tmp",
            str(self.folder): "/home/dev/hooks",
            sys.executable: "python3",
        }
        for path, shown in places.items():
            text = text.replace(path, shown).replace(_as_file_name(path), _as_file_name(shown))
        numbers: dict[str, str] = {}
        return _UUID.sub(lambda found: numbers.setdefault(found[0], _numbered(len(numbers) + 1)), text)

    def save_transcript(self, source: Path, name: str) -> None:
        """Keep a transcript as a fixture, its long texts cut."""
        lines = self.anonymous(source.read_text(encoding="utf-8")).split("\n")
        cut = (_shortened(json.loads(line)) for line in lines if line)
        compact = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in cut)  # as the client does
        _write(FIXTURES / name, "".join(f"{line}\n" for line in compact))


def record_sessions(stage: Stage) -> None:
    """Startup, typed prompts, a command, /compact, resume, fork, /clear."""
    prompts = ["Add a test for the parser.", "/greet Ada", "/compact", "Now fix the parser."]
    first = stage.claude.run(stage.project, prompts)
    stage.save_transcript(first.transcript, "transcript.jsonl")
    resumed = stage.claude.run(stage.project, ["Is it done?"], resume=first.session_id)
    stage.claude.run(stage.project, ["Try another way."], resume=resumed.session_id, fork=True)
    stage.claude.run(stage.project, ["/clear", "Begin again."])


def record_tools_and_tasks(stage: Stage) -> None:
    """Tools that work and fail, a subagent, and the prompt that the client gives itself when a task has ended."""
    look = {"command": "ls", "description": "List the files"}
    read = {"file_path": "/home/dev/none.txt"}
    stage.claude.run(stage.project, [_call("Bash", look) + _call("Read", read)])
    task = {"description": "Look around", "prompt": "Which files are there?", "subagent_type": "general-purpose"}
    delegated = stage.claude.run(stage.project, [_call("Task", {**task, "run_in_background": False})])
    (agent,) = delegated.transcript.with_suffix("").glob("subagents/*.jsonl")
    stage.save_transcript(agent, "transcript-subagent.jsonl")
    touch = {"command": "echo >> .claude/settings.json && sleep 3", "description": "Change the settings"}
    stage.claude.run(stage.project, [_call("Bash", touch)])
    wait = {"command": "sleep 1", "description": "Wait", "run_in_background": True}
    stage.claude.run(stage.project, [_call("Bash", wait), OWN_TURN])


def record_automatic_compaction(stage: Stage) -> None:
    """A conversation that outgrows the model."""
    long = "All work and no play. " * 4000
    stage.claude.run(stage.project, [long, long, long, long], model=SMALL_MODEL, window=100_000)


def record_terminal(stage: Stage) -> None:
    """The status line before and after an answer and after /compact; a session that ends with /exit."""
    with stage.claude.terminal(stage.project) as terminal:
        terminal.type("Hello.")
        terminal.wait(lambda: "StatusLine-answered" in stage.payloads())
        terminal.type("/compact")
        terminal.wait(lambda: "StatusLine-compacted" in stage.payloads())
        terminal.type("/exit")
        terminal.wait_for_end()


def record_refusals(stage: Stage) -> None:
    """Calls that a hook denies, that nobody is there to be asked about, and that the settings deny; one that fails."""
    hook = stage.folder / "refuse.py"
    hook.write_text(_REFUSING, encoding="utf-8")
    command = shlex.join([sys.executable, str(hook)])
    permissions = {"deny": ["Bash(docker:*)"]}
    write_settings(stage.project, hooks=hook_settings({"PreToolUse": command}), permissions=permissions)
    commands = ("git push", "npm publish", "docker push", "make deploy", "ls none.txt")
    calls = [_call("Bash", {"command": each, "description": "Work"}) for each in commands]
    refused = stage.claude.run(stage.project, ["".join(calls)], arguments=["--permission-mode", "default"])
    stage.save_transcript(refused.transcript, "transcript-refused.jsonl")


def fixture_name(payload: Json) -> str:
    """The event of a payload, and which of its variants this is."""
    event = payload.get("hook_event_name", "StatusLine")
    variant = _VARIANTS.get(event, lambda _: "")(payload)
    return f"{event}-{variant}" if variant else str(event)


def _prompt_variant(payload: Json) -> str:
    if payload["prompt"].startswith("<task-notification>"):
        return "task-notification"
    return "command" if payload["prompt"].startswith("/") else "typed"


def _start_variant(payload: Json) -> str:
    terminal = payload["source"] == "startup" and "model" in payload
    return f"{payload['source']}-terminal" if terminal else str(payload["source"])


def _status_variant(payload: Json) -> str:
    if payload["context_window"]["current_usage"]:
        return "answered"
    return "compacted" if "prompt_cache" in payload else "startup"


_VARIANTS = {
    "SessionStart": _start_variant,
    "UserPromptSubmit": _prompt_variant,
    "PreCompact": lambda payload: payload["trigger"],
    "PostCompact": lambda payload: payload["trigger"],
    "SessionEnd": lambda payload: payload["reason"],
    "PreToolUse": lambda payload: payload["tool_name"],
    "PostToolUse": lambda payload: payload["tool_name"],
    "PostToolUseFailure": lambda payload: payload["tool_name"],
    "SubagentStop": lambda payload: payload["agent_type"] or "compact",
    "StatusLine": _status_variant,
}


def _call(tool: str, value: Json) -> str:
    return f"[[tool:{tool} {json.dumps(value)}]]"


def _as_file_name(path: str) -> str:
    """A path as the client writes it into the name of a folder."""
    return re.sub(r"[^0-9A-Za-z]", "-", path)


def _numbered(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def _shortened(value: object, depth: int = 0) -> object:
    if isinstance(value, str):
        return value if len(value) <= LONGEST_TEXT else value[:LONGEST_TEXT] + " [cut]"
    if isinstance(value, dict):
        value = {name: _shortened(each, depth + 1) for name, each in value.items()}
    elif isinstance(value, list):
        value = [_shortened(each, depth + 1) for each in value]
    return "[cut]" if depth > 1 and len(json.dumps(value)) > LARGEST_VALUE else value


def render_rows(fixture: dict[str, object]) -> str:
    """JSON with a line for each field, and for each item of a list, so that a diff shows which."""
    fields = []
    for name, value in fixture.items():
        shown = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value:
            items = (json.dumps(each, ensure_ascii=False) for each in value)
            shown = "[\n  " + ",\n  ".join(items) + "\n ]"
        fields.append(f" {json.dumps(name)}: {shown}")
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
