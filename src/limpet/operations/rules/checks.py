"""Checks rules by deeds (decision 52): the files that were written, or a command that a person agreed to."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from limpet.ground.clock import Patience, lasting
from limpet.ground.config.settings import load_settings
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import Actor, event_data, read_events
from limpet.ground.git import changed_files
from limpet.ground.processes import output_of, own_command
from limpet.ground.recording import record
from limpet.ground.storage.confinement import leads_out
from limpet.ground.text.globs import find_glob
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.rules.format.domain import rule_number_of
from limpet.rules.format.lines import ABSENT, RUN, RuleCheck, fault_in, read_check
from limpet.rules.layout import path_from
from limpet.rules.naming import RuleDomain, read_catalogue
from limpet.transcripts.registry import transcript_of
from limpet.work.checks import LATE, NOT_FOUND, missing_program, run_check

KEPT, BROKEN = "rule.kept", "rule.broken"
# Files of one turn that are looked at, places that are named of one broken rule, and seconds that git may take.
MOST_FILES = 200
MOST_PLACES = 5
GIT_PATIENCE = Patience(3.0)
# Of the time for all checks, the share that searching in files may take.
SEARCHING = 0.4
# Bytes of a file that are searched.
MOST_BYTES = 256 * 1024


class CheckedTurn(Value):
    """What happened since the agent stopped the last time.

    ``since``: when that was, in seconds since 1970; ``now``: when it stops.
    ``transcript``, ``start``: a path, and the byte to read from.
    ``domains``: the names of those in force that have a rule to check.
    ``known``: rule -> whether it was found kept when the same turn was checked before.
    """

    since: float
    now: float
    host: str
    session: str
    transcript: str
    start: int
    agent: str
    domains: Collection[str]
    known: Mapping[str, bool] = {}


class JudgedRule(Value):
    """A rule that was checked; ``kept``: None where its check cannot run; ``places``: where it is broken,
    ``path:line``, a path, or how a command ended, or why its check cannot run; ``tells``: whether its domain has the
    agent told."""

    key: str
    text: str
    kept: bool | None
    places: tuple[str, ...] = ()
    tells: bool = False


def check_turn(workspace: Workspace, turn: CheckedTurn) -> tuple[JudgedRule, ...]:
    """Record those kept and those broken; a rule whose check concerns no file that was written is not judged."""
    files = written_files(workspace, turn)
    checks = list(_checks(workspace, turn.domains)) if files else []
    settings = load_settings(workspace)[0]["rules"]
    judged = tuple(_judge(workspace, checks, files, settings["checks"], float(settings["check_seconds"])))
    news = [one for one in judged if one.kept is not None and turn.known.get(one.key) != one.kept]
    _record(workspace, turn, news)
    return judged


def written_files(workspace: Workspace, turn: CheckedTurn) -> tuple[str, ...]:
    """From the root: what the transcript says of tools, and git and the clock of commands, where a tool was called at
    all."""
    root, found, is_idle = workspace.root, list[str](), False
    transcript = transcript_of(turn.host)
    if transcript and turn.transcript:
        messages, _ = transcript.read_messages(turn.transcript, turn.start, root=root)
        calls = [one for one in messages if one.role == "tool" and one.at >= turn.since]
        found += [path_from(root, root, one.edited) for one in calls if one.edited]
        is_idle = bool(messages) and not calls  # what changed then somebody else wrote
    changed = () if is_idle else changed_files(root, GIT_PATIENCE) or ()
    found += [path for path in changed if _modified(root, path) >= turn.since]
    written = []
    for path in dict.fromkeys(found):
        full = os.path.join(root, path)
        if path and not path.startswith(f"{FOLDER}/") and os.path.isfile(full) and not leads_out(full, root):
            written.append(path)
    return tuple(written[:MOST_FILES])


def rule_record(workspace: Workspace) -> dict[str, dict[str, Any]]:
    """Return rule -> ``kept`` and ``broken`` (how many turns), ``last`` (ISO 8601) and ``state`` at that time, and its
    ``check``; of each rule that has a check or was ever checked."""
    unchecked: dict[str, Any] = {"kept": 0, "broken": 0, "last": "", "state": "", "check": ""}
    checks = {key: text for key, _, text, _ in _texts(read_catalogue(workspace))}
    found = {key: {**unchecked, "check": text} for key, text in checks.items()}
    for event in read_events(workspace.shared, (KEPT, BROKEN)):
        state, rules = str(event["kind"]).partition(".")[2], event_data(event).get("rules")
        for key in rules if isinstance(rules, (dict, list)) else ():
            one = found.setdefault(str(key), {**unchecked})
            one[state] += 1
            if str(event.get("time")) >= one["last"]:
                one |= {"last": str(event.get("time")), "state": state}
    return found


def _texts(entries: Sequence[RuleDomain]) -> Iterator[tuple[str, str, str, RuleDomain]]:
    for entry in entries:
        rules = {rule_number_of(key): (key, text) for key, text in entry.lines if rule_number_of(key)}
        for _, number, check in entry.text.checks:
            if number in rules:
                yield (*rules[number], check, entry)


def _checks(workspace: Workspace, domains: Collection[str]) -> Iterator[tuple[JudgedRule, RuleCheck]]:
    """A check without globs is about the files that call its domain."""
    for key, text, said, entry in _texts(read_catalogue(workspace)):
        check = None if fault_in(said) or entry.domain.name not in domains else read_check(said)
        if check:
            globs = check.globs or (*entry.domain.paths, *entry.text.paths)
            yield JudgedRule(key=key, text=text, kept=True, tells=entry.text.tells), check.replace(globs=globs)


def _judge(
    workspace: Workspace,
    checks: Sequence[tuple[JudgedRule, RuleCheck]],
    files: Sequence[str],
    commands: Mapping[str, str],
    seconds: float,
) -> Iterator[JudgedRule]:
    clock = lasting(seconds)
    about: list[list[str]] = []
    searches: list[Search] = []
    for _, check in checks:
        meant = [path for path in files if not check.globs or find_glob(check.globs, path)]
        about.append(meant)
        if check.kind != RUN:
            searches += [Search(check.what, os.path.join(workspace.root, path)) for path in meant]
    lines = iter(search_files(searches, Patience(seconds * SEARCHING, clock)))
    for place, (rule, check) in enumerate(checks):
        if check.kind == RUN:
            judged = _run(workspace, rule, check, commands, clock.left()) if about[place] else None
        else:
            judged = _look(rule, check, [(path, next(lines)) for path in about[place]])
        if judged:
            yield judged


def _look(rule: JudgedRule, check: RuleCheck, found: Sequence[tuple[str, int | None]]) -> JudgedRule | None:
    known = [(path, line) for path, line in found if line is not None]
    if not known:
        return None
    if check.kind == ABSENT:
        places = tuple(f"{path}:{line}" for path, line in known if line)
    else:
        places = tuple(path for path, line in known if not line)
    return rule.replace(kept=not places, places=places)


def _run(
    workspace: Workspace, rule: JudgedRule, check: RuleCheck, commands: Mapping[str, str], left: float
) -> JudgedRule | None:
    """None for a command that nobody agreed to, or that takes too long."""
    line = commands.get(check.what, check.what if check.what in commands.values() else "")
    if not line or left <= 0:
        return None
    try:
        code, why = run_check(rule.key, line, workspace.root, left).exit_code, "a program in it is not installed"
    except LimpetError as error:
        code, why = NOT_FOUND, error.what
    if code == NOT_FOUND:
        why = f"`{missing}` is not installed" if (missing := missing_program(line, workspace.root)) else why
        return rule.replace(kept=None, places=(f"check {check.what} could not run: {why}",))
    if code == LATE:
        return None
    return rule.replace(kept=code == 0, places=(f"{line}: exit code {code}",) if code else ())


def _record(workspace: Workspace, turn: CheckedTurn, judged: Sequence[JudgedRule]) -> None:
    settings = load_settings(workspace)[0]["retention"]
    actor = Actor(writer="checks", now=turn.now, retention=settings, session=turn.session, agent=turn.agent)
    kept = [one.key for one in judged if one.kept]
    broken = {one.key: list(one.places[:MOST_PLACES]) for one in judged if not one.kept}
    if kept:
        record(workspace, actor, KEPT, {"rules": kept})
    if broken:
        record(workspace, actor, BROKEN, {"rules": broken})


def _modified(root: str, path: str) -> float:
    try:
        return os.lstat(os.path.join(root, path)).st_mtime
    except OSError:
        return 0.0


class Search(Value):
    """An expression to look for in a file, given by its absolute path."""

    expression: str
    path: str


def search_files(searches: Sequence[Search], patience: Patience) -> list[int | None]:
    """Return for each search the line of the first match, 0 for none; None where that is not known in
    time, or the file cannot be read. ``^`` and ``$`` match at lines. Searches behind one that does not end are not
    made."""
    if not searches:
        return []
    given = json.dumps([[one.expression, one.path] for one in searches]).encode()
    process = subprocess.Popen(
        own_command(__name__),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    out = output_of(process, patience, given)
    if out is None:
        process.kill()
        out, _ = process.communicate()
    lines = [line for line in out.decode("ascii", "replace").split("\n")[:-1] if line.lstrip("-").isdecimal()]
    found = [None if int(line) < 0 else int(line) for line in lines]
    return [*found, *[None] * (len(searches) - len(found))]


def main() -> None:
    """Make the searches given on standard input; print a line for each as soon as it is made, -1 where it cannot be."""
    for expression, path in json.load(sys.stdin):
        print(_search(expression, path), flush=True)


def _search(expression: str, path: str) -> int:
    try:
        with open(path, "rb") as file:
            text = file.read(MOST_BYTES).decode("utf-8", "replace").replace("\r\n", "\n")
        found = re.compile(expression, re.MULTILINE).search(text)
    except (OSError, re.error, RecursionError, OverflowError):
        return -1
    return text.count("\n", 0, found.start()) + 1 if found else 0
