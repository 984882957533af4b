"""What ``limpet doctor`` finds and puts right, and what it and killed writers leave behind."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from limpet.context.usage import is_guessed
from limpet.ground.clock import Clock, local_minute
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.config.settings import config_mistakes, load_settings
from limpet.ground.errors import LimpetError
from limpet.ground.git import is_ignored, is_tracked, repository_or_project
from limpet.ground.own_name import command_path, path_name
from limpet.ground.storage.confinement import LEADS_OUT, leads_out
from limpet.ground.storage.files import names_in, read_shipped, read_text, remove_file, write_atomic
from limpet.ground.storage.project_caches import gone_caches, remove_gone_caches
from limpet.ground.storage.scaffold import FORMER, INBOX
from limpet.ground.storage.user_folders import (
    NOWHERE,
    cache_folder,
    data_folder,
    data_record,
    default_data_folder,
    project_cache,
)
from limpet.ground.trust.consent import admit, find_consent
from limpet.ground.workspace import (
    FOLDER,
    Workspace,
    find_workspace,
    home_out_of_project,
    main_root,
    workspace_at,
    worktrees,
)
from limpet.hosts.base import Host
from limpet.hosts.capabilities import TABLE
from limpet.hosts.checks import FAIL, FIX, FIXED, INFO, INIT, OK, WARN, Check
from limpet.hosts.commands.launcher import command_works, here, launcher_path, read_launcher
from limpet.hosts.commands.shells import find_in_shells, find_mistaken_name, is_ours
from limpet.hosts.commands.upkeep import check_bytecode, launcher_works, write_launcher
from limpet.hosts.file_changes import apply_changes
from limpet.hosts.git_hook import lost_hook, plan_pre_push
from limpet.hosts.injectors import find_injectors
from limpet.hosts.installation import files_of_machine
from limpet.hosts.present import hosts_served, why_silent
from limpet.hosts.records import all_records
from limpet.hosts.servers import check_servers
from limpet.learning.store import read_stores
from limpet.memory.catalogue import ALL, Catalogue
from limpet.memory.model.layout import TEAM, WHOLE_STORE, team_memories
from limpet.operations.agents.known import check_agents
from limpet.operations.conversations import newest_conversation, read_states
from limpet.operations.registry import check_health
from limpet.operations.rules.transaction import check_files
from limpet.operations.rules.view import are_large, count_rules_by_domain
from limpet.operations.sharing.remote import read_sync_state
from limpet.operations.trust_record import TrustState, trust_state
from limpet.operations.work.checks import proposed_checks
from limpet.registry.health import HEALTHY
from limpet.transcripts.registry import transcript_of
from limpet.transcripts.tail import size_of
from limpet.work.checks import missing_program
from limpet.work.session import NESTED, UNATTENDED

# Bytes above which a conversation holds something.
UNREAD = 2000
# Files that are named of those that cannot be read.
MOST = 5


def examine(cwd: str) -> Iterator[Check]:
    """Each hook is run once, where the project is trusted."""
    workspace = find_workspace(cwd)
    project = workspace.root if workspace else repository_or_project(cwd) or cwd
    hosts = hosts_served(project)
    yield from _check_folder(workspace, project)
    trust = trust_state(workspace) if workspace else None
    if trust:
        yield _check_trust(trust)
    for host in hosts:
        yield from host.check(project)
        what, hint = why_silent(host, project)
        if what:
            yield Check(WARN, f"{host.TITLE}: {what}", hint)
    yield from check_servers(project)
    yield from (Check(INFO, what, hint) for what, hint in find_injectors(workspace or workspace_at(project)))
    if workspace and trust and trust.since:
        for host in hosts:
            yield from host.try_hooks(admit(workspace))
        yield from _check_config(workspace)
        yield from (Check(WARN, f"{one.where}: {one.what}", one.hint) for one in check_agents(workspace))
        yield from _check_rules(workspace)
        yield from (Check(WARN, f"Not read: {one}", "correct it there") for one in read_stores(workspace)[1][:MOST])
        yield from _check_attended(workspace)
        yield from _check_window(workspace)
        yield from _check_transcripts(workspace, hosts)
        yield from _check_caches(workspace)
        yield from _check_data()
        yield from _check_memories(workspace)
        for line in proposed_checks(workspace):
            yield Check(INFO, "Checks of the project can run when an agent stops", f"run `{line}`")
        if count := len(gone_caches(_retention(workspace), time.time())):
            yield Check(WARN, f"Caches of {count} deleted projects", FIX)
        yield from _check_git(project, hosts)
        yield from _check_health(workspace)
    yield from _check_sync()
    yield check_bytecode()
    yield from _check_name(hosts)


def _check_rules(workspace: Workspace) -> Iterator[Check]:
    if are_large(count_rules_by_domain(workspace)):
        yield Check(INFO, "Rules too large to look through here", "run `limpet rules check` and `limpet health`")
    elif count := len(check_files(workspace)):
        yield Check(WARN, f"{count} mistake{'' if count == 1 else 's'} in rule files", "run `limpet rules check`")


def _check_sync() -> Iterator[Check]:
    """By what the last run left here: an address that does not answer is not asked."""
    try:
        state = read_sync_state()
    except LimpetError as error:
        yield Check(FAIL, f"{error.where}: {error.what}", error.hint)
        return
    if state is None:
        return
    waiting = f"; {state.waiting} not sent yet" if state.waiting else ""
    if state.ran:
        yield Check(OK, f"Your memories were last synchronized on {local_minute(state.ran)} ({state.remote}){waiting}")
    else:
        yield Check(WARN, f"Your memories were never synchronized with {state.remote}", "run `limpet sync`")
    if state.apart:
        what = f"{state.apart} file{'' if state.apart == 1 else 's'} of {state.remote} kept apart: they do not count"
        yield Check(WARN, what, "run `limpet sync --json` to see why")


def _check_name(hosts: tuple[Host, ...]) -> Iterator[Check]:
    what, hint = find_mistaken_name()
    if what:
        yield Check(WARN, what, hint)
    for host in hosts if os.path.isfile(command_path()) else ():
        found = find_in_shells(host.NAME)
        others = ", ".join(dict.fromkeys(path for path in found if path and not is_ours(path)))
        if others:
            hint = "remove one of the two, so that the agents of both see the same"
            yield Check(WARN, f"In {host.TITLE}'s shells `limpet` is another installation: {others}", hint)
        else:
            name = "limpet" if all(map(is_ours, found)) else path_name()
            yield Check(OK, f"Agents in {host.TITLE} are told to run {name}")


def _check_trust(state: TrustState) -> Check:
    if not state.since:
        what = "The project is not trusted: its rules and memories are not read, and its hooks do not run"
        return Check(WARN, f"{what}. {state.reason}", "run `limpet trust`")
    if state.waiting:
        waiting = ", ".join(state.waiting)
        return Check(WARN, f"Settings of the project wait for your consent: {waiting}", "run `limpet trust`")
    return Check(OK, f"Trusted since {state.since}")


def _check_folder(workspace: Workspace | None, project: str) -> Iterator[Check]:
    linked = home_out_of_project(project)
    if workspace is None and linked:
        yield Check(FAIL, f"{LEADS_OUT}: {linked}; the hooks have no effect here", "put the folder itself there")
        return
    if workspace is None:
        yield Check(FAIL, f"No {FOLDER} in {project} or above: the hooks have no effect here", INIT)
        return
    for folder in (workspace.home, workspace.path(INBOX), workspace.data):
        if not os.path.isdir(folder):
            continue
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            yield Check(FAIL, f"{folder} is not readable and writable", "change its permissions")
        else:
            yield Check(OK, f"{folder} is readable and writable")
    for folder in (workspace.home, workspace.path("rules")):
        for name in [] if leads_out(folder) else names_in(folder):
            path = os.path.join(folder, name)
            if os.path.islink(path) and leads_out(path):
                yield Check(WARN, f"{LEADS_OUT}: {path}; it is ignored", "put the file or folder itself there")


def _check_config(workspace: Workspace) -> Iterator[Check]:
    hint = "correct it there, or with `limpet config set`"
    yield from [Check(WARN, one, hint) for one in config_mistakes(workspace)] or [Check(OK, "Configuration OK")]
    for name, line in load_settings(workspace)[0]["rules"]["checks"].items():
        if missing := missing_program(line, workspace.root):
            hint = "install it, or remove the rule that names the check"
            yield Check(WARN, f"Check {name} could not run: `{missing}` is not installed", hint)


def _check_attended(workspace: Workspace) -> Iterator[Check]:
    known = {NESTED, *load_settings(workspace)[0]["hosts"]["attended"]}
    names = {str(name) for state in read_states(workspace) if (name := state.get(UNATTENDED))} - known
    if names:
        what = f"Nothing is learned from prompts that no person types: by {', '.join(sorted(names))}"
        yield Check(INFO, what, "if you type over one of these, run `limpet config set hosts.attended '[NAME]'`")


def _check_window(workspace: Workspace) -> Iterator[Check]:
    state = newest_conversation(workspace)
    if state and is_guessed(state["usage"]):
        held = f"the window of {state.get('model') or 'the model'} holds"
        what = f"Nobody tells how many tokens {held}: it counts as {state['usage']['window']:,}"
        yield Check(INFO, what, "if it holds others, run `limpet config set context.windows.MODEL TOKENS`")


def _check_transcripts(workspace: Workspace, hosts: tuple[Host, ...]) -> Iterator[Check]:
    """Of each client's newest conversation: another version of it may write what nobody here can read."""
    states = sorted(read_states(workspace), key=lambda state: str(state.get("last_activity")))
    newest = {state.get("host"): state for state in states}
    for host in hosts:
        path, reader = str(newest.get(host.NAME, {}).get("transcript") or ""), transcript_of(host.NAME)
        if reader and size_of(path) > UNREAD and not reader.read_messages(path)[0]:
            what = f"{host.TITLE}: its transcript cannot be read, so nothing of what you say there is heard: {path}"
            about = read_shipped(TABLE)["hosts"][host.NAME]
            lowest = about.get("lowest") or about["tried"]
            known = f"the lowest version known to be read is {lowest}: " if lowest else ""
            yield Check(WARN, what, f"{known}update the client, or report its version")


