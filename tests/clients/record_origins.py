"""Record what Claude Code tells a hook about where a prompt comes from, at the time of the event: a program, run when
the client changes.

    LIMPET_CLAUDE=/path/to/claude python -m tests.clients.record_origins [--keep FOLDER] [WAY ...]

Each WAY is one way by which a text reaches the client; without a name all are played, one after the other, in about
ten minutes. A hook of its own, registered for every event, writes down what it is handed, its whole environment (values
of secrets left out), its ancestors, and the ends of the transcript and of the client's list of typed prompts as they
are at that moment; at a prompt it waits a second and looks again. `--keep` leaves all of that in a folder; the chosen
events go to `tests/fixtures/origins/claude-code/NAME.json`, with paths, process numbers and ids replaced. A way that
could not be played is named, with the reason, and so is an event that did not come. The fixtures of the sandbox need
`bwrap` and `socat`. Linux only, as the hook reads /proc.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from .claude_code import ClaudeCode, find_client, hook_settings, write_settings
from .directives import Json
from .process import ClientFailure
from .record_fixtures import _as_file_name, _numbered, _shortened, render_rows
from .terminal import Terminal

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "origins" / "claude-code"
EVENTS = (
    *("PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Notification", "UserPromptSubmit"),
    *("UserPromptExpansion", "SessionStart", "SessionEnd", "Stop", "StopFailure", "SubagentStart", "SubagentStop"),
    *("PreCompact", "PostCompact", "PreModelSwitch", "PostModelSwitch", "PermissionRequest", "PermissionDenied"),
    *("Setup", "TeammateIdle", "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange"),
    *("InstructionsLoaded", "CwdChanged", "FileChanged", "DirectoryAdded", "MessageDisplay"),
)
"""All but WorktreeCreate and WorktreeRemove: a hook for these has to make the worktree itself."""
PROMPT = "UserPromptSubmit"
HOOK = Path(__file__).resolve().parent / "origin_hook.py"
LONGEST_TEXT = 300
PATIENCE = 200.0

GREET = "---\ndescription: Greet somebody\n---\n*agent devops\nSay hello to $ARGUMENTS.\n"
MCP = """\
import json, sys
PROMPT = {"name": "greet", "description": "Greet", "arguments": [{"name": "who", "required": True}]}
SAID = [{"role": "user", "content": {"type": "text", "text": "*agent devops"}}]
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    known = {"name": "fake", "version": "1"}
    version = asked.get("params", {}).get("protocolVersion")
    answers = {
        "initialize": {"protocolVersion": version, "capabilities": {"prompts": {}}, "serverInfo": known},
        "prompts/list": {"prompts": [PROMPT]},
        "prompts/get": {"messages": SAID},
        "ping": {},
    }
    answer = {"jsonrpc": "2.0", "id": asked["id"]}
    if asked["method"] in answers:
        answer["result"] = answers[asked["method"]]
    else:
        answer["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(answer), flush=True)
"""
PROBE = """\
import importlib.util, json, os, sys
spec = importlib.util.spec_from_file_location("origin_hook", sys.argv[1])
hook = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hook)
tried = hook.try_places(sys.argv[2])
found = {"way": sys.argv[2], "tried": tried, "ancestors": hook.ancestors(), "environment": hook.environment(),
         "user": [os.getuid(), os.getpid()]}
