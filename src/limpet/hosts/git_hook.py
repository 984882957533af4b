"""Git's own hook before a push: what is written into it, and what it asks."""

from __future__ import annotations

import os
import re
import sys

from limpet.engine.event_context import EventContext
from limpet.engine.guard.effects import describe_effects, find_effects
from limpet.engine.guard.record import settle_call
from limpet.engine.guard.watched import take_pass
from limpet.engine.steps.guard import judge_call
from limpet.engine.worker import run_job
from limpet.ground.clock import Clock, Patience, lasting
from limpet.ground.config.mirror import read_mirror
from limpet.ground.errors import LimpetError
from limpet.ground.event import Event
from limpet.ground.git import is_tracked, setting
from limpet.ground.repository import find_repository, hooks_folder
from limpet.ground.storage.files import read_bytes
from limpet.ground.text.escaping import visible
from limpet.ground.workspace import FOLDER, Workspace
from limpet.guard.call import ToolCall
from limpet.hosts.commands.launcher import EXECUTABLE, double_quoted, launcher_path, slashed
from limpet.hosts.file_changes import ChangePlan, FileChange, read_text_strictly
from limpet.hosts.records import LOCAL, Entry, canonical, change_record, combine, fingerprint, known_entries
from limpet.hosts.surroundings import project_around, read_surroundings
from limpet.work.in_force import find_in_force
from limpet.work.session import read_state

# The code for which the hook's line ends a push; any other is of a Limpet that is not there.
REFUSED = 3
NAME = "pre-push"
MARK = "# limpet: asks the guard"
# Whom the record names for git's hook.
OWNER = "git hook"
# The folders in which husky keeps what git runs, and what pre-commit puts a hook aside by.
HUSKY, ASIDE = (".husky", "_"), ".legacy"
# Seconds that the guard may take, and the project's checks, of the processor.
PATIENCE, CHECKS = 10.0, 3600.0


def hook_line() -> str:
    """Return the line: a Limpet that is not there stops no push, also in a shell that ends at the first failure, and
    git's input is left to the lines below."""
    launcher = double_quoted(slashed(launcher_path()))
    return f"[ ! -x {launcher} ] || {launcher} git {NAME} </dev/null || [ $? -ne {REFUSED} ] || exit 1 {MARK}"


def hook_path(root: str) -> str:
    """Raise LimpetError outside a repository."""
    repository = find_repository(root)
    if repository is None:
        raise LimpetError("No git repository here", root, "Run: git init")
    own = setting(root, "core.hooksPath")
    folder = os.path.join(repository.root, os.path.expanduser(own)) if own else hooks_folder(repository)
    outer, inner = os.path.split(os.path.normpath(folder))
    theirs = os.path.join(outer, NAME)
    # Husky makes its own folder anew with every install, and runs the person's hooks in the one around it.
    if (os.path.basename(outer), inner) == HUSKY and not is_tracked(root, theirs):
        return theirs
    return os.path.join(folder, NAME)


def is_installed(root: str) -> bool:
    return find_repository(root) is not None and _asks(hook_path(root))


def lost_hook(root: str) -> str:
    """Return git's hook that asked the guard by a person's wish and does no longer, as when a manager of hooks made it
    anew; "" for none. Asks git nothing."""
    return next((path for path in recorded_hooks(root) if not _asks(path)), "")


def recorded_hooks(root: str) -> tuple[str, ...]:
    entries = known_entries(os.path.join(root, FOLDER), LOCAL).items()
    return tuple(path for path, entry in entries if entry.get("host") == OWNER)


def _asks(path: str) -> bool:
    """Pre-commit puts a hook that it finds aside, and runs it all the same."""
    texts = ((read_bytes(each) or b"").decode("utf-8", "replace") for each in (path, path + ASIDE))
    return any(hook_line() in text.splitlines() for text in texts)