def _check_caches(workspace: Workspace) -> Iterator[Check]:
    for folder in dict.fromkeys((workspace.cache, project_cache(workspace.shared))):
        try:
            write_atomic(os.path.join(folder, "doctor"), "", follow=False)
        except OSError as error:
            why = "other users can write there" if folder == NOWHERE else error.strerror
            what = f"{cache_folder()} cannot be used ({why}): prompts and memory commands take longer"
            yield Check(WARN, what, "remove write access for others, or set XDG_CACHE_HOME to another folder")
            return
        remove_file(os.path.join(folder, "doctor"))
    yield Check(OK, f"Caches in {workspace.cache}")


def _check_memories(workspace: Workspace) -> Iterator[Check]:
    catalogue = Catalogue(workspace.shared, load_settings(workspace)[0]["memory"], WHOLE_STORE, Clock())
    for problem in catalogue.list(ALL).problems[:MOST]:
        where = f"{problem.path}:{problem.line}" if problem.line else problem.path
        yield Check(WARN, f"A memory is not read: {where}: {problem.what}", problem.hint)


def _check_health(workspace: Workspace) -> Iterator[Check]:
    if are_large(count_rules_by_domain(workspace)):
        return
    try:
        found = check_health(workspace)
    except LimpetError as error:
        yield Check(WARN, f"{error.where}: {error.what}", "correct it there")
        return
    if found.status == HEALTHY:
        yield Check(OK, f"The framework is {HEALTHY}: {found.checks[0].says}")
        return
    count = sum(len(check.faults) for check in found.checks)
    what = f"The framework is {found.status}: {count} fault{'' if count == 1 else 's'}"
    yield Check(WARN, what, "run `limpet health`")