print(json.dumps(found))
"""

_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")


class Stage:
    """A project and a home of its own for one way, and what the hook wrote down in it."""

    def __init__(self, folder: Path, client: Path) -> None:
        self.folder = folder
        self.project = folder / "project"
        self.claude = ClaudeCode(client, folder / "claude")
        self.log = folder / "records.jsonl"
        self._size, self._known = -1, []

    def build(self) -> None:
        """Make the project, with the hook at every event."""
        self.project.mkdir(parents=True)
        command = shlex.join([sys.executable, "-I", "-S", str(HOOK), str(self.log)])
        write_settings(self.project, hooks=hook_settings(dict.fromkeys(EVENTS, command)))

    def also(self, commands: Mapping[str, str]) -> None:
        """Register further hooks, which answer."""
        path = self.project / ".claude" / "settings.json"
        settings = json.loads(path.read_text(encoding="utf-8"))
        for event, groups in hook_settings(commands).items():
            settings["hooks"][event] += groups
        write_settings(self.project, **settings)

    def with_editor(self) -> Stage:
        """The same stage, with a fake editor that runs beside the client."""
        wrapper = self.folder / "with-editor"
        words = shlex.join([sys.executable, str(HOOK.with_name("fake_editor.py")), str(self.project), "45871"])
        wrapper.write_text(
            f'#!/bin/sh\nexec {words} {shlex.quote(str(self.claude.executable))} "$@"\n', encoding="utf-8"
        )
        wrapper.chmod(0o755)
        self.claude = ClaudeCode(wrapper, self.claude.folder)
        return self

    def file(self, path: str, text: str) -> None:
        """Write a file of the project."""
        place = self.project / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def records(self, *events: str) -> list[Json]:
        """What was written down so far, of these events or of all."""
        size = self.log.stat().st_size if self.log.exists() else 0
        if size != self._size:
            lines = self.log.read_text(encoding="utf-8").split("\n")[:-1] if size else []
            self._size, self._known = size, [json.loads(line) for line in lines]
        return [each for each in self._known if not events or each["event"] in events]

    @contextmanager
    def terminal(self, *arguments: str, mode: str = "bypassPermissions", **env: str) -> Iterator[Player]:
        """The client in a terminal."""
        given = ["--permission-mode", mode, *arguments]
        with self.claude.terminal(self.project, arguments=given, timeout=PATIENCE, env=env) as terminal:
            yield Player(self, terminal)


class Player:
    """A person at the terminal."""

    def __init__(self, stage: Stage, terminal: Terminal) -> None:
        self.stage = stage
        self.terminal = terminal

    def type(self, text: str) -> None:
        """Type a line, and wait for nothing."""
        self.terminal.type(text)

    def press(self, keys: str) -> None:
        """Press keys, without Enter at their end."""
        os.write(self.terminal._controller, keys.encode())
        self.pause(0.6)

    def ask(self, text: str) -> None:
        """Type a line and wait until the turn has ended."""
        ended = len(self.stage.records("Stop"))
        self.type(text)
        self.until("Stop", ended + 1)

    def until(self, event: str, count: int) -> None:
        """Wait until an event has come so often."""
        self.terminal.wait(lambda: len(self.stage.records(event)) >= count)
        self.pause(0.5)

    def pause(self, seconds: float) -> None:
        """Let time pass, while the screen is read."""
        end = time.monotonic() + seconds
        self.terminal.wait(lambda: time.monotonic() > end)

    def leave(self) -> None:
        """Type /exit, and agree that what runs in the background ends."""
        with contextlib.suppress(ClientFailure, OSError):  # it has left already
            self.press("/exit")
            self.press("\r")
            self.pause(2)
            self.press("\r")
        self.terminal.wait_for_end()


def call(tool: str, **value: object) -> str:
    """A directive that has the model call a tool."""
    return f"[[tool:{tool} {json.dumps(value)}]]"


def shell(command: str, **more: object) -> str:
    """A directive that has the model run a command."""
    return call("Bash", command=command, description="Work", **more)


def typed(stage: Stage) -> None:
    """Typed in a terminal: the first prompt, the second, one after a tool."""
    with stage.terminal() as person:
        person.ask("Add a test for the parser.")
        person.ask("Now fix the parser. " + shell("true"))
        person.leave()


def pasted(stage: Stage) -> None:
    """A bracketed paste in a typed line: a short one, a long one, and one that is all there is."""
    with stage.terminal() as person:
        for text in ("short words", "\n".join(f"line {n} of a long text" for n in range(30))):
            person.press("Look at this: ")
            person.press(f"\x1b[200~{text}\x1b[201~")
            ended = len(stage.records("Stop"))
            person.press("\r")
            person.until("Stop", ended + 1)
        person.press("\x1b[200~*agent devops\x1b[201~")
        person.press("\r")
        person.until("Stop", 3)
        person.leave()


def typed_mid_turn(stage: Stage) -> None:
    """Typed while the agent works: between two tools, and while the last answer comes."""
    with stage.terminal() as person:
        person.press("go " + shell("sleep 5") + shell("true"))
        person.press("\r")
        person.until("PreToolUse", 1)
        person.press("typed between two tools")
        person.press("\r")
        person.until("Stop", 1)
        person.pause(3)
        ended = len(stage.records("Stop"))
        person.press("wait [[sleep:5]]")
        person.press("\r")
        person.pause(1)
        person.press("typed while the last answer comes")
        person.press("\r")
        person.until("Stop", ended + 2)
        person.press("/compact [[sleep:5]]")
        person.press("\r")
        person.until("PreCompact", 1)
        person.press("typed while it compacts")
        person.press("\r")
        person.until("Stop", ended + 3)
        person.leave()


def command_mid_turn(stage: Stage) -> None:
    """A command typed while the agent works; a line typed while a command of the person's own runs."""
    stage.file(".claude/commands/greet.md", GREET)
    with stage.terminal() as person:
        person.press("wait [[sleep:6]]")
        person.press("\r")
        person.until(PROMPT, 1)
        person.press("/greet Ada")
        person.press("\r")
        person.until("Stop", 2)
        person.press("!")
        person.press("sleep 4")
        person.press("\r")
        person.press("typed while it runs")
        person.press("\r")
        person.pause(8)
        person.leave()


