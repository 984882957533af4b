"""A person's word: the one door to all that only a person may do (decision 53).

It is given by a message typed in the conversation, by the client's own question, or at a terminal that no agent holds;
without anybody to ask (CI) ``--yes`` stands for it. Each use is logged, and told to the person with their next message.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from limpet.ground.clock import iso
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.digest import digest
from limpet.ground.errors import LimpetError
from limpet.ground.event import NOWHERE, Surroundings
from limpet.ground.event_log import Actor
from limpet.ground.recording import record
from limpet.ground.safety.dotenv import without_secrets
from limpet.ground.storage.user_folders import NAME
from limpet.ground.text.escaping import clip
from limpet.ground.trust.approvals import (
    ASKED,
    HOUR,
    TERMINAL,
    TYPED,
    UNATTENDED,
    USED,
    Approval,
    forget_ended,
    leave_line,
    make_word,
    read_approvals,
    remove_approval,
    write_approval,
)
from limpet.ground.trust.giving import make_key
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.work.conversation import KEPT_OUT, has_mark

GIVEN = "person.word"
LONGEST, MOST_COMMAND = 300, 120
HOW = {
    TYPED: "typed in the conversation",
    ASKED: "by the client's question",
    TERMINAL: "typed at a terminal",
    UNATTENDED: "by --yes, with nobody asked",
}
ELSEWHERE = "The user runs it in a terminal of their own."
IN_CONVERSATION = (
    "Limpet shows the user a word with their next message or your next call; once they typed it, run this again."
)
# Characters of what is to be read that the client's line for the person takes.
MOST_SHOWN = 4000


class Obtain(Protocol):
    def __call__(self, says: str, shown: Sequence[str] | None = None) -> PersonWord:
        """``shown``: lines to be read before, None where ``says`` is all. Raise LimpetError without a person's word."""


def refuse_word(says: str, shown: Sequence[str] | None = None) -> PersonWord:
    """Where nobody can be asked."""
    raise LimpetError(f"A person's word is needed: {says}")


class Presence(Value):
    """Who is there where a command runs.

    ``surroundings``: the client around the process, by its marks or among its ancestors, and the conversation.
    ``ways``: in which the person can give their word in that conversation: TYPED, ASKED.
    ``shell``: when the process began in which the client runs its commands, None for no such process above this one.
    ``words``: the arguments of the command. ``agreed``: whether it was given ``--yes``.
    ``plain``: whether it only keeps less, so that nothing is asked at a terminal where no client is around the process.
    ``ask``: asks at the terminal for what is to be typed and returns what was, None without a terminal.
    ``word``: what is to be typed, where it was shown there before, "" for a new one.
    """

    surroundings: Surroundings = NOWHERE
    ways: tuple[str, ...] = ()
    shell: float | None = None
    words: tuple[str, ...] = ()
    agreed: bool = False
    plain: bool = False
    ask: Callable[[str], str] | None = None
    word: str = ""


class PersonWord(Value):
    """A person's word on one act: what they agreed to, and how they said so."""

    says: str
    how: str


def obtain_word(
    workspace: Workspace | None, presence: Presence, says: str, now: float, shown: Sequence[str] | None = None
) -> PersonWord:
    """Return the person's word on ``says``, and log its use; it counts once. ``workspace`` is None for the user's own
    settings. ``shown``: lines to be read before, which no client's question shows. Raises LimpetError, with the way to
    give it, where nobody gave it."""
    plain = without_secrets(workspace, says) if workspace else says
    shown = (plain,) if shown is None and len(plain) > LONGEST else shown  # what is agreed to is read whole
    in_client = bool(presence.surroundings.host)
    how = _from_conversation(workspace, presence, plain, now, shown) if in_client else _from_terminal(presence, plain)
    word = PersonWord(says=clip(plain, LONGEST), how=how)
    _log(workspace, presence, word, now)
    return word


def _from_conversation(
    workspace: Workspace | None, presence: Presence, says: str, now: float, shown: Sequence[str] | None
) -> str:
    around, lines = presence.surroundings, tuple(shown or ())
    hints = {TYPED: IN_CONVERSATION, ASKED: "Run again, alone, it makes the client ask them."}
    ways = [hints[way] for way in presence.ways if way == TYPED or shown is None]
    if any(map(has_mark, around.conversations)):
        raise LimpetError(KEPT_OUT, hint=ELSEWHERE)
    if not (ways and around.conversation) or sum(map(len, lines)) > MOST_SHOWN:
        raise LimpetError(f"Only a person can do this: {clip(says, LONGEST)}", hint=ELSEWHERE)
    act = digest(f"{workspace.home if workspace else ''}\n{says}", 16)
    waiting = read_approvals(around.conversation, now)
    known = next((one for one in waiting if one.act == act), None)
    if known and known.given and _is_for(known, presence) and remove_approval(around.conversation, act):
        return known.given
    said, until = clip(says, LONGEST), now + HOUR
    asked = known or Approval(act=act, says=said, words=(), until=until, reads=shown is not None, lines=lines)
    with suppress(OSError):
        forget_ended(now)
        make_key()
        for one in waiting:  # of one command only what it asks now waits
            if one.words == presence.words and one.act != act and not one.given:
                remove_approval(around.conversation, one.act)
        write_approval(around.conversation, asked.replace(words=presence.words))
    raise LimpetError(f"Only a person can do this: {said}", hint=" ".join(ways))


def _is_for(approval: Approval, presence: Presence) -> bool:
    """The client's answer counts only for the command it was about, in a shell that was started after the question."""
    if approval.given == TYPED:
        return True
    return approval.words == presence.words and presence.shell is not None and presence.shell > approval.began


def _from_terminal(presence: Presence, says: str) -> str:
    if presence.agreed:
        return UNATTENDED
    if presence.ask is None:
        raise LimpetError(f"A person's word is needed: {says}", hint="Run it in a terminal, or with --yes.")
    if presence.plain:
        return TERMINAL
    # An agent with a terminal of its own could type a yes, but not a word that it does not see beforehand.
    word = presence.word or make_word()
    if presence.ask(f"{says}\nTo agree, type {word}").strip().lower() != word:
        raise LimpetError("Not agreed, nothing was changed")
    return TERMINAL


def _log(workspace: Workspace | None, presence: Presence, word: PersonWord, now: float) -> None:
    around = presence.surroundings
    if workspace and not workspace.stranger:
        actor = Actor(writer="person", now=now, retention=DEFAULTS["retention"], session=around.conversation)
        record(workspace, actor, GIVEN, {"says": word.says, "how": word.how, "client": around.host})
    says, about = word.says, []
    if workspace:  # in place of its path
        says, about = says.replace(f"{workspace.root}{os.sep}", ""), [f"in {os.path.basename(workspace.root)}"]
    if presence.words:
        command = shlex.join((NAME, *presence.words))
        about.append(clip(without_secrets(workspace, command) if workspace else command, MOST_COMMAND))
    where = f" ({': '.join(about)})" if about else ""
    with suppress(OSError):
        leave_line(f"{USED} at {iso(now)}, {HOW[word.how]}: {says}{where}")
