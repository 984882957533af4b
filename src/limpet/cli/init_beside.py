"""What ``limpet init`` does beside one installation: every project again, and files of rules. Separate from
``init``, which has the command."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from limpet.cli.caller import obtain_for
from limpet.cli.job import ask, data_of, details, summary
from limpet.cli.output import emit
from limpet.cli.screen import Line
from limpet.ground.workspace import Workspace
from limpet.hosts.file_changes import apply_changes
from limpet.hosts.installation import Known, carry_out_everywhere, plan_everywhere
from limpet.hosts.rules_file import plan_private, plan_rules, plan_without, rules_files

NOTHING = "Nothing written."


def install_everywhere(dry_run: bool, yes: bool, as_json: bool) -> bool:
    known = plan_everywhere()
    is_empty = all(one.job.is_empty for one in known)
    if not as_json:
        for one in known:
            emit(None, _known_lines(one, dry_run), False)
    agreed = not is_empty and not dry_run and (yes or ask("Write these files?"))
    done = carry_out_everywhere(known) if agreed else known
    if as_json:
        data = []
        for one in done:
            applied = agreed and not one.problem
            data.append({**data_of(one.job, applied), "root": one.place, "problem": one.problem})
        emit(data, (), True)
    elif agreed:
        failed = (one for one, planned in zip(done, known, strict=True) if one != planned)
        emit(None, (*(f"{one.place}: {one.problem}" for one in failed), "Done."), False)
    elif not (is_empty or dry_run):
        emit(None, [NOTHING], False)
    return agreed or (is_empty and not dry_run)


def _known_lines(known: Known, dry_run: bool) -> Iterator[Line]:
    yield f"In {known.place}:"
    if not (known.problem and known.job.is_empty):
        yield from details(known.job) if dry_run else summary(known.job)
        if known.job.is_empty:
            yield "  Nothing to do."
    if known.problem:
        yield f"  {known.problem}"


def keep_file(host: str, is_private: bool, workspace: Workspace, wanted: bool, yes: bool, as_json: bool) -> None:
    """For what no hook reaches. Who agreed once has it kept current."""
    path = rules_files(host, workspace.root)[is_private]
    where = os.path.relpath(path, workspace.root)
    if not wanted:
        plan = plan_without(host, workspace.root, os.path.basename(path))
    elif is_private:
        obtain_for(workspace, yes)(f"Keep your wishes, and where the work stood, in {where}, unseen by git")
        plan = plan_private(host, workspace.root, time.time())
    else:
        obtain_for(workspace, yes)(f"Write the project's rules to {where}, for Copilot's cloud agent")
        plan = plan_rules(host, workspace.root)
    apply_changes(plan.pending())
    if not as_json:
        said = _said(where, is_private) if os.path.exists(path) else [f"{where} is not there."]
        emit(None, [*said, *(f"Note: {note}" for note in plan.notes)], False)


def _said(where: str, is_private: bool) -> list[Line]:
    if is_private:
        return [f"Your wishes are in {where}."]
    return [
        f"The project's rules are in {where}.",
        "Commit it for Copilot's cloud agent. Copilot CLI and VS Code read it too, beside what the hooks bring.",
    ]