def argument(stage: Stage) -> None:
    """In a terminal, but the first prompt stands in the command line."""
    with stage.terminal("*agent devops") as person:
        person.until("Stop", 1)
        person.leave()


def cron(stage: Stage) -> None:
    """A prompt that the agent has the client type later, by CronCreate."""
    with stage.terminal() as person:
        later = "*agent devops " + shell("true")
        person.ask("go " + call("CronCreate", cron="*/1 * * * *", prompt=later, recurring=False))
        person.until("Stop", 2)
        person.leave()


def wakeup(stage: Stage) -> None:
    """The same by ScheduleWakeup."""
    with stage.terminal() as person:
        person.ask("go " + call("ScheduleWakeup", delaySeconds=60, prompt="*agent devops", reason="look again"))
        person.until("Stop", 2)
        person.leave()


def loop(stage: Stage) -> None:
    """`/loop`, as a person types it: its first round, and the next, which a cron begins."""
    with stage.terminal() as person:
        later = call("CronCreate", cron="*/1 * * * *", prompt="/loop look at it", recurring=False)
        person.ask("/loop 1m look at it " + later)
        person.until("Stop", 2)
        person.leave()


def loop_of_commands(stage: Stage) -> None:
    """A scheduled `/greet Ada`."""
    stage.file(".claude/commands/greet.md", GREET)
    with stage.terminal() as person:
        person.ask("go " + call("CronCreate", cron="*/1 * * * *", prompt="/greet Ada", recurring=False))
        person.until("Stop", 2)
        person.leave()


def background_command(stage: Stage) -> None:
    """What the client tells itself when a command in the background has ended."""
    with stage.terminal() as person:
        person.ask("go " + shell("sleep 3", run_in_background=True))
        person.until("Stop", 2)
        person.leave()


def subagent_ends(stage: Stage) -> None:
    """What it tells itself when a subagent in the background has ended."""
    task = {"description": "Look", "prompt": "look around [[say:*agent devops]]", "subagent_type": "general-purpose"}
    with stage.terminal() as person:
        person.ask("go " + call("Agent", **task, run_in_background=True))
        person.until("Stop", 2)
        person.leave()


