"""How long a prompt waits for the hook, and how much memory that takes, against a Python that does nothing.

Times the command that ``holdfast init`` writes into the host's settings: whole processes, from start to exit with their
pipes, in rounds that run every case once in random order. Run it with the Python that Holdfast is installed in.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count, islice, product

from holdfast.engine.compile import refresh
from holdfast.ground.files import STAMP_GRAIN_NS, write_atomic
from holdfast.ground.scaffold import missing_files
from holdfast.ground.workspace import Workspace, workspace_at
from holdfast.hosts.command import PACKAGE_ROOT, hook_command, read_command
from holdfast.work.project import update_project

PROMISED = {"100 domains": 2.8, "1,000 domains add": 0.9, "500 squads add": 0.3, "memory": 1.6}
AIMED = 2.2
WARM_UPS = 3
MEMORY_RUNS = 5
TRANSCRIPT_LINES = 800
RULES, KEYWORDS = 6, 4
SQUADS, SQUADS_BESIDE = (5, 500), 100
SQUAD_DOMAINS = 2
SYLLABLES = ("ka", "lo", "mi", "ru", "ven", "tos", "dar", "pel", "nix", "gol")

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
from holdfast.hook import main
main(sys.argv[2:])
"""


@dataclass
class Case:
    """A process to time: its words, its stdin (made anew for each run, unmeasured), and what its runs took in ms."""

    name: str
    words: list[str]
    stdin: Callable[[], bytes] = lambda: b""
    memory_words: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    memory: float | None = None

    @property
    def median(self) -> float:
        return statistics.median(self.times)


def main() -> None:
    options = _options()
    compileall.compile_dir(os.path.join(PACKAGE_ROOT, "holdfast"), quiet=2)
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        os.environ["XDG_CONFIG_HOME"] = os.path.join(folder, "nobody")
        floor = Case("bare interpreter", [sys.executable, "-I", "-S", "-c", BARE])
        floor.memory_words = [*floor.words[:-1], BARE_MEMORY]
        cases = [floor, *(case for number in options.domains for case in _cases(folder, number))]
        cases += [_squad_case(folder, number) for number in SQUADS] if options.squads else []
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
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help=f"exit 1 beyond the promises: {PROMISED}")
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("--rounds must be 2 or more")
    return options


