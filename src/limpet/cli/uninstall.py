"""``limpet uninstall``: shows what goes, asks, removes it; what ``--purge`` deletes is kept for a while."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import click

from limpet.cli.caller import find_presence, obtain_for
from limpet.cli.init import counted_contents, dry_run_option, find_root, here_option, yes_option
from limpet.cli.job import ask, data_of, notes, summary
from limpet.cli.output import emit, home_as_tilde, json_option, paragraph
from limpet.cli.screen import Line
from limpet.ground.storage.user_folders import data_folder, state_folder
from limpet.ground.workspace import workspace_at
from limpet.hosts.installation import Job, carry_out_plan, plan_uninstallation
from limpet.operations.removal import archive_days, count_contents, remove_archives_past
from limpet.operations.sharing.remote import read_agreed, sync_home

STAYS = "In {} stay a key, and which conversations were here and which were private."


@click.command()
@click.option("--shared", is_flag=True, help="Also remove hooks from committed settings.")
@click.option("--user", is_flag=True, help="Also remove hooks from your own settings, for all projects.")
@click.option("--purge", is_flag=True, help="Also delete .limpet/ and the project's memories.")
@here_option
@dry_run_option
@yes_option
@json_option
def uninstall(shared: bool, user: bool, purge: bool, here: bool, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Remove the hooks from this project.

    A settings file that nobody changed since gets its old bytes back. Rules and memories stay without --purge.

    \b
    Examples:
      limpet uninstall
      limpet uninstall --dry-run
      limpet uninstall --yes --purge
    """
    workspace = workspace_at(find_root(here))
    remove_archives_past(time.time())
    job = plan_uninstallation(workspace.root, shared, user, purge)
    contents = count_contents(job.purged, workspace.shared) if job.purged else {}
    if not as_json:
        emit(None, _screen(job, contents), False)
    question = "Remove these?"
    if job.purged:
        days = archive_days()
        kept = f"for {days} days" if days else "until you delete it"
        question = f"Delete .limpet/ with {', '.join(counted_contents(contents))}? A copy is kept {kept}."
    agreed = not job.is_empty and not dry_run
    if agreed and (job.purged or find_presence().surroundings.host):
        obtain_for(workspace, yes)(f"Remove Limpet: {question}")
    elif agreed:
        agreed = yes or ask(question)
    archive = carry_out_plan(job, time.time()) if agreed else ""
    if as_json:
        emit({**data_of(job, agreed), "contents": contents, "archive": archive}, (), True)
    elif agreed:
        emit(None, _told(job, archive), False)
    elif not (job.is_empty or dry_run):
        emit(None, ["Nothing removed."], False)


def _screen(job: Job, contents: dict[str, int]) -> Iterator[Line]:
    if job.is_empty:
        yield f"Limpet is not installed in {home_as_tilde(job.root)}. Nothing to do."
        yield from notes(job)
        return
    yield f"Remove Limpet from {home_as_tilde(job.root)}:"
    yield from summary(job)
    if job.purged:
        link = " (a link: its target stays)" if os.path.islink(job.purged) else ""
        yield f"  delete  .limpet/{link}"
        yield from paragraph(f"  delete  {home_as_tilde(workspace_at(job.root).data)}{os.sep}, what is private of it")
        yield f"These hold {', '.join(counted_contents(contents))}."


def _told(job: Job, archive: str) -> Iterator[str]:
    yield from _removed(job, archive)
    agreed = read_agreed()
    if agreed:
        stays = f"What limpet sync knows of {agreed.remote} stays in {home_as_tilde(sync_home())}"
        yield from paragraph(f"{stays}: its record, and a copy of the repository. Nothing runs by itself any more.")


def _removed(job: Job, archive: str) -> Iterator[str]:
    if not archive:
        kept = "" if job.purged else f" Rules stay in .limpet/, memories in {home_as_tilde(data_folder())}."
        yield from paragraph(f"Done.{kept} {STAYS.format(home_as_tilde(state_folder()))}")
        yield "To set it up again: limpet init"
        return
    days = archive_days()
    yield f"Done. A copy of .limpet/ is kept {f'for {days} days' if days else 'until you delete it'}:"
    yield f"  {home_as_tilde(archive)}"
    yield "To bring it back: limpet init --restore"
    yield from paragraph(STAYS.format(home_as_tilde(state_folder())))
