"""What a conversation cost, and how much of it was what we sent: each piece by our own count beside what the client
says that its answers cost; and a conversation's blocks again as they were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from limpet.ground.clock import seconds_of
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import event_data, metrics_path, read_events
from limpet.ground.storage.json_lines import read_newest_first
from limpet.ground.text.escaping import escape
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.operations.conversations import current_conversation, read_conversation
from limpet.operations.memory.conversations.conversation import is_kept_out
from limpet.operations.memory.find import SHORT, titles_of
from limpet.operations.project import Project
from limpet.operations.receipt_counting import (
    PieceReadings,
    ReceiptPiece,
    ReceiptTurn,
    SentPiece,
    SentTurn,
    count_readings,
    sum_usage,
)
from limpet.operations.rules.checks import BROKEN, KEPT
from limpet.operations.timeline import element_in_words, memories_in, session_title_of
from limpet.operations.why import GROUPS, PROMPT, START, TOOL, WORK, block_of, may_see_blocks, text_of, typed_in
from limpet.rules.naming import read_catalogue
from limpet.transcripts.messages import UsageLine
from limpet.transcripts.registry import transcript_of

Line = dict[str, Any]
SUBAGENT = "subagent_start"
# What is said of a rule without a check, and of all that is no rule.
NOT_JUDGED = "not judged"
FRAME, RULES = "frame", "rules"
FIGURES = ("sent", "tokens", "fresh", "cached")
# Starts after which the window holds nothing of before.
EMPTIED = ("compact", "clear")
# Tag of an element -> why it came, where no word and no file called it.
REASONS = {
    "constitution": "always holds",
    "article": "always holds",
    "rules": "in force",
    "record": "always there",
    "directory": "always there",
    "in-force": "which rules still hold",
    "standing-wishes": "you want it always",
    "memory": "fits the prompt",
    "contents": "titles that fit the request",
    "candidates": "asked for its words",
    "command": "you typed it",
    FRAME: "stands around the pieces",
}
AT_WORK = "work under way"
# Measured on blocks of fifty prompts over rules and fifty over memories: bench/count_error.py.
OWN_COUNT = (
    "Tokens of ours are our own count: 10 to 15% above what Claude's newest models count of such blocks, and 40 to 50%"
    " above what the models before them do."
)
CACHE = "What was read from the cache is an estimate: no client says which part of a request it was."
UNTOLD = "This client's transcript does not say what its answers cost."
ASIDE = "What subagents read, and calls of the client's own (titles, a compaction), are in none of these figures."
LESS = "The client counts less than we do in places: its figure and ours cannot both be right there."


class ReceiptSum(Value):
    """All of a conversation that has one name. ``kind``: as of a piece; a single rule is a ``rule``, named by its key
    (``GIT_RULE_1``), where the block's text is kept. ``reason``: why it came the first time. ``sent``: how often;
    ``tokens``: of all times. ``kept``: ``not judged``, or for a rule with a check how many turns kept and broke it."""

    kind: str
    name: str
    said: str
    reason: str
    sent: int
    tokens: int
    fresh: int
    cached: int
    kept: str = NOT_JUDGED


class Receipt(Value):
    """``turns``: the oldest first. ``usage``: of the whole conversation, None where its client says nothing.
    ``fresh``, ``cached`` (an estimate) and ``other`` add up to ``usage.total``. ``sent``: tokens of ours, each as often
    as it was sent. ``by_piece``: the dearest first; ``by_rule``: the same of single rules, which are in the pieces
    already. ``notes``: what must be said of these figures, the error of our own count first."""

    conversation: str
    title: str
    client: str
    turns: tuple[ReceiptTurn, ...]
    usage: UsageLine | None
    sent: int
    fresh: int
    cached: int
    other: int | None
    by_piece: tuple[ReceiptSum, ...]
    by_rule: tuple[ReceiptSum, ...]
    notes: tuple[str, ...]


class ReplayedTurn(Value):
    """A block as it was sent, "" where none was or its text is not kept: ``state`` is ``sent``, ``nothing``, ``failed``
    or ``gone``. ``bracket``, ``remaining`` (percent): of the window then. ``text``: what was typed, without secrets, ""
    where that is not known."""

    event: str
    prompt: int
    at: str
    bracket: str
    state: str
    text: str
    block: str
    pieces: tuple[ReceiptPiece, ...]
    remaining: float | None


def conversation_receipt(project: Project, conversation: str) -> Receipt:
    """``conversation``: an id or its beginning, "" for the newest. Raises LimpetError where there is none, or it is
    private."""
    state, lines = _records_of(project, conversation)
    path, host = str(state.get("transcript") or ""), str(state.get("host") or "")
    reader = transcript_of(host) if path else None
    answers = {one.id: one for one in reader.read_answers(path)} if reader else {}
    turns, readings = count_readings(_sent_turns(project, state, lines), [*answers.values()])
    usage = sum_usage(turn.usage for turn in turns)
    fresh, cached = sum(one.fresh for one in readings), sum(one.cached for one in readings)
    return Receipt(
        conversation=str(state["id"]),
        title=session_title_of(project.workspace, state),
        client=host,
        turns=turns,
        usage=usage,
        sent=sum(turn.block for turn in turns),
        fresh=fresh,
        cached=cached,
        other=usage.total - fresh - cached if usage else None,
        by_piece=_sum_up(_piece_parts(readings)),
        by_rule=_sum_up(_rule_parts(readings, _judgements(project.workspace, str(state["id"])))),
        notes=tuple(_notes(turns, usage)),
    )


def replay(project: Project, conversation: str) -> tuple[ReplayedTurn, ...]:
    """The oldest first; an agent gets the blocks of its own conversation alone. Raises LimpetError as
    ``conversation_receipt`` does."""
    state, lines = _records_of(project, conversation)
    typed, is_told = typed_in(project.workspace, state), may_see_blocks(project.caller, state)
    titles, secrets = _titles_in(project, lines), project.secrets
    turns = []
    for line in lines:
        block = block_of(project.workspace, line) if is_told else ""
        turns.append(
            ReplayedTurn(
                event=str(line.get("event")),
                prompt=int(line.get("prompt") or 0),
                at=str(line.get("time") or ""),
                bracket=str(line.get("bracket") or ""),
                state="sent" if block else _why_no_block(line),
                text=text_of(typed, line, secrets) if is_told else "",
                block=block,
                pieces=tuple(_pieces_of(line, titles)),
                remaining=line.get("remaining"),
            )
        )
    return tuple(turns)


def _records_of(project: Project, conversation: str) -> tuple[Line, list[Line]]:
    """The conversation's state, and what the hook recorded of its blocks, the oldest first."""
    workspace = project.workspace
    state = read_conversation(workspace, conversation or current_conversation(workspace))
    name = str(state["id"])
    if is_kept_out(name, str(state.get("host") or ""), str(state.get("transcript") or "")):
        raise LimpetError("This conversation is private: nothing of it is kept", name)
    lines = [line for line in read_newest_first(metrics_path(workspace)) if line.get("session") == name]
    told = [line for line in reversed(lines) if _is_told(line)]
    if not told:
        raise LimpetError("Nothing is recorded for this conversation", name, "Type a prompt in it first.")
    return state, told


