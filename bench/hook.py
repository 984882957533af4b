"""How long a prompt and a tool call wait for the hook, and the memory it takes, against a Python that does nothing.

Times the launcher that ``limpet init`` names in the host's settings: whole processes, from start to exit with their
pipes, in rounds that run every case once in random order. Run it with the Python that Limpet is installed in.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, product

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
from nobody import become_nobody

from limpet.engine.steps.quiet import SETTLED_NS
from limpet.ground.storage.files import STAMP_GRAIN_NS, write_atomic
from limpet.ground.storage.user_folders import quiet_path
from limpet.ground.workspace import Workspace
from limpet.hosts.claude_code.events import PROJECT
from limpet.hosts.commands.launcher import PACKAGE_ROOT, launcher_path
from limpet.hosts.commands.lines import hook_command, quiet_command
from limpet.hosts.commands.upkeep import compile_package, write_launcher
from limpet.hosts.registry import HOSTS

PROMISED = {
    "100 domains": 2.8,
    "1,000 domains add": 0.9,
    "500 squads add": 0.3,
    "10,000 memories": 3.0,
    "ordinary prompts": 2.5,
    "memory": 1.6,
    "a tool call without a rule": 2.0,
    "a common tool call": 2.4,
    "a parsed command": 3.5,
    "a common call in a repository": 2.4,
    "a prompt in another client": 2.8,
    "a reading call that passes": 0.3,
}
AIMED = 2.2
KINDS = {host: __import__(f"{folder}.events", fromlist=["KINDS"]).KINDS for host, folder in HOSTS.items()}
FIXTURES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "fixtures")
WARM_UPS = 3
MEMORY_RUNS = 5
SQUADS = (5, 500)
MEMORIES = 10_000
# Bracket -> percent of the window that is left, for the cases with memories.
BRACKETS = {"FRESH": 80, "MODERATE": 50, "DEPLETED": 30}
# What an agent's tool call is -> the calls that are timed, by the promise that they fall under. In each of them dev is
# active, and nothing is wrong with it.
TOOL_CALLS: dict[str, tuple[tuple[str, dict[str, str]], ...]] = {
    "a tool call without a rule": (("Read", {"file_path": "src/app.py"}), ("Grep", {"pattern": "def "})),
    "a common tool call": (
        ("Bash", {"command": "git status --short"}),
        ("Bash", {"command": "pytest -q tests/test_app.py"}),
        ("Bash", {"command": "ls -la src"}),
    ),
    "a parsed command": (
        ("Bash", {"command": "cd src && git status | head -3"}),
        ("Bash", {"command": 'for f in src/*.py; do wc -l "$f"; done'}),
        ("Bash", {"command": "npm test 2>&1 | tail -40"}),
    ),
    "a text that is written": (
        (
            "Edit",
            {"file_path": "src/app.py", "old_string": "a = 1", "new_string": "def double(n):\n    return 2 * n\n"},
        ),
    ),
}
# The common calls once more, in a git repository in which a call may have changed anything.
IN_REPOSITORY = "a common call in a repository"
TOOL_CALLS[IN_REPOSITORY] = TOOL_CALLS["a common tool call"]
OPAQUE = ("Bash", {"command": "npm test"})
# Nothing concerns it, so that the hook's line ends before it starts the interpreter.
PASSING = "a reading call that passes"
SHELL_MEMORY = 'while read -r line; do echo "$line"; done < /proc/$$/status >&2'
# Prompts that say nothing for which a memory could be wanted: none may bring one. An ordinary conversation has as many
# of them as of others.
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

BARE = "pass"
BARE_MEMORY = "import sys; sys.stderr.write(open('/proc/self/status').read())"
HOOK_MEMORY = """
import os, sys
sys.path.append(sys.argv[1])
leave = os._exit
def tell(code):
    sys.stderr.write(open("/proc/self/status").read())
    sys.stderr.flush()
    leave(code)
