"""A branch of a git repository as the store. Its copy here is bare: nothing that comes is ever checked out, so no link,
name, filter or hook of it has an effect, and it is read only as far as names and sizes are what they should be."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Timer

from limpet.ground.errors import LimpetError
from limpet.ground.git_network import network_git
from limpet.ground.storage.durable import make_folder
from limpet.ground.text.escaping import clip, on_one_line
from limpet.sharing.address import is_path
from limpet.sharing.revision import read_name
from limpet.sharing.transport import PUT, Moved, ReadOnly, StoreDeed, Unreached

BRANCH = "refs/heads/main"
SECONDS = 300
"""After which git is given up."""
MOST_LISTED, LARGEST, MOST_PACKED = 256_000_000, 4_000_000, 4_000_000_000
"""Bytes of a list of names, of one revision, and of a file that git writes here."""
_TIP, _OURS = "refs/limpet/tip", "refs/limpet/ours"
_AT_ONCE = 2000
_FETCHED = ("fetch.fsckObjects=true", "gc.autoDetach=false", "fetch.recurseSubmodules=false", "receive.autogc=false")
# A repository by its path is served by a git of ours: its own settings and hooks run nothing either.
_SERVED = (
    "git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.alternateRefsCommand=true"
    " -c receive.autogc=false -c gc.auto=0 {}"
)
_MOVED = (
    "fetch first",
    "non-fast-forward",
    "stale info",
    "cannot lock ref",
    "failed to update ref",
    "incorrect old value",
    "Not a valid commit",  # the copy here was deleted
    "SHA1 expression",
)
_DENIED = ("error: 403", "denied", "declined", "read-only", "read only", "not allowed", "deny updating")
_OFFLINE = ("Could not resolve", "Connection", "timed out", "unreachable", "does not appear to be a git", "not found")


class GitRemote:
    """``folder``: of the copy here, which may be deleted at any time."""

    vouches = False

    def __init__(self, folder: str, address: str) -> None:
        self.folder, self.address = folder, address
        self._tip = ""
        self._served, self._listed = is_path(address), ("none", dict[str, str]())
        if os.path.isdir(folder) and not self._is_whole():
            shutil.rmtree(folder)
        if not os.path.isdir(folder):
            make_folder(os.path.dirname(folder))
            self._run("init", "--quiet", "--bare", folder)

    def _is_whole(self) -> bool:
        """Whether no git was killed in it, or lost a part. Nobody else writes there while this one lives."""
        is_locked = False
        for folder, folders, names in os.walk(self.folder):
            if folder.endswith("objects"):  # a folder of two letters holds objects alone
                folders[:] = [name for name in folders if len(name) > 2]
            is_locked = is_locked or any(name.endswith(".lock") for name in names)
        parts = [os.path.join(self.folder, name) for name in ("objects", "refs", "HEAD")]
        return not is_locked and all(map(os.path.exists, parts)) and os.path.getsize(parts[-1]) > 0

    def revision(self) -> str:
        """Raise LimpetError where other things than ours are there."""
        references = self._run("ls-remote", *self._asked("upload-pack"), "--", self.address, most=MOST_LISTED)
        pairs = (line.partition("\t") for line in references.decode("utf-8", "replace").splitlines())
        known = {name: at for at, _, name in pairs}
        if known and BRANCH not in known:
            raise LimpetError("The repository holds something else", self.address, "Use a repository of its own.")
        self._tip = known.get(BRANCH, "")
        here = self._run("for-each-ref", "--format=%(objectname)", "refs/limpet/").decode().split()
        if self._tip and self._tip not in here:
            words = ("--quiet", "--no-tags", "--no-write-fetch-head", "--update-shallow")
            spec = f"+{BRANCH}:{_TIP}"
            self._run("fetch", *words, *self._asked("upload-pack"), "--", self.address, spec)
        return self._tip

    def list(self) -> dict[str, str]:
        """Name -> git's id of a file, "" for what is of another kind, or too large."""
        tip = self._tip
        if self._listed[0] != tip:
            raw = self._run("ls-tree", "-r", "-z", "-l", tip, most=MOST_LISTED) if tip else b""
            found = dict[str, str]()
            for line in filter(None, raw.decode("utf-8", "replace").split("\0")):
                about, _, name = line.partition("\t")
                mode, _, blob, size = about.split()
                is_plain = mode == "100644" and size.isdecimal() and int(size) <= LARGEST
                found[name] = blob if is_plain else ""
            self._listed = (tip, found)
        return self._listed[1]

    def get(self, names: Iterable[str]) -> dict[str, bytes]:
        listed, found = self.list(), dict[str, bytes]()
        wanted = [name for name in names if listed.get(name)]
        for at in range(0, len(wanted), _AT_ONCE):
            part = wanted[at : at + _AT_ONCE]
            given = "".join(f"{listed[name]}\n" for name in part).encode()
            raw = self._run("cat-file", "--batch", given=given, most=_AT_ONCE * LARGEST)
            place = 0
            for name in part:
                end = raw.index(b"\n", place)
                length = int(raw[place:end].rpartition(b" ")[2])
                found[name] = raw[end + 1 : end + 1 + length]
                place = end + length + 2
        return found

    def put(self, contents: Mapping[str, bytes], upon: str, anew: bool = False) -> str:
        begin = f"from {upon}\n".encode() if upon and not anew else b""
        author = b"mark :1\ncommitter limpet <limpet@localhost> now\ndata 4\nsync\n"
        parts = [b"reset %b\n\ncommit %b\n" % (_OURS.encode(), _OURS.encode()), author, begin]
        for name, raw in contents.items():
            parts += (b"M 100644 inline %b\ndata %d\n" % (name.encode(), len(raw)), raw, b"\n")
        given = b"".join([*parts, b"get-mark :1\ndone\n"])
        made = self._run("fast-import", "--quiet", "--force", "--date-format=now", "--done", given=given)
        lease = [f"--force-with-lease={BRANCH}:{upon}"] if anew else []
        words = ("push", "--quiet", "--porcelain", *self._asked("receive-pack"), *lease)
        try:
            self._run(*words, "--", self.address, f"{_OURS}:{BRANCH}")
        except LimpetError as error:
            if type(error) is LimpetError and any(sign in error.what for sign in _DENIED):
                raise ReadOnly(error.what, error.where, error.hint) from None
            raise
        self._tip = made.decode().strip()
        return self._tip

    def audit(self, before: int = 0, most: int = 100) -> Sequence[StoreDeed]:
        """The commits, as of the last look."""
        if not self._tip:
            return ()
        count = int(self._run("rev-list", "--count", self._tip))
        first = min(before - 1, count) if before else count
        words = ("log", "--format=%x01%ct", "--name-only", "-z", f"--skip={count - first}", f"--max-count={most}")
        raw = self._run(*words, self._tip, most=MOST_LISTED).decode("utf-8", "replace") if first > 0 else ""
        found = list[StoreDeed]()
        for place, commit in zip(range(first, 0, -1), raw.split("\1")[1:], strict=False):
            at, *names = filter(None, (part.strip("\n") for part in commit.split("\0")))
            writers = sorted({known[0] for known in map(read_name, names) if known})
            found.append(StoreDeed(place, float(at), PUT, names[-1] if names else "", person=", ".join(writers)))
        return found

    def writer(self) -> frozenset[str]:
        return frozenset(place[0] for place in map(read_name, self.list()) if place)

    def tombstone(self, names: Iterable[str]) -> bool:
        return False

    def checksum(self, raw: bytes) -> str:
        return hashlib.sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).hexdigest()

    def _asked(self, program: str) -> tuple[str, ...]:
        return (f"--{program}={_SERVED.format(program)}",) if self._served else ()

    def _run(self, *words: str, given: bytes = b"", most: int = 1_000_000) -> bytes:
        """What git prints, at most so many bytes. Raise LimpetError with what it says against it."""
        command, around = network_git(self.folder, _FETCHED)
        with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as said:
            asked.write(given)
            asked.seek(0)
            with _bounded():
                started = subprocess.Popen(
                    [*command, *words],
                    stdin=asked,
                    stdout=subprocess.PIPE,
                    stderr=said,
                    env=around,
                    cwd=os.path.dirname(self.folder),
                    start_new_session=True,
                )
            with started as process:
                late = Timer(SECONDS, _end, (process,))
                late.start()
                assert process.stdout is not None
                printed = process.stdout.read(most + 1)
                if len(printed) > most:
                    _end(process)
            late.cancel()
            late.join()
            said.seek(0)
            errors = said.read(10_000).decode("utf-8", "replace") + printed[:2000].decode("utf-8", "replace")
        if len(printed) > most:
            raise LimpetError("The repository is too large to be a store of ours", self.address)
        if process.returncode:
            raise self._failure(errors)
        return printed

    def _failure(self, errors: str) -> LimpetError:
        if any(sign in errors for sign in _MOVED):
            return Moved("Another machine wrote meanwhile", self.address, "Try again.")
        told = clip(on_one_line(errors.strip()), 300) or f"no answer within {SECONDS} s"
        kind = Unreached if any(sign in errors for sign in _OFFLINE) or not errors.strip() else LimpetError
        return kind(f"git says: {told}", self.address, "Nothing was changed.")


@contextmanager
def _bounded() -> Iterator[None]:
    """What is started within it writes no larger file: what a repository unpacks to ends there. Set here and not in the
    child, which the system could not start as cheaply then."""
    if sys.platform == "win32":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    most = MOST_PACKED if soft == resource.RLIM_INFINITY else min(soft, MOST_PACKED)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _end(process: subprocess.Popen[bytes]) -> None:
    """With what it started."""
    with suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
