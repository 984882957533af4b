"""What was seen to happen, and the observation that it makes; routine makes none. Separate from where deeds are found
(``operations.learning.deeds``), so that what a deed says to later work stands in one place."""

from __future__ import annotations

from collections.abc import Iterable

from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.learning.model import DEED, DEVIATION, DISCOVERY, FINDING, FIX, PERSON, Observation

# A command that failed and then passed, a gate that refused, a rule that was broken, a person's correction, and work
# that was left for a reason.
MENDED, REFUSED, BROKEN, CORRECTED, DEVIATED = "mended", "refused", "broken", "corrected", "deviated"
TYPES = {MENDED: FIX, REFUSED: FINDING, BROKEN: FINDING, CORRECTED: DISCOVERY, DEVIATED: DEVIATION}
SEVERITIES = {REFUSED: "P1", BROKEN: "P2"}
# Characters of an observation's text and of a part of it, and how many things of a list are named.
LONGEST, LONGEST_PART, MOST_NAMED = 500, 240, 4


class Deed(Value):
    """What was seen to happen.

    ``kind``: one of the five above. ``ref``: names it among all deeds, the same whenever it is found.
    ``at``: when, ISO 8601 ending in ``Z``. ``agent``: who was active, "" for nobody.
    ``what``: the command, the gate, the rule, what the person said, why the work was left; "" where nobody knows it.
    ``details``: what the command said, the gate's reasons, where the rule was broken.
    ``times``: how often it failed, was refused, broken or said.
    ``resolved``: whether it was mended, passed, kept afterwards, or came back.
    ``files``: those that were changed until then. ``words``: what helped, as the agent told it, "" for nothing.
    """

    kind: str
    ref: str
    at: str
    agent: str
    what: str
    details: tuple[str, ...] = ()
    times: int = 1
    resolved: bool = False
    files: tuple[str, ...] = ()
    words: str = ""
    tags: tuple[str, ...] = ()


def observation_of(deed: Deed, source: str) -> Observation | None:
    """Return what the deed shows, in this story or conversation, as an observation without an id; None for routine:
    a command that passed the next time without a word on why, or without a change, and what says nothing."""
    is_routine = deed.kind == MENDED and (not deed.files or (deed.times == 1 and not deed.words))
    if is_routine or not deed.what:
        return None
    return Observation(
        source=source,
        id="",
        agent=deed.agent,
        type=TYPES[deed.kind],
        text=clip(_text(deed), LONGEST),
        tags=deed.tags,
        importance=_importance(deed),
        at=deed.at,
        origin=PERSON if deed.kind == CORRECTED else DEED,
        severity=SEVERITIES.get(deed.kind, ""),
        resolved=None if deed.kind in (MENDED, CORRECTED) else deed.resolved,
        guidance=(_part(deed.what),) if deed.kind == BROKEN else (),
        paths=deed.files,
    )


def _text(deed: Deed) -> str:
    what, details, files = _part(deed.what), _named(map(_part, deed.details), "; "), _named(deed.files, ", ")
    often = f" {deed.times} times" if deed.times > 1 else ""
    if deed.kind == MENDED:
        how = f": {_part(deed.words)}" if deed.words else ""
        return f"`{clip(deed.what, LONGEST_PART)}` failed{often}: {details}. Mended in {files}{how}."
    if deed.kind == REFUSED:
        passed = f"It passed after changes to {files}" if files else "It passed later"
        return f"{what} was refused{often}: {details}. {passed if deed.resolved else 'It did not pass'}."
    if deed.kind == BROKEN:
        end = "It was kept afterwards" if deed.resolved else "It was not kept afterwards"
        return f'The rule "{what}" was broken{often} ({details}). {end}.'
    if deed.kind == DEVIATED:
        end = "The work came back to where it was" if deed.resolved else "It is still open"
        return f"The work left its plan ({', '.join(deed.tags)}): {what}. {end}."
    return " ".join(deed.what.split())


def _importance(deed: Deed) -> int:
    """Return it: what took several attempts or was left broken counts for more. From 7 on an observation may make an
    entry by itself; a correction never does, since it is a memory already and would be told twice."""
    if deed.kind == MENDED:
        return 4 + bool(deed.words) + min(deed.times - 1, 2)
    return 6 if deed.kind in (CORRECTED, DEVIATED) else 5 + (deed.times > 1) + (not deed.resolved)


def _part(text: str) -> str:
    return clip(" ".join(text.split()), LONGEST_PART).rstrip(" .")


def _named(things: Iterable[str], between: str) -> str:
    names = list(things)
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return between.join(names[:MOST_NAMED]) + more
