"""Finds the coding agent around this process: by the variables of commands that it runs, or among the processes above.

Its facts are ``framework/clients.json``, which also knows agents that are no hosts of ours.
"""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.event import Surroundings
from limpet.ground.processes import Process, read_ancestors, read_process
from limpet.ground.storage.confinement import lies_in
from limpet.ground.storage.files import read_shipped, read_text
from limpet.ground.workspace import Workspace, find_workspace, main_root
from limpet.work.conversation import known_project
from limpet.work.serving import NEW_WINDOW, SAME_WINDOW, Served, all_served, begin_serving, live_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from limpet.ground.event import Event

TABLE = "clients"


def read_surroundings(environment: Mapping[str, str]) -> Surroundings:
    """The table of processes is read only where no variable names an agent, or one whose hooks told what it serves."""
    around, known = find_surroundings(environment), all_served()
    if around.host and not known:
        return around
    ancestors = read_ancestors()
    return place_among(
        known, around if around.host else find_surroundings(environment, ancestors), ancestors, environment
    )


def place_among(
    known: Sequence[Served], around: Surroundings, ancestors: Sequence[Process], environment: Mapping[str, str]
) -> Surroundings:
    """Return ``around`` with the conversation that the variables name, as far as the clients above serve it. Where none
    of these is to be seen, as in a sandbox, any of such a client may be it."""
    clients = [(one.pid, one.started) for one in ancestors]
    enclosing = [live for client in clients if (live := live_of([one for one in known if one.client == client]))]
    if not enclosing:
        others = [one.id for one in live_of([one for one in known if one.host == around.host])]
        own = around.conversation or next(iter(others), "")
        return around.replace(conversation=own, beside=tuple(id for id in others if id != own))
    nearest, *outer = enclosing
    host = nearest[0].host
    named = environment.get(read_shipped(TABLE)["clients"][host]["conversation"], "")
    own = next((one.id for one in nearest if one.id == named), nearest[0].id)
    beside = [] if own == named else [one.id for one in nearest if one.id != own]
    for each in outer:
        beside += [one.id for one in each]
    return Surroundings(host, own, tuple(beside))


def find_surroundings(environment: Mapping[str, str], ancestors: Iterable[Process] = ()) -> Surroundings:
    """Go by the variables, else by the nearest of the ``ancestors`` that is an agent. One that is only named in the
    arguments of another program is none."""
    clients = read_shipped(TABLE)["clients"]
    for name, client in clients.items():
        if any(map(environment.get, client["variables"])):
            return Surroundings(name, environment.get(client["conversation"], ""))
    return next((Surroundings(name) for name in map(_client, ancestors) if name), Surroundings())


def note_client(event: Event, environment: Mapping[str, str], now: float) -> str:
    """Keep which process sent the first event of a conversation; return the conversation that it served before in the
    same window, "" for none, and where neither a variable nor the processes above name it."""
    about = read_shipped(TABLE)["clients"].get(event.host, {})
    named = environment.get(about.get("process", ""), "")
    if named.isdecimal():
        process = read_process(int(named)) or Process(int(named), 0, (), 0.0)
    elif above := [each for each in read_ancestors() if _client(each) == event.host]:
        process = above[0]
    else:  # the note says that nobody needs to look again
        process = Process(0, 0, (), 0.0)
    many = about.get("windows") == "many"
    is_new = many and (event.source == "startup" or not process.pid)
    window = NEW_WINDOW if is_new else "" if many else SAME_WINDOW
    served = Served(event.session, event.host, process.pid, process.started, now)
    try:
        return begin_serving(served, window)
    except OSError:
        return ""


def ways_in(client: str) -> tuple[str, ...]:
    return tuple(read_shipped(TABLE)["clients"].get(client, {}).get("ways", ()))


def shell_of_client(ancestors: Sequence[Process], client: Served | None) -> float | None:
    """Return when the process began in which the client runs this one, None for none between them: the client whose
    hooks told of the conversation, whatever between them has a client's name."""
    known = [(each.pid, each.started) for each in ancestors]
    place = known.index(client.client) if client and client.client in known else 0
    return ancestors[place - 1].started if place else None


def is_nested(ancestors: Iterable[Process]) -> bool:
    """Another process stands between the nearest coding agent and the next, such as the shell of a command."""
    names = [_client(process) for process in ancestors]
    return sum(bool(name) and (place == 0 or not names[place - 1]) for place, name in enumerate(names)) > 1


def project_around(folder: str, environment: Mapping[str, str]) -> Workspace | None:
    """Return the project of the conversation around this process if the folder lies in it, whatever ``.limpet`` is
    nearer; else the nearest."""
    own = known_project(find_surroundings(environment).conversation)
    inside = own and lies_in(os.path.realpath(own.root), os.path.realpath(folder))
    return own if inside else find_workspace(folder)


def variables_of_hosts() -> frozenset[str]:
    names: set[str] = set()
    for client in read_shipped(TABLE)["clients"].values():
        names |= {*client["variables"], client["conversation"]}
    return frozenset(names - {""})


