"""``limpet init``: shows what will be written, asks, writes, and says what to do next."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

import click

from limpet.cli.caller import obtain_for, surroundings
from limpet.cli.init_beside import NOTHING, install_everywhere, keep_file
from limpet.cli.job import ask, data_of, details, notes, summary
from limpet.cli.output import counted, emit, home_as_tilde, json_option, show, table
from limpet.cli.rules.adopt import hint
from limpet.cli.screen import Line
from limpet.cli.trust import ask_for_trust
from limpet.ground.clock import local_minute
from limpet.ground.config.settings import load_settings
from limpet.ground.errors import LimpetError
from limpet.ground.git import repository_or_project
from limpet.ground.own_name import find_name
from limpet.ground.storage.files import names_in
from limpet.ground.text.escaping import visible
from limpet.ground.trust.in_place import folders_in_place
from limpet.ground.workspace import Workspace, workspace_at
from limpet.hosts.commands.shells import note_shells
from limpet.hosts.commands.upkeep import compile_installation
from limpet.hosts.file_changes import apply_changes
from limpet.hosts.injectors import find_injectors, leave_to_hooks
from limpet.hosts.installation import (
    Job,
    carry_out_plan,
    plan_installation,
)
from limpet.hosts.present import hosts_here, hosts_served, other_hosts, why_silent
from limpet.hosts.records import LOCAL, SHARED, USER
from limpet.hosts.registry import ALIASES, HOSTS, all_hosts
from limpet.hosts.servers import find_servers, require_sdk
from limpet.operations.mirror import refresh_mirror
from limpet.operations.removal import remove_archives_past, restore_project
from limpet.operations.settings import change_setting
from limpet.operations.trust_record import is_new, trust_new_project, trust_state

SHORT = {name: short for short, name in ALIASES.items()}
HOME = "This is your home folder: every folder below that is no repository would use this project. Go on?"
yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would change, write nothing.")
here_option = click.option("--here", is_flag=True, help="Use the current folder, not the repository around it.")


@click.command()
@click.option(
    "--host",
    "named",
    multiple=True,
    type=click.Choice([*HOSTS, *ALIASES]),
    metavar="NAME",
    help="A coding agent; may be repeated. Default: those in use here.",
)
@click.option("--shared", is_flag=True, help="Write to committed settings, with a portable command.")
@click.option("--user", is_flag=True, help="Write to your own settings, for all projects.")
@click.option("--mcp/--no-mcp", "server", default=None, help="Give the agents the MCP server, or take it back.")
@click.option(
    "--allow-writing/--ask-writing", "writing", default=None, help="Let agents write memories without a question each."
)
@click.option(
    "--own-file/--no-own-file", "own_file", default=None, help="Keep your wishes in a file that Cursor reads, or not."
)
@click.option(
    "--cloud-file/--no-cloud-file",
    "cloud_file",
    default=None,
    help="Keep the rules in a file that Copilot's cloud agent reads, or not.",
)
@click.option("--full", is_flag=True, help="Always send the rules about agents, gates and stories.")
@click.option("--lean", is_flag=True, help="Send them only during work, the default.")
@click.option("--all", "everywhere", is_flag=True, help="Repeat in every project where you installed it.")
@click.option("--restore", is_flag=True, help="Bring back the .limpet/ that uninstall --purge deleted.")
@here_option
@dry_run_option
@yes_option
@json_option
def init(
    named: tuple[str, ...],
    shared: bool,
    user: bool,
    server: bool | None,
    writing: bool | None,
    own_file: bool | None,
    cloud_file: bool | None,
    full: bool,
    lean: bool,
    everywhere: bool,
    restore: bool,
    here: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Set up Limpet and its hooks in this project.

    \b
    Examples:
      limpet init
      limpet init --dry-run
      limpet init --host codex --host copilot
      limpet init --mcp
      limpet init --host cursor
      limpet init --yes --shared
      limpet init --full
      limpet init --restore
      limpet init --all
    """
    _refuse_both(shared, user, "--shared and --user", "run `limpet init` once for each")
    _refuse_both(full, lean, "--full and --lean", "new projects are lean by default")
    chosen = {server, writing, own_file, cloud_file} != {None}
    if everywhere and (named or shared or user or here or full or lean or restore or chosen):
        files = "--own-file, --cloud-file"
        others = f"--host, --shared, --user, --mcp, --allow-writing, {files}, --full, --lean, --restore and --here"
        raise LimpetError("--all repeats every installation with its own options", hint=f"leave out {others}")
    remove_archives_past(time.time())
    if everywhere:
        done = install_everywhere(dry_run, yes, as_json)
    else:
        scope = USER if user else LOCAL
        scope = SHARED if shared else scope
        workspace = workspace_at(find_root(here))
        if restore:
            if not _restore(workspace, dry_run, yes, as_json):
                return
            workspace = workspace_at(workspace.root)
        if not (yes or dry_run or as_json) and is_new(workspace) and _is_home(workspace) and not ask(HOME):
            click.echo(NOTHING)
            return
        hosts = tuple(ALIASES.get(name, name) for name in named)
        if scope != SHARED and server:
            require_sdk()
        done = _install_here(workspace, scope, hosts, server, writing, dry_run, yes, as_json)
        for host, is_private, wanted in (("cursor", True, own_file), ("copilot-cli", False, cloud_file)):
            if done and wanted is not None and not dry_run:
                keep_file(host, is_private, workspace_at(workspace.root), wanted, yes, as_json)
        if done and (full or lean) and bool(load_settings(workspace)[0]["rules"]["full"]) != full:
            change_setting(workspace, "", "rules.full", str(full).lower(), time.time(), obtain_for(workspace))
    if done:
        compile_installation()


