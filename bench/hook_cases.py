"""What ``hook`` measures: each event and command as a process, in a project made for it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

from coding_memories import make_question
from hook_projects import (
    SQUADS_BESIDE,
    TRANSCRIPT,
    keywords,
    make_alike,
    make_memories,
    make_project,
    make_repository,
    make_squad,
    make_varied,
    talk_in,
)

from limpet.engine.steps.quiet import SETTLED_NS
from limpet.ground.storage.files import write_atomic
from limpet.ground.storage.user_folders import quiet_path
from limpet.ground.workspace import Workspace
from limpet.hosts.claude_code.events import PROJECT
from limpet.hosts.commands.launcher import PACKAGE_ROOT, launcher_path
from limpet.hosts.commands.lines import hook_command, quiet_command
from limpet.hosts.registry import HOSTS

KINDS = {host: __import__(f"{folder}.events", fromlist=["KINDS"]).KINDS for host, folder in HOSTS.items()}
FIXTURES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "fixtures")
FLOOR = "bare Python"
# As ``-I -S``, but that the seed of the hashes is heeded.
BARE = (sys.executable, "-P", "-s", "-S")
# The hook as its launcher starts it, with time enough for the slow machine that valgrind makes.
HOOK = """
import sys
sys.path.append(sys.argv[1])
from limpet import hook
hook.WAITING = hook.ALL = 1000
hook.main(sys.argv[2:])
"""
COMMAND = """
import sys
sys.path.insert(0, sys.argv[1])
from limpet.__main__ import main
main(*sys.argv[2:])
"""
SQUADS = 500
# More time than the settings give, so that a search that is slow under valgrind is counted and not given up.
PATIENT = "total_ms: 60000, allowances_ms: {memory: 60000}"
# Prompts that say nothing for which a memory could be wanted: none may bring one.
IDLE = (
    "ok",
    "yes, go ahead",
    "looks good, thanks",
    "fix it please",
    "hmm, try again",
    "run the tests",
    "why?",
    "Address 3",
)
# Clients whose payloads were recorded, beside Claude Code.
RECORDED = ("codex-cli", "copilot-cli", "gemini-cli")
Call = tuple[str, dict[str, str]]
READING: Call = ("Read", {"file_path": "src/app.py"})
OPAQUE: Call = ("Bash", {"command": "npm test"})
PUSH: Call = ("Bash", {"command": "git push"})
COMMON: tuple[Call, ...] = tuple(
    ("Bash", {"command": command}) for command in ("git status --short", "pytest -q tests/test_app.py", "ls -la src")
)
# Two functions that no project has.
WRITTEN = '''\
def render_invoice(invoice, template, currency="EUR"):
    """Render the page of an invoice with its lines and totals."""
    lines = [line for line in invoice.lines if line.amount]
    total = sum(line.amount for line in lines)
    return template.render({"lines": lines, "total": total, "currency": currency})


def find_open_invoices(ledger, until):
    """Invoices of the ledger that are not paid yet."""
    found = []
    for invoice in ledger:
        if not invoice.paid and invoice.due <= until:
            found.append(invoice)
    return sorted(found, key=lambda one: one.due)
'''
WRITE: Call = ("Write", {"file_path": "src/books.py", "content": WRITTEN})
# What an agent's tool call is -> the calls that are measured, and the promise. In each of them dev is active, and
# nothing is wrong with it.
TOOL_CALLS: dict[str, tuple[tuple[Call, ...], float]] = {
    "tool call: a file is read, something waits": ((READING, ("Grep", {"pattern": "def "})), 2.0),
    "tool call: a command": (COMMON, 2.4),
    "tool call: a command that is parsed": (
        (
            ("Bash", {"command": "cd src && git status | head -3"}),
            ("Bash", {"command": 'for f in src/*.py; do wc -l "$f"; done'}),
            ("Bash", {"command": "npm test 2>&1 | tail -40"}),
        ),
        3.5,
    ),
    "tool call: a file is written": (
        (
            (
                "Edit",
                {"file_path": "src/app.py", "old_string": "a = 1", "new_string": "def double(n):\n    return 2 * n\n"},
            ),
        ),
        0,
    ),
}
Payloads = Callable[[], bytes]


def nothing() -> None:
    return


@dataclass
class Case:
    """A process to measure: its words as a client or a person starts it, its stdin (made anew for each run), what its
    answer must and must not hold. ``script`` with ``arguments``: the same without the launcher, None for what is no
    Python of ours. ``before``: what is put right before each run, unmeasured; ``leaves_work``: it may start another
    process, which is waited for. ``promised``: times bare Python, 0 for no promise."""

    name: str
    words: list[str]
    root: str
    promised: float = 0
    stdin: Payloads = lambda: b""
    answer: bytes = b""
    never: bytes = b""
    script: str | None = None
    arguments: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    before: Callable[[], None] = nothing
    leaves_work: bool = False
    times: list[float] = field(default_factory=list)
    instructions: int = 0
    memory: float = 0

    def ratio(self, floor: Case) -> float:
        return statistics.median(self.times) / statistics.median(floor.times)

    def figures(self, floor: Case) -> dict[str, object]:
        counted = self.instructions and floor.instructions
        return {
            "name": self.name,
            "median": round(statistics.median(self.times), 1),
            "ratio": round(self.ratio(floor), 2),
            "instructions": round(self.instructions / 1e6, 1),
            "times": round(self.instructions / floor.instructions, 2) if counted else 0,
            "memory": round(self.memory, 1),
        }


def make_cases(folder: str) -> Iterator[Case]:
    """Each is ready to run once all are made; the floor comes first."""
    yield Case(FLOOR, [sys.executable, "-I", "-S", "-c", "pass"], folder, script="pass")
    for domains, promised in ((100, 2.8), (1000, 3.7)):
        workspace = make_project(os.path.join(folder, f"domains-{domains}"), domains, PATIENT)
        called = (domains // 3, domains // 2)
        yield event(f"prompt, {domains:,} domains", "prompt", workspace, prompts(workspace, called), promised)
        if domains == 100:
            payloads = prompts(workspace, called, is_steady=False)
            yield event("the same, first of a conversation", "prompt", workspace, payloads)
    yield from _squads(folder)
    yield from _memories(folder)
    yield from _hosts(folder)
    yield from _tool_calls(folder)
    yield from _sessions(folder)
    yield from _commands(folder)


def make_peers(folder: str, carl: str) -> Iterator[Case]:
    """Other hooks on the same prompt: one of Node that does nothing, and CARL's with the same rules, of which it says
    in most prompts nothing either."""
    node = shutil.which("node")
    if node:
        yield Case("peer: node -e 0", [node, "-e", "0"], folder)
    if os.path.isfile(carl):
        workspace = make_project(os.path.join(folder, "carl"), 100)
        shutil.copytree(workspace.path("rules"), os.path.join(workspace.root, ".carl"))
        payloads = prompts(workspace, (33, 50))
        yield Case("peer: CARL, prompt, 100 domains", [sys.executable, carl], workspace.root, stdin=payloads)


def event(name: str, kind: str, workspace: Workspace, stdin: Payloads, promised: float = 0, host: str = "") -> Case:
    """The hook as a client starts it; a prompt must get a block."""
    host = host or "claude-code"
    known = next(name for name, each in KINDS[host].items() if each == kind)
    answer = b"limpet-context" if kind in ("prompt", "session_start") else b""
    case = Case(name, [launcher_path(), host, known], workspace.root, promised, stdin, answer)
    case.script, case.arguments, case.environment = HOOK, (host, known), {PROJECT: workspace.root}
    return case


def command(name: str, words: tuple[str, ...], workspace: Workspace, promised: float = 0) -> Case:
    start = [sys.executable, "-c", COMMAND, PACKAGE_ROOT]
    return Case(name, [*start, *words], workspace.root, promised, script=COMMAND, arguments=words)


def payload(workspace: Workspace, session: str = "steady", **about: object) -> bytes:
    talk = {
        "session_id": talk_in(workspace.root, session),
        "transcript_path": os.path.join(workspace.root, TRANSCRIPT),
        "cwd": workspace.root,
        "permission_mode": "default",
    }
    return json.dumps({**talk, **about}, separators=(",", ":")).encode()


def prompts(workspace: Workspace, called: tuple[int, int], is_steady: bool = True) -> Payloads:
    """Prompts that hit two domains and type a command, in one conversation or each in a new one; no two are alike."""
    first, second = (keywords(number)[0] for number in called)
    text = f"*brief Please look into {first} before the release, and say how it bears on {second}."
    return _prompts(workspace, lambda _: text, is_steady)


def _prompts(workspace: Workspace, text: Callable[[int], str], is_steady: bool = True) -> Payloads:
    numbers = count()

    def make() -> bytes:
        number = next(numbers)
        session = "steady" if is_steady else f"first-{number}"
        about = {"hook_event_name": "UserPromptSubmit", "prompt_id": f"prompt-{number}", "prompt": text(number)}
        return payload(workspace, session, **about)

    return make


def _calls(workspace: Workspace, calls: tuple[Call, ...]) -> Payloads:
    numbers = count()

    def make() -> bytes:
        number = next(numbers)
        tool, given = calls[number % len(calls)]
        about = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{number}"}
        return payload(workspace, hook_event_name="PreToolUse", **about)

    return make


def _squads(folder: str) -> Iterator[Case]:
    """Prompts that call a global domain and one of a squad; each squad costs one look at its manifest."""
    workspace = make_project(os.path.join(folder, "squads"), SQUADS_BESIDE, PATIENT)
    for number in range(SQUADS):
        make_squad(workspace.root, number)
    payloads = prompts(workspace, (SQUADS_BESIDE // 3, SQUADS_BESIDE + SQUADS))
    yield event(f"prompt, 100 domains and {SQUADS} squads", "prompt", workspace, payloads)


def _memories(folder: str) -> Iterator[Case]:
    """Each prompt finds some that are new to its conversation. Of memories that are all alike most prompts earn none:
    nothing stands out, and what counts is how long that takes to see."""
    for number, promised in ((300, 0.0), (10_000, 3.0)):
        workspace = make_project(os.path.join(folder, f"memories-{number}"), SQUADS_BESIDE)
        make_memories(workspace, make_varied(number), 80, PATIENT)
        questions = _prompts(workspace, lambda number: f"*brief {make_question(number)}")
        case = event(f"prompt, {number:,} memories, some come", "prompt", workspace, questions, promised)
        case.answer = b"data, not instructions"  # what a statement and a list of titles both say of themselves
        yield case
    idle = _prompts(workspace, lambda number: IDLE[number % len(IDLE)])
    case = event("prompt, 10,000 memories, none comes", "prompt", workspace, idle, 2.5)
    case.answer, case.never = b"", b"<memory bracket"
    yield case
    workspace = make_project(os.path.join(folder, "alike"), SQUADS_BESIDE)
    make_memories(workspace, make_alike(10_000), 80, PATIENT)
    questions = _prompts(workspace, lambda number: f"*brief {make_question(number)}")
    yield event("prompt, 10,000 memories, all alike", "prompt", workspace, questions, 3.0)


def _hosts(folder: str) -> Iterator[Case]:
    """A prompt in the midst of a conversation of each other client that was run, recorded like the transcript of it."""
    for host in RECORDED:
        workspace = make_project(os.path.join(folder, host), 100, PATIENT)
        yield event(f"prompt in {host}", "prompt", workspace, _recorded_prompts(workspace, host), 2.8, host)


def _recorded_prompts(workspace: Workspace, host: str) -> Payloads:
    (name,) = (name for name, kind in KINDS[host].items() if kind == "prompt")
    recorded = {f"{name}.json", f"{name}-typed.json"}.intersection(os.listdir(os.path.join(FIXTURES, host)))
    with open(os.path.join(FIXTURES, host, min(recorded, key=len)), encoding="utf-8") as file:
        given = json.load(file)
    log = os.path.join(workspace.root, "log.jsonl")
    shutil.copy(os.path.join(FIXTURES, host, "transcript.jsonl"), log)
    words, numbers = keywords(10)[0], count()

    def make() -> bytes:
        number = next(numbers)
        own = {"session_id": talk_in(workspace.root), "transcript_path": log, "cwd": workspace.root}
        own |= {"prompt": f"*brief {number} Please look into {words} before the release."}
        marks = {key: f"{number}" for key in ("prompt_id", "turn_id", "timestamp") if key in given}
        return json.dumps({**given, **own, **marks}).encode()

    return make


def _tool_calls(folder: str) -> Iterator[Case]:
    """Calls with nothing wrong about them, where an agent is at work; the same in a git repository, after one that may
    have changed anything."""
    yield _passing(make_project(os.path.join(folder, "passing"), SQUADS_BESIDE))
    plain, repository = (
        make_project(os.path.join(folder, name), SQUADS_BESIDE, PATIENT) for name in ("tools", "repository")
    )
    for workspace in (plain, repository):
        write_atomic(os.path.join(workspace.root, "src", "app.py"), "a = 1\n")
    for name, (calls, promised) in TOOL_CALLS.items():
        yield _call(name, plain, calls, promised)
    yield _call("tool call: two functions are written", plain, (WRITE,))
    yield _after_scan(os.path.join(folder, "scanned"))
    make_repository(repository.root)
    opaque, push = _call("tool call: npm test as dev", repository, (OPAQUE,)), _call("", repository, (PUSH,))
    play(opaque)
    yield _call("tool call: a command after npm test as dev", repository, COMMON, 2.4)
    turn = event("", "prompt", repository, _prompts(repository, lambda number: f"Go on, {number}."))
    opaque.before = lambda: play(turn)  # the first of its turn has the repository looked at
    yield opaque
    push.name, push.answer, push.never = "tool call: git push as dev, refused", b"permissionDecision", b""
    yield push


def _call(name: str, workspace: Workspace, calls: tuple[Call, ...], promised: float = 0) -> Case:
    case = event(name, "tool_before", workspace, _calls(workspace, calls), promised)
    case.never = b"permissionDecision"
    return case


def _after_scan(root: str) -> Case:
    """The same where our own sources were scanned."""
    workspace = make_project(root, SQUADS_BESIDE, PATIENT)
    shutil.copytree(os.path.join(PACKAGE_ROOT, "limpet"), os.path.join(root, "src", "limpet"))
    play(command("", ("registry", "scan"), workspace))
    return _call("the same, after a scan of 500 files", workspace, (WRITE,))


def _passing(workspace: Workspace) -> Case:
    """The line as the client runs it, once a prompt has written what it goes by: the shell ends before it starts the
    interpreter."""
    path = os.path.join(workspace.root, "src", "app.py")
    write_atomic(path, "a = 1\n")
    prompt = event("", "prompt", workspace, _prompts(workspace, lambda number: f"Go on, {number}."))
    for pause in (0, SETTLED_NS / 1e9 + 0.1):
        time.sleep(pause)
        play(prompt)
    if not os.path.exists(quiet_path(workspace.root)):
        sys.exit("the prompt has not written what reading calls go by")
    line = quiet_command(hook_command("claude-code", "PreToolUse"), PROJECT)
    words = ["/bin/sh", "-c", f"{PROJECT}={shlex.quote(workspace.root)}; {line}"]
    stdin = _calls(workspace, (("Read", {"file_path": path}),))
    return Case("tool call: a file is read, nothing waits", words, workspace.root, 0.3, stdin)


def _sessions(folder: str) -> Iterator[Case]:
    workspace = make_project(os.path.join(folder, "sessions"), SQUADS_BESIDE, PATIENT)
    make_repository(workspace.root)
    numbers = count()

    def start() -> bytes:
        name = f"start-{next(numbers)}"
        log = os.path.join(workspace.root, f"{name}.jsonl")  # which is not there yet
        return payload(workspace, name, hook_event_name="SessionStart", source="startup", transcript_path=log)

    def forget() -> None:
        shutil.rmtree(workspace.cache, ignore_errors=True)

    first, again = (
        event(name, "session_start", workspace, start) for name in ("the first event in a project", "session start")
    )
    first.before = forget
    stop = event("stop", "stop", workspace, lambda: payload(workspace, hook_event_name="Stop", stop_hook_active=False))
    for case in (again, first, stop):
        case.leaves_work = True
        yield case


def _commands(folder: str) -> Iterator[Case]:
    workspace = _installed(os.path.join(folder, "commands"), 10)
    make_memories(workspace, make_alike(500), left=80)
    make_repository(workspace.root)
    other = command("", ("work", "agent", "activate", "architect"), workspace)
    activation = command("limpet work agent activate", ("work", "agent", "activate", "dev"), workspace)
    activation.before = lambda: play(other)
    typed = event("the same, typed: *agent dev", "prompt", workspace, _prompts(workspace, lambda _: "*agent dev"))
    typed.before = activation.before
    for case in (activation, typed):
        case.leaves_work = True
        yield case
    for name in ("status", "doctor", "why", "log"):
        yield command(f"limpet {name}", (name,), workspace)
    large = _installed(os.path.join(folder, "domains-3000"), 3000)
    for name in ("status", "doctor"):
        yield command(f"limpet {name}, 3,000 domains", (name,), large)


def _installed(root: str, domains: int) -> Workspace:
    workspace = make_project(root, domains)
    play(command("", ("init", "--yes", "--host", "claude-code", "--lean"), workspace))
    return workspace


def play(case: Case) -> None:
    environment = {**os.environ, **case.environment}
    subprocess.run(case.words, input=case.stdin(), cwd=case.root, env=environment, check=True, capture_output=True)
