"""What ``limpet init`` does beside one installation: every project again, and the file of the user's own. Separate from
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
from limpet.hosts.rules_file import PLACES, plan_private, plan_rules_removal, rules_files

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


def keep_own_file(workspace: Workspace, wanted: bool, yes: bool, as_json: bool) -> None:
    """Of a client that no hook reaches at the prompt. Who agreed once has it kept current."""
    for name in PLACES:
        path = rules_files(name, workspace.root)[1]
        where = os.path.relpath(path, workspace.root)
        if wanted:
            obtain_for(workspace, yes)(f"Keep your wishes, and where the work stood, in {where}, unseen by git")
            plan = plan_private(name, workspace.root, time.time())
        else:
            plan = plan_rules_removal(name, workspace.root, (os.path.basename(path),))
        apply_changes(plan.pending())
        said = f"Your wishes are in {where}." if os.path.exists(path) else f"{where} is not there."
        if not as_json:
            emit(None, [said, *(f"Note: {note}" for note in plan.notes)], False)