def _client(process: Process) -> str:
    paths = [(_name_of(path), f"/{path.lower()}/") for path in _programs(process.words)]
    for client, each in read_shipped(TABLE)["clients"].items() if paths else ():
        for known in each["programs"]:
            for name, inside in paths:
                if f"/{known}/" in inside if "/" in known else known == name:
                    return str(client)
    return ""


def _programs(words: tuple[str, ...]) -> Iterable[str]:
    path = words[0].replace("\\", "/") if words else ""
    yield path
    valued = read_shipped(TABLE)["interpreters"].get(_name_of(path).rstrip("0123456789."))
    for before, word in zip(words, words[1:] if valued is not None else (), strict=False):
        if not word.startswith("-") and word != "run" and before not in valued:
            yield word.replace("\\", "/")
            return


def _name_of(path: str) -> str:
    return os.path.splitext(path.rpartition("/")[2].lower())[0]


# Which terminal this process has, if any.
TERMINAL = "CONIN$" if os.name == "nt" else "/dev/tty"


def is_attended(host: str, prints: Callable[[str], bool]) -> bool:
    """``prints``: whether a word of the client says that it has its prompts from elsewhere than a terminal."""
    client = next((each for each in read_ancestors() if find_surroundings({}, (each,)).host == host), None)
    if client is None or any(map(prints, client.words[1:])):
        return False
    try:
        os.close(os.open(TERMINAL, os.O_RDONLY))
    except OSError:
        return False
    return True


def is_printing(host: str, options: tuple[str, ...]) -> bool:
    """Return whether the host's command is above with an option by which it has its prompt from elsewhere than a
    terminal; an editor has no such command."""
    client = next((each for each in read_ancestors() if find_surroundings({}, (each,)).host == host), None)
    return client is not None and any(word.partition("=")[0] in options for word in client.words[1:])


# Host -> its folder in a project, the variable that names its folder of the user's, and that folder without it.
FOLDERS = {
    "claude-code": (".claude", "CLAUDE_CONFIG_DIR", "~/.claude"),
    "codex-cli": (".codex", "CODEX_HOME", "~/.codex"),
    "copilot-cli": (".github/copilot", "COPILOT_HOME", "~/.copilot"),
    "gemini-cli": (".gemini", "", "~/.gemini"),
    "cursor": (".cursor", "", "~/.cursor"),
    "vscode": (".github/hooks", "", "~/.copilot/hooks"),
    "antigravity": (".agents", "", "~/.gemini/config"),
}
# Where these keep no settings of hooks before they have some: what they make themselves.
MADE = {"vscode": ("~/.vscode",), "antigravity": ("~/.antigravity", "~/.gemini/antigravity", "~/.gemini/config")}
FILES = ("settings.local.json", "settings.json", "hooks.json", "limpet.local.json", "limpet.json")


# Client -> whose lines it runs, its own first, and whether also those among the user's own settings. Of several in
# force the first answers. Cursor calls the events of Claude Code's lines otherwise: they are silent there.
RUN = {
    "copilot-cli": {"copilot-cli": True, "claude-code": False, "vscode": True},
    "vscode": {"vscode": True, "claude-code": True},
}


def stands_back(host: str, event: str, folder: str) -> bool:
    """Return whether settings that a conversation in ``folder`` obeys have a line of ours for the event."""
    run = RUN.get(host, {host: True})
    return any(_has_lines(one, folder, f" {one} {event} ", by_user) for one, by_user in run.items())


def speaks_in(host: str, client: str, folder: str) -> bool:
    """Return whether a line of ``host`` that another client runs is the one to answer there."""
    for one, by_user in RUN.get(client, {}).items():
        if one == host:
            return True
        if _has_lines(one, folder, f" {one} ", by_user):
            return False
    return False


def _has_lines(host: str, folder: str, mark: str, by_user: bool) -> bool:
    roots = {folder, main_root(folder) or folder}
    places = [os.path.join(root, *FOLDERS[host][0].split("/")) for root in roots]
    for place in (*places, *(user_folders(host) if by_user else ())):
        if any(mark in (read_text(os.path.join(place, name), STATE_BYTES) or "") for name in FILES):
            return True
    return False


def machine_folders(host: str) -> tuple[str, ...]:
    """Return the folders that show by being there that the machine has the host."""
    known = MADE.get(host)
    return tuple(map(os.path.expanduser, known)) if known else user_folders(host)[-1:]


def user_folders(host: str) -> tuple[str, ...]:
    """Return where a host may keep the user's own settings, the place that counts last."""
    _, variable, user = FOLDERS.get(host, ("", "", os.devnull))
    folders = [os.environ.get(variable) or os.path.expanduser(user)]
    if host == "gemini-cli" and (moved := os.environ.get("GEMINI_CLI_HOME")):  # names the home in place of its own
        folders.append(os.path.join(moved, ".gemini"))
    return tuple(folders)