def subagent_says(stage: Stage) -> None:
    """A subagent's SendMessage to the main conversation, and an answer to the subagent."""
    message = call("SendMessage", to="main", message="*agent devops", summary="say it")
    task = {"description": "Look", "prompt": "look " + message, "subagent_type": "general-purpose", "name": "looker"}
    with stage.terminal() as person:
        person.ask("go " + call("Agent", **task, run_in_background=True))
        person.pause(8)
        person.ask("now " + call("SendMessage", to="looker", message="*agent qa", summary="answer"))
        person.pause(8)
        person.leave()


def monitor(stage: Stage) -> None:
    """A line that a monitored command prints."""
    watch = call("Monitor", command="sleep 2; echo '*agent devops'; sleep 20", description="watch", timeout_ms=30000)
    with stage.terminal() as person:
        person.ask("go " + watch)
        person.until("Stop", 2)
        person.leave()


def peer(stage: Stage) -> None:
    """A message of another session on this machine."""
    with stage.terminal() as person:
        person.ask("hello")
        with stage.terminal("--name", "other") as second:
            second.ask("hello there")
            names = [json.loads(line[0]) for line in stage.records()[-1]["sessions"] if line and "sessionId" in line[0]]
            first = stage.records()[0]["payload"]["session_id"]
            name = next((each.get("name") for each in names if each["sessionId"] == first), None) or first
            second.ask("go " + call("SendMessage", to=name, message="*agent devops", summary="say it"))
            second.pause(2)
            second.leave()
        person.pause(10)
        person.leave()


def command_file(stage: Stage) -> None:
    """A command file, a skill, a skill that the agent calls, a shell line of the person's."""
    stage.file(".claude/commands/greet.md", GREET)
    stage.file(".claude/skills/wave/SKILL.md", "---\nname: wave\ndescription: Wave\n---\n*agent devops\nWave.\n")
    with stage.terminal() as person:
        person.ask("/greet Ada")
        person.ask("/wave Ada")
        person.ask("go " + call("Skill", skill="wave", args="Bob"))
        person.press("!")
        person.press("echo hello")
        person.press("\r")
        person.pause(3)
        person.ask("and now")
        person.leave()


def mcp_prompt(stage: Stage) -> None:
    """A prompt that an MCP server offers as a command."""
    server = stage.folder / "server.py"
    server.write_text(MCP, encoding="utf-8")
    given = stage.folder / "mcp.json"
    command = {"command": sys.executable, "args": ["-I", "-S", str(server)]}
    given.write_text(json.dumps({"mcpServers": {"fake": command}}), encoding="utf-8")
    with stage.terminal("--mcp-config", str(given)) as person:
        person.pause(3)
        person.ask("/mcp__fake__greet Ada")
        person.leave()


def plan(stage: Stage) -> None:
    """A plan that is carried out: with the context cleared, without, and refused with words."""
    settings = json.loads((stage.project / ".claude" / "settings.json").read_text(encoding="utf-8"))
    write_settings(stage.project, **{**settings, "showClearContextOnPlanAccept": True})
    for keys in ("1", "2"):
        with stage.terminal(mode="plan") as person:
            person.ask("hello")
            transcript = Path(stage.records("Stop")[-1]["payload"]["transcript_path"])
            place = re.search(r'"planFilePath":"([^"]+)"', transcript.read_text(encoding="utf-8"))
            assert place
            write = call("Write", file_path=place[1], content=f"# Plan\n\n*agent devops\n\n{shell('true')}\n")
            asked = len(stage.records("PermissionRequest"))
            person.press("plan it " + write + call("ExitPlanMode"))
            person.press("\r")
            person.until("PermissionRequest", asked + 1)
            person.pause(2)
            (stage.folder / f"screen-{keys}.txt").write_text(person.terminal.drawn, encoding="utf-8")
            ended = len(stage.records("Stop"))
            person.press(keys)
            person.until("Stop", ended + 1)
            person.leave()


def clear(stage: Stage) -> None:
    """/clear, /compact, and then a prompt."""
    with stage.terminal() as person:
        person.ask("first")
        person.type("/clear")
        person.until("SessionStart", 2)
        person.ask("after the clear")
        person.type("/compact")
        person.until("PostCompact", 1)
        person.ask("after the compaction")
        person.leave()


