"""The quick way of ``holdfast agent activate``: without the command line's own imports, which take longer than all that
an activation does. Words that it does not know are left to the command line, which explains them."""

from __future__ import annotations

import os
import sys

from holdfast.ground.clock import Clock
from holdfast.ground.errors import HoldfastError
from holdfast.ground.text.escaping import visible
from holdfast.ground.trust.consent import find_consent
from holdfast.ground.values import Value
from holdfast.hosts.commands.launcher_upkeep import mend_launcher
from holdfast.hosts.surroundings import project_around, read_surroundings
from holdfast.operations.agents.activate import Request, activate, settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.ground.workspace import Workspace
    from holdfast.operations.agents.activate import Activation

VALUES, FLAGS = {"--session": "session", "--greeting": "greeting"}, {"--json": "as_json", "--timings": "timings"}
GREETINGS = ("minimal", "named", "archetypal", "none")


class Words(Value):
    """The words of the command: the agent's name, and the options."""

    name: str
    session: str | None = None
    greeting: str = ""
    as_json: bool = False
    timings: bool = False


def main(given: list[str]) -> bool:
    """Activate an agent and return True; False, with nothing done, where the command line has to look at the words or
    the project."""
    words = parse(given)
    workspace = project_around(os.getcwd(), os.environ) if words else None
    if words is None or workspace is None or not find_consent(workspace):
        return False
    try:
        answer(workspace, words)
        mend_launcher()
    except (HoldfastError, OSError) as error:
        print(f"holdfast: {visible(str(error))}", file=sys.stderr)
        sys.exit(1)
    return True


def parse(given: list[str]) -> Words | None:
    """Return the words of a command that is as it should be, None for any other."""
    found: dict[str, Any] = {}
    waiting = list(given)
    while waiting:
        word = waiting.pop(0)
        name, has_value, value = word.partition("=")
        if word in FLAGS:
            found[FLAGS[word]] = True
        elif name in VALUES and (has_value or waiting):
            found[VALUES[name]] = value if has_value else waiting.pop(0)
        elif word.startswith("-") or "name" in found:
            return None
        else:
            found["name"] = word
    greeting = found.get("greeting", GREETINGS[0])
    return Words(**found) if found.get("name") and greeting in GREETINGS else None


def answer(workspace: Workspace, words: Words) -> None:
    """Activate the agent, print what it is told, then bring the rest up to date. Raise HoldfastError."""
    around, clock = read_surroundings(os.environ), Clock()
    is_person = not around.host and sys.stdin.isatty()
    request = Request(words.name, words.session, words.greeting, around.conversation, is_person)
    done = activate(workspace, request, clock)
    sys.stdout.write(visible(_as_json(done) if words.as_json else "\n".join(_lines(done, words.timings))) + "\n")
    sys.stdout.flush()
    if done.mistake:
        print(f"holdfast: {visible(done.mistake)} (holdfast agent show {done.agent})", file=sys.stderr)
    settle(workspace, done, clock)


def _lines(done: Activation, timings: bool) -> list[str]:
    figures = [f"{one.ms:8.1f} ms  {one.status:6}  {name}" for name, one in done.loading.results.items()]
    total = f"{done.ms:8.1f} ms  {done.loading.quality}"
    return [*done.lines, *([*figures, total] if timings else [])]


def _as_json(done: Activation) -> str:
    import json

    loading = done.loading
    data = {
        "changed": done.chosen.changes,
        "in": done.chosen.place,
        "quality": loading.quality,
        "missing": list(loading.missing),
        "greeting": list(done.lines[1:]),
        "timings": {name: {"ms": round(one.ms, 3), "status": one.status} for name, one in loading.results.items()},
        "ms": round(done.ms, 3),
    }
    return json.dumps(data, indent=2, ensure_ascii=False)