def plan_pre_push(root: str) -> ChangePlan:
    """Raise LimpetError where the hook is in git, or no shell script: then the person adds the line."""
    from limpet.hosts.git_exclude import plan_exclusion  # which only this one needs

    path, line = canonical(hook_path(root)), hook_line()
    before, text = read_text_strictly(path)
    first, _, rest = text.partition("\n")
    own = f"add this line to it yourself, near its top:\n{line}"
    if before is not None and is_tracked(root, path):
        raise LimpetError("The repository's own hook is in git", path, own)
    if before is not None and not re.match(r"#!\s*\S*/(?:env +)?(?:ba|da|z|k)?sh\b", first):
        raise LimpetError("The hook is no shell script", path, own)
    kept = "\n".join(each for each in rest.splitlines() if MARK not in each)
    after = "\n".join(filter(None, (first or "#!/bin/sh", line, kept))) + "\n"
    change = FileChange(path, "has git ask the guard before a push", before, after.encode(), mode=EXECUTABLE)
    home = os.path.join(root, FOLDER)
    entry: Entry = {"host": OWNER, "scope": LOCAL, "after": fingerprint(after.encode())}
    plan = ChangePlan((change, change_record(home, LOCAL, {path: entry})))
    return combine([plan, plan_exclusion(home, (path,))])


def plan_pre_push_removal(root: str) -> ChangePlan:
    if find_repository(root) is None:
        return ChangePlan()
    changes, known = [], recorded_hooks(root)
    for path in dict.fromkeys((canonical(hook_path(root)), *known)):
        for each in (path, path + ASIDE):
            before = read_bytes(each)
            if before is None or MARK.encode() not in before:
                continue
            kept = [line for line in before.splitlines(keepends=True) if MARK.encode() not in line]
            after = b"".join(kept) if any(line.strip() for line in kept[1:]) else None
            changes.append(FileChange(each, "the guard's line goes", before, after))
    gone = change_record(os.path.join(root, FOLDER), LOCAL, dict.fromkeys(known))
    return ChangePlan((*changes, *((gone,) if known else ())))


def main() -> int:
    """Return REFUSED where the push is not the agent's to make, having said why on stderr; else 0."""
    folder, around = os.getcwd(), read_surroundings(os.environ)
    workspace = project_around(folder, os.environ) if around.host else None
    if workspace is None:
        return 0
    clock = lasting(PATIENCE)
    event = Event(kind="tool_before", host=around.host, session=around.conversation, cwd=folder)
    found = find_effects(workspace, event, read_mirror(workspace), clock)
    lines = [*describe_effects(found)] if found else []
    reason = ""
    if not take_pass(workspace.state, clock.now()):
        asked = [event, *(event.replace(session=each) for each in around.beside)]
        reason = next(filter(None, (_refusal(each, workspace, clock) for each in asked)), "")
    failed = () if reason else _failures(event, workspace)
    for line in (*lines, *filter(None, (reason,)), *failed):
        print(f"limpet: {visible(line)}", file=sys.stderr)
    return REFUSED if reason or failed else 0


def _failures(event: Event, workspace: Workspace) -> tuple[str, ...]:
    """Why an agent's push waits: the project's checks do not pass on this tree. Without an agent they are no gate."""
    mirror, state = read_mirror(workspace), read_state(workspace, event.session)
    if not find_in_force(mirror.session, state).agent or not mirror.settings["work"]["checks"]:
        return ()
    print("limpet: the project's checks run before this push", file=sys.stderr)
    done = run_job(workspace, "tree_checks", {}, Patience(CHECKS))
    failed = done["failed"] if done else ["the project's checks could not run. Run: limpet doctor"]
    return tuple(f"not pushed: {each}" for each in failed)


def _refusal(event: Event, workspace: Workspace, clock: Clock) -> str:
    """Return why the agent in force may not push, "" where it may, or a person let it through once."""
    call = ToolCall(kind="shell", tool="git", command="git push", folder=event.cwd)
    judged = judge_call(event, call, workspace, clock)
    if not judged.verdict.rule or judged.scene is None:
        return ""
    context = EventContext(event=event, workspace=workspace, clock=clock)
    settled = settle_call(context, call, judged.verdict, judged.scene.agent, judged.retention)
    return settled.reason if settled.answer == "deny" else ""
