"""Record `tests/fixtures/codex-cli` anew: what Codex CLI hands to hooks, and its transcripts.

    LIMPET_CODEX=/path/to/codex python -m tests.clients.record_codex_fixtures

Paths, ids and times of the machine it ran on are replaced, long texts are cut. POSIX only.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from .directives import Json
from .fake_model import URL
from .process import REPOSITORY, beside_the_fake, environment_of, find_program, records_in
from .record_fixtures import LONGEST_TEXT

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "codex-cli"
EVENTS = (
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "SubagentStart", "PreCompact", "PostCompact", "Stop"),
    "SessionEnd",
)
HOOK = "import sys; open(sys.argv[1], 'a').write(sys.argv[2] + ' ' + sys.stdin.read().strip() + chr(10))"
ADDRESS = f'model_providers.fake.base_url="{URL}/v1"'
# Without a terminal, without its sandbox, and with hooks that nobody was asked about.
WORDS = (
    *("exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"),
    *("--dangerously-bypass-hook-trust", "-c", ADDRESS),
)
CONFIG = """\
model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"
[analytics]
enabled = false
[features]
daemon_auto_start = false
[projects."{project}"]
trust_level = "trusted"
[mcp_servers.notes]
command = "{python}"
args = ["{server}"]
default_tools_approval_mode = "approve"
"""
SERVER = """\
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    tool = {"name": "recall", "description": "Recall a note", "inputSchema": {"type": "object"}}
    result = {
        "initialize": lambda: {"protocolVersion": asked["params"]["protocolVersion"], "capabilities": {"tools": {}},
                               "serverInfo": {"name": "notes", "version": "1"}},
        "tools/list": lambda: {"tools": [tool]},
        "tools/call": lambda: {"content": [{"type": "text", "text": "none"}]},
    }.get(asked["method"], dict)()
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""
PATCH = "*** Begin Patch\n*** Add File: notes.md\n+one\n*** End Patch"
SCRIPT = """\
const seen = await tools.exec_command({cmd: "ls -a", workdir: "docs"});
const done = await tools.exec_command({cmd: "cat none.txt"});
text(seen.output + done.output);
"""

_ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_TIME = re.compile(r"rollout-[0-9T-]{19}-|\b2\d{3}-\d\d-\d\dT[0-9:.]+Z")
_CALL = re.compile(r"(fake\d{4})[0-9a-f]{32}")
_DAY = re.compile(r"sessions/\d{4}/\d\d/\d\d")


