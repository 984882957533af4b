"""The handoffs on disk: ``handoffs/<agent>.md``, the newest of each agent; older ones are in git. Every function raises
LimpetError where it cannot do what it says; then nothing was changed."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import Actor
from limpet.ground.formats.markdown import refuse_conflict_marks
from limpet.ground.recording import record
from limpet.ground.safety.dotenv import without_secrets
from limpet.ground.storage.files import names_in
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.work.handoff import SCHEMA_VERSION, SECTIONS, Handoff, handoff_keys, read_handoff_text, write_handoff_text
from limpet.work.markdown_file import (
    Reason,
    is_safe_name,
    load_keys,
    read_inside,
    refuse_newer,
    rewrite,
    set_document_keys,
    sole_document_writer,
    split_document,
)
from limpet.work.outputs import is_gone, lies_inside, path_of

HANDOFFS = "handoffs"
WRITTEN = "handoff.written"
REQUIRED = ("from_agent", "from_phase", "to", "timestamp", "status")


class WrittenHandoff(Value):
    """A handoff as it was read back, and every reason against it."""

    handoff: Handoff
    reasons: tuple[Reason, ...]

    @property
    def refused(self) -> bool:
        """Nothing was written, because a reason is grave."""
        return is_refused(self.reasons)


def handoff_file(workspace: Workspace, agent: str) -> str | None:
    """Whether it exists or not; None for an invalid agent id."""
    return workspace.path(HANDOFFS, f"{agent}.md") if is_safe_name(agent) else None


def handoff_agents(workspace: Workspace) -> list[str]:
    names = names_in(workspace.path(HANDOFFS))
    return sorted(name[:-3] for name in names if name.endswith(".md") and is_safe_name(name[:-3]))


def read_handoff(workspace: Workspace, agent: str) -> Handoff | None:
    path = handoff_file(workspace, agent)
    where = handoff_name(agent)
    text = read_inside(path, where) if path else None
    return None if text is None else read_handoff_text(text, where)


def verify_handoff(workspace: Workspace, agent: str, bounds: Bounds) -> tuple[Reason, ...]:
    handoff = read_handoff(workspace, agent)
    if handoff is None:
        raise unknown_handoff(agent)
    return check_handoff(handoff, workspace.root, bounds, handoff_name(agent))


def complete_text(text: str, known: Handoff, now: float, where: str) -> str:
    """Put in what the program knows: who hands over to whom, in which run, when, and whether the score is verified.
    Everything else in the file stays; what it lacks is taken from ``known``."""
    own = read_handoff_text(text, where)
    keys = handoff_keys(known.replace(timestamp=iso(now)))
    always = {key: keys[key] for key in ("from_agent", "to", "timestamp", "verified", "run") if keys[key] is not None}
    missing = {key: value for key, value in keys.items() if value is not None and getattr(own, key) in ("", None)}
    return set_document_keys(text, {**missing, **always}, where)


def write_handoff(workspace: Workspace, handoff: Handoff, details: str, actor: Actor, bounds: Bounds) -> WrittenHandoff:
    """Dated with the actor's time; ``details`` becomes the second layer."""
    text = write_handoff_text(handoff.replace(timestamp=iso(actor.now)), details)
    return write_handoff_file(workspace, handoff.from_agent, text, actor, bounds)


def write_handoff_file(workspace: Workspace, agent: str, text: str, actor: Actor, bounds: Bounds) -> WrittenHandoff:
    """Without the text's secrets, unless a grave reason refuses it."""
    path, where = handoff_file(workspace, agent), handoff_name(agent)
    if path is None:
        raise LimpetError(f"Invalid agent id {agent!r}", hint="Use letters, digits, dots, dashes and underscores.")
    text = without_secrets(workspace, text)
    handoff = read_handoff_text(text, where)
    written = WrittenHandoff(handoff=handoff, reasons=check_handoff(handoff, workspace.root, bounds, where))
    if not written.refused:
        with sole_document_writer(workspace, HANDOFFS):
            rewrite(path, where, lambda found: _over(found, text, where))
            keys = ("from_agent", "to", "from_phase", "status", "score", "verified")
            record(workspace, actor.replace(agent=agent), WRITTEN, {key: getattr(handoff, key) for key in keys})
    return written


