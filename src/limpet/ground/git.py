"""Questions to git about a project, answered with None or nothing where git is missing or there is no repository. A
repository may be a stranger's, and its configuration can name programs to run. ``git`` is the only place that starts
git, and overrides every key that the commands used here would obey."""

from __future__ import annotations

import os
import re
import sys

from limpet.ground.clock import Patience, iso
from limpet.ground.processes import run_child
from limpet.ground.programs import program_on_path
from limpet.ground.repository import find_upward
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from subprocess import CompletedProcess

PATIENCE = Patience(5.0)
_COMMIT = "\x01"
# So many paths fit on a command line on every system; with more, git is asked about all files.
_FEW = 100
# Git stops at the first older commit, but clocks of several machines differ: commits behind it may be newer.
_SKEW = 86_400.0
# Keys that make git run a program, or write; what stands on the command line wins over every file. ``diff`` also runs
# ``filter.<name>.clean``, whose names have to be read first.
HARMLESS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.untrackedCache=false",
    "core.pager=cat",
    "diff.external=",
    "log.showSignature=false",
    "gpg.program=",
    "protocol.allow=never",  # a partial clone fetches what it lacks, from an address that may be a command
    "safe.bareRepository=explicit",
)
_FILTER_KEYS = ("clean=", "smudge=", "process=", "required=false")
_LITERAL = "--literal-pathspecs"
NO_PROGRAMS = ("--no-ext-diff", "--no-textconv")
# ``diff`` starts a git with the submodule's own configuration to see whether one is dirty; a new commit needs none.
_DIFF = ("diff", *NO_PROGRAMS, "--no-renames", "--ignore-submodules=dirty", "--name-only", "-z", "--relative")
# How ``ls-files -v --stage`` begins the line of a file whose changes ``diff`` shows.
_SEEN = ("H 100", "H 120")
_STAGED = re.compile(r"(?P<mode>[0-7]{6}) (?P<id>[0-9a-f]+) (?P<stage>[0-3])")
_SUBMODULE = "160000"
# It narrows the search for a repository, and names no program.
_KEPT = "GIT_CEILING_DIRECTORIES"
VARIABLES = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}
HEAD, BRANCHES, REMOTES = "HEAD", "refs/heads/", "refs/remotes/"
# Commits that are looked at of those that are new.
MOST = 50
_MOVE = re.compile(r"@\{(?P<time>[0-9]+)\} (?P<how>.*)")


def repository_or_project(start: str) -> str | None:
    """The nearest folder at or above ``start`` (absolute) that holds ``.git`` or ``.limpet``, without running git."""
    marks = (".git", ".limpet")
    return find_upward(start, lambda folder: any(os.path.lexists(os.path.join(folder, name)) for name in marks))


def is_ignored(root: str, path: str) -> bool | None:
    done = git(root, "check-ignore", "-q", path)
    return None if done is None or done.returncode > 1 else done.returncode == 0


def is_tracked(root: str, path: str) -> bool:
    """``path`` is absolute."""
    done = git(root, _LITERAL, "ls-files", "-z", "--", path)
    return done is not None and done.returncode == 0 and bool(done.stdout)


def setting(root: str, key: str) -> str:
    """Such as ``user.name``; "" for none but our own command line's."""
    done = git(root, "config", "--show-scope", "--get-all", key)
    lines = done.stdout.decode("utf-8", "replace").splitlines() if done and not done.returncode else []
    found = ""
    for line in lines:
        scope, _, value = line.partition("\t")
        if scope != "command":
            found = value.strip()
    return found


def root_commit(root: str) -> str:
    """The oldest commit without a parent, "" where git cannot tell it in time."""
    done = git(root, "rev-list", "--max-parents=0", "HEAD")
    found = done.stdout.decode("ascii", "replace").split() if done and not done.returncode else []
    return found[-1] if found else ""


