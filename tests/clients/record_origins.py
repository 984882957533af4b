"""Record what Claude Code tells a hook about where a prompt comes from, at the time of the event: a program, run when
the client changes.

    LIMPET_CLAUDE=/path/to/claude python -m tests.clients.record_origins [--keep FOLDER] [WAY ...]

Each WAY is one way by which a text reaches the client; without a name all are played, which takes a quarter of an hour.
A hook of its own, registered for every event, writes down what it is handed, its whole environment (values of
secrets left out), its ancestors, and the end of the transcript and of the client's list of typed prompts as they are at that moment.
`--keep` leaves all of that in a folder; the chosen events go to `tests/fixtures/origins/claude-code/WAY.json`, with paths,
ids and times replaced. A way that could not be played is named, with the reason. POSIX only.
"""

from __future__ import annotations

import argparse
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
HOOK = Path(__file__).resolve().parent / "origin_hook.py"
LONGEST_TEXT = 300
PATIENCE = 200.0

GREET = "---\ndescription: Greet somebody\n---\n*agent devops\nSay hello to $ARGUMENTS.\n"
PROBE = """\
import importlib.util, json, os, sys
spec = importlib.util.spec_from_file_location("origin_hook", sys.argv[1])
hook = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hook)
tried = {}
home = os.environ["HOME"]
for place in (home, home + "/.claude", home + "/.local/state", os.getcwd(), os.getcwd() + "/.claude", "/tmp",
              os.environ.get("TMPDIR", "/tmp"), os.path.dirname(sys.argv[2])):
    try:
        os.makedirs(place, exist_ok=True)
        with open(os.path.join(place, "probe-" + sys.argv[3]), "w") as file:
            file.write("x")
        tried[place] = "written"
    except OSError as error:
        tried[place] = str(error)
found = {"way": sys.argv[3], "tried": tried, "ancestors": hook.ancestors(), "environment": hook.environment(),
         "user": [os.getuid(), os.getpid()]}
print(json.dumps(found))
"""

_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")


class Stage:
    """A project and a home of its own for one way, and what the hook wrote down in it."""

    def __init__(self, folder: Path, client: Path, **settings: object) -> None:
        self.folder = folder
        self.project = folder / "project"
        self.project.mkdir(parents=True)
        self.claude = ClaudeCode(client, folder / "claude")
        self.log = folder / "records.jsonl"
        self._size, self._known = -1, []
        command = shlex.join([sys.executable, "-I", "-S", str(HOOK), str(self.log)])
        write_settings(self.project, hooks=hook_settings(dict.fromkeys(EVENTS, command)), **settings)

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
        """Type /exit."""
        self.type("/exit")
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


def argument(stage: Stage) -> None:
    """In a terminal, but the first prompt stands in the command line."""
    with stage.terminal("*agent devops") as person:
        person.until("Stop", 1)
        person.leave()


def cron(stage: Stage) -> None:
    """A prompt that the agent has the client type later, by CronCreate."""
    with stage.terminal() as person:
        person.ask("go " + call("CronCreate", cron="*/1 * * * *", prompt="*agent devops", recurring=False))
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
    """A command file, a skill, a skill that the agent calls, a shell line of the person, and one of the client's own."""
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
            write = call("Write", file_path=place[1], content="# Plan\n\n*agent devops\n\n1. Do it.\n")
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
        feed = "(sleep 4; printf '*agent devops'; sleep 1; printf '\\r'; sleep 6; printf '/exit'; sleep 1; printf '\\r'; sleep 2)"
        inner = shlex.quote(f"{client} --permission-mode bypassPermissions")
        person.ask("go " + shell(f"{feed} | TERM=xterm timeout 40 script -qc {inner} /dev/null > nested.txt 2>&1"))
        person.leave()


def ide(stage: Stage) -> None:
    """A selection in an editor that the client is connected with (a fake one), then marks of an editor in the environment."""
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
    command = shlex.join([sys.executable, "-I", "-S", str(probe), str(HOOK), str(stage.folder / "probes.jsonl")])
    settings = json.loads((stage.project / ".claude" / "settings.json").read_text(encoding="utf-8"))
    for sandboxed in (False, True):
        box = {"enabled": sandboxed, "allowUnsandboxedCommands": False, "failIfUnavailable": True}
        write_settings(stage.project, **{**settings, "sandbox": box})
        with stage.terminal() as person:
            person.ask("go " + shell(f"{command} {sandboxed} 2>&1 | tee probe-{sandboxed}.txt"))
            person.press("!")
            person.press(f"{command} person-{sandboxed} 2>&1 | tee probe-person-{sandboxed}.txt")
            person.press("\r")
            person.pause(4)
            person.leave()


WAYS: dict[str, Callable[[Stage], None]] = {
    "typed": typed,
    "pasted": pasted,
    "typed-mid-turn": typed_mid_turn,
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the ways; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("ways", nargs="*", metavar="WAY", help=", ".join(WAYS))
    parser.add_argument("--keep", type=Path, help="leave all that was written down in this folder")
    options = parser.parse_args(arguments)
    client = find_client()
    with tempfile.TemporaryDirectory(prefix="origins-") as temporary:
        folder = (options.keep or Path(temporary)).resolve()
        for way in options.ways or WAYS:
            stage = Stage(folder / way, client)
            try:
                WAYS[way](stage)
            except ClientFailure as failure:
                print(f"{way}: not played: {failure}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
