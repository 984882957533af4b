"""Plays conversations in projects made of hostile parts, and holds the hook to its word on every answer.

    python bench/fuzz.py --seconds 1500 --seed 7        as many cases as the time allows
    python bench/fuzz.py --seed 7 --case 4711 --keep X  one case again; what it was made of stays in X

A case runs through the engine in this process, every fiftieth through the hook as a host starts it and then through
``limpet rules check``. The word: no exception, no failure block, exit code 0, nothing on stderr; a block is
well-formed and within its bracket's tokens and the host's characters; the same prompt a second time gets nothing; no
secret comes out; the project's files stay as they are.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from fuzz_cases import Case, Step, make_case
from fuzz_words import SECRET
from nobody import become_nobody, trusted_project
from tests.blocks import read_block

from limpet.engine import handle
from limpet.ground.clock import Clock
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.mirror import mirror_path
from limpet.ground.event_log import metrics_path
from limpet.ground.storage.files import read_text
from limpet.ground.storage.json_lines import read_newest_first
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.workspace import workspace_at
from limpet.hosts.claude_code.events import read_event, render_reply
from limpet.hosts.commands.launcher import PACKAGE_ROOT
from limpet.hosts.commands.lines import BOOTSTRAP
from limpet.work.session import is_future, session_path

SPAWN_EVERY = 50
LONGEST_CASE = 60
EDITING = ("create", "add", "edit", "remove", "rename")
BEGINNING = 1_800_000_000.0
FAILURE_MARK = "no rules for this event"

Send = Callable[[Step], str]


class Broken(Exception):
    """The hook did not keep its word."""


@dataclass
class Tally:
    """What was played: ``failures`` are (number of the case, what was wrong)."""

    cases: int = 0
    events: int = 0
    blocks: int = 0
    spawned: int = 0
    slowest: float = 0.0
    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, str]] = field(default_factory=list)


def main() -> None:
    options = _options()
    numbers = [options.case] if options.case is not None else range(sys.maxsize if options.seconds else options.cases)
    tally = play(options.seed, numbers, options.seconds, options.keep)
    print(_report(tally, options.seed))
    sys.exit(1 if tally.failures else 0)


def play(seed: int, numbers: range | list[int], seconds: float = 0, keep: str = "", every: int = SPAWN_EVERY) -> Tally:
    """Play the cases of these numbers, for at most ``seconds`` unless that is 0; failed ones are kept in ``keep``."""
    tally, end = Tally(), time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="limpet-fuzz-", ignore_cleanup_errors=True) as folder:
        become_nobody(folder)
        for number in numbers:
            if seconds and time.monotonic() > end:
                break
            _play_one(seed, number, os.path.join(folder, f"case-{number}"), keep, every, tally)
    return tally


def _play_one(seed: int, number: int, folder: str, keep: str, every: int, tally: Tally) -> None:
    root = os.path.join(folder, "project")
    workspace = trusted_project(root, BEGINNING)
    random = Random(f"{seed} {number}")
    case = make_case(random, root)
    spawned = every > 0 and number % every == 0
    began = time.monotonic()
    try:
        with _deadline(LONGEST_CASE):
            _converse(case, _spawn(root) if spawned else _inside(root, random), tally)
            if spawned:
                _check_rules(root)
    except Exception as error:
        tally.failures.append((number, " ".join(f"{type(error).__name__}: {error}".split())[:600]))
        if keep:
            _keep(keep, number, case, traceback.format_exc())
    tally.slowest = max(tally.slowest, time.monotonic() - began)
    tally.cases, tally.spawned = tally.cases + 1, tally.spawned + spawned
    tally.kinds.update(dict.fromkeys(case.kinds, 1))
    _remove(folder)
    _remove(workspace.data)


def _converse(case: Case, send: Send, tally: Tally) -> None:
    """Send all events; a prompt twice, as two hosts that read one another's hooks do."""
    for step in case.steps:
        for edit in step.edits:
            edit()
        before = _foreign_files(case.root)
        answer = send(step)
        tally.events += 1
        if answer:
            tally.blocks += 1
            _judge(case, step, answer)
        if step.name == "UserPromptSubmit" and _is_known(case, step):
            second = send(step)
            if second:
                raise Broken(f"the second firing was answered: {second[:200]}")
        after = _foreign_files(case.root)
        if before != after and not _edits_rules(step):
            raise Broken(f"changed: {sorted(set(before.items()) ^ set(after.items()))[:4]}")


def _judge(case: Case, step: Step, answer: str) -> None:
    """The answer is JSON with a sound block in it, or a line for the person alone."""
    said = json.loads(answer)
    if list(said) == ["systemMessage"]:
        return
    output = said["hookSpecificOutput"]
    if output["hookEventName"] != step.name:
        raise Broken(f"{step.name} was answered as {output['hookEventName']}")
    text = output["additionalContext"]
    if FAILURE_MARK in text:
        raise Broken(f"a failure block: {text} {_last_crash(case)}")
    block = read_block(text)
    if SECRET in text:
        raise Broken("a secret came out")
    settings = _settings(case)
    if settings is None:
        return
    tokens, budget = estimate_tokens(text, settings["reserve"]), settings["budgets"][block["bracket"]]
    if tokens > budget or len(text) > settings["characters"]:
        raise Broken(f"{tokens} tokens of {budget}, {len(text)} characters of {settings['characters']}")


def _settings(case: Case) -> Mapping[str, Any] | None:
    """The section ``context`` in force, None where nobody can know it."""
    mirror = mirror_path(workspace_at(case.root))
    if case.spoilt:
        return None
    text = read_text(mirror)
    known: Mapping[str, Mapping[str, Any]] = json.loads(text)["settings"] if text else DEFAULTS
    return known["context"]