def commit_times(root: str, paths: list[str], since: float, patience: Patience = PATIENCE) -> dict[str, float] | None:
    """Path -> its last change on the branch that is checked out, for changes since ``since`` or just before; None where
    git cannot tell. Paths are from ``root``, with ``/``; times are seconds since 1970. A merge brings its changes at
    its own time."""
    given = b"".join(os.fsencode(line) + b"\n" for line in ["--", *paths])
    words = ["log", *NO_PROGRAMS, "--no-show-signature", "--first-parent", "-m", "-z", "--relative", "--name-only"]
    words += [f"--format={_COMMIT}%ct", f"--since={iso(since - _SKEW)}", "--stdin"]
    done = git(root, _LITERAL, *words, patience=patience, given=given)
    if done is None or done.returncode:
        return None
    times: dict[str, float] = {}
    committed, wanted = 0.0, set(paths)
    for token in (name.removeprefix("\n") for name in _names(done.stdout)):  # a line break ends each commit's line
        if token.startswith(_COMMIT):
            committed = float(token.removeprefix(_COMMIT))
        elif token in wanted:
            times.setdefault(token, committed)
    return times


def content_ids(root: str, patience: Patience = PATIENCE) -> dict[str, str] | None:
    """Path -> git's id of the content, for every file at or below ``root`` that git does not ignore, None where git
    cannot tell. The id is "" for a file that is new, changed or unmerged. Submodules are left out."""
    listed = git(root, "ls-files", "-z", "--stage", "--cached", "--others", "--exclude-standard", patience=patience)
    changed = _diff(root, patience)
    if listed is None or changed is None or listed.returncode or changed.returncode:
        return None
    found: dict[str, str] = {}
    for entry in filter(None, _names(listed.stdout)):
        about, mark, name = entry.partition("\t")
        known = _STAGED.fullmatch(about) if mark else None
        if known is None:
            found[entry] = ""
        elif known["mode"] != _SUBMODULE:
            found[name] = known["id"] if known["stage"] == "0" else ""
    return found | {name: "" for name in _names(changed.stdout) if name in found}


def listed_files(root: str, patience: Patience = PATIENCE) -> list[str] | None:
    done = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", patience=patience)
    if done is None or done.returncode:
        return None
    return sorted({name for name in _names(done.stdout) if name})


def newest_subjects(root: str, count: int, patience: Patience = PATIENCE) -> list[str] | None:
    """The newest first, none where there is no commit; None where git is missing or late."""
    done = git(root, "log", *NO_PROGRAMS, "--no-show-signature", "-z", "--format=%s", f"-{count}", patience=patience)
    return None if done is None else [name for name in _names(done.stdout) if name]


def changed_files(root: str, patience: Patience = PATIENCE) -> list[str] | None:
    """What differs from the last commit or is new, in order; None where git cannot tell."""
    changed = _diff(root, patience, "HEAD")
    if changed is None:
        return None
    has_commit = changed.returncode == 0
    known = {} if has_commit else references(root, patience)
    if known is None or HEAD in known:
        return None
    kinds = ["--others"] if has_commit else ["--others", "--cached"]
    new = git(root, "ls-files", "-z", *kinds, "--exclude-standard", patience=patience)
    if new is None or new.returncode:
        return None
    found = _names(new.stdout) + (_names(changed.stdout) if has_commit else [])
    return sorted({name for name in found if name})


class GitTree(Value):
    """A working tree as git sees it, paths with ``/`` from the folder that was asked about.

    ``top``, ``folder``: its root, and git's own folder.
    ``changed``: what differs from the commit checked out or is new; ``hidden``: what git was told not to look at.
    ``within``: folders of other repositories.
    ``settings``: all keys in force.
    """

    top: str
    folder: str
    changed: tuple[str, ...]
    hidden: tuple[str, ...]
    within: tuple[str, ...]
    settings: dict[str, str]