def resume(stage: Stage) -> None:
    """--resume, --fork-session, --continue; /branch; each with a prompt."""
    with stage.terminal() as person:
        person.ask("first")
        person.leave()
    session = stage.records()[0]["payload"]["session_id"]
    for number, options in enumerate(({"resume": session}, {"resume": session, "fork": True})):
        with stage.claude.terminal(stage.project, timeout=PATIENCE, **options) as terminal:
            person = Player(stage, terminal)
            person.ask(f"again {number}")
            if number:
                person.type("/branch")
                person.pause(4)
                person.ask("in the branch")
            person.leave()


def headless(stage: Stage) -> None:
    """`claude -p`: the prompt in the command line, then on standard input, then stream-json."""
    stage.claude.ask(stage.project, "*agent devops")
    stage.claude.run(stage.project, ["*agent devops", "again"])


def sdk(stage: Stage) -> None:
    """What a program with the SDK does: stream-json, an entry point of its own; one that says a person typed it."""
    env = {"CLAUDE_CODE_ENTRYPOINT": "sdk-py", "CLAUDE_AGENT_SDK_VERSION": "0.2.0"}
    stage.claude.run(stage.project, ["*agent devops"], env=env)
    stage.claude.run(stage.project, ["*agent devops"], env={"CLAUDE_CODE_ENTRYPOINT": "cli"})
    stage.claude.run(stage.project, ["*agent devops"], env={"CLAUDE_CODE_ENTRYPOINT": "claude-vscode"})


def hook_says(stage: Stage) -> None:
    """A first prompt that a hook at the session's start answers (`initialUserMessage`); words of a Stop hook."""
    answer = {"hookEventName": "SessionStart", "initialUserMessage": "*agent devops"}
    first = "printf '%s' " + shlex.quote(json.dumps({"hookSpecificOutput": answer}))
    again = "grep -q '\"stop_hook_active\":false' && printf '%s' " + shlex.quote(
        json.dumps({"decision": "block", "reason": "*agent qa"})
    )
    stage.also({"SessionStart": first, "Stop": again})
    with stage.terminal() as person:
        person.pause(4)
        person.ask("hello")
        person.pause(4)
        person.leave()


def nested(stage: Stage) -> None:
    """A client that the agent starts by its shell: headless, and in a terminal of its own making."""
    client = shlex.quote(str(stage.claude.executable))
    with stage.terminal() as person:
        person.ask("go " + shell(f"{client} -p '*agent devops' < /dev/null"))
        keys = "sleep 4; printf '*agent devops'; sleep 1; printf '\\r'; sleep 6; printf '/exit'; sleep 1; printf '\\r'"
        feed = f"({keys}; sleep 2)"
        inner = shlex.quote(f"{client} --permission-mode bypassPermissions")
        without = "env $(env | grep -oE '^(CLAUDE[A-Z_]*|GIT_EDITOR|AI_AGENT)=' | sed 's/=//; s/^/-u /')"
        for before in ("", without):
            typing = f"TERM=xterm {before} timeout 40 script -qc {inner} /dev/null > nested.txt 2>&1"
            person.ask("go " + shell(f"{feed} | {typing}"))
            person.pause(14)  # what has ended is the inner client's turn
        person.leave()


def ide(stage: Stage) -> None:
    """A selection in an editor that the client is connected with, a fake one."""
    editor = stage.with_editor()
    with editor.terminal(
        CLAUDE_CODE_SSE_PORT="45871", TERM_PROGRAM="vscode", CLAUDE_CODE_IDE_SKIP_VALID_CHECK="1"
    ) as person:
        person.pause(5)
        person.ask("What does this do?")
        person.leave()