def _cases(folder: str, domains: int) -> list[Case]:
    """A project with so many domains: prompts in the midst of a conversation, and first prompts of one."""
    workspace = _make_project(os.path.join(folder, str(domains)), domains)
    called = [domains // 3, domains // 2]
    return [
        _case(f"{domains:,} domains", _payloads(workspace, called, "steady")),
        _case(f"{domains:,} domains, first prompt", _payloads(workspace, called, "")),
    ]


def _squad_case(folder: str, squads: int) -> Case:
    """The project with 100 domains and so many squads of two domains each: prompts that call a global domain and one
    of a squad."""
    workspace = _make_project(os.path.join(folder, f"squads-{squads}"), SQUADS_BESIDE)
    for number in range(squads):
        _make_squad(workspace.root, number)
    called = [SQUADS_BESIDE // 3, SQUADS_BESIDE + squads]
    return _case(f"{squads} squads", _payloads(workspace, called, "steady"))


def _case(name: str, payloads: Callable[[], bytes]) -> Case:
    """The hook as a host starts it, and the same telling its memory."""
    line = read_command(hook_command("UserPromptSubmit"))
    assert line
    start, tail = [line.python, "-I", "-S", "-c"], [line.root, line.host, line.event]
    case = Case(name, [*start, line.bootstrap, *tail], payloads)
    case.memory_words = [*start, HOOK_MEMORY, *tail]
    return case


def _payloads(workspace: Workspace, called: list[int], session: str) -> Callable[[], bytes]:
    """Prompts that hit two domains and type a command, in one conversation or each in a new one; no two are alike."""
    words = [_keywords(number)[0] for number in called]
    numbers = count()

    def payload() -> bytes:
        number = next(numbers)
        return json.dumps(
            {
                "session_id": session or f"first-{number}",
                "transcript_path": os.path.join(workspace.root, "transcript.jsonl"),
                "cwd": workspace.root,
                "hook_event_name": "UserPromptSubmit",
                "permission_mode": "default",
                "prompt_id": f"prompt-{number}",
                "prompt": f"*brief Please look into {words[0]} before the release, and say how it bears on {words[1]}.",
            }
        ).encode()

    return payload


def _make_project(root: str, domains: int) -> Workspace:
    """The shipped rules and ``domains`` more, an active agent, a setting, and a transcript with usage."""
    workspace = workspace_at(root)
    for path, raw in missing_files(root).items():
        write_atomic(path, raw)
    manifest = workspace.path("rules", "manifest")
    with open(manifest, "a", encoding="utf-8") as file:
        file.writelines(_manifest_lines(number) for number in range(domains))
    for number in range(domains):
        rules = (f"BENCH{number}_RULE_{rule}={_rule(number, rule)}\n" for rule in range(RULES))
        write_atomic(workspace.path("rules", f"bench{number}"), "".join(rules))
    write_atomic(os.path.join(root, "transcript.jsonl"), "".join(_transcript_lines()))
    write_atomic(workspace.path("config.yaml"), "context:\n  window: 200000\n")
    update_project(workspace, {"current_agent": "dev"})
    refresh(workspace)
    return workspace


def _make_squad(root: str, number: int) -> None:
    """A squad with two domains, its keywords those of domains behind the project's own."""
    folder = os.path.join(root, "squads", f"squad-{number}")
    numbers = range(SQUADS_BESIDE + number * SQUAD_DOMAINS, SQUADS_BESIDE + (number + 1) * SQUAD_DOMAINS)
    write_atomic(os.path.join(folder, "squad.yaml"), f"name: squad-{number}\nextends: extend\n")
    write_atomic(os.path.join(folder, ".holdfast", "rules", "manifest"), "".join(map(_manifest_lines, numbers)))
    for domain in numbers:
        rules = "".join(f"BENCH{domain}_RULE_{rule}={_rule(domain, rule)}\n" for rule in range(RULES))
        write_atomic(os.path.join(folder, ".holdfast", "rules", f"bench{domain}"), rules)


def _manifest_lines(number: int) -> str:
    return f"BENCH{number}_STATE=active\nBENCH{number}_RECALL={', '.join(_keywords(number))}\n"


def _keywords(number: int) -> list[str]:
    """Words that no other domain has."""
    begin = number * KEYWORDS
    return ["".join(reversed(parts)) for parts in islice(product(SYLLABLES, repeat=5), begin, begin + KEYWORDS)]


def _rule(number: int, rule: int) -> str:
    return f"Rule {rule} of domain {number}: check inputs at the border, and name the file and line that you rely on."


def _transcript_lines() -> list[str]:
    """Turns of user and assistant, the last of which tells the usage that counts."""
    lines: list[str] = []
    for number in range(TRANSCRIPT_LINES // 2):
        user = {"type": "user", "message": {"role": "user", "content": "Text of a request or a tool's answer. " * 20}}
        usage = {"input_tokens": 12, "cache_read_input_tokens": 20_000 + number, "output_tokens": 300}
        content = [{"type": "text", "text": "Text of an answer. " * 30}]
        message = {"role": "assistant", "model": "claude-haiku-4-5", "content": content, "usage": usage}
        lines += [json.dumps(user) + "\n", json.dumps({"type": "assistant", "message": message}) + "\n"]
    return lines


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
    if bool(stdin) != (b"holdfast-context" in out):
        sys.exit(f"{case.name}: no block came back, so there is nothing to time")
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
    found: dict[str, float] = {}
    if hundred:
        found["100 domains"] = hundred.median / floor.median
    if hundred and thousand:
        found["1,000 domains add"] = (thousand.median - hundred.median) / floor.median
    if few and many:
        found["500 squads add"] = (many.median - few.median) / floor.median
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
