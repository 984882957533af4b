"""How long a client waits for Limpet, at each event and command, against a Python that does nothing; and how many
instructions that takes, which are the same on a busy machine.

Timed are whole processes, as ``limpet init`` has the client start them, in rounds that run every case once in random
order. Instructions are counted by valgrind, where it is installed. Other tools' hooks stand beside, where they are.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from hook_cases import BARE, COMMAND, FLOOR, Case, make_cases, make_peers
from hostile_doors import wait_for_background
from nobody import become_nobody

from limpet.ground.bundle import PROMPT, TOOL, bundle_path
from limpet.ground.storage.files import STAMP_GRAIN_NS
from limpet.hosts.commands.launcher import PACKAGE_ROOT
from limpet.hosts.commands.upkeep import compile_package, write_launcher

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "README.md")
BEGIN, END = "<!-- made by `python3 run.py bench --write` -->\n", "<!-- end -->\n"
WARM_UPS, MEMORY_RUNS = 3, 3
SEED = "0"
VALGRIND = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
REFERENCES = re.compile(rb"I\s+refs:\s+([\d,]+)")
PEAK = re.compile(rb"VmHWM:\s+(\d+) kB")
# Put before a script: tells the memory of the process when it ends, because what a parent learns of its child counts
# pages of the parent.
TELLING = """
import atexit, os, sys
leave = os._exit
def tell(code=0):
    sys.stderr.write(open("/proc/self/status").read())
    sys.stderr.flush()
def tell_and_leave(code):
    tell()
    leave(code)
os._exit = tell_and_leave
atexit.register(tell)
"""


def main() -> int:
    options = _options()
    # Always the same path: one with a digit in it may be a secret, and is looked at longer.
    folder = os.path.join(tempfile.gettempdir(), "limpet-bench")
    if os.path.exists(folder):
        sys.exit(f"{folder} is there: another run is under way, or was killed. Remove it first.")
    carl = options.carl or os.path.expanduser("~/.claude/hooks/carl-hook.py")
    os.mkdir(folder, 0o700)
    try:
        _prepare(folder)
        cases = [case for case in make_cases(folder) if case.name == FLOOR or options.only in case.name]
        cases += make_peers(folder, carl) if not options.only else []
        time.sleep(2 * STAMP_GRAIN_NS / 1e9)
        _measure(cases, options.rounds, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    failures = [
        f"{case.name}: {case.ratio(cases[0]):.2f} x bare Python, promised {case.promised}"
        for case in cases
        if case.promised and case.ratio(cases[0]) > case.promised
    ]
    table = render(cases)
    if options.json:
        print(json.dumps({"cases": [case.figures(cases[0]) for case in cases], "failures": failures}, indent=1))
    else:
        print(table + "\n".join(failures or ["all promises held"]))
    if options.write:
        _write(table)
    return int(options.check and bool(failures))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time what a client waits for, against a bare interpreter.")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--only", default="", metavar="TEXT", help="the cases with this in their names")
    parser.add_argument("--carl", default="", metavar="FILE", help="CARL's carl-hook.py, where it is not installed")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="put the table into bench/README.md")
    parser.add_argument("--check", action="store_true", help="exit 1 where a promise is broken")
    options = parser.parse_args()
    if options.rounds < 2 or (options.write and options.only):
        parser.error("--rounds must be 2 or more, and --write takes all cases")
    return options


def _prepare(folder: str) -> None:
    """Make this process and those that it starts as they are in an installation of nobody's."""
    for name in [name for name in os.environ if name.startswith("PYTHON")]:
        del os.environ[name]
    os.environ.update(HOME=folder, GIT_CONFIG_NOSYSTEM="1")
    become_nobody(folder)
    compile_package()  # as `limpet init` does
    missing = [way for way in (PROMPT, TOOL) if not os.path.exists(bundle_path(way))]
    if missing:
        sys.exit(f"no bundle was made for {missing}: is the package's folder writable, and older than two seconds?")
    write_launcher()


def _measure(cases: list[Case], rounds: int, folder: str) -> None:
    for turn in range(WARM_UPS + rounds):
        for case in random.sample(cases, len(cases)):
            case.before()
            began = time.perf_counter()
            _run(case, case.words)
            if turn >= WARM_UPS:
                case.times.append((time.perf_counter() - began) * 1000)
            if case.leaves_work:
                wait_for_background(folder)
    counted = shutil.which(VALGRIND[0]) is not None
    os.environ["PYTHONHASHSEED"] = SEED
    for case in cases:
        if counted:
            _repeat(case, folder, lambda case=case: _count(case))
        if case.script is not None and sys.platform == "linux":
            for _ in range(MEMORY_RUNS):
                _repeat(case, folder, lambda case=case: _weigh(case))


def _repeat(case: Case, folder: str, look: Callable[[], None]) -> None:
    case.before()
    look()
    wait_for_background(folder)


def _count(case: Case) -> None:
    """Without the processes that it starts."""
    found = REFERENCES.search(_run(case, [*VALGRIND, *_scripted(case, "")]))
    if found is None:
        sys.exit(f"{case.name}: valgrind counted nothing")
    case.instructions = int(found[1].replace(b",", b""))


def _weigh(case: Case) -> None:
    found = PEAK.search(_run(case, _scripted(case, TELLING)))
    if found is None:
        sys.exit(f"{case.name}: nothing was told of its memory")
    case.memory = min(case.memory or 1e9, int(found[1]) / 1024)


def _scripted(case: Case, before: str) -> list[str]:
    """The process without its launcher; the seed of the hashes is heeded."""
    if case.script is None:
        return case.words
    bare = BARE if case.script != COMMAND else BARE[:1]
    return [*bare, "-c", before + case.script, PACKAGE_ROOT, *case.arguments]


def _run(case: Case, words: list[str]) -> bytes:
    """Run a process that must do what it is measured for, and return its stderr."""
    done = subprocess.run(
        words, input=case.stdin(), capture_output=True, cwd=case.root, env={**os.environ, **case.environment}
    )
    if done.returncode or case.answer not in done.stdout or (case.never and case.never in done.stdout):
        sys.exit(f"{case.name}: exit {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}")
    return done.stderr


def render(cases: list[Case]) -> str:
    """A table in Markdown, and what it was made with."""
    lines = [f"| | ms | x bare Python | {'M instructions'} | x | MB | promised |", "|---|---|---|---|---|---|---|"]
    floor = cases[0]
    for case in cases:
        found = case.figures(floor)
        words = [str(found[name] or "") for name in ("name", "median", "ratio", "instructions", "times", "memory")]
        lines.append(f"| {' | '.join(words)} | {case.promised or ''} |")
    python = ".".join(map(str, sys.version_info[:3]))
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    made = f"Python {python}, {sys.platform}, {os.cpu_count()} processors{load}, {len(floor.times)} rounds."
    return "\n".join([*lines, "", made, ""])


def _write(table: str) -> None:
    with open(PAGE, encoding="utf-8") as file:
        head, _, rest = file.read().partition(BEGIN)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(head + BEGIN + table + END + rest.partition(END)[2])


if __name__ == "__main__":
    sys.exit(main())
