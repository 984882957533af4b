"""Who committed what, as git says it, and whether a signature bears it out. Apart from ``git``, for no hook asks it."""

from __future__ import annotations

import os

from limpet.ground.clock import Patience
from limpet.ground.git import NO_PROGRAMS, PATIENCE, git
from limpet.ground.values import Value

_MARK = "\x01"
# Commits that are looked through for who brought what.
MOST_COMMITS = 5000
# What checks signatures, by its name on PATH.
_VERIFIED = ("gpg.program=gpg", "gpg.openpgp.program=gpg", "gpg.ssh.program=ssh-keygen", "gpg.x509.program=gpgsm")


class Commit(Value):
    """``author``, ``email``: as the commit says. ``at``: seconds since 1970. ``is_signed``: by a key that the user's
    own settings know. ``changed``: (letter of the change, path) of each file below the folder that was asked about."""

    id: str
    author: str
    email: str
    at: float
    is_signed: bool
    changed: tuple[tuple[str, str], ...] = ()


def commits_on(root: str, paths: list[str], since: str = "", patience: Patience = PATIENCE) -> list[Commit] | None:
    """The newest ``MOST_COMMITS`` that changed these paths and no merge, the newest first, after the commit ``since``;
    None where git cannot tell."""
    told = git(root, "config", "--global", "--type=path", "--get", "gpg.ssh.allowedSignersFile")
    signers = os.fsdecode(told.stdout).strip() if told and not told.returncode else os.devnull
    own = (*_VERIFIED, f"gpg.ssh.allowedSignersFile={signers}")  # never the repository's
    words = ["log", *NO_PROGRAMS, "--no-merges", "--no-renames", "--relative", "-z", "--name-status"]
    words += [f"--format={_MARK}%H%n%an%n%ae%n%ct%n%G?", f"--max-count={MOST_COMMITS}"]
    words += [f"{since}..HEAD" if since else "HEAD", "--", *paths]
    done = git(root, "--literal-pathspecs", *words, patience=patience, settings=own)
    if done is None or done.returncode:
        return commits_on(root, paths, "", patience) if since else None
    found: list[Commit] = []
    for each in done.stdout.decode("utf-8", "surrogateescape").split(_MARK)[1:]:
        head, *names = each.split("\0")
        name, author, email, at, sign = head.split("\n")[:5]
        letters, places = (part.strip("\n") for part in names[::2]), names[1::2]
        changed = tuple(zip(letters, places, strict=False))
        found.append(Commit(name, author, email, float(at), sign == "G", changed))
    return found
