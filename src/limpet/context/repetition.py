"""Repetition: what was injected stays in the conversation, so the stable part goes out once an epoch and news
only when new."""

from __future__ import annotations

from limpet.context.usage import NAMES
from limpet.context.values import TAUGHT, Piece, piece_of
from limpet.context.work_layers import taught_in
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
# Where an epoch notes of pieces that had no room whole how many of their lines went in: the others come next.
CUT = "cut"
# Brackets in which whoever works is reminded of their mission and limits (chati.dev V7.1 section 3.1).
NARROW = NAMES[2:]
NEXT = "next"
# How the marks of its pieces begin, and the keys of those whose end nothing else tells; L0 are articles.
PART, ENDING, ARTICLES = "part ", ("L1 mode", "L1 lock"), "L0 "
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
        # Most projects have none of these, and keep the signature that they had.
        *filter(None, [manner.user_level, manner.asks]),
    )
    return digest(repr(parts), SIGNATURE_BYTES)


def select_due(request: Request, pieces: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """Return (the pieces to send now, those that are in force and were sent before)."""
    stable_due, sent = request.epoch.get("stable") != signature(request), request.epoch.get("sent", {})
    cut: dict[str, object] = request.epoch.get(CUT, {})
    due: list[Piece] = []
    standing: list[Piece] = []
    for piece in pieces:
        new = _with_new_lines(request, piece) if piece.marks else piece
        is_new = bool(new.lines) if piece.marks else _is_new(request, piece)
        if piece.stable:
            is_new = stable_due and sent.get(PART + piece.key, [""])[0] != _part_digest(piece)
        elif piece.layer == NEXT:  # whoever works in another role or mode is told anew what comes next
            is_new = is_new or stable_due
        if is_new:
            due.append(new)
        elif isinstance(taken := cut.get(piece.key), int):
            due.append(piece.replace(lines=piece.lines[taken:], skipped=taken, stable=False))
        else:
            standing.append(piece)
    is_other_bracket = request.epoch.get("bracket") not in (None, request.window.bracket)
    since, every = request.prompt_number - request.epoch.get("reminded", 0), request.settings["short_form_every"]
    is_time = 0 < every <= since and request.window.bracket != NAMES[0]
    if not stable_due and not request.starting and (is_other_bracket or is_time):
        scoped = is_other_bracket and request.window.bracket in NARROW
        scope = [_scope(request, piece) for piece in pieces if scoped and piece.tag == "agent"]
        due[:0] = [_short_form(request), *scope]
    in_force = [piece for piece in standing if piece.layer in CALLED]
    if any(piece.layer == "L6" for piece in in_force):  # squads' rules alone are no news of the prompt's
        names = clip(", ".join(piece.name for piece in in_force), 300)
        due.append(Piece(layer="L6", tag="in-force", name="in-force", lines=(("", names),), rank=6, again=1))
    return due, standing


def with_stable(request: Request, pieces: list[Piece], due: list[Piece]) -> Request:
    """Return the request whose epoch holds of the stable part what there still is of it in ``pieces``; where none of
    that is ``due``, it is the whole."""
    ended = {PART + key for key in _ended(request, pieces)}
    sent = {key: mark for key, mark in request.epoch.get("sent", {}).items() if key not in ended}
    is_whole = sent and not any(piece.stable for piece in due)
    return request.replace(
        epoch={**request.epoch, "sent": sent, **({"stable": signature(request)} if is_whole else {})}
    )


def withdrawn(request: Request, pieces: list[Piece]) -> tuple[str, ...]:
    """Return a line on the domains whose rules the conversation holds and that are no longer in force, and on what has
    no ``pieces`` of the stable part any more, and one on domains whose rules were edited since; each is named once."""
    sent: dict[str, list[str]] = request.epoch.get("rules", {})
    held = request.rules.held
    if held is None:
        return ()
    gone = [name for name in sent if name not in held]
    gone += [key.partition(" ")[2] for key in _ended(request, pieces)]
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
    told = request.epoch.get("notes", [])
    return tuple(note for note in notes if note not in told)


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
    lost = {name for name in known if name not in rules}
    marks = request.epoch.get("sent", {})
    kept = {key: found for key, found in marks.items() if key.removeprefix(PART).partition(" ")[2] not in lost}
    kept.update(_marks_sent(request, choices))
    kept.update({f"off {piece.key}": ["", request.prompt_number] for piece in named})
    for choice in choices:
        for key in (choice.piece.key, PART + choice.piece.key):
            if choice.piece.skipped and key in kept:  # the rest of what was cut came now
                kept[key] = [kept[key][0], request.prompt_number]
    sent = [choice.piece for choice in choices if not (choice.piece.marks or choice.piece.skipped)]
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
    others = {name: value for name, value in request.epoch.items() if name != CUT}
    cut = _still_cut(request.epoch.get(CUT, {}), choices)
    return {
        **others,
        **({CUT: cut} if cut else {}),
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


def _marks_sent(request: Request, choices: list[Choice]) -> dict[str, list[Any]]:
    """Of pieces that begin with these choices, and of lines that have marks of their own."""
    number = request.prompt_number
    sent: dict[str, list[Any]] = {}
    for choice in choices:
        piece = choice.piece
        if piece.marks:
            pairs = zip(piece.marks, choice.lines, strict=False)
            sent.update({mark: [digest(repr(line)), number] for mark, line in pairs})
        elif piece.stable:
            sent[PART + piece.key] = [_part_digest(piece), number]
        elif piece.again != 1 and not piece.skipped:
            sent[piece.key] = [_digest(piece), number]
        if piece.tag == "task" and (task := request.work.task):
            sent.update({TAUGHT + name: ["", number] for name in taught_in(task, choice.lines)})
    return sent


def _still_cut(before: dict[str, int], choices: list[Choice]) -> dict[str, int]:
    """Key -> how many lines of it went in by now; not of what has a size of its own, or is sent anew anyway."""
    cut = {**before}
    for choice in choices:
        piece = choice.piece
        cut.pop(piece.key, None)
        is_bounded = piece.marks or piece.ceiling or piece.most or piece.again == 1
        if len(choice.lines) < len(piece.lines) and not is_bounded:
            cut[piece.key] = piece.skipped + len(choice.lines)
    return cut


def _ended(request: Request, pieces: list[Piece]) -> list[str]:
    there = {PART + piece.key for piece in pieces if piece.stable}
    parts = (key for key in request.epoch.get("sent", {}) if key.startswith(PART) and key not in there)
    keys = (key.removeprefix(PART) for key in parts)
    return [key for key in keys if key in ENDING or key.startswith(ARTICLES)]


def _part_digest(piece: Piece) -> str:
    return digest(repr((piece.attributes, piece.lines)))


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


def _scope(request: Request, piece: Piece) -> Piece:
    mission = piece.lines if piece.layer == "L1" else ()
    limits = [("authority", rule) for rule in request.agent.authority] if request.agent else []
    return piece.replace(lines=(*mission, *limits), stable=False, again=1, ceiling=0, rank=1)


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