def look_at_tree(root: str, has_commit: bool, patience: Patience = PATIENCE) -> GitTree | None:
    """None where git cannot tell."""
    place = git(root, "rev-parse", "--absolute-git-dir", "--show-toplevel", patience=patience)
    settings = configured(root, patience)
    words = ("ls-files", "-z", "-v", "--stage", "--cached", "--others", "--exclude-standard")
    listed = git(root, *words, patience=patience)
    changed = _diff(root, patience, *(("HEAD",) if has_commit else ()), keys=settings)
    if place is None or settings is None or listed is None or changed is None:
        return None
    folder, _, top = os.fsdecode(place.stdout).removesuffix("\n").partition("\n")
    if place.returncode or listed.returncode or changed.returncode:
        return None
    found, hidden, within = {*_names(changed.stdout)} - {""}, [], []
    for entry in filter(None, _names(listed.stdout)):
        if has_commit and entry.startswith(_SEEN):
            continue
        about, _, name = entry[2:].partition("\t") if entry[0] != "?" else ("", "", entry[2:])
        if name.endswith("/") or about.startswith(_SUBMODULE):
            within.append(name.rstrip("/"))
        elif entry[0] in "?H":
            found.add(name)
        elif entry[0] != "M":  # unmerged, which differs
            hidden.append(name)
    return GitTree(top, folder, tuple(sorted(found - {*within})), tuple(hidden), tuple(within), settings)


def configured(root: str, patience: Patience = PATIENCE) -> dict[str, str] | None:
    """All settings that git has here, our own command line's among them; None where it cannot tell."""
    done = git(root, "config", "-z", "--list", patience=patience)
    if done is None or done.returncode:
        return None
    pairs = (entry.partition("\n") for entry in _names(done.stdout) if entry)
    return {name: value for name, _, value in pairs}


def uncommitted(root: str, paths: list[str], patience: Patience = PATIENCE) -> set[str] | None:
    """Those of ``paths`` (from ``root``, with ``/``) that are changed or untracked, None where git cannot tell."""
    few = ["--", *paths] if len(paths) <= _FEW else []
    changed = _diff(root, patience, "HEAD", *few)
    kept = git(root, _LITERAL, "ls-files", "-z", *few, patience=patience)
    if changed is None or kept is None or changed.returncode or kept.returncode:
        return None
    return set(paths) & set(_names(changed.stdout)) | set(paths) - set(_names(kept.stdout))


def git(
    root: str, *words: str, patience: Patience = PATIENCE, given: bytes = b"", settings: Iterable[str] = ()
) -> CompletedProcess[bytes] | None:
    """A git that runs no program and asks nothing; None where there is no git, or it is late."""
    program = program_on_path("git.exe" if sys.platform == "win32" else "git", root)
    if not program:
        return None
    command = [program, "--no-pager"]
    for setting in (*HARMLESS, *settings):
        command += ["-c", setting]
    command += words
    own = {name: value for name, value in os.environ.items() if name == _KEPT or not name.startswith("GIT_")}
    return run_child(command, patience, given, cwd=root, env=own | VARIABLES)


def references(root: str, patience: Patience = PATIENCE) -> dict[str, str] | None:
    done = git(root, "show-ref", "--head", patience=patience)
    if done is None or done.returncode > 1:
        return None
    pairs = (line.partition(" ") for line in done.stdout.decode("utf-8", "surrogateescape").splitlines())
    return {name: at for at, _, name in pairs}


def entries_at(
    root: str, commit: str, paths: Collection[str], patience: Patience = PATIENCE
) -> dict[str, tuple[str, int]] | None:
    """Path (from ``root``, with ``/``) -> the id of its content in a commit and its mode without who may read it,
    of the files and links that are there; None where git cannot tell."""
    few = ["--", *paths] if len(paths) <= _FEW else []
    done = git(root, _LITERAL, "ls-tree", "-r", "-z", commit, *few, patience=patience)
    if done is None or done.returncode:
        return None
    wanted, found = set(paths), dict[str, tuple[str, int]]()
    for entry in filter(None, _names(done.stdout)):
        about, _, name = entry.partition("\t")
        mode, kind, content = about.split(" ")
        if kind == "blob" and name in wanted:
            found[name] = (content, int(mode, 8) & ~0o666)
    return found


