"""The handoffs on disk: ``handoffs/<agent>.md``, the newest of each agent; older ones are in git.

Every function raises LimpetError where it cannot do what it says; then nothing was changed.
"""

from __future__ import annotations

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.event_log.append import Actor
from limpet.ground.event_log.record import record
from limpet.ground.formats.markdown import refuse_conflict_marks
from limpet.ground.safety.dotenv import without_secrets
from limpet.ground.storage.files import names_in
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.work.files import read_inside, rewrite, sole_writer
from limpet.work.handoffs.check import Bounds, check_handoff, is_refused
from limpet.work.handoffs.handoff import SCHEMA_VERSION, Handoff
from limpet.work.handoffs.text import handoff_keys, read_handoff_text, write_handoff_text
from limpet.work.markdown_file import is_safe_name, load_keys, refuse_newer, set_document_keys, split_document
from limpet.work.reason import Reason

HANDOFFS = "handoffs"
WRITTEN = "handoff.written"


class Written(Value):
    """A handoff as it was read back, and every reason against it."""

    handoff: Handoff
    reasons: tuple[Reason, ...]

    @property
    def refused(self) -> bool:
        """True where nothing was written, because a reason is grave."""
        return is_refused(self.reasons)


def handoff_file(workspace: Workspace, agent: str) -> str | None:
    """Return the file of this agent's handoff, whether it exists or not; None for an invalid agent id."""
    return workspace.path(HANDOFFS, f"{agent}.md") if is_safe_name(agent) else None


def handoff_agents(workspace: Workspace) -> list[str]:
    """Return the agents that have a handoff, by name."""
    names = names_in(workspace.path(HANDOFFS))
    return sorted(name[:-3] for name in names if name.endswith(".md") and is_safe_name(name[:-3]))


def read_handoff(workspace: Workspace, agent: str) -> Handoff | None:
    """Return the agent's handoff, None where there is none."""
    path = handoff_file(workspace, agent)
    where = handoff_name(agent)
    text = read_inside(workspace, path, where) if path else None
    return None if text is None else read_handoff_text(text, where)


def verify_handoff(workspace: Workspace, agent: str, bounds: Bounds) -> tuple[Reason, ...]:
    """Return every reason against the agent's handoff on disk."""
    handoff = read_handoff(workspace, agent)
    if handoff is None:
        raise unknown(agent)
    return check_handoff(handoff, workspace.root, bounds, handoff_name(agent))


def complete_text(text: str, known: Handoff, now: float, where: str) -> str:
    """Return a handoff's text with what the program knows: who hands over to whom, in which run, when, and whether the
    score is verified.

    Everything else in the file stays; what it lacks is taken from ``known``.
    """
    own = read_handoff_text(text, where)
    keys = handoff_keys(known.replace(timestamp=iso(now)))
    always = {key: keys[key] for key in ("from_agent", "to", "timestamp", "verified", "run") if keys[key] is not None}
    missing = {key: value for key, value in keys.items() if value is not None and getattr(own, key) in ("", None)}
    return set_document_keys(text, {**missing, **always}, where)


def write_handoff(workspace: Workspace, handoff: Handoff, details: str, actor: Actor, bounds: Bounds) -> Written:
    """Write a handoff from a value, dated with the actor's time; ``details`` becomes its second layer."""
    text = write_handoff_text(handoff.replace(timestamp=iso(actor.now)), details)
    return write_handoff_file(workspace, handoff.from_agent, text, actor, bounds)


def write_handoff_file(workspace: Workspace, agent: str, text: str, actor: Actor, bounds: Bounds) -> Written:
    """Write a handoff from a text (``complete_text``), without its secrets, unless a grave reason refuses it."""
    path, where = handoff_file(workspace, agent), handoff_name(agent)
    if path is None:
        raise LimpetError(f"Invalid agent id {agent!r}", hint="Use letters, digits, dots, dashes and underscores.")
    text = without_secrets(workspace, text)
    handoff = read_handoff_text(text, where)
    written = Written(handoff=handoff, reasons=check_handoff(handoff, workspace.root, bounds, where))
    if not written.refused:
        with sole_writer(workspace, HANDOFFS):
            rewrite(workspace, path, where, lambda found: _over(found, text, where))
            keys = ("from_agent", "to", "from_phase", "status", "score", "verified")
            record(workspace, actor.replace(agent=agent), WRITTEN, {key: getattr(handoff, key) for key in keys})
    return written


def handoff_name(agent: str) -> str:
    """Return the file's name in messages and in ``session.yaml``."""
    return f"{FOLDER}/{HANDOFFS}/{agent}.md"


def unknown(agent: str) -> LimpetError:
    """Return the error for an agent without a handoff."""
    return LimpetError("No handoff from this agent", agent, "To write one, run: limpet handoff write")


def _over(found: str | None, text: str, where: str) -> str:
    """Return the new text. Raise LimpetError where the file to be replaced is a newer version's or has merge
    conflict marks; one that cannot be read may be replaced."""
    refuse_conflict_marks(found or "", where)
    try:
        version = load_keys(split_document(found or "", where), where).get("schema_version", SCHEMA_VERSION)
    except LimpetError:
        return text
    refuse_newer(version, SCHEMA_VERSION, where)
    return text
