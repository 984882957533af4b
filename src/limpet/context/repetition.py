"""Repetition: what was injected stays in the conversation, so the stable part goes out once an epoch and news
only when new."""

from __future__ import annotations

from limpet.context.usage import NAMES
from limpet.context.values import Piece, piece_of
from limpet.ground.digest import digest
from limpet.ground.text.escaping import clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.context.values import Choice, Request, Rules

# Layers whose pieces the prompt's own words or the active squad call, so that silence about them would puzzle.
CALLED = ("L5", "L6")
REMINDER = "reminder"
# The mark, among those of what was sent, of the stable part; and members of an epoch that hold what is told once.
STABLE, TOLD_ONCE = "stable", ("notes", "broken")
# Enough to tell a stable part from the few others of a conversation; each digit costs tokens.
SIGNATURE_BYTES = 4
WITHDRAWN_CHARACTERS = 60
TASK, TASK_COMMANDS = "L4 task", ("develop", "work")


def signature(request: Request) -> str:
    """A hash of rule text, constitution, mode, permission, lock, agent and user's level, whatever the bracket."""
    agent, manner = request.agent, request.manner
    parts = (
        request.charter.digest,
        manner.mode,
        manner.permission,
        manner.lock,
        request.executor,
        manner.record,
        (agent.name, agent.mission, agent.digest) if agent else None,
        tuple((rules.name, rules.digest) for rules in request.rules.standing),
        *filter(None, [manner.user_level]),  # most projects have none, and keep the signature that they had
    )
    return digest(repr(parts), SIGNATURE_BYTES)