def sandbox(stage: Stage) -> None:
    """Who runs hooks and who runs commands, out of the sandbox and in it; where each may write."""
    probe = stage.folder / "probe.py"
    probe.write_text(PROBE, encoding="utf-8")
    command = shlex.join([sys.executable, "-I", "-S", str(probe), str(HOOK)])
    settings = json.loads((stage.project / ".claude" / "settings.json").read_text(encoding="utf-8"))
    for sandboxed in (False, True):
        way = "sandboxed" if sandboxed else "free"
        box = {"enabled": sandboxed, "allowUnsandboxedCommands": False, "failIfUnavailable": True}
        write_settings(stage.project, **{**settings, "sandbox": box})
        with stage.terminal() as person:
            person.ask("go " + shell(f"{command} {way} 2>&1 | tee shown-{way}.txt"))
            person.press("!")
            person.press(f"{command} of-the-person-{way} 2>&1 | tee shown-of-the-person-{way}.txt")
            person.press("\r")
            person.pause(4)
            person.leave()


WAYS: dict[str, Callable[[Stage], None]] = {
    "typed": typed,
    "pasted": pasted,
    "typed-mid-turn": typed_mid_turn,
    "command-mid-turn": command_mid_turn,
    "argument": argument,
    "cron": cron,
    "wakeup": wakeup,
    "loop": loop,
    "cron-command": loop_of_commands,
    "background-command": background_command,
    "subagent-ends": subagent_ends,
    "subagent-says": subagent_says,
    "monitor": monitor,
    "peer": peer,
    "command": command_file,
    "mcp-prompt": mcp_prompt,
    "plan": plan,
    "clear": clear,
    "resume": resume,
    "headless": headless,
    "sdk": sdk,
    "hook-says": hook_says,
    "nested": nested,
    "ide": ide,
    "sandbox": sandbox,
}