def read_contents(root: str, contents: Iterable[str], patience: Patience = PATIENCE) -> dict[str, bytes]:
    given = "".join(f"{content}\n" for content in contents).encode()
    done = git(root, "cat-file", "--batch", patience=patience, given=given)
    raw, at, found = done.stdout if done else b"", 0, dict[str, bytes]()
    while (end := raw.find(b"\n", at)) >= 0:
        name, *about = raw[at:end].decode("ascii", "replace").split(" ")
        at = end + 1
        if len(about) == 2:  # its kind and its length
            length = int(about[1])
            found[name] = raw[at : at + length]
            at += length + 1
    return found


def read_worktree_form(root: str, path: str, content: str) -> bytes | None:
    """A content as git would write it to ``path`` (from ``root``, with ``/``) here, with its line ends and encoding;
    None where git cannot tell, or a program would have to."""
    asked = git(root, "check-attr", "-z", "filter", "--", path)
    if asked is None or asked.returncode or asked.stdout.split(b"\0")[2:3] not in ([b"unspecified"], [b"unset"]):
        return None
    done = git(root, "cat-file", "--filters", f"--path={path}", content)
    return None if done is None or done.returncode else done.stdout


def new_commits(root: str, tips: Iterable[str], known: Iterable[str], patience: Patience = PATIENCE) -> list[str]:
    """Those that the tips reach and what was known does not, the newest first; at most MOST."""
    wanted = [*tips, *(f"^{each}" for each in known)]
    given = "".join(f"{each}\n" for each in wanted).encode()
    words = ("rev-list", "--ignore-missing", f"--max-count={MOST}", "--stdin")
    done = git(root, *words, patience=patience, given=given)
    return done.stdout.decode("ascii", "replace").split() if done and not done.returncode else []


def files_of(root: str, commits: Iterable[str], patience: Patience = PATIENCE) -> set[str]:
    """Below ``root``, with ``/``."""
    words = ("diff-tree", "--stdin", "-r", "-m", "--root", "--no-commit-id", "--name-only", "-z", "--relative")
    given = "".join(f"{commit}\n" for commit in commits).encode()
    return _paths(git(root, *words, patience=patience, given=given))


def files_between(root: str, before: str, after: str, patience: Patience = PATIENCE) -> set[str]:
    """Below ``root``, with ``/``."""
    return _paths(git(root, "diff-tree", "-r", "--name-only", "-z", "--relative", before, after, patience=patience))


def was_pushed(root: str, name: str, since: float, patience: Patience = PATIENCE) -> bool:
    """A push by the remote's address alone leaves no trace."""
    words = ("reflog", "show", "--date=unix", "--format=%gd %gs", f"--max-count={MOST}", name)
    done = git(root, *words, patience=patience)
    lines = done.stdout.decode("utf-8", "replace").splitlines() if done and not done.returncode else []
    moves = filter(None, map(_MOVE.search, lines))
    return any(int(move["time"]) >= int(since) and move["how"] == "update by push" for move in moves)


def _names(raw: bytes) -> list[str]:
    return list(map(os.fsdecode, raw.split(b"\0")))


def _diff(
    root: str, patience: Patience, *more: str, keys: Iterable[str] | None = None
) -> CompletedProcess[bytes] | None:
    """What differs from the index, or from the commit in ``more``, with no filter run: a file that one would alter
    counts as changed. ``keys``: of all settings, where they are known."""
    names = configured(root, patience) if keys is None else keys
    filters = {name.rpartition(".")[0] for name in names or () if name.startswith("filter.")}
    if names is None or any("=" in name for name in filters):  # cannot be told on the command line
        return None
    settings: list[str] = []
    for name in sorted(filters):
        settings += [f"{name}.{key}" for key in _FILTER_KEYS]
    return git(root, _LITERAL, *_DIFF, *more, patience=patience, settings=settings)


def _paths(done: CompletedProcess[bytes] | None) -> set[str]:
    raw = done.stdout if done and not done.returncode else b""
    return {os.fsdecode(name) for name in raw.split(b"\0") if name}
