"""Opens hostile checkouts as a victim would, through the hook and the commands, and looks what the stranger achieved.

    python bench/hostile.py --check                          the promise, in one command
    python bench/hostile.py --only plan_that_hangs --json    one checkout, for programs
    python bench/hostile.py --list                           every checkout and its attack

Each checkout is made for real (cloned, unpacked, or pulled after the victim trusted it) into the home of a victim, who
has documents of their own and another Limpet project with private memories. Every door is a process with that
victim's environment. It is opened twice: as it came ("untrusted"), and after ``limpet trust --yes`` ("trusted").
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parent))

import hostile_checkouts_caches
import hostile_checkouts_git
import hostile_checkouts_links
import hostile_checkouts_private
import hostile_checkouts_texts
from hostile_doors import Answer, trust, trust_exists, visit
from hostile_scene import CHECKOUTS, PRIVATE, THEIRS, Checkout, Template, make_template, set_scene
from nobody import become_nobody

MODULES = (
    hostile_checkouts_links,
    hostile_checkouts_git,
    hostile_checkouts_caches,
    hostile_checkouts_texts,
    hostile_checkouts_private,
)
UNTRUSTED, TRUSTED = "untrusted", "trusted"
TRACE = "Traceback (most recent call last)"
# What may go wrong, by the heading under which it is counted; each must be 0.
KINDS = {
    "ran": "commands run",
    "touched": "files outside touched",
    "leaked": "private lines in an output or in the checkout",
    "spoke": "lines of theirs in a hook's output before trust",
    "hook": "hooks that failed, spoke on stderr or were ended",
    "command": "commands that crashed or were ended",
}


@dataclass(frozen=True)
class Fault:
    """What went wrong: its kind, and where or what."""

    kind: str
    what: str


@dataclass
class Finding:
    """What one checkout came to in one state; ``longest`` is the longest hook in seconds, and ``slowest`` its door."""

    checkout: str
    state: str
    faults: list[Fault] = field(default_factory=list)
    doors: int = 0
    longest: float = 0.0
    slowest: str = ""
    longest_command: float = 0.0


def main() -> int:
    options = read_options()
    if sys.platform == "win32":
        print("the checkouts are made of links, pipes and shell programs: run this on Linux or macOS")
        return 0
    chosen = choose(options.only, options.sample, options.seed)
    if options.list:
        print("\n".join(f"{each.name:38} {each.way:8} {each.attack}" for each in chosen))
        return 0
    began = time.monotonic()
    show = (lambda finding: None) if options.json else (lambda finding: print(line_of(finding), flush=True))
    findings = play(chosen, options.states, options.few, options.workers, show, options.keep)
    print(as_json(findings) if options.json else report(findings, time.monotonic() - began))
    return 1 if options.check and any(finding.faults for finding in findings) else 0


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these, or parts of their names")
    parser.add_argument("--sample", type=int, help="so many of them, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--states", nargs="+", choices=(UNTRUSTED, TRUSTED), default=[UNTRUSTED, TRUSTED])
    parser.add_argument("--few", action="store_true", help="all events of the hook, but few commands")
    parser.add_argument("--workers", type=int, default=1, help="so many victims at the same time")
    parser.add_argument("--keep", metavar="FOLDER", help="make the scenes here and leave them")
    parser.add_argument("--list", action="store_true", help="only say what the attacks are")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help="exit 1 unless every count is 0")
    return parser.parse_args()


def choose(only: list[str], sample: int | None, seed: int) -> list[Checkout]:
    """Return the checkouts of these names, or parts of names, all without any; ``sample`` draws some of them."""
    found = [each for each in CHECKOUTS if not only or any(part in each.name for part in only)]
    return found if sample is None else Random(seed).sample(found, min(sample, len(found)))


def play(
    checkouts: list[Checkout],
    states: list[str],
    few: bool = False,
    workers: int = 1,
    show: Callable[[Finding], None] = lambda finding: None,
    keep: str | None = None,
) -> list[Finding]:
    """Open every checkout in every state, each before a victim of its own."""
    with tempfile.TemporaryDirectory(prefix="limpet-hostile-", ignore_cleanup_errors=True) as temporary:
        folder = Path(os.path.realpath(keep or temporary))
        become_nobody(str(folder))
        template = make_template(folder / "template")
        rounds = [(checkout, state) for checkout in checkouts for state in states]

        def open_one(number: int) -> Finding:
            finding = _open(folder / str(number), template, *rounds[number], few, bool(keep))
            show(finding)
            return finding

        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(open_one, range(len(rounds))))


def _open(folder: Path, template: Template, checkout: Checkout, state: str, few: bool, keep: bool) -> Finding:
    try:
        trusting: list[Answer] = []
        consent = (lambda scene: trusting.append(trust(scene))) if state == TRUSTED and trust_exists() else None
        scene = set_scene(folder, template, checkout, consent)
        finding = Finding(checkout.name, state)
        for answer in chain(trusting, visit(scene, few)):
            finding.doors += 1
            finding.faults += _judge(answer, state)
            if answer.is_hook and answer.seconds > finding.longest:
                finding.longest, finding.slowest = answer.seconds, answer.door
            if not answer.is_hook:
                finding.longest_command = max(finding.longest_command, answer.seconds)
        finding.faults += [Fault("ran", label) for label in scene.marks()]
        finding.faults += [Fault("touched", path) for path in scene.changes()]
        finding.faults += [Fault("leaked", f"into {path}") for path in scene.carried_in()]
        return finding
    finally:
        if not keep:
            subprocess.run(["rm", "-rf", str(folder)], check=False)


def _judge(answer: Answer, state: str) -> Iterator[Fault]:
    said = answer.out + answer.err
    kind = "hook" if answer.is_hook else "command"
    if answer.code is None:
        yield Fault(kind, f"{answer.door}: {answer.err or f'ended after {answer.seconds:.1f} s'}")
    elif answer.code and (answer.is_hook or answer.code < 0):
        yield Fault(kind, f"{answer.door}: exit code {answer.code}")
    if answer.is_hook and answer.err:
        yield Fault(kind, f"{answer.door}: stderr {answer.err[:200]!r}")
    if TRACE in said:
        yield Fault(kind, f"{answer.door}: {said[said.index(TRACE) :].strip().splitlines()[-1][:200]}")
    if PRIVATE in said.lower():
        yield Fault("leaked", f"{answer.door}: {_around(said, PRIVATE)}")
    if state == UNTRUSTED and answer.is_hook and THEIRS in said.lower():
        yield Fault("spoke", f"{answer.door}: {_around(said, THEIRS)}")


def _around(text: str, token: str) -> str:
    at = text.lower().index(token)
    return repr(text[max(0, at - 40) : at + 60])


def totals(findings: list[Finding]) -> dict[str, int]:
    """Return how often each kind of fault occurred."""
    counted = Counter(fault.kind for finding in findings for fault in finding.faults)
    return {kind: counted[kind] for kind in KINDS}


def line_of(finding: Finding) -> str:
    """Return a checkout's line of the table, and a line for each fault of another kind or door."""
    head = f"{finding.checkout:40} {finding.state:9} {finding.longest:6.2f} s {finding.slowest:18} "
    kinds = Counter(fault.kind for fault in finding.faults)
    said = [head + (", ".join(f"{kind} {count}" for kind, count in kinds.items()) or "-")]
    return "\n".join([*said, *(f"    {fault.kind}: {fault.what}" for fault in finding.faults if fault.kind != "spoke")])