def find_root(here: bool) -> str:
    cwd = os.getcwd()
    return cwd if here else repository_or_project(cwd) or cwd


def _is_home(workspace: Workspace) -> bool:
    return os.path.realpath(workspace.root) == os.path.realpath(os.path.expanduser("~"))


def _ask_for_trust(workspace: Workspace, yes: bool, as_json: bool) -> bool:
    state = trust_state(workspace)
    if state.since:
        return False
    if yes or as_json or not sys.stdin.isatty() or surroundings().host:
        told = f"The .limpet/ of this project is not trusted. {state.reason}. Run: limpet trust"
        click.echo(visible(told), err=True)
        return False
    return ask_for_trust(workspace, state) is not None


def _restore(workspace: Workspace, dry_run: bool, yes: bool, as_json: bool) -> bool:
    archive, contents = restore_project(workspace, time.time(), dry_run=True)
    what = f".limpet/ with {', '.join(counted_contents(contents))}"
    deleted = local_minute(os.path.getmtime(archive))
    if not dry_run and not yes and not ask(f"Restore {what}, deleted at {deleted}?"):
        click.echo(NOTHING)
        return False
    if not dry_run:
        restore_project(workspace, time.time())
    done = f"Would restore .limpet/ from {home_as_tilde(archive)}" if dry_run else f"Restored {what}."
    if dry_run or not as_json:
        emit({"root": workspace.root, "applied": False, "archive": archive}, [done], as_json)
    return not dry_run


def counted_contents(contents: dict[str, int]) -> list[str]:
    # Of files, since lists of memories show neither a conversation's digest nor what was forgotten.
    nouns = {"memories": ("memory files", "memory file"), "rule files": ("rule files", "rule file")}
    counts = [f"{number} {nouns.get(name, (name, 'story'))[number == 1]}" for name, number in contents.items()]
    return counts or ["no memories and no rules"]