def select_due(request: Request, pieces: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """Return (the pieces to send now, those that are in force and were sent before)."""
    stable_due = request.epoch.get("stable") != signature(request)
    due: list[Piece] = []
    standing: list[Piece] = []
    for piece in pieces:
        new = _with_new_lines(request, piece) if piece.marks else piece
        is_new = bool(new.lines) if piece.marks else _is_new(request, piece)
        if stable_due if piece.stable else is_new:
            due.append(new)
        else:
            standing.append(piece)
    is_other_bracket = request.epoch.get("bracket") not in (None, request.window.bracket)
    since, every = request.prompt_number - request.epoch.get("reminded", 0), request.settings["short_form_every"]
    is_time = 0 < every <= since and request.window.bracket != NAMES[0]
    if not stable_due and not request.starting and (is_other_bracket or is_time):
        due.insert(0, _short_form(request))
    in_force = [piece for piece in standing if piece.layer in CALLED]
    if in_force:
        names = clip(", ".join(piece.name for piece in in_force), 300)
        due.append(Piece(layer="L6", tag="in-force", name="in-force", lines=(("", names),), rank=6, again=1))
    return due, standing


def withdrawn(request: Request) -> tuple[str, ...]:
    """Return a line on the domains whose rules the conversation holds and that are no longer in force, and one on those
    whose rules were edited since; each domain is named once."""
    sent: dict[str, list[str]] = request.epoch.get("rules", {})
    held = request.rules.held
    if held is None:
        return ()
    gone = [name for name in sent if name not in held]
    changed = [name for name in sent if name not in gone and held[name] != sent[name][0]]
    lines = []
    if gone:
        lines.append(f"No longer in force: {_listed(gone)}. Ignore {_whose(gone)} rules above.")
    if changed:
        lines.append(f"Changed: {_listed(changed)}. Ignore {_whose(changed)} earlier rules.")
    return tuple(lines)


def rules_digest(rules: tuple[str, ...]) -> str:
    """By this hash an edit of a domain's rules is found."""
    return digest(repr(rules), SIGNATURE_BYTES)


def with_rules(epoch: dict[str, Any], rules: Rules, prompt_number: int) -> dict[str, Any]:
    """Return the epoch that was told a domain's rules, as if a prompt had called it."""
    piece = piece_of(rules, "L6", rank=4)
    return {
        **epoch,
        "rules": {**epoch.get("rules", {}), rules.name: [rules_digest(rules.rules), piece.layer]},
        "sent": {**epoch.get("sent", {}), piece.key: [_digest(piece), prompt_number]},
    }


def new_notes(request: Request, notes: tuple[str, ...]) -> tuple[str, ...]:
    return () if list(notes) == request.epoch.get("notes", []) else notes


def with_notes(epoch: dict[str, Any], notes: tuple[str, ...]) -> dict[str, Any]:
    """Return the epoch that was told these notes; one that was mended is forgotten, so that it can be told anew."""
    return epoch if list(notes) == epoch.get("notes", []) else {**epoch, "notes": list(notes)}


def to_name(request: Request, silent: list[Piece]) -> list[Piece]:
    """Of silent pieces those that the prompt called by a word and that were not named lately; a typed task too."""
    sent = request.epoch.get("sent", {})
    repeat = request.settings["repeat_after"]
    typed = any(one.name in TASK_COMMANDS for one in request.typed)
    called = [piece for piece in silent if piece.layer in CALLED]
    lately = [
        piece for piece in called if request.prompt_number - sent.get(f"off {piece.key}", ["", -repeat])[1] >= repeat
    ]
    return [*lately, *(piece for piece in silent if typed and piece.key == TASK)]


def after_sending(request: Request, choices: list[Choice], named: list[Piece]) -> dict[str, Any]:
    known, held = request.epoch.get("rules", {}), request.rules.held
    rules = {name: found for name, found in known.items() if held is None or held.get(name) == found[0]}
    lost = {f"{found[1]} {name}" for name, found in known.items() if name not in rules}
    kept = {key: found for key, found in request.epoch.get("sent", {}).items() if key not in lost}
    sent = [choice.piece for choice in choices if not choice.piece.marks]
    marked = [choice for choice in choices if choice.piece.marks]
    for choice in marked:
        pairs = zip(choice.piece.marks, choice.lines, strict=False)
        kept.update({mark: [digest(repr(line)), request.prompt_number] for mark, line in pairs})
    kept.update({f"off {piece.key}": ["", request.prompt_number] for piece in named})
    kept.update(
        {piece.key: [_digest(piece), request.prompt_number] for piece in sent if not piece.stable and piece.again != 1}
    )
    stable = any(piece.stable for piece in sent)
    if stable:
        kept[STABLE] = ["", request.prompt_number]
    reminded = stable or any(piece.name == REMINDER for piece in sent)
    for piece in sent:
        if piece.tag == "agent" and request.agent:
            rules[piece.name] = [request.agent.digest, piece.layer]
        elif _holds_rules(piece):
            said = tuple(text.removeprefix("- ") for _, text in piece.lines)
            rules[piece.name] = [rules_digest(said), piece.layer]
    return {
        **request.epoch,
        "rules": rules,
        "reminded": request.prompt_number if reminded else request.epoch.get("reminded", 0),
        "stable": signature(request) if stable else request.epoch.get("stable"),
        "bracket": request.window.bracket,
        "sent": kept,
    }


def without_sent(epoch: dict[str, Any], first: int, last: int) -> dict[str, Any]:
    """Return the epoch as if nothing had come with the prompts from number ``first`` to the one before ``last``."""
    sent: dict[str, list[Any]] = epoch.get("sent", {})
    kept = {key: mark for key, mark in sent.items() if not first <= mark[1] < last}
    is_stable = STABLE in kept or STABLE not in sent
    rules = {
        name: found
        for name, found in epoch.get("rules", {}).items()
        if (key := f"{found[1]} {name}") in kept or (is_stable and key not in sent)
    }
    gone = TOLD_ONCE if is_stable else (*TOLD_ONCE, "stable")
    reminded = min(epoch.get("reminded", 0), first)
    others = {name: value for name, value in epoch.items() if name not in gone}
    return {**others, "rules": rules, "reminded": reminded, "sent": kept}


def _holds_rules(piece: Piece) -> bool:
    return piece.tag == "agent" or (piece.tag == "rules" and not piece.name.startswith("CONTEXT "))


def _listed(names: list[str]) -> str:
    return clip(", ".join(names), WITHDRAWN_CHARACTERS)


def _whose(names: list[str]) -> str:
    return "its" if len(names) == 1 else "their"


def _with_new_lines(request: Request, piece: Piece) -> Piece:
    """Keep the lines that the conversation does not hold, or not any more."""
    sent = request.epoch.get("sent", {})
    repeat = piece.again or request.prompt_number + 1
    new = [
        place
        for place, (mark, line) in enumerate(zip(piece.marks, piece.lines, strict=True))
        if sent.get(mark, [""])[0] != digest(repr(line)) or request.prompt_number - sent[mark][1] >= repeat
    ]
    if len(new) == len(piece.lines):
        return piece
    return piece.replace(
        marks=tuple(piece.marks[place] for place in new),
        lines=tuple(piece.lines[place] for place in new),
        worth=tuple(piece.worth[place] for place in new) if piece.worth else (),
    )


def _is_new(request: Request, piece: Piece) -> bool:
    if piece.again == 1:
        return True
    sent = request.epoch.get("sent", {})
    # What the same rules were called where another layer brought them: a keyword before, now a workflow.
    brought = request.epoch.get("rules", {}).get(piece.name) if _holds_rules(piece) else None
    known = sent.get(piece.key) or (brought and sent.get(f"{brought[1]} {piece.name}"))
    if not known or known[0] != _digest(piece):
        return True
    if piece.layer == "L1":
        return request.epoch.get("bracket") != request.window.bracket
    return bool(piece.again) and request.prompt_number - known[1] >= piece.again


def _digest(piece: Piece) -> str:
    return digest(repr((piece.tag, piece.lines)))


def _short_form(request: Request) -> Piece:
    agent = f"agent {request.agent.name}" if request.agent else ""
    manner = request.manner
    facts = "; ".join(fact for fact in (manner.mode and f"mode {manner.mode}", agent, manner.lock) if fact)
    own = (": ".join(filter(None, (heading, "; ".join(duties)))) for heading, duties in request.charter.articles)
    said = " ".join((*(f"{article.rstrip('.')}." for article in own), *request.charter.short))
    text = clip(f"{facts and f'{facts}. '}Still in force: {said}", request.settings["short_form_characters"] - 80)
    return Piece(
        layer="L1",
        tag=REMINDER,
        name=REMINDER,
        lines=(("", text),),
        rank=0,
        ceiling=request.settings["ceilings"]["constitution"],
        again=1,
    )