def report(findings: list[Finding], seconds: float) -> str:
    """Return the totals as lines."""
    longest = max(findings, key=lambda finding: finding.longest)
    command = max(findings, key=lambda finding: finding.longest_command)
    names = {finding.checkout for finding in findings}
    lines = [f"{len(names)} checkouts, {sum(finding.doors for finding in findings)} processes, {seconds:.0f} s"]
    for state in sorted({finding.state for finding in findings}):
        counted = totals([finding for finding in findings if finding.state == state])
        lines += [f"{state:9} {KINDS[kind]:50} {count}" for kind, count in counted.items()]
    lines.append(f"longest hook {longest.longest:.2f} s ({longest.checkout}, {longest.slowest})")
    lines.append(f"longest command {command.longest_command:.1f} s ({command.checkout})")
    if not trust_exists():
        lines.append("this Limpet has no `trust` command: nothing was trusted, and what it says before cannot be 0")
    return "\n".join(lines)


def as_json(findings: list[Finding]) -> str:
    """Return everything, for programs."""
    made = {
        "totals": {state: totals([each for each in findings if each.state == state]) for state in (UNTRUSTED, TRUSTED)},
        "longest": max(finding.longest for finding in findings),
        "findings": [asdict(finding) for finding in findings],
    }
    return json.dumps(made, indent=1)


if __name__ == "__main__":
    sys.exit(main())