def _is_told(line: Line) -> bool:
    event = line.get("event")
    return event in (PROMPT, START, SUBAGENT) or (event == TOOL and bool(line.get("tokens")))


def _why_no_block(line: Line) -> str:
    if "crash" in line:
        return "failed"
    return "gone" if line.get("tokens") else "nothing"


def _titles_in(project: Project, lines: Iterable[Line]) -> dict[str, str]:
    ids: dict[str, None] = {}
    for line in lines:
        for tag, _, _ in line.get("pieces") or ():
            ids.update(dict.fromkeys(memories_in(line, tag)))
    return titles_of(project.workspace, project.caller, ids) if ids else {}


def _pieces_of(line: Line, titles: Mapping[str, str]) -> Iterator[ReceiptPiece]:
    """With what stands around them, so that they add up to what was sent."""
    matched, left = line.get("matched") or {}, int(line.get("tokens") or 0)
    for tag, name, tokens in line.get("pieces") or ():
        ids = memories_in(line, tag)
        reason = REASONS.get(tag, AT_WORK)
        if words := ", ".join(matched.get(name) or ()):
            reason = f"a file was opened: {words}" if line.get("event") == TOOL else f"called by: {words}"
        yield ReceiptPiece(
            kind=GROUPS.get(tag, WORK),
            name=name,
            said=element_in_words(tag, name, len(ids)),
            reason=reason,
            tokens=tokens,
            memories=tuple((key[-SHORT:], titles.get(key[-SHORT:], "")) for key in ids),
        )
        left -= tokens
    if left > 0:
        yield ReceiptPiece(kind=FRAME, name=FRAME, said="frame and notes", reason=REASONS[FRAME], tokens=left)