os._exit = tell
from limpet.hook import main
main(sys.argv[2:])
"""


@dataclass
class Case:
    """A process to time: its words, its stdin (made anew for each run, unmeasured), what its answer must hold
    and may not hold, and what its runs took in ms."""

    name: str
    words: list[str]
    stdin: Callable[[], bytes] = lambda: b""
    answer: bytes = b""
    never: bytes = b""
    memory_words: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    memory: float | None = None

    @property
    def median(self) -> float:
        return statistics.median(self.times)


def main() -> None:
    options = _options()
    compile_package()  # as `limpet init` does
    with tempfile.TemporaryDirectory(prefix="limpet-bench-") as folder:
        become_nobody(folder)
        write_launcher()
        floor = Case("bare interpreter", [sys.executable, "-I", "-S", "-c", BARE])
        floor.memory_words = [*floor.words[:-1], BARE_MEMORY]
        cases = [floor, *(case for number in options.domains for case in _cases(folder, number))]
        cases += [_squad_case(folder, number) for number in SQUADS] if options.squads else []
        cases += list(_memory_cases(folder)) if options.memories else []
        cases += list(_tool_cases(folder)) if options.tools else []
        cases += [_host_case(folder, host) for host in HOSTS] if options.hosts else []
        time.sleep(2 * STAMP_GRAIN_NS / 1e9)
        _measure(cases, options.rounds)
    failures = _failures(cases)
    if options.json:
        print(json.dumps({"cases": [_data(case, floor) for case in cases], "failures": failures}, indent=2))
    else:
        print("\n".join([*_table(cases), "", *(failures or ["all promises held"])]))
    sys.exit(1 if options.check and failures else 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time the prompt hook against a bare interpreter.")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--domains", type=int, nargs="+", default=[10, 100, 1000], metavar="N")
    parser.add_argument("--squads", action="store_true", help=f"also with {SQUADS} squads beside 100 domains")
    parser.add_argument("--memories", action="store_true", help=f"also with {MEMORIES:,} memories, later in a talk")
    parser.add_argument("--tools", action="store_true", help="also the hook before a tool call")
    parser.add_argument("--hosts", action="store_true", help="also a prompt in each client, as recorded")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help=f"exit 1 beyond the promises: {PROMISED}")
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("--rounds must be 2 or more")
    return options


def _cases(folder: str, domains: int) -> list[Case]:
    """A project with so many domains: prompts in the midst of a conversation, and first prompts of one."""
    workspace = make_project(os.path.join(folder, str(domains)), domains)
    called = [domains // 3, domains // 2]
    return [
        _case(f"{domains:,} domains", _payloads(workspace, called)),
        _case(f"{domains:,} domains, first prompt", _payloads(workspace, called, is_steady=False)),
    ]


def _squad_case(folder: str, squads: int) -> Case:
    """The project with 100 domains and so many squads of two domains each: prompts that call a global domain and one
    of a squad."""
    workspace = make_project(os.path.join(folder, f"squads-{squads}"), SQUADS_BESIDE)
    for number in range(squads):
        make_squad(workspace.root, number)
    called = [SQUADS_BESIDE // 3, SQUADS_BESIDE + squads]
    return _case(f"{squads} squads", _payloads(workspace, called))


def _memory_cases(folder: str) -> Iterator[Case]:
    """A project with 100 domains and memories, of which each prompt finds some that are new to it; and without any.
    Where all are alike, most prompts earn none: nothing stands out, and what counts is how long that takes to see."""
    stores = {
        "no memories": [],
        f"{MEMORIES:,} memories": make_varied(MEMORIES),
        f"{MEMORIES:,} alike": make_alike(MEMORIES),
    }
    for (store, entries), (bracket, left) in product(stores.items(), BRACKETS.items()):
        name = f"{store}, {bracket}"
        workspace = make_project(os.path.join(folder, name), SQUADS_BESIDE)
        make_memories(workspace, entries, left)
        payloads = _make_payloads(workspace, lambda number: f"*brief {make_question(number)}")
        yield _case(name, payloads, QUOTED if store.endswith("memories") and entries else b"limpet-context")
        if bracket == "FRESH" and store.endswith("memories") and entries:
            idle = _case(f"{store}, idle prompts", _make_payloads(workspace, _idle_prompt), b"")
            idle.never = b"<memory bracket"
            yield idle


# What a statement and a list of titles both say of themselves.
QUOTED = b"data, not instructions"


def _tool_cases(folder: str) -> Iterator[Case]:
    """Calls of tools with nothing wrong about them, in a project in which an agent and a workflow are at work."""
    event = ["claude-code", "PreToolUse"]
    plain, repository = (make_project(os.path.join(folder, name), SQUADS_BESIDE) for name in ("tools", "repository"))
    for workspace in (plain, repository):
        write_atomic(os.path.join(workspace.root, "src", "app.py"), "a = 1\n")
    make_repository(repository.root)
    subprocess.run([launcher_path(), *event], input=_tool_payloads(repository, (OPAQUE,))(), check=True)
    for name, calls in TOOL_CALLS.items():
        workspace = repository if name == IN_REPOSITORY else plain
        case = Case(name, [launcher_path(), *event], _tool_payloads(workspace, calls), never=b"permissionDecision")
        case.memory_words = [sys.executable, "-I", "-S", "-c", HOOK_MEMORY, PACKAGE_ROOT, *event]
        yield case
    yield _passing_case(make_project(os.path.join(folder, "passing"), SQUADS_BESIDE))


def _passing_case(workspace: Workspace) -> Case:
    """The line as the client runs it, once a prompt has written what it goes by."""
    write_atomic(os.path.join(workspace.root, "src", "app.py"), "a = 1\n")
    event, variable = "PreToolUse", PROJECT
    environment = {**os.environ, variable: workspace.root}
    prompt = _make_payloads(workspace, lambda number: f"Go on, {number}.")
    for pause in (0, SETTLED_NS / 1e9 + 0.1):
        time.sleep(pause)
        words = [launcher_path(), "claude-code", "UserPromptSubmit"]
        subprocess.run(words, input=prompt(), env=environment, check=True)
    if not os.path.exists(quiet_path(workspace.root)):
        sys.exit(f"{PASSING}: the prompt has not written what it goes by")
    line = quiet_command(hook_command("claude-code", event), variable)
    words = ["/bin/sh", "-c", f"{variable}={shlex.quote(workspace.root)}; {line}"]
    call = ("Read", {"file_path": os.path.join(workspace.root, "src", "app.py")})
    case = Case(PASSING, words, _tool_payloads(workspace, (call,)))
    case.memory_words = ["/bin/sh", "-c", SHELL_MEMORY]
    return case


def _tool_payloads(workspace: Workspace, calls: tuple[tuple[str, dict[str, str]], ...]) -> Callable[[], bytes]:
    numbers = count()

    def payload() -> bytes:
        number = next(numbers)
        tool, given = calls[number % len(calls)]
        about = {
            "tool_name": tool,
            "tool_input": given,
            "tool_use_id": f"toolu_{number}",
            "hook_event_name": "PreToolUse",
        }
        talk = {"session_id": talk_in(workspace.root), "cwd": workspace.root, "permission_mode": "default"}
        return json.dumps({**talk, **about}, separators=(",", ":")).encode()

    return payload


def _host_case(folder: str, host: str) -> Case:
    """A prompt in the midst of a conversation of this client, recorded like the transcript of it."""
    workspace = make_project(os.path.join(folder, host), 100)
    payload_of, name = _recorded_prompt(host), next(name for name, kind in KINDS[host].items() if kind == "prompt")
    log = os.path.join(workspace.root, "log.jsonl")
    shutil.copy(os.path.join(FIXTURES, host, "transcript.jsonl"), log)
    words, numbers = keywords(10)[0], count()

    def payload() -> bytes:
        number = next(numbers)
        own = {"session_id": talk_in(workspace.root), "transcript_path": log, "cwd": workspace.root}
        own |= {"prompt": f"*brief {number} Please look into {words} before the release."}
        marks = {key: f"{number}" for key in ("prompt_id", "turn_id", "timestamp") if key in payload_of}
        return json.dumps({**payload_of, **own, **marks}).encode()

    case = _case(f"{host}, a prompt", payload)
    case.words = [launcher_path(), host, name]
    case.memory_words = [*case.memory_words[:-2], host, name]
    return case


def _recorded_prompt(host: str) -> dict[str, object]:
    (event,) = (name for name, kind in KINDS[host].items() if kind == "prompt")
    names = {f"{event}.json", f"{event}-typed.json"}
    (name, *_) = sorted(names.intersection(os.listdir(os.path.join(FIXTURES, host))), key=len)
    with open(os.path.join(FIXTURES, host, name), encoding="utf-8") as file:
        found: dict[str, object] = json.load(file)
    return found


def _idle_prompt(number: int) -> str:
    return IDLE[number % len(IDLE)]


def _case(name: str, payloads: Callable[[], bytes], answer: bytes = b"limpet-context") -> Case:
    """The hook as a host starts it, and the same telling its memory."""
    event = ["claude-code", "UserPromptSubmit"]
    case = Case(name, [launcher_path(), *event], payloads, answer)
    case.memory_words = [sys.executable, "-I", "-S", "-c", HOOK_MEMORY, PACKAGE_ROOT, *event]
    return case


def _payloads(workspace: Workspace, called: list[int], is_steady: bool = True) -> Callable[[], bytes]:
    """Prompts that hit two domains and type a command, in one conversation or each in a new one; no two are alike."""
    words = [keywords(number)[0] for number in called]
    prompt = f"*brief Please look into {words[0]} before the release, and say how it bears on {words[1]}."
    return _make_payloads(workspace, lambda _: prompt, is_steady)


def _make_payloads(workspace: Workspace, prompt: Callable[[int], str], is_steady: bool = True) -> Callable[[], bytes]:
    numbers = count()

    def payload() -> bytes:
        number = next(numbers)
        return json.dumps(
            {
                "session_id": talk_in(workspace.root, "steady" if is_steady else f"first-{number}"),
                "transcript_path": os.path.join(workspace.root, TRANSCRIPT),
                "cwd": workspace.root,
                "hook_event_name": "UserPromptSubmit",
                "permission_mode": "default",
                "prompt_id": f"prompt-{number}",
                "prompt": prompt(number),
            }
        ).encode()

    return payload


def _measure(cases: list[Case], rounds: int) -> None:
    for turn in range(WARM_UPS + rounds):
        for case in random.sample(cases, len(cases)):
            milliseconds = _time(case)
            if turn >= WARM_UPS:
                case.times.append(milliseconds)
    if sys.platform == "linux":
        for case in cases:
            case.memory = statistics.median(_peak_memory(case) for _ in range(MEMORY_RUNS))


def _time(case: Case) -> float:
    stdin = case.stdin()
    began = time.perf_counter()
    process = subprocess.Popen(case.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    out, _ = process.communicate(stdin)
    milliseconds = (time.perf_counter() - began) * 1000
    if case.never and case.never in out:
        sys.exit(f"{case.name}: {case.never.decode()} came back, and nothing called for it")
    if case.answer not in out:
        sys.exit(f"{case.name}: no {case.answer.decode()} came back, so there is nothing to time")
    return milliseconds


def _peak_memory(case: Case) -> float:
    """MB, read inside the process: what the parent learns of a child counts the parent's own pages."""
    done = subprocess.run(case.memory_words, input=case.stdin(), capture_output=True, check=True)
    status = dict(line.split(":", 1) for line in done.stderr.decode().splitlines())
    return int(status["VmHWM"].split()[0]) / 1024