class Stage:
    """A project whose every hook writes down what it is handed, and a client to play in it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.project, self.log = folder, folder / "project", folder / "payloads.txt"
        self.home = folder / "home"
        self.executable = find_program("codex", "Codex CLI", "LIMPET_CODEX", "tools/install_clients.py --codex")
        server = folder / "server.py"
        for path, text in (
            (server, SERVER),
            (self.project / "docs" / "guide.md", "# Guide\n"),
            (
                self.project / ".codex" / "hooks.json",
                json.dumps({"hooks": {each: self._hook(each) for each in EVENTS}}),
            ),
            (
                self.home / ".codex" / "config.toml",
                CONFIG.format(project=self.project, python=sys.executable, server=server),
            ),
        ):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def ask(self, prompt: str, *words: str) -> str:
        """Give the client one prompt; `words` come before it. Return the conversation's id."""
        records = records_in(self.folder)
        command = beside_the_fake([str(self.executable), *WORDS, *words, prompt], self.project, records, None)
        around = environment_of(self.folder, {"CODEX_HOME": str(self.home / ".codex")})
        done = subprocess.run(
            command, cwd=REPOSITORY, env=around, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
        )
        events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        return next(event["thread_id"] for event in events if event["type"] == "thread.started")

    def save_transcript(self, session: str, name: str) -> None:
        """Keep a transcript as a fixture."""
        (path,) = (self.home / ".codex" / "sessions").rglob(f"*{session}.jsonl")
        lines = self.anonymous(path.read_text(encoding="utf-8")).splitlines()
        kept = (json.dumps(_cut(json.loads(line)), ensure_ascii=False, separators=(",", ":")) for line in lines)
        (FIXTURES / name).write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")

    def save_payloads(self) -> None:
        """Keep the first payload of each kind."""
        saved = set()
        for line in self.anonymous(self.log.read_text(encoding="utf-8")).splitlines():
            event, _, raw = line.partition(" ")
            payload = json.loads(raw)
            name = "-".join(filter(None, (event, _variant(payload))))
            if name not in saved:
                saved.add(name)
                (FIXTURES / f"{name}.json").write_text(json.dumps(payload, indent=2) + "\n", encoding="utf-8")

    def anonymous(self, text: str) -> str:
        """A text without the paths, ids and times of this machine."""
        for path, shown in ((self.project, "/home/dev/project"), (self.home, "/home/dev"), (self.folder, "/home/dev")):
            text = text.replace(str(path), shown)
        text = _CALL.sub(r"\1", _DAY.sub("sessions/2026/11/26", _TIME.sub(_at_noon, text)))
        numbers: dict[str, str] = {}
        return _ID.sub(
            lambda found: numbers.setdefault(found[0], f"00000000-0000-7000-8000-{len(numbers) + 1:012}"), text
        )

    def _hook(self, event: str) -> list[Json]:
        command = shlex.join([sys.executable, "-c", HOOK, str(self.log), event])
        return [{"hooks": [{"type": "command", "command": command, "timeout": 3}]}]


def main() -> int:
    """Record, and return the exit status."""
    with tempfile.TemporaryDirectory(prefix="fixtures-", dir=Path.home()) as name:
        stage = Stage(Path(name).resolve())
        FIXTURES.mkdir(exist_ok=True)
        tools = (
            _call("exec_command", cmd="ls -a", workdir=str(stage.project / "docs")),
            _call("exec_command", cmd="cat none.txt"),
            _call("apply_patch", input=PATCH),
            _call("view_image", path="none.png"),
            _call("mcp__notes__recall", q="x"),
        )
        first = stage.ask("Add a test for the parser.")
        stage.ask(f"Have a look first. {''.join(tools)} [[usage:50000]]", "resume", first)
        limit = ("-c", "model_auto_compact_token_limit=40000", "resume", first)
        stage.ask("Now fix the parser.", *limit)
        stage.save_transcript(first, "transcript.jsonl")
        stage.save_transcript(stage.ask("Try another way.", "fork", first), "transcript-fork.jsonl")
        scripted = stage.ask(f"Have a look. {_call('exec', input=SCRIPT)}", "-m", "gpt-6-sol")
        stage.save_transcript(scripted, "transcript-script.jsonl")
        asked = _call("multi_agent_v1__spawn_agent", message="Which files are there?") + _call(
            "exec_command", cmd="sleep 3"
        )
        stage.ask(f"Have somebody look. {asked}")
        stage.save_payloads()
    return 0


def _call(tool: str, **given: object) -> str:
    return f"[[tool:{tool} {json.dumps(given)}]]"


def _variant(payload: Json) -> str:
    if "agent_id" in payload:
        return "subagent"
    if str(payload.get("tool_use_id")).startswith("exec-"):
        return "script"
    return next((payload[key] for key in ("source", "trigger", "reason", "tool_name") if key in payload), "")


def _at_noon(found: re.Match[str]) -> str:
    return "rollout-2026-11-26T12-00-00-" if found[0].startswith("rollout") else "2026-11-26T12:00:00.000Z"


def _cut(value: object) -> object:
    """A value with its long texts cut."""
    if isinstance(value, dict):
        return {key: _cut(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_cut(each) for each in value[:8]]
    return f"{value[:LONGEST_TEXT]}[cut]" if isinstance(value, str) and len(value) > LONGEST_TEXT else value


if __name__ == "__main__":
    sys.exit(main())