def _check_data() -> Iterator[Check]:
    folder, told = data_folder(), os.environ.get("LIMPET_DATA", "")
    recorded = (read_text(data_record(), STATE_BYTES) or "").strip() or default_data_folder()
    if told and told != recorded:
        what = f"LIMPET_DATA names {told}, but clients without it use {recorded}"
        yield Check(WARN, what, "run `limpet init` with the variable set, or unset it")
    if _is_in_container() and os.path.isdir(folder) and os.stat(folder).st_dev == os.stat(os.sep).st_dev:
        what = f"Your data folder {folder} goes when this container is rebuilt"
        yield Check(WARN, what, "mount a volume there, or set LIMPET_DATA to a mounted folder and run `limpet init`")
    else:
        yield Check(OK, f"Your data folder is {folder}")


def _is_in_container() -> bool:
    return any(map(os.path.exists, ("/.dockerenv", "/run/.containerenv")))


def _check_git(project: str, hosts: tuple[Host, ...]) -> Iterator[Check]:
    memories = (f"memories/{name}" for name in names_in(team_memories(project)) if name != TEAM)
    for name in (*FORMER, *memories):
        if os.path.lexists(os.path.join(project, FOLDER, name)):
            what = f"{FOLDER}/{name} is not read: what is private lies in your data folder"
            yield Check(WARN, what, "delete it, also from git")
    for path in files_of_machine(project):
        if is_tracked(project, path):
            how = "run `limpet uninstall`, then `limpet init --user` for you or `limpet init --shared` for everybody"
            yield Check(WARN, f"{path} is in git, but contains paths of this machine", how)
        elif is_ignored(project, path) is False:
            yield Check(WARN, f"{path} is not ignored by git, but contains paths of this machine", INIT)
    if lost := lost_hook(project):
        yield Check(WARN, f"{lost} no longer asks the guard before a push: something made it anew", FIX)
    for folder in worktrees(main_root(project) or project):
        served = any(host.in_force(folder) for host in hosts)
        if os.path.isdir(folder) and not os.path.samefile(folder, project) and not served:
            hint = "run `limpet init --user`, or `limpet init` there"
            yield Check(WARN, f"No hooks run in the worktree {folder}", hint)


def repair(cwd: str) -> Iterator[Check]:
    """Do what is due for this machine, and for the project around ``cwd`` where the user trusts it; yield what is
    done."""
    is_current = launcher_works() and read_launcher(launcher_path()) == here() and command_works(here())
    if not is_current and all_records():
        write_launcher()
        yield Check(FIXED, f"Pointed the hook launcher at this installation: {launcher_path()}")
    workspace = find_workspace(cwd)
    if workspace and find_consent(workspace):
        if lost := lost_hook(workspace.root):
            apply_changes(plan_pre_push(workspace.root).pending())
            yield Check(FIXED, f"Git asks the guard before a push again: {lost}")
        count = remove_gone_caches(_retention(workspace), time.time())
        if count:
            yield Check(FIXED, f"Removed the caches of {count} deleted projects")


def _retention(workspace: Workspace) -> int:
    days: int = load_settings(workspace)[0]["retention"]["days"]
    return days
