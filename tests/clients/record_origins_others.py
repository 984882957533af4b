"""Record `tests/fixtures/origins` anew for Codex CLI, Copilot CLI and Gemini CLI: what a hook is told, at the time of
the event, about where a prompt comes from. A program, run when a client changes.

    PATH=~/clients/bin:$PATH python -m tests.clients.record_origins_others [CLIENT [WAY ...]]

Each way is played by the real client in a project of its own; the event that tells of it is kept, with what the
transcript ended with at that moment and what the client had put into the environment. `processes` is who fires hooks,
who runs the agent's commands, and what these may write. Ways that cannot be played offline are named. POSIX only; the
table of processes needs /proc.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .clients import CLIENTS, TIMEOUT, Client, call
from .directives import Json
from .process import REPOSITORY, ClientFailure, kill
from .record_fixtures import render_rows
from .terminal import Terminal

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "origins"
LONGEST = 400  # characters of a text in a payload or a line of a transcript
PATIENCE = 40.0  # seconds until an event has come
CAMEL = (
    *("sessionStart", "sessionEnd", "userPromptSubmitted", "userPromptTransformed", "preToolUse", "postToolUse"),
    *("postToolUseFailure", "agentStop", "subagentStart", "subagentStop", "preCompact", "errorOccurred"),
    *("notification", "permissionRequest"),
)
EVENTS = {
    "codex-cli": (
        *("SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "SubagentStart"),
        *("SubagentStop", "PreCompact", "PostCompact", "Stop", "Interrupt", "SessionEnd"),
        *("PreModelRequest", "PostModelRequest"),
    ),
    "copilot-cli": (*CAMEL, "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "Stop"),
    "gemini-cli": (
        *("SessionStart", "SessionEnd", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel"),
        *("BeforeToolSelection", "BeforeTool", "AfterTool", "PreCompress", "Notification"),
    ),
}
PROMPT = {"codex-cli": "UserPromptSubmit", "copilot-cli": "UserPromptSubmit", "gemini-cli": "BeforeAgent"}

# Writes down what a hook can see; as the agent's command (without a log) it prints that, and tries to write.
PROBE = r"""
import base64, glob, json, os, sys, zlib

def ancestors():
    found, pid = [], os.getpid()
    while pid and len(found) < 20:
        try:
            words = open(f"/proc/{pid}/cmdline", "rb").read().decode(errors="replace").replace(chr(0), " ").strip()
            stat = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
        except OSError:
            break
        try:
            stdin = os.readlink(f"/proc/{pid}/fd/0")
        except OSError as error:
            stdin = type(error).__name__
        found.append({"pid": pid, "ppid": int(stat[1]), "session": int(stat[3]), "terminal": int(stat[4]) != 0,
                      "started": int(stat[19]), "stdin": stdin, "command": words})
        pid = int(stat[1])
        if "tests.clients.fake_model" in words:  # what started the client; beyond is nobody's business
            break
    return found

def environment():
    secret = ("KEY", "TOKEN", "SECRET", "PASSWORD", "AUTH")
    return {name: "[left out]" if any(word in name for word in secret) else value
            for name, value in sorted(os.environ.items())}

