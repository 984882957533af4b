"""What ``limpet doctor --fix`` puts right: each repair is found by one function, and does one thing when asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from limpet.ground.config.settings import load_settings
from limpet.ground.storage.project_caches import gone_caches, remove_gone_caches
from limpet.ground.trust.consent import find_consent
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace, find_workspace
from limpet.hosts.commands.launcher import here, launcher_path, read_launcher
from limpet.hosts.commands.launcher_upkeep import launcher_works, write_launcher
from limpet.hosts.doctor.checks import FIX, FIXED, WARN, Check
from limpet.hosts.file_changes import apply_changes
from limpet.hosts.records.record import all_records
from limpet.hosts.slimming import REMOVE, find_surplus


class Repair(Value):
    """Something that can be put right.

    ``what``: what is wrong, for people.
    ``do``: puts it right, and says what was done.
    ``question``: what a person is asked before, "" for nothing.
    """

    what: str
    do: Callable[[], str]
    question: str = ""


def check_repairs(workspace: Workspace) -> Iterator[Check]:
    """Yield a warning for each repair that is due; hosts check the launcher with their hook lines."""
    due = filter(None, (_gone_projects(workspace), _surplus(workspace)))
    yield from (Check(WARN, repair.what, FIX) for repair in due)


def repair(cwd: str, agrees: Callable[[str], bool]) -> Iterator[Check]:
    """Do what is due for this machine, and for the project around ``cwd`` where the user trusts it; yield what is done.

    ``agrees``: asks a person a question.
    """
    workspace = find_workspace(cwd)
    trusted = workspace if workspace and find_consent(workspace) else None
    due = (_launcher(), *((_gone_projects(trusted), _surplus(trusted)) if trusted else ()))
    for each in due:
        if each and (not each.question or agrees(each.question)):
            yield Check(FIXED, each.do())


def _surplus(workspace: Workspace) -> Repair | None:
    found = find_surplus(workspace)

    def remove() -> str:
        apply_changes(found.changes)
        return "Removed the copies of shipped rules"

    return Repair(str(found), remove, f"{found}. {REMOVE}") if found.changes else None


def _launcher() -> Repair | None:
    def write() -> str:
        write_launcher()
        return f"Pointed the hook launcher at this installation: {launcher_path()}"

    is_current = launcher_works() and read_launcher(launcher_path()) == here()
    what = "The hook launcher runs another Limpet, or none"
    return None if is_current or not all_records() else Repair(what, write)


def _gone_projects(workspace: Workspace) -> Repair | None:
    days, now = load_settings(workspace)[0]["retention"]["days"], time.time()
    count = len(gone_caches(days, now))

    def remove() -> str:
        return f"Removed the caches of {remove_gone_caches(days, now)} deleted projects"

    return Repair(f"Caches of {count} deleted projects", remove) if count else None