CHOSEN: dict[str, tuple[str, str, int]] = {
    "typed-first": ("typed", PROMPT, 0),
    "typed": ("typed", PROMPT, 1),
    "typed-tool": ("typed", "PreToolUse", 0),
    "pasted-short": ("pasted", PROMPT, 0),
    "pasted-long": ("pasted", PROMPT, 1),
    "pasted-all": ("pasted", PROMPT, 2),
    "typed-between-tools": ("typed-mid-turn", PROMPT, 1),
    "typed-before-the-end": ("typed-mid-turn", PROMPT, 3),
    "typed-in-compaction": ("typed-mid-turn", PROMPT, 4),
    "command-mid-turn": ("command-mid-turn", PROMPT, 1),
    "typed-beside-a-shell-line": ("command-mid-turn", PROMPT, 2),
    "argument": ("argument", PROMPT, 0),
    "cron": ("cron", PROMPT, 1),
    "cron-known-before": ("cron", "Stop", 0),
    "cron-tool": ("cron", "PreToolUse", 1),
    "wakeup": ("wakeup", PROMPT, 1),
    "loop-typed": ("loop", PROMPT, 0),
    "loop-again": ("loop", PROMPT, 1),
    "cron-command": ("cron-command", PROMPT, 1),
    "cron-command-expansion": ("cron-command", "UserPromptExpansion", 0),
    "background-command": ("background-command", PROMPT, 1),
    "subagent-ends": ("subagent-ends", PROMPT, 1),
    "subagent-says": ("subagent-says", PROMPT, 1),
    "monitor": ("monitor", PROMPT, 1),
    "peer": ("peer", PROMPT, -1),
    "command": ("command", PROMPT, 0),
    "command-expansion": ("command", "UserPromptExpansion", 0),
    "skill": ("command", PROMPT, 1),
    "skill-of-the-agent": ("command", "PreToolUse", 0),
    "shell-line": ("command", "Stop", 3),
    "plan-cleared-end": ("plan", "SessionEnd", 0),
    "plan-cleared-start": ("plan", "SessionStart", 1),
    "plan-cleared-tool": ("plan", "PreToolUse", 2),
    "plan-kept": ("plan", "PermissionRequest", 1),
    "clear-end": ("clear", "SessionEnd", 0),
    "clear-start": ("clear", "SessionStart", 1),
    "clear": ("clear", PROMPT, 1),
    "compact": ("clear", PROMPT, 2),
    "resume-start": ("resume", "SessionStart", 1),
    "resume": ("resume", PROMPT, 1),
    "fork-start": ("resume", "SessionStart", 2),
    "fork": ("resume", PROMPT, 2),
    "branch-start": ("resume", "SessionStart", 3),
    "branch": ("resume", PROMPT, 3),
    "headless-argument": ("headless", PROMPT, 0),
    "headless-stream": ("headless", PROMPT, 1),
    "headless-stream-second": ("headless", PROMPT, 2),
    "sdk-py": ("sdk", PROMPT, 0),
    "sdk-says-cli": ("sdk", PROMPT, 1),
    "sdk-says-vscode": ("sdk", PROMPT, 2),
    "hook-says": ("hook-says", "Stop", 1),
    "nested-headless": ("nested", PROMPT, 1),
    "nested-terminal": ("nested", PROMPT, 3),
    "nested-terminal-without-variables": ("nested", PROMPT, 5),
    "mcp-prompt": ("mcp-prompt", PROMPT, 0),
    "mcp-prompt-expansion": ("mcp-prompt", "UserPromptExpansion", 0),
    "ide": ("ide", PROMPT, 0),
    "hook-free": ("sandbox", "PreToolUse", 0),
    "hook-sandboxed": ("sandbox", "PreToolUse", 1),
}
"""The fixtures: of which way, of which event, the how-manieth."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the ways; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("ways", nargs="*", metavar="WAY", help=", ".join(WAYS))
    parser.add_argument("--keep", type=Path, help="leave all that was written down in this folder")
    parser.add_argument("--kept", type=Path, help="play nothing: write the fixtures of what was left in this folder")
    options = parser.parse_args(arguments)
    client = find_client()
    FIXTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="origins-") as temporary:
        folder = (options.kept or options.keep or Path(temporary)).resolve()
        for way in options.ways or WAYS:
            stage = Stage(folder / way, client)
            if not options.kept:
                play(stage, way)
            save(stage, way)
    return 0


def play(stage: Stage, way: str) -> None:
    """Play one way; says so if it did not come to its end."""
    stage.build()
    try:
        WAYS[way](stage)
    except ClientFailure as failure:
        print(f"{way}: not played to its end: {str(failure)[:300]}", file=sys.stderr)


def save(stage: Stage, way: str) -> None:
    """Write the fixtures of a way."""
    for name, (of, event, number) in CHOSEN.items():
        records = stage.records(event)
        if of != way:
            continue
        if not -len(records) <= number < len(records):
            print(f"{name}: not seen: {way} came to {len(records)} of {event}", file=sys.stderr)
            continue
        write(name, fixture(stage, json.loads(without_paths(stage, json.dumps(records[number])))))
    for probe in sorted(stage.project.glob("shown-*.txt")):
        found = json.loads(without_paths(stage, probe.read_text(encoding="utf-8").partition("\n")[0]))
        shown = {"event": "shell", "payload": {"tried": found["tried"], "user": found["user"][0]}}
        rest = {"environment": of_the_client(found["environment"]), "transcript": None}
        write(f"shell-{found['way']}", {**shown, **rest, "ancestors": above(found["ancestors"])})


def fixture(stage: Stage, record: Json) -> Json:
    """What a fixture holds of a record."""
    waited, before = record.get("waited"), record["transcript"]
    shown = {
        "event": record["event"],
        "payload": _shortened(record["payload"]),
        "environment": of_the_client(record["environment"]),
        "transcript": lines(before),
        "typed_before": lines((record["history"] or [])[-1:]),
        "ancestors": above(record["ancestors"]),
        "later_in_the_transcript": list(later(stage, record["payload"])),
    }
    if record.get("tried"):
        shown["tried"] = record["tried"]
    if waited:
        new = [line for line in waited["transcript"] or [] if line not in (before or [])]
        listed = {"typed_listed": waited["history"] != record["history"], "listed_after_ms": waited.get("listed", [])}
        shown["after_a_second"] = {"transcript": lines(new), "grew_after_ms": waited["grew"], **listed}
    return shown


def lines(found: Sequence[str] | None) -> list[Json] | None:
    """Lines of JSON, their long texts cut."""
    return None if found is None else [_shortened(json.loads(line)) for line in found]  # type: ignore[misc]


def of_the_client(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that the client sets."""
    given = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "CLAUDE_CODE_MAX_RETRIES", "CLAUDE_CODE_IDE_SKIP_VALID_CHECK")
    others = ("AI_AGENT", "GIT_EDITOR", "SANDBOX_RUNTIME", "TERM_PROGRAM")
    return {
        name: value
        for name, value in environment.items()
        if name not in given and (name.startswith("CLAUDE") or name in others)
    }