def last_lines(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()[-10:]
    except OSError:
        return None

def histories():
    found = {}
    for pattern in (".codex/history.jsonl", ".copilot/command-history-state.json", ".gemini/tmp/*/logs.json"):
        for path in glob.glob(os.path.join(os.path.expanduser("~"), pattern)):
            text = open(path, encoding="utf-8").read()
            try:
                known = [json.loads(line) for line in text.splitlines()] if path.endswith("l") else json.loads(text)
            except ValueError:
                known = [text]
            known = known.get("commandHistory", [])[:3] if isinstance(known, dict) else known[-3:]
            found[os.path.basename(path)] = known
    return found

def attempt(folder):
    path = os.path.join(folder, "written-by-the-agent.txt")
    try:
        with open(path, "w") as file:
            file.write("x")
        os.remove(path)
        return "written"
    except OSError as error:
        return f"{type(error).__name__}: {error.strerror}"

seen = {"environment": environment(), "ancestors": ancestors(), "cwd": os.getcwd()}
if len(sys.argv) > 3:
    log, event, states = sys.argv[1:4]
    raw = sys.stdin.read()
    try:
        payload = json.loads(raw)
    except ValueError:
        payload = {"raw": raw}
    path = payload.get("transcript_path") or payload.get("transcriptPath")
    key = payload.get("sessionId") or payload.get("session_id")
    path = path or os.path.join(states, str(key), "events.jsonl")
    lines = last_lines(path)
    home = os.path.expanduser("~")
    seen |= {"event": event, "payload": payload, "transcript": lines, "history": histories(),
             "writes": {"home": attempt(home), "project": attempt(os.getcwd()), "/tmp": attempt("/tmp")}}
    with open(log, "a", encoding="utf-8") as file:
        file.write(json.dumps(seen) + chr(10))
else:
    seen["writes"] = {name: attempt(folder) for name, folder in
                      (("home", os.path.expanduser("~")), ("project", os.getcwd()), ("/tmp", "/tmp"))}
    print("LOOK" + base64.b64encode(zlib.compress(json.dumps(seen).encode())).decode() + "KOOL")
"""

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_HASH = re.compile(r"\b[0-9a-f]{64}\b")
_CALL = re.compile(r"(fake\d{4})[0-9a-f]{32}")


class Stage:
    """A project whose every hook writes down what it sees, and a client to play in it."""

    def __init__(self, folder: Path, host: str) -> None:
        self.folder, self.host = folder, host
        self.project, self.log, self.probe = folder / "project", folder / "seen.jsonl", folder / "probe.py"
        self.client: Client = CLIENTS[host](folder / "client")
        self.project.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", str(self.project)], check=True)
        self.log.touch()
        self.probe.write_text(PROBE, encoding="utf-8")
        _FURNISH[host](self)
        self.client.consent(self.project)

    def hook(self, event: str) -> str:
        """The command line of the hook for an event."""
        states = self.client.home / ".copilot" / "session-state"
        return shlex.join([sys.executable, str(self.probe), str(self.log), event, str(states)])

    @property
    def look(self) -> str:
        """The directive at which the agent runs the probe as a command of its own."""
        return self.client.shell(shlex.join([sys.executable, str(self.probe)]))

    def seen(self) -> list[Json]:
        """All that hooks saw so far, oldest first."""
        lines = self.log.read_text(encoding="utf-8").split("\n")[:-1]
        return [json.loads(line) for line in lines]

    def prompts(self) -> list[Json]:
        """What the prompts' events saw."""
        return [each for each in self.seen() if each["event"] == PROMPT[self.host]]

    def count(self, event: str) -> int:
        """How often an event came so far."""
        return sum(each["event"] == event for each in self.seen())

    def write(self, name: str, text: str) -> Path:
        """Write a file of the project."""
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    @contextmanager
    def terminal(self, *words: str, environment: Json | None = None, ready: str = "") -> Iterator[Terminal]:
        """The client in a terminal, ready to be typed to; killed in the end."""
        command, around, _ = self.client._prepare(self.project, [*self.client.interactive(None), *words])
        with Terminal(command, {**around, **(environment or {})}, TIMEOUT, ready or self.client.ready) as terminal:
            yield terminal
            with contextlib.suppress(ClientFailure):
                terminal.type(self.client.quit)
                _patiently(terminal, lambda: terminal._process.poll() is not None, 8)

    def say(self, terminal: Terminal, text: str) -> Json:
        """Type a prompt, and wait for its event and the end of its turn; what the event saw."""
        before, ended = len(self.prompts()), self.count(_END[self.host])
        terminal.type(text)
        _patiently(terminal, lambda: len(self.prompts()) > before)
        _patiently(terminal, lambda: self.count(_END[self.host]) > ended)
        return self.prompts()[before]

    def run(self, *words: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        """The client without a terminal; no text means that its input is empty."""
        command, around, _ = self.client._prepare(self.project, words)
        return subprocess.run(
            command,
            cwd=REPOSITORY,
            env=around,
            input=stdin or "",
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )

    def given(self) -> dict[str, str]:
        """The environment that the client itself is started with."""
        return self.client._prepare(self.project, [])[1]

    def anonymous(self, text: str) -> str:
        """A text without the paths of this machine, with ids numbered in order of appearance."""
        places = {
            str(self.project): "/home/dev/project",
            str(self.client.home): "/home/dev",
            str(self.client.folder.resolve() / "tmp"): "/tmp",
            str(self.folder): "/home/dev/hooks",
            str(self.client.executable.parent): "/opt/clients",
            str(self.client.executable.resolve().parents[1]): "/opt/clients/lib",
            str(REPOSITORY): "/opt/limpet",
            sys.executable: "python3",
            os.path.realpath(sys.executable): "python3",
        }
        for path, shown in sorted(places.items(), key=lambda each: -len(each[0])):
            text = text.replace(path, shown)
        text = re.sub(r"(?:/[\w.@+-]+)*/node_modules/", "/opt/clients/", text)
        text = _CALL.sub(r"\1", _HASH.sub("0" * 64, text))
        numbers: dict[str, str] = {}
        return _UUID.sub(
            lambda found: numbers.setdefault(found[0], f"00000000-0000-4000-8000-{len(numbers) + 1:012}"), text
        )

    def save(self, way: str, seen: Json) -> None:
        """Keep what one event saw."""
        transcript = seen["transcript"] and [_line(each) for each in seen["transcript"]]
        parts = {key: seen[key] for key in ("event", "payload")}
        environment = self.added(seen["environment"])
        self.store(way, {**parts, "environment": environment, "transcript": transcript, "history": seen["history"]})

    def added(self, environment: dict[str, str]) -> dict[str, str]:
        """The variables that the client has set."""
        given = self.given()
        return {
            name: value
            for name, value in environment.items()
            if value not in (given.get(name), "[left out]" if name in given else None) and name not in _NOBODYS
        }

    def store(self, name: str, value: Json) -> None:
        """Write a fixture."""
        path = FIXTURES / self.host / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        shown = _shortened(json.loads(self.anonymous(json.dumps(value))))
        path.write_text(render_rows(shown), encoding="utf-8", newline="\n")


_NOBODYS = (
    *("_", "PWD", "OLDPWD", "SHLVL", "PATH", "TERM", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
    *("COPILOT_PROVIDER_BASE_URL", "GOOGLE_GEMINI_BASE_URL"),  # of the fake model
)
_END = {"codex-cli": "Stop", "copilot-cli": "Stop", "gemini-cli": "AfterAgent"}


def _patiently(terminal: Terminal, reached: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait for something outside the terminal, looking seldom."""
    deadline = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > deadline:
            raise ClientFailure(f"it did not come; the screen:\n{terminal.drawn}")
        terminal._read(0.2)
        time.sleep(0.1)


def _line(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _shortened(value: object) -> object:
    if isinstance(value, str):
        return value if len(value) <= LONGEST else value[:LONGEST] + " [cut]"
    if isinstance(value, dict):
        return {name: _shortened(each) for name, each in value.items()}
    return [_shortened(each) for each in value[:10]] if isinstance(value, list) else value


def _furnish_codex(stage: Stage) -> None:
    hooks = {
        each: [{"hooks": [{"type": "command", "command": stage.hook(each), "timeout": 10}]}]
        for each in EVENTS[stage.host]
    }
    stage.write(".codex/hooks.json", json.dumps({"hooks": hooks}))
    stage.write(".agents/skills/tidy/SKILL.md", _SKILL)
    prompts = stage.client.home / ".codex" / "prompts"
    prompts.mkdir(parents=True)
    (prompts / "greet.md").write_text("---\ndescription: Greet\n---\nSay hello to $ARGUMENTS.\n", encoding="utf-8")


def _furnish_copilot(stage: Stage) -> None:
    hooks = {each: [{"type": "command", "bash": stage.hook(each), "timeoutSec": 10}] for each in EVENTS[stage.host]}
    stage.write(".github/hooks/all.json", json.dumps({"version": 1, "hooks": hooks}))
    stage.write(".agents/skills/tidy/SKILL.md", _SKILL)


def _furnish_gemini(stage: Stage) -> None:
    hooks = {
        each: [{"hooks": [{"type": "command", "name": "probe", "command": stage.hook(each), "timeout": 10_000}]}]
        for each in EVENTS[stage.host]
    }
    stage.write(".gemini/settings.json", json.dumps({"hooks": hooks}))
    stage.write(".gemini/commands/greet.toml", 'description = "Greet"\nprompt = "Say hello to {{args}}."\n')
    stage.write(".gemini/skills/tidy/SKILL.md", _SKILL)
    stage.write("notes.txt", "A note.\n")


_SKILL = "---\nname: tidy\ndescription: Tidy up\n---\nTidy the files.\n"
_FURNISH = {"codex-cli": _furnish_codex, "copilot-cli": _furnish_copilot, "gemini-cli": _furnish_gemini}

Way = Callable[[Stage], Json]
"""Plays a way; returns what the event saw that tells of it. Raises ClientFailure where it did not come."""


def _wait_for(stage: Stage, event: str, count: int, terminal: Terminal | None = None) -> Json:
    """What the event of this count saw, as soon as it has come."""

    def reached() -> bool:
        return stage.count(event) >= count

    if terminal:
        _patiently(terminal, reached)
    deadline = time.monotonic() + PATIENCE
    while not reached():
        if time.monotonic() > deadline:
            raise ClientFailure(f"{event} did not come")
        time.sleep(0.3)
    return [each for each in stage.seen() if each["event"] == event][count - 1]


def _next(stage: Stage, play: Callable[[], object], event: str = "") -> Json:
    """What the first event behind a play saw; that of a prompt, if none is named."""
    name = event or PROMPT[stage.host]
    before = stage.count(name)
    play()
    return _wait_for(stage, name, before + 1)


def _typed(text: str, *words: str) -> Way:
    def way(stage: Stage) -> Json:
        with stage.terminal(*words) as terminal:
            return stage.say(terminal, text)

    return way


def _after(*first: str) -> Callable[[str], Way]:
    """A prompt behind others, in the same terminal; commands of the client (`/clear`) among them get three seconds."""

    def then(text: str) -> Way:
        def way(stage: Stage) -> Json:
            with stage.terminal() as terminal:
                for each in first:
                    if each.startswith("/"):
                        terminal.type(each)
                        _rest(terminal, 3)
                    else:
                        stage.say(terminal, each)
                return stage.say(terminal, text)

        return way

    return then


def _rest(terminal: Terminal, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        terminal._read(0.2)
        time.sleep(0.1)


def _long_paste(stage: Stage) -> Json:
    with stage.terminal() as terminal:
        before, text = len(stage.prompts()), "\n".join(f"line {number} of a long text" for number in range(60))
        os.write(terminal._controller, f"look at \x1b[200~{text}\x1b[201~ please".encode())
        _rest(terminal, 2)
        os.write(terminal._controller, b"\r")
        _rest(terminal, 3)
        if len(stage.prompts()) == before:  # Codex takes the first for a part of the paste
            os.write(terminal._controller, b"\r")
        _patiently(terminal, lambda: len(stage.prompts()) > before)
        _rest(terminal, 2)
        return stage.prompts()[before]


def _mid_turn(stage: Stage) -> Json:
    with stage.terminal(*_NO_QUESTIONS[stage.host]) as terminal:
        before, ended = len(stage.prompts()), stage.count(_END[stage.host])
        terminal.type(f"go {stage.client.shell('sleep 6')}")
        _patiently(terminal, lambda: len(stage.prompts()) > before)
        _rest(terminal, 2)
        terminal.type("and this in the middle")
        _patiently(terminal, lambda: len(stage.prompts()) > before + 1)
        _patiently(terminal, lambda: stage.count(_END[stage.host]) > ended)
        _rest(terminal, 2)
        return stage.prompts()[before + 1]


_NO_QUESTIONS = {
    "codex-cli": ("--dangerously-bypass-approvals-and-sandbox",),
    "copilot-cli": ("--allow-all-tools",),
    "gemini-cli": ("-y",),
}
_PLAN = "<proposed_plan>\x1b[200~\n# The plan\n- step one\n\x1b[201~</proposed_plan>"


def _key(seen: Json) -> str:
    payload = seen["payload"]
    return str(payload.get("session_id") or payload.get("sessionId"))


def _codex_plan(keys: str) -> Way:
    """The client asks whether to implement the plan that the model proposed."""

    def way(stage: Stage) -> Json:
        with stage.terminal() as terminal:
            terminal.type("/plan")
            _rest(terminal, 2)
            stage.say(terminal, f"make a plan [[say:{_PLAN}]]")
            terminal.wait_for("Implement this plan?")
            _rest(terminal, 1)

            def choose() -> None:
                for key in keys:
                    os.write(terminal._controller, {"v": b"\x1b[B"}.get(key, b"\r"))
                    _rest(terminal, 1)

            return _next(stage, choose)

    return way


def _codex_words(stage: Stage, *words: str) -> list[str]:
    """Codex without a terminal."""
    return [*stage.client.headless("", None)[:-1], *words]


def _headless(stage: Stage) -> Json:
    return _next(stage, lambda: stage.client.ask(stage.project, "hello from a script"))


def _codex_stdin(stage: Stage) -> Json:
    return _next(stage, lambda: stage.run(*_codex_words(stage, "-"), stdin="hello from a pipe"))


def _codex_stdin_and_words(stage: Stage) -> Json:
    return _next(stage, lambda: stage.run(*_codex_words(stage, "look at this"), stdin="hello from a pipe"))


def _codex_exec_resumed(stage: Stage) -> Json:
    first = stage.client.ask(stage.project, "hello")
    return _next(stage, lambda: stage.client.ask(stage.project, "go on", conversation=first.conversation))


def _codex_again(command: str) -> Way:
    def way(stage: Stage) -> Json:
        first = stage.client.ask(stage.project, "hello")
        with stage.terminal(command, first.conversation) as terminal:
            return stage.say(terminal, "go on")

    return way


def _codex_argument(stage: Stage) -> Json:
    def play() -> None:
        with stage.terminal("hello as an argument") as terminal:
            _rest(terminal, 4)

    return _next(stage, play)


def _codex_queue(stage: Stage) -> Json:
    """The agent puts a message into its own conversation's queue, by the client's own command."""
    with stage.terminal(*_NO_QUESTIONS[stage.host]) as terminal:
        key = _key(stage.say(terminal, "hello"))
        place = stage.client.executable.parent
        command = f"PATH={place}:$PATH codex queue --thread {key} --message 'hello from the queue'"
        before = len(stage.prompts())
        stage.say(terminal, f"queue it {stage.client.shell(command)}")
        _patiently(terminal, lambda: len(stage.prompts()) > before + 1)
        _rest(terminal, 2)
        return stage.prompts()[before + 1]


def _codex_sub_agent(event: str) -> Way:
    """In a terminal: the first event of a name that is a sub-agent's."""

    def way(stage: Stage) -> Json:
        spawn = call("multi_agent_v1__spawn_agent", message="hello from the agent")
        with stage.terminal(*_NO_QUESTIONS[stage.host]) as terminal:
            before = len(stage.seen())

            def come() -> list[Json]:
                found = [each for each in stage.seen()[before:] if each["event"] == event]
                return [each for each in found if "agent_id" in each["payload"]]

            terminal.type(f"delegate {spawn}{stage.client.shell('sleep 3')}")
            _patiently(terminal, lambda: bool(come()))
            _rest(terminal, 4)
            return come()[0]

    return way


def _codex_goal(stage: Stage) -> Json:
    """A goal that the agent sets itself: the client goes on by itself."""
    with stage.terminal(*_NO_QUESTIONS[stage.host]) as terminal:
        before = stage.count("Stop")
        terminal.type(f"go {call('create_goal', objective='count to three')}")
        _patiently(terminal, lambda: stage.count("Stop") > before + 1)
        return [each for each in stage.seen() if each["event"] == "Stop"][before + 1]


def _codex_app_server(stage: Stage) -> Json:
    """Another program drives the client by its protocol, as an editor or an SDK does."""
    command, around, _ = stage.client._prepare(stage.project, [*stage.client.interactive(None), "app-server"])
    process = subprocess.Popen(
        command,
        cwd=REPOSITORY,
        env=around,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdin and process.stdout

    def ask(number: int, method: str, **given: object) -> Json:
        assert process.stdin and process.stdout
        process.stdin.write(json.dumps({"id": number, "method": method, "params": given}) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            said = json.loads(line)
            if said.get("id") == number and "method" not in said:
                return dict(said.get("result") or {})
        raise ClientFailure(f"no answer to {method}")

    def play() -> None:
        ask(1, "initialize", clientInfo={"name": "an-editor", "title": "An editor", "version": "1.0"})
        thread = ask(2, "thread/start", cwd=str(stage.project))["thread"]["id"]
        ask(3, "turn/start", threadId=thread, input=[{"type": "text", "text": "hello from a program"}])

    try:
        ended = stage.count("Stop")
        seen = _next(stage, play)
        _wait_for(stage, "Stop", ended + 1)
        return seen
    finally:
        process.stdin.close()
        _end(process)


CODEX: dict[str, Way] = {
    "typed": _typed("hello"),
    "typed-second": _after("hello")("hello again"),
    "pasted": _typed("look at \x1b[200~the first line\nthe second line\x1b[201~ please"),
    "pasted-long": _long_paste,
    "mid-turn": _mid_turn,
    "argument": _codex_argument,
    "queued-by-the-agent": _codex_queue,
    "sub-agent": _codex_sub_agent("UserPromptSubmit"),
    "sub-agent-starts": _codex_sub_agent("SubagentStart"),
    "sub-agent-done": _codex_sub_agent("SubagentStop"),
    "goal-of-the-agent": _codex_goal,
    "skill": _typed("$tidy all of them"),
    "plan": _codex_plan("r"),
    "plan-cleared": _codex_plan("vr"),
    "cleared": _after("hello", "/clear")("hello again"),
    "compacted": _after("hello", "/compact")("hello again"),
    "resumed": _codex_again("resume"),
    "forked": _codex_again("fork"),
    "headless": _headless,
    "headless-stdin": _codex_stdin,
    "headless-stdin-and-words": _codex_stdin_and_words,
    "headless-resumed": _codex_exec_resumed,
    "program": _codex_app_server,
}


def _copilot_mid_turn(stage: Stage) -> Json:
    """No event tells of it; kept is the end of the turn, where the transcript may have it."""
    with stage.terminal("--allow-all-tools") as terminal:
        ended = stage.count("Stop")
        terminal.type(f"go {stage.client.shell('sleep 6')}")
        _rest(terminal, 3)
        terminal.type("and this in the middle")
        return _wait_for(stage, "Stop", ended + 1, terminal)


def _behind(first: str, *words: str, begins: str = "") -> Way:
    """The prompt that comes by itself behind a typed one."""

    def way(stage: Stage) -> Json:
        with stage.terminal(*words) as terminal:
            before = len(stage.prompts())

            def come() -> list[Json]:
                return [each for each in stage.prompts()[before:] if each["payload"]["prompt"].startswith(begins)]

            terminal.type(first)
            _patiently(terminal, lambda: len(come()) > (0 if begins else 1))
            _rest(terminal, 1)
            return come()[0 if begins else 1]

    return way


def _again(stage: Stage) -> Json:
    first = stage.client.ask(stage.project, "hello")
    command, around, _ = stage.client._prepare(stage.project, stage.client.interactive(first.conversation))
    with Terminal(command, around, TIMEOUT, stage.client.ready) as terminal:
        return stage.say(terminal, "go on")


def _copilot_autopilot(stage: Stage) -> Json:
    """Told to go on until it is done, the client goes on by itself; its own line under the input line is another."""
    with stage.terminal("--autopilot", "--allow-all", ready="tab next tab") as terminal:
        before, ended = len(stage.prompts()), stage.count("Stop")
        _rest(terminal, 2)
        terminal.type("go on until it is done")
        _patiently(terminal, lambda: stage.count("Stop") > ended)
        _rest(terminal, 8)
        if len(stage.prompts()) > before + 1:
            return stage.prompts()[before + 1]
        return [each for each in stage.seen() if each["event"] == "Stop"][-1]


def _copilot_plan(stage: Stage) -> Json:
    """The person takes the first choice under a plan; the next prompt, else the tool's end."""
    with stage.terminal("--plan", "--allow-all-tools") as terminal:
        before, ended = len(stage.prompts()), stage.count("PostToolUse")
        choices = {"actions": ["interactive", "exit_only"], "recommendedAction": "interactive"}
        terminal.type(f"make a plan {call('exit_plan_mode', summary='- step one', **choices)}")
        _rest(terminal, 6)
        os.write(terminal._controller, b"\r")
        _rest(terminal, 6)
        if len(stage.prompts()) > before + 1:
            return stage.prompts()[before + 1]
        return _wait_for(stage, "PostToolUse", ended + 1, terminal)


def _gemini_again(stage: Stage) -> Json:
    """It takes no prompt before its hooks for the resumption have ended, and says nothing of it."""
    first = stage.client.ask(stage.project, "hello")
    command, around, _ = stage.client._prepare(stage.project, stage.client.interactive(first.conversation))
    with Terminal(command, around, TIMEOUT, stage.client.ready) as terminal:
        _rest(terminal, 4)
        return stage.say(terminal, "go on")


def _gemini_sub_agent(stage: Stage) -> Json:
    """The prompt of a sub-agent has no event; the call has."""
    prompt = call("invoke_agent", agent_name="generalist", prompt="hello from the agent")
    return _next(stage, lambda: stage.client.ask(stage.project, f"delegate {prompt}"), "BeforeTool")


def _gemini_plan(stage: Stage) -> Json:
    """The person agrees to a plan; what the first event behind it saw that is of the model."""
    with stage.terminal("--approval-mode", "plan") as terminal:
        plans = stage.say(terminal, "hello")["environment"]["GEMINI_PLANS_DIR"]
        written = call("write_file", file_path=f"{plans}/plan.md", content="# The plan\n\n- step one\n")
        before = len(stage.prompts())
        terminal.type(f"make a plan {written}{call('exit_plan_mode', plan_filename='plan.md')}")
        _patiently(terminal, lambda: len(stage.prompts()) > before)
        _rest(terminal, 6)
        ended = stage.count("AfterTool")
        os.write(terminal._controller, b"\r")
        seen = _wait_for(stage, "AfterTool", ended + 1, terminal)
        _rest(terminal, 3)
        return stage.prompts()[before + 1] if len(stage.prompts()) > before + 1 else seen


_EDITOR = r"""
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "notifications/initialized":
        file = {"path": sys.argv[1], "timestamp": 1795262400000, "isActive": True,
                "selectedText": "hello from a selection", "cursor": {"line": 1, "character": 1}}
        update = {"workspaceState": {"openFiles": [file], "isTrusted": True}}
        told = {"jsonrpc": "2.0", "method": "ide/contextUpdate", "params": update}
        print(json.dumps(told), flush=True)
    elif "id" in asked:
        result = {
            "initialize": {"protocolVersion": asked.get("params", {}).get("protocolVersion"),
                           "capabilities": {"tools": {}}, "serverInfo": {"name": "editor", "version": "1"}},
            "tools/list": {"tools": []},
        }.get(asked["method"], {})
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


def _gemini_editor(stage: Stage) -> Json:
    """An editor, by the protocol of the client's companion, tells of a selected text."""
    editor, settings = stage.folder / "editor.py", stage.client.home / ".gemini" / "settings.json"
    editor.write_text(_EDITOR, encoding="utf-8")
    before = settings.read_text(encoding="utf-8")
    settings.write_text(json.dumps({**json.loads(before), "ide": {"enabled": True, "hasSeenNudge": True}}))
    around = {
        "TERM_PROGRAM": "vscode",
        "GEMINI_CLI_IDE_WORKSPACE_PATH": str(stage.project),
        "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND": sys.executable,
        "GEMINI_CLI_IDE_SERVER_STDIO_ARGS": json.dumps([str(editor), str(stage.project / "notes.txt")]),
    }
    try:
        with stage.terminal(environment=around) as terminal:
            _rest(terminal, 4)
            os.write(terminal._controller, b"\r")  # it offers to set up the editor's keys: no
            _rest(terminal, 2)
            seen = stage.say(terminal, "look at the selection")
    finally:
        settings.write_text(before, encoding="utf-8")
    run = max(stage.client.folder.resolve().glob("run-*"), key=lambda each: int(each.name.partition("-")[2]))
    if "hello from a selection" not in "".join(each.read_text() for each in run.glob("requests.jsonl")):
        raise ClientFailure("the selection did not reach the model")
    return seen


def _headless_again(stage: Stage) -> Json:
    first = stage.client.ask(stage.project, "hello")
    return _next(stage, lambda: stage.client.ask(stage.project, "go on", conversation=first.conversation))


def _started_with(*words: str) -> Way:
    """In a terminal, with a prompt on the command line."""

    def way(stage: Stage) -> Json:
        def play() -> None:
            command, around, _ = stage.client._prepare(stage.project, [*stage.client.interactive(None), *words])
            with Terminal(command, around, TIMEOUT) as terminal:
                _patiently(terminal, lambda: len(stage.prompts()) > before)
                _rest(terminal, 2)

        before = len(stage.prompts())
        return _next(stage, play)

    return way


def _end(process: subprocess.Popen[str]) -> None:
    """Give a client time to leave, then end it with all that it started."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(10)
    kill(process)


def _piped(*words: str) -> Way:
    """Without a terminal, the prompt on standard input."""
    return lambda stage: _next(stage, lambda: stage.run(*words, stdin="hello from a pipe"))


def _asked(prompt: str) -> Way:
    """Without a terminal."""
    return lambda stage: _next(stage, lambda: stage.client.ask(stage.project, prompt))


def _acp(*words: str) -> Way:
    """An editor drives the client by the Agent Client Protocol."""

    def way(stage: Stage) -> Json:
        command, around, _ = stage.client._prepare(stage.project, words)
        process = subprocess.Popen(
            command,
            cwd=REPOSITORY,
            env=around,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

        def ask(number: int, method: str, **given: object) -> Json:
            assert process.stdin and process.stdout
            asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": given}
            process.stdin.write(json.dumps(asked) + "\n")
            process.stdin.flush()
            for line in process.stdout:
                said = json.loads(line) if line.startswith("{") else {}
                if said.get("id") == number and "method" not in said:
                    if "error" in said:
                        raise ClientFailure(f"{method}: {said['error']}")
                    return dict(said.get("result") or {})
            raise ClientFailure(f"no answer to {method}")

        def play() -> None:
            ask(1, "initialize", protocolVersion=1, clientCapabilities={})
            key = ask(2, "session/new", cwd=str(stage.project), mcpServers=[])["sessionId"]
            ask(3, "session/prompt", sessionId=key, prompt=[{"type": "text", "text": "hello from an editor"}])

        try:
            return _next(stage, play)
        finally:
            assert process.stdin
            process.stdin.close()
            _end(process)

    return way


def _sub_agent(directive: str, event: str) -> Way:
    def way(stage: Stage) -> Json:
        before = stage.count(event)
        stage.client.ask(stage.project, f"delegate {directive}")
        found = [each for each in stage.seen() if each["event"] == event][before:]
        told = [each for each in found if "hello from the agent" in json.dumps(each["payload"].get("prompt", ""))]
        told = [each for each in told if "[[" not in each["payload"]["prompt"]]
        if not told:
            raise ClientFailure(f"no {event} with the sub-agent's prompt")
        return told[0]

    return way


_TASK = call("task", description="Look around", prompt="hello from the agent", agent_type="general-purpose", name="x")
_SCHEDULE = call("manage_schedule", action="create", interval="10s", prompt="hello from the schedule")
COPILOT: dict[str, Way] = {
    "typed": _typed("hello"),
    "typed-second": _after("hello")("hello again"),
    "pasted": _typed("look at \x1b[200~the first line\nthe second line\x1b[201~ please"),
    "pasted-long": _long_paste,
    "mid-turn": _copilot_mid_turn,
    "argument": _started_with("-i", "hello as an argument"),
    "scheduled-by-the-agent": _behind(f"go {_SCHEDULE}", "--experimental", "--allow-all-tools", begins="[Scheduled"),
    "scheduled-by-a-command": _behind(
        "/every 10s hello from the schedule", "--experimental", "--allow-all-tools", begins="[Scheduled"
    ),
    "sub-agent": _sub_agent(_TASK, "UserPromptSubmit"),
    "task-ended": _behind(
        f"go {call('bash', command='sleep 3', description='Wait', mode='async')}",
        "--allow-all-tools",
        begins="<system_notification>",
    ),
    "skill": _typed("/tidy all of them"),
    "plan-mode": _typed("hello", "--plan"),
    "plan": _copilot_plan,
    "autopilot": _copilot_autopilot,
    "cleared": _after("hello", "/clear")("hello again"),
    "compacted": _after("hello", "/compact")("hello again"),
    "resumed": _again,
    "headless": _headless,
    "headless-stdin": _piped("--allow-all-tools"),
    "headless-resumed": _headless_again,
    "program": _acp("--acp", "--allow-all-tools"),
}
GEMINI: dict[str, Way] = {
    "typed": _typed("hello"),
    "typed-second": _after("hello")("hello again"),
    "pasted": _typed("look at \x1b[200~the first line\nthe second line\x1b[201~ please"),
    "pasted-long": _long_paste,
    "mid-turn": _mid_turn,
    "argument": _started_with("-i", "hello as an argument"),
    "sub-agent": _gemini_sub_agent,
    "plan": _gemini_plan,
    "editor": _gemini_editor,
    "command-file": _typed("/greet Ada"),
    "file": _typed("look at @notes.txt please"),
    "skill": _typed("/tidy all of them"),
    "cleared": _after("hello", "/clear")("hello again"),
    "compacted": _after("hello", "/compress")("hello again"),
    "resumed": _gemini_again,
    "headless": _headless,
    "headless-stdin": _piped("-m", "gemini-2.5-flash", "-y"),
    "headless-command-file": _asked("/greet Ada"),
    "headless-resumed": _headless_again,
    "program": _acp("-m", "gemini-2.5-flash", "--acp"),
}


def _looked(stage: Stage, *words: str) -> Json:
    """What the agent's command saw, in the newest run."""
    run = max(stage.client.folder.resolve().glob("run-*"), key=lambda each: int(each.name.partition("-")[2]))
    text = (run / "requests.jsonl").read_text(encoding="utf-8")
    found = re.search(r"LOOK([A-Za-z0-9+/=\\\s]+)KOOL", text)
    if not found:
        raise ClientFailure("the agent's command did not answer")
    packed = base64.b64decode(re.sub(r"\\+[nr]|\s", "", found[1]))
    seen: Json = json.loads(zlib.decompress(packed))
    return seen


def record_processes(stage: Stage, mode: str, *words: str) -> None:
    """Who fires hooks and who runs the agent's commands, without a terminal, with these words for the client."""
    before = len(stage.seen())
    prompt = f"look {stage.look}"
    done = stage.run(*words, *_HEADLESS[stage.host], prompt)
    hooks = [each for each in stage.seen()[before:] if each["event"] == PROMPT[stage.host]]
    if not hooks:
        raise ClientFailure(f"no hook: {done.stdout[-500:]} {done.stderr[-1500:]}")
    hook, shell = hooks[0], _looked(stage)
    numbers: dict[tuple[int, int], int] = {}

    def shown(each: Json) -> Json:
        number = numbers.setdefault((each["pid"], each["started"]), len(numbers) + 1)
        kind = re.match(r"pipe|socket|/dev/\w+", each["stdin"])
        return {"process": number, "stdin": kind[0] if kind else each["stdin"], "command": each["command"]}

    parts = {
        name: {
            "ancestors": [shown(each) for each in seen["ancestors"]],
            "environment": stage.added(seen["environment"]),
            "writes": seen["writes"],
        }
        for name, seen in (("hook", hook), ("shell", shell))
    }
    stage.store(f"processes-{mode}", {"words": list(words), **parts})


_EXEC = (*("exec", "--json", "--skip-git-repo-check"), "-c", 'model_providers.fake.base_url="{url}/v1"')
_HEADLESS: dict[str, Sequence[str]] = {
    "codex-cli": (),
    "copilot-cli": ("--allow-all", "-p"),
    "gemini-cli": ("-m", "gemini-2.5-flash", "-y", "-p"),
}
PROCESSES: dict[str, dict[str, Sequence[str]]] = {
    "codex-cli": {mode: (*_EXEC, "--sandbox", mode) for mode in ("danger-full-access", "workspace-write", "read-only")},
    "copilot-cli": {"plain": (), "sandbox": ("--sandbox",)},
    "gemini-cli": {"plain": (), "sandbox": ("-s",)},
}
WAYS: dict[str, dict[str, Way]] = {"codex-cli": CODEX, "copilot-cli": COPILOT, "gemini-cli": GEMINI}
NOT_PLAYED: dict[str, dict[str, str]] = {
    "codex-cli": {
        "editor": "`/ide` says that it needs VS Code or Cursor with the client's extension",
        "command-file": "the client knows no `/prompts:NAME` any more",
        "daemon": "with `daemon_auto_start` and `-c` the terminal's own process still fires the hooks",
        "sub-agent's message": "the sub-agent's id, which the tool wants, is not known when the fake model is steered",
    },
    "copilot-cli": {
        "fork": "no word for it was found",
        "editor": "a lock file and a socket of the editor's are needed",
    },
    "gemini-cli": {
        "scheduled": "no tool of the client schedules a prompt",
        "task-ended": "a background command that ends raises no prompt",
        "fork": "no word for it was found",
    },
}


def record(host: str, chosen: Sequence[str], folder: Path) -> None:
    """Play ways of a client, keep what was seen, and say what did not come."""
    stage = Stage(folder, host)
    for way, play in WAYS[host].items():
        if chosen and way not in chosen:
            continue
        try:
            stage.save(way, play(stage))
            print(f"{host} {way}", flush=True)
        except (ClientFailure, subprocess.TimeoutExpired) as problem:
            print(f"{host} {way} was not seen: {problem}", flush=True)
    for mode, words in PROCESSES[host].items():
        if chosen and f"processes-{mode}" not in chosen:
            continue
        try:
            record_processes(stage, mode, *words)
            print(f"{host} processes-{mode}", flush=True)
        except (ClientFailure, subprocess.TimeoutExpired) as problem:
            print(f"{host} processes-{mode} was not seen: {problem}", flush=True)
    for way, reason in NOT_PLAYED.get(host, {}).items():
        print(f"{host} {way} is not played: {reason}", flush=True)


def main() -> int:
    """Record, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("client", nargs="?", choices=sorted(WAYS))
    parser.add_argument("way", nargs="*")
    options = parser.parse_args()
    for host in [options.client] if options.client else WAYS:
        with tempfile.TemporaryDirectory(prefix="origins-", dir=Path.home(), ignore_cleanup_errors=True) as name:
            record(host, options.way, Path(name).resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main())