def handoff_name(agent: str) -> str:
    return f"{FOLDER}/{HANDOFFS}/{agent}.md"


def unknown_handoff(agent: str) -> LimpetError:
    return LimpetError("No handoff from this agent", agent, "To write one, run: limpet work handoff --write")


class Bounds(Value):
    """``threshold``: the percent that score and met criteria of a complete one must reach (article II).
    ``first_lines``, ``second_lines``: the most lines of each layer, without frontmatter and blank edges (article
    VIII)."""

    threshold: float
    first_lines: int
    second_lines: int


def check_handoff(handoff: Handoff, root: str, bounds: Bounds, where: str = "") -> tuple[Reason, ...]:
    """Return every reason against it; the grave ones refuse it. Outputs are named from ``root``."""
    found = (*_missing(handoff), *_outputs(handoff, root), *_score(handoff, bounds.threshold))
    problems = (Reason(what=problem, hint="correct it") for problem in handoff.problems)
    return (*problems, *(reason.replace(where=where) for reason in (*found, *_lengths(handoff, bounds))))


def is_refused(reasons: tuple[Reason, ...]) -> bool:
    return any(reason.grave for reason in reasons)


def _over(found: str | None, text: str, where: str) -> str:
    """Raise LimpetError for a newer version's file or conflict marks; one that cannot be read may be replaced."""
    refuse_conflict_marks(found or "", where)
    try:
        version = load_keys(split_document(found or "", where), where).get("schema_version", SCHEMA_VERSION)
    except LimpetError:
        return text
    refuse_newer(version, SCHEMA_VERSION, where)
    return text


def _missing(handoff: Handoff) -> Iterator[Reason]:
    problems = " ".join(handoff.problems)
    for key in REQUIRED:
        if not getattr(handoff, key) and f" {key} " not in problems:
            yield Reason(what=f"{key} is missing", hint=f"add {key}: to the frontmatter")
    if not handoff.summary:
        yield Reason(
            what="the summary is empty", hint=f"write under ## {SECTIONS['summary'][0]} what the next agent must know"
        )


def _outputs(handoff: Handoff, root: str) -> Iterator[Reason]:
    for output in handoff.outputs:
        path = path_of(output)
        if path and not lies_inside(root, path):
            yield Reason(what=f"output {path} is outside the project", hint="name it from the project's root")
        elif path and not is_gone(output) and not os.path.exists(os.path.join(root, path)):
            yield Reason(what=f"output {path} does not exist", hint="create it, or remove it from the list")


def _score(handoff: Handoff, threshold: float) -> Iterator[Reason]:
    complete = handoff.status == "complete"
    if handoff.score is not None and not handoff.verified:
        what = f"score {handoff.score:g} is claimed: no check run by Limpet confirms it"
        yield Reason(what=what, hint="`limpet work finish -` counts it and runs the checks", grave=False)
    if complete and handoff.score is not None and handoff.score < threshold:
        yield Reason(what=f"score {handoff.score:g} is below {threshold:g}", hint="continue, or hand over as partial")
    criteria = len(handoff.met) + len(handoff.unmet)
    if complete and criteria and 100 * len(handoff.met) < threshold * criteria:
        what = f"status is complete, but {len(handoff.unmet)} of {criteria} criteria are unmet"
        yield Reason(what=what, hint="continue, or hand over as partial")


def _lengths(handoff: Handoff, bounds: Bounds) -> Iterator[Reason]:
    first = ("first", handoff.first_layer, bounds.first_lines)
    layers = (first, ("second", handoff.second_layer, bounds.second_lines))
    for name, lines, most in layers:
        if len(lines) > most:
            hint = "move details below # Layer 2" if name == "first" else "name files instead of quoting them"
            yield Reason(what=f"the {name} layer has {len(lines)} lines, the limit is {most}", hint=hint)
