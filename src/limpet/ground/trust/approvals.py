"""What an agent asked for that only a person may do, and the person's answer (decision 53). One signed file for each
act, by conversation, in the user's state folder: no checkout brings one, and it holds in every folder. The hook shows
and hears, a command asks and uses up."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import safe_name
from limpet.ground.storage.files import names_in, read_text, write_atomic
from limpet.ground.storage.json_lines import append_line
from limpet.ground.storage.user_folders import approvals_folder
from limpet.ground.trust.signed import read_key, read_signed, sign, signed_record
from limpet.ground.values import Value

# Seconds for which a person's word counts, and may be given.
HOUR = 3600.0
LINES = "told"
# The file of what was offered to the person once, in the project's state of this user.
OFFERED = "offered"
# A line about a use goes on with " at TIME, HOW: WHAT".
USED = "Limpet: your word was used"
# What is typed before an offered word.
YES = "*yes"
# Ways in which a person gave their word.
TYPED, ASKED, TERMINAL, UNATTENDED = "typed", "asked", "terminal", "unattended"
# Neither vowels nor digits that read as one, so that no language makes a word of it; nothing that looks like another.
_LETTERS, _DIGITS = "bcdfghjkmnpqrstvwxz", "2679"


class Approval(Value):
    """An act that waits for a person's word, or has it.

    ``act``: its digest.
    ``says``: what the person agrees to, in words.
    ``words``: the arguments of the command that does it.
    ``until``: in seconds since 1970.
    ``reads``, ``lines``: whether there is more to read than ``says``, so that no client's question will do; and that.
    ``word``: the seal of the word by which the person agrees, "" before one was shown.
    ``given``: TYPED or ASKED once it was, else "".
    ``orders``: of what no command waits for: the text of the job that does it as soon as the person agreed.
    ``call``, ``began``: of the client's question: the tool call, and when the process that put it began (``Process``).
    """

    act: str
    says: str
    words: tuple[str, ...]
    until: float
    reads: bool = False
    lines: tuple[str, ...] = ()
    word: str = ""
    given: str = ""
    orders: str = ""
    call: str = ""
    began: float = 0.0


def read_approvals(conversation: str, now: float) -> tuple[Approval, ...]:
    """Answered ones too; what has ended is removed."""
    folder = _folder(conversation)
    found = tuple(filter(None, (_read(folder, name, conversation) for name in names_in(folder))))
    for ended in (one for one in found if one.until <= now):
        remove_approval(conversation, ended.act)
    return tuple(one for one in found if one.until > now)


def write_approval(conversation: str, approval: Approval) -> None:
    """In place of an older one for the same act. Raises OSError, also where the user has no key."""
    key = read_key()
    if key is None:
        raise PermissionError(1, "the user has no key")
    data = {**approval.__dict__, "words": list(approval.words), "lines": list(approval.lines)}
    path = os.path.join(_folder(conversation), approval.act)
    write_atomic(path, signed_record(data, _purpose(conversation), key), follow=False)


def remove_approval(conversation: str, act: str) -> bool:
    """Whoever of two removes it may use it."""
    path = os.path.join(_folder(conversation), act)
    try:
        os.unlink(path)
    except OSError:
        return False
    _tidy(_folder(conversation), approvals_folder())
    return True


def forget_ended(now: float) -> None:
    for conversation in names_in(approvals_folder()):
        folder = os.path.join(approvals_folder(), conversation)
        for act in names_in(folder):
            if os.path.getmtime(os.path.join(folder, act)) + HOUR < now:
                remove_approval(conversation, act)
        _tidy(folder)


def make_word() -> str:
    """Nobody can guess it, and it can be typed: five characters, 109,744 of them."""
    kinds = (_LETTERS, _DIGITS, _LETTERS, _DIGITS, _LETTERS)
    return "".join(kind[number % len(kind)] for kind, number in zip(kinds, os.urandom(5), strict=True))


def is_word(approval: Approval, typed: str) -> bool:
    return bool(approval.word) and seal_approval(typed.lower()) == approval.word


def seal_approval(word: str) -> str:
    """ "" without a key: enough to know the word by, and not to find it."""
    key = read_key()
    return sign(f"word\n{word}".encode("utf-8", "surrogatepass"), key) if key else ""


def leave_line(line: str) -> None:
    """For the person's next message, in whichever conversation that is. Raises OSError."""
    append_line(_lines_path(), " ".join(line.split()), STATE_BYTES)


def take_lines() -> tuple[str, ...]:
    """Of two who take them one gets them."""
    path, mine = _lines_path(), f"{_lines_path()}.{os.getpid()}"
    try:
        os.rename(path, mine)
    except OSError:
        return ()
    lines = (read_text(mine, STATE_BYTES) or "").splitlines()
    try:
        os.unlink(mine)
    except OSError:
        return ()
    _tidy(approvals_folder())
    return tuple(lines)


def _lines_path() -> str:
    return os.path.join(approvals_folder(), f".{LINES}")


def _folder(conversation: str) -> str:
    return os.path.join(approvals_folder(), safe_name(conversation))


def _tidy(*folders: str) -> None:
    for folder in folders:
        try:
            os.rmdir(folder)
        except OSError:
            return


def _purpose(conversation: str) -> str:
    return f"approval\n{conversation}"


def _read(folder: str, name: str, conversation: str) -> Approval | None:
    found = read_signed(os.path.join(folder, name), _purpose(conversation))
    try:
        if not found or found["act"] != name:
            return None
        return Approval(**{**found, "words": tuple(found["words"]), "lines": tuple(found["lines"])})
    except (LookupError, TypeError):
        return None