def _sent_turns(project: Project, state: Line, lines: Sequence[Line]) -> list[SentTurn]:
    """What came with files belongs to the turn in which they were opened; what a subagent got is a turn of its own."""
    titles, is_told = _titles_in(project, lines), may_see_blocks(project.caller, state)
    rules = _rules_by_domain(project.workspace, lines) if is_told else {}
    turns: list[SentTurn] = []
    for line in lines:
        block = block_of(project.workspace, line) if is_told else ""
        is_tool, aside = line.get("event") == TOOL, "subagent" in line
        # The moment is known to the second, and the call came before it.
        after = seconds_of(line.get("time")) + 1 if is_tool else 0.0
        pieces = []
        for piece in _pieces_of(line, titles):
            shares = tuple(_share_out(piece, rules.get(piece.name, ()), block))
            pieces.append(SentPiece(piece, after=after, rules=shares))
        if is_tool and not aside and turns and not turns[-1].aside:
            turns[-1] = turns[-1].replace(pieces=(*turns[-1].pieces, *pieces))
            continue
        turns.append(
            SentTurn(
                event=str(line.get("event")),
                prompt=int(line.get("prompt") or 0) if line.get("event") == PROMPT else 0,
                prompt_id=str(line.get("prompt_id") or ""),
                at=str(line.get("time") or ""),
                pieces=tuple(pieces),
                empties=_begins_anew(line),
                aside=aside,
            )
        )
    return turns


def _begins_anew(line: Line) -> bool:
    """The window holds nothing of before: where no event says so, what is sent once in each stretch was sent again."""
    is_emptied = line.get("event") == START and line.get("source") in EMPTIED
    return is_emptied or any(tag == "constitution" for tag, _, _ in line.get("pieces") or ())


def _rules_by_domain(workspace: Workspace, lines: Iterable[Line]) -> dict[str, tuple[tuple[str, str], ...]]:
    names: set[str] = set()
    for line in lines:
        names.update(name for tag, name, _ in line.get("pieces") or () if GROUPS.get(tag) == RULES)
    entries = read_catalogue(workspace, lambda domain: domain.name in names) if names else []
    return {entry.domain.name: entry.lines for entry in entries}


def _share_out(piece: ReceiptPiece, rules: Iterable[tuple[str, str]], block: str) -> Iterator[tuple[str, str, float]]:
    """Those rules of a domain that stand in the block as they are today."""
    there = [(key, text) for key, text in rules if f"- {escape(text)}\n" in block] if piece.kind == RULES else []
    whole = sum(estimate_tokens(text) for _, text in there)
    for key, text in there:
        yield key, text, estimate_tokens(text) / whole


def _piece_parts(readings: Iterable[PieceReadings]) -> Iterator[ReceiptSum]:
    for one in readings:
        piece = one.sent.piece
        yield ReceiptSum(piece.kind, piece.name, piece.said, piece.reason, 1, piece.tokens, one.fresh, one.cached)


def _rule_parts(readings: Iterable[PieceReadings], judged: Mapping[str, str]) -> Iterator[ReceiptSum]:
    for one in readings:
        piece = one.sent.piece
        for key, text, share in one.sent.rules:
            tokens, fresh, cached = (round(each * share) for each in (piece.tokens, one.fresh, one.cached))
            kept = judged.get(key, NOT_JUDGED)
            yield ReceiptSum("rule", key, text, piece.reason, 1, tokens, fresh, cached, kept)


def _sum_up(parts: Iterable[ReceiptSum]) -> tuple[ReceiptSum, ...]:
    """By kind and name, the dearest first."""
    sums: dict[tuple[str, str], ReceiptSum] = {}
    for part in parts:
        key = (part.kind, part.name)
        if so_far := sums.get(key):
            figures = {name: getattr(so_far, name) + getattr(part, name) for name in FIGURES}
            part = so_far.replace(**figures)
        sums[key] = part
    return tuple(sorted(sums.values(), key=lambda one: (-one.fresh - one.cached, -one.tokens, one.name)))


def _judgements(workspace: Workspace, conversation: str) -> dict[str, str]:
    """Of each rule with a check how many turns of the conversation kept and broke it."""
    kept: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    for event in read_events(workspace.shared, (KEPT, BROKEN)):
        if event.get("session") == conversation:
            (kept if event.get("kind") == KEPT else broken).update(map(str, event_data(event).get("rules") or ()))
    return {key: f"kept {kept[key]}, broken {broken[key]}" for key in kept | broken}


def _notes(turns: Iterable[ReceiptTurn], usage: UsageLine | None) -> Iterator[str]:
    yield OWN_COUNT
    yield CACHE if usage else UNTOLD
    yield ASIDE
    if any(turn.other is not None and turn.other < 0 for turn in turns):
        yield LESS