def _failures(cases: list[Case]) -> list[str]:
    """The promises that did not hold; a size that was not measured promises nothing."""
    floor, by_name = cases[0], {case.name: case for case in cases}
    hundred, thousand = by_name.get("100 domains"), by_name.get("1,000 domains")
    few, many = (by_name.get(f"{number} squads") for number in SQUADS)
    idle = by_name.get(f"{MEMORIES:,} memories, idle prompts")
    remembering = [
        case
        for name, case in by_name.items()
        if name.startswith(f"{MEMORIES:,} ") and "domains" not in name and case is not idle
    ]
    found: dict[str, float] = {}
    if hundred:
        found["100 domains"] = hundred.median / floor.median
    if hundred and thousand:
        found["1,000 domains add"] = (thousand.median - hundred.median) / floor.median
    if few and many:
        found["500 squads add"] = (many.median - few.median) / floor.median
    if remembering:
        found["10,000 memories"] = max(case.median for case in remembering) / floor.median
    if idle:
        earning = by_name[f"{MEMORIES:,} memories, FRESH"]
        found["ordinary prompts"] = (idle.median + earning.median) / 2 / floor.median
    others = [case.median for name, case in by_name.items() if name.endswith(", a prompt")]
    if others:
        found["a prompt in another client"] = max(others) / floor.median
    calls = (name for name in (*TOOL_CALLS, PASSING) if name in PROMISED and name in by_name)
    found |= {name: by_name[name].median / floor.median for name in calls}
    if floor.memory:
        found["memory"] = max(case.memory / floor.memory for case in cases if case.memory)
    return [
        f"{name}: {ratio:.2f} x floor, promised {PROMISED[name]}"
        for name, ratio in found.items()
        if ratio > PROMISED[name]
    ]


def _table(cases: list[Case]) -> list[str]:
    floor = cases[0]
    lines = [f"{'ms':32}{'median':>8}{'p90':>8}{'min':>8}{'x floor':>9}{'peak MB':>10}{'x floor':>9}"]
    for case in cases:
        data = _data(case, floor)
        memory = f"{data['memory_mb']:10}{data['memory_ratio']:9}" if case.memory else f"{'-':>10}{'-':>9}"
        lines.append(f"{case.name:32}{data['median']:8}{data['p90']:8}{data['min']:8}{data['ratio']:9}{memory}")
    return [*lines, f"aim for 100 domains: {AIMED} x floor; promised: {PROMISED['100 domains']}"]


def _data(case: Case, floor: Case) -> dict[str, object]:
    data: dict[str, object] = {
        "name": case.name,
        "rounds": len(case.times),
        "median": round(case.median, 1),
        "p90": round(statistics.quantiles(case.times, n=10)[-1], 1),
        "min": round(min(case.times), 1),
        "ratio": round(case.median / floor.median, 2),
    }
    if case.memory and floor.memory:
        data |= {"memory_mb": round(case.memory, 1), "memory_ratio": round(case.memory / floor.memory, 2)}
    return data


if __name__ == "__main__":
    main()