def above(ancestors: Sequence[Json]) -> list[Json]:
    """The ancestors up to the outermost client, without the recorder above it; in a sandbox, all there are."""
    clients = [number for number, each in enumerate(ancestors) if each["name"] == "claude"]
    shown = ancestors[: clients[-1] + 1] if clients else ancestors
    return [{**each, "started": 0, "command": [word[:80] for word in each["command"][:8]]} for each in shown]


def later(stage: Stage, payload: Json) -> Iterator[Json]:
    """What the transcript says of a prompt in the end."""
    told = ("type", "origin", "promptSource", "turnOrigin", "isMeta", "promptId", "scheduledTaskId", "wakeupSource")
    for path in stage.claude.home.glob(f".claude/projects/*/{payload['session_id']}.jsonl"):
        for text in path.read_text(encoding="utf-8").split("\n")[:-1]:
            line = json.loads(without_paths(stage, text))
            content, queued = (line.get("message") or {}).get("content"), line.get("attachment") or {}
            said = (
                isinstance(content, str) and line["type"] == "user" and line.get("promptId") == payload.get("prompt_id")
            )
            if queued.get("type") == "queued_command" and queued.get("prompt") == payload.get("prompt"):
                yield {"type": "attachment", "attachment": _shortened(queued)}
            elif said or (content and content == payload.get("prompt")):
                yield {name: line[name] for name in told if name in line} | {"content": _shortened(content)}


def write(name: str, value: Json) -> None:
    """Write one fixture."""
    (FIXTURES / f"{name}.json").write_text(anonymous(render_rows(value)), encoding="utf-8", newline="\n")
    print(name)


def without_paths(stage: Stage, text: str) -> str:
    """A text without the paths of this machine."""
    places = {
        str(stage.project): "/home/dev/project",
        str(stage.claude.home): "/home/dev",
        str(stage.claude.folder / "tmp"): "/tmp",
        str(stage.folder): "/home/dev/hooks",
        str(find_client().resolve()): "/opt/claude",
        str(find_client()): "/opt/claude",
        str(HOOK): "/home/dev/hooks/origin_hook.py",
        sys.executable: "python3",
        str(HOOK.parents[2]): "/home/dev/limpet",
    }
    for path, shown in places.items():
        text = text.replace(path, shown).replace(_as_file_name(path), _as_file_name(shown))
    return text


def anonymous(text: str) -> str:
    """A text without the process numbers and ids of this machine."""
    pids: dict[str, str] = {}
    found = re.findall(r'"(?:pid|parent)": (\d+)|"CLAUDE_PID": "(\d+)"|cc-socks/(\d+)', text)
    for pid in (next(filter(None, each), "") for each in found):
        if len(pid) > 2 and pid not in pids:
            pids[pid] = str(100 + len(pids))
    text = re.sub(r"(?<![\w-])\d{3,7}(?![\w-])", lambda each: pids.get(each[0], each[0]), text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "0" * 64, text)
    numbers: dict[str, str] = {}
    return _UUID.sub(lambda each: numbers.setdefault(each[0], _numbered(len(numbers) + 1)), text)


if __name__ == "__main__":
    sys.exit(main())
