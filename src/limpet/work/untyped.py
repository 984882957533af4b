"""Texts that nobody types: prompts that a client said will come by themselves, and those that came in a conversation
from somebody else. They lie in the user's state folder, because a transcript tells of them late, and often never."""

from __future__ import annotations

import os

from limpet.ground.digest import digest
from limpet.ground.storage.files import read_text
from limpet.ground.storage.user_folders import state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Bytes of the file: two thousand texts. A full one is kept beside the next.
BYTES = 65_536
# Characters of a text by which it is known.
TOLD_BY = 2000


def untyped_path() -> str:
    return os.path.join(state_folder(), "untyped")


def note_untyped(texts: Iterable[str], session: str = "") -> None:
    """``session``: the conversation in which they came, "" for one that is not known yet. What cannot be written is
    not noted."""
    from limpet.ground.storage.json_lines import append_line

    try:
        for text in texts:
            if not is_untyped(text, session):
                append_line(untyped_path(), _mark(text, session), BYTES, keep=1)
    except OSError:
        return


def read_untyped() -> str:
    path = untyped_path()
    return "".join(read_text(each, BYTES) or "" for each in (path, f"{path}.1")) if os.path.isfile(path) else ""


def is_untyped(text: str, session: str = "", known: str | None = None) -> bool:
    """``known``: what was read before."""
    known = read_untyped() if known is None else known
    return bool(known) and any(_mark(text, each) in known for each in {session, ""})


def _mark(text: str, session: str) -> str:
    """By its beginning: transcripts' readers cut long texts."""
    return digest(f"{session}\n{' '.join(text.strip()[:TOLD_BY].split())}", 16)