def _is_known(case: Case, step: Step) -> bool:
    """Whether the state can be kept, without which a second firing cannot be told from a first."""
    payload = step.payload
    if payload.get("session_id") != "s" or not isinstance(payload.get("prompt_id"), str) or not payload["prompt_id"]:
        return False
    try:
        state = json.loads(read_text(session_path(workspace_at(case.root), "s")) or "")
    except (ValueError, RecursionError):
        return False
    return isinstance(state, dict) and not is_future(state) and payload.get("cwd") == case.root


def _edits_rules(step: Step) -> bool:
    """Whether the prompt holds a command that writes rules on the user's word."""
    return any(f"*limpet {verb}" in str(step.payload.get("prompt")) for verb in EDITING)


def _inside(root: str, random: Random) -> Send:
    """Through the engine, by a clock that jumps and a timer that stands still or races."""
    workspace = workspace_at(root)
    jumps = (0.0, 0.0, 0.0, 60.0, -90_000.0, 4e9, -1.7e9)
    pace = random.choice((0.0, 0.0, 0.0, 0.02))

    def send(step: Step) -> str:
        now, ticks = BEGINNING + random.choice(jumps), iter(range(sys.maxsize))
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            event = read_event(step.name, json.loads(json.dumps(step.payload)), {})
            clock = Clock(now=lambda: now, timer=lambda: next(ticks) * pace, worked=lambda: next(ticks) * pace)
            answer = render_reply(step.name, handle(event, workspace, clock))
        if errors.getvalue():
            raise Broken(f"said on stderr: {errors.getvalue()[:200]}")
        return answer

    return send


def _spawn(root: str) -> Send:
    """Through the command line that a host runs."""
    words = [sys.executable, "-I", "-S", "-c", BOOTSTRAP, PACKAGE_ROOT, "claude-code"]

    def send(step: Step) -> str:
        stdin = json.dumps(step.payload).encode()
        done = subprocess.run([*words, step.name], input=stdin, cwd=root, capture_output=True, timeout=LONGEST_CASE)
        if done.returncode or done.stderr:
            raise Broken(f"ended with {done.returncode}: {done.stderr[:200]!r}")
        return done.stdout.decode()

    return send


def _check_rules(root: str) -> None:
    """``limpet rules check`` names what is wrong in the project, whatever that is."""
    env = {**os.environ, "PYTHONPATH": PACKAGE_ROOT}
    words = [sys.executable, "-m", "limpet", "rules", "check", "--json"]
    done = subprocess.run(words, cwd=root, env=env, capture_output=True, timeout=LONGEST_CASE)
    if done.returncode not in (0, 1) or done.stderr:
        raise Broken(f"rules check ended with {done.returncode}: {done.stderr[-300:]!r}")
    json.loads(done.stdout)


def _foreign_files(root: str) -> dict[str, tuple[int, ...]]:
    """Path -> (size, modification time, inode) of every file of the project: none is the product's to write."""
    found: dict[str, tuple[int, ...]] = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            about = os.lstat(path)
            found[path] = (about.st_size, about.st_mtime_ns, about.st_ino, about.st_mode)
    return found


def _last_crash(case: Case) -> str:
    newest = read_newest_first(metrics_path(workspace_at(case.root)))
    return next((str(line) for line in newest if "crash" in line), "")


@contextlib.contextmanager
def _deadline(seconds: int) -> Iterator[None]:
    """An exception when the block takes longer; only where the system has alarms."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def expire(*_: object) -> None:
        raise Broken(f"took longer than {seconds} s")

    signal.signal(signal.SIGALRM, expire)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def _keep(folder: str, number: int, case: Case, failure: str) -> None:
    target = os.path.join(folder, f"case-{number}")
    shutil.rmtree(target, ignore_errors=True)
    os.makedirs(target)
    subprocess.run(["cp", "-a", case.root, workspace_at(case.root).data, target], capture_output=True, check=False)
    steps = [{"event": step.name, "payload": step.payload} for step in case.steps]
    Path(target, "steps.json").write_text(json.dumps(steps, indent=1), encoding="utf-8")
    Path(target, "failure.txt").write_text(f"{case.kinds}\n{failure}", encoding="utf-8", errors="backslashreplace")


def _remove(folder: str) -> None:
    """Remove a case's folder; a job that the hook started may be writing there still."""
    for _ in range(200):
        try:
            shutil.rmtree(folder, onerror=_loosen)
            return
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.05)
    shutil.rmtree(folder, ignore_errors=True)


def _loosen(remove: Callable[[str], object], path: str, _: object) -> None:
    os.chmod(path, 0o700)
    remove(path)


def _report(tally: Tally, seed: int) -> str:
    head = (
        f"seed {seed}: {tally.cases} cases ({tally.spawned} through the spawned hook), {tally.events} events, "
        f"{tally.blocks} blocks, slowest case {tally.slowest:.1f} s, {len(tally.failures)} failures"
    )
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(tally.kinds.items()))
    return "\n".join([head, f"ingredients: {kinds}", *(f"case {number}: {what}" for number, what in tally.failures)])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Play hostile projects and conversations against the hook.")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so long")
    parser.add_argument("--cases", type=int, default=1000, help="stop after so many, without --seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="play this one only")
    parser.add_argument("--keep", default="", metavar="FOLDER", help="where failed cases are saved")
    return parser.parse_args()


if __name__ == "__main__":
    main()