def _install_here(
    workspace: Workspace,
    scope: str,
    hosts: tuple[str, ...],
    server: bool | None,
    writing: bool | None,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> bool:
    made = is_new(workspace)
    is_met = not made and not dry_run and _ask_for_trust(workspace, yes, as_json)
    job = plan_installation(workspace.root, scope, hosts, server)
    agreed = _agree_to(job, made or is_met, dry_run, yes, as_json)
    if agreed and made:
        workspace = trust_new_project(workspace, time.time())
        leave_to_hooks(workspace, time.time())
    elif is_met:
        workspace = workspace_at(workspace.root)
    if agreed:
        carry_out_plan(job)
    done = agreed or (job.is_empty and not dry_run)
    is_first = done and (made or is_met)
    if as_json:
        emit(data_of(job, agreed), (), True)
    elif agreed and not is_first:
        emit(None, [f"Done: {counted(len(job.changes), 'file')} written."], False)
    if done and made:
        refresh_mirror(workspace)
    if done and scope != SHARED:
        with suppress(OSError):  # then agents are told the path
            note_shells((host.NAME for host in hosts_served(workspace.root)), time.time())
        is_asked = (made or is_met) and not (yes or as_json or surroundings().host) and sys.stdin.isatty()
        _let_write(workspace, writing, is_asked, yes)
    if is_met and not done:
        emit(None, ["The project stays trusted. To take that back: limpet trust --revoke"], False)
    if done and not as_json:
        told = _end(workspace, job.clients) if is_first else _hindrances(workspace)
        emit(None, (*told, *_server_consents(workspace, hosts, server)), False)
    return done


def _agree_to(job: Job, made: bool, dry_run: bool, yes: bool, as_json: bool) -> bool:
    if not as_json:
        emit(None, _screen(job, dry_run), False)
        emit(None, _in_place(job.root) if made else (), False)
    if job.is_empty or dry_run:
        return False
    agreed = yes or ask("Write these files?")
    if not agreed:
        emit(None, [NOTHING], as_json)
    return agreed


def _in_place(root: str) -> Iterator[str]:
    """What agreeing has read besides, by the names of its files."""
    for folder in folders_in_place(root):
        names = [
            name for name in names_in(os.path.join(root, folder)) if os.path.isfile(os.path.join(root, folder, name))
        ]
        yield f"  read    {folder}/ where it lies: {', '.join(names)}"


def _screen(job: Job, dry_run: bool) -> Iterator[Line]:
    if job.is_empty:
        yield f"Limpet is set up in {home_as_tilde(job.root)}. Nothing to do."
        yield from notes(job)
        return
    whom = f" for {_in_words(job.clients, 'and')}" if job.clients else ""
    yield f"Set up Limpet{whom} in {home_as_tilde(job.root)}:"
    yield from details(job) if dry_run else summary(job)


def _end(workspace: Workspace, titles: Sequence[str]) -> Iterator[Line]:
    served = [host for host in all_hosts() if host.in_force(workspace.root)]
    where = _in_words(titles, "or")
    if any(host.CONSENT for host in served):
        yield f"Done. Open {where} here. Trust folder and hooks when it asks."
    else:
        yield f"Done. Open {where} here and work as usual."
    if served:
        rows = [
            ("You correct it", '"No, use pnpm." It comes back later.'),
            ("You want it kept", "*remember Staging is reset each night."),
            ("You wonder why", "limpet why"),
        ]
        yield from table(rows, indent="  ")
    others = [(host.TITLE, host.NAME) for host in other_hosts(workspace.root)]
    yield from hint(workspace)
    yield from (f"{what}.\n  {how[:1].upper()}{how[1:]}" for what, how in find_injectors(workspace))
    names, also = ", ".join(title for title, _ in others), ""
    if others:
        also = f"Also here: {names} (limpet init --host {SHORT.get(others[0][1], others[0][1])}). "
    yield f"{also}Undo: limpet uninstall"


def _hindrances(workspace: Workspace) -> Iterator[str]:
    for host in hosts_served(workspace.root):
        what, how = why_silent(host, workspace.root)
        if what:
            yield f"{host.TITLE}: {what}. {how[:1].upper()}{how[1:]}"


def _server_consents(workspace: Workspace, hosts: tuple[str, ...], wanted: bool | None) -> Iterator[str]:
    here = hosts or [host.NAME for host in hosts_here(workspace.root)]
    for server in find_servers(workspace.root) if wanted or hosts else ():
        asking = (client for client in server.clients if client.consent and client.name in here)
        yield from (f"{client.title}: {client.consent}" for client in asking)


def _in_words(names: Sequence[str], conjunction: str) -> str:
    *before, last = names
    return f"{', '.join(before)} {conjunction} {last}" if before else last


def _let_write(workspace: Workspace, writing: bool | None, is_asked: bool, yes: bool) -> None:
    """Of clients that ask before each command. By default, and with ``--yes``, they go on asking: it is a right of the
    agent's, which nobody gives unasked."""
    for host in hosts_served(workspace.root) if is_asked or writing is not None else ():
        name = find_name(host.NAME)
        try:
            plan = host.plan_writing(workspace.home, "" if writing is False else name)
        except LimpetError:
            if writing is None:  # nobody asked for it, and the plan said why that file is left out
                continue
            raise
        what = f"et {host.TITLE} run `{name} memory write` without asking you each time"
        if not plan.pending():
            continue
        if writing is not None:
            obtain_for(workspace, yes)(f"L{what}" if writing else f"Have {host.TITLE} ask before it writes a memory")
        else:
            said = f"{host.TITLE} asks before each command, `limpet memory write` too."
            show([said, "To change that later: limpet init --allow-writing"], err=True)
            if not click.confirm(f"Let {host.TITLE} write memories without asking you each time?", err=True):
                continue
        apply_changes(plan.pending())


def _refuse_both(one: bool, other: bool, names: str, hint: str) -> None:
    if one and other:
        raise LimpetError(f"{names} exclude each other", hint=hint)
