"""Memories as lines of the block: what each is, where it comes from, and its words as a quotation, within tokens; named
by as few letters of their ids as tell them from all others, for each letter costs tokens.

Only the words of one line are cut here; which lines are told, ``context.fitting`` decides.
"""

from __future__ import annotations

from limpet.context.fitting import line_cost
from limpet.ground.clock import iso
from limpet.ground.text.escaping import clip
from limpet.ground.text.folding import is_unspaced
from limpet.memory.model.entry import CUT, GOES_ON, UNREVIEWED, branch_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Mapping

    from limpet.context.values import Memory
    from limpet.memory.model.entry import Card, Query
    from limpet.memory.personal import Find
    from limpet.memory.search.passages import EntryPassage

    Look = Callable[[Find, Query], list[Card]]
    Lines = tuple[tuple[str, str], ...]

# Levels at which a memory is a statement; at the others it is its substance.
LINES = ("relevant", "metadata")
# Tokens of a level that each further substance keeps from those before it, and characters that a token has at most.
KEPT, LARGEST = 60, 20
# What is quoted has the signs of its own quotations replaced.
DOUBLE, SINGLE = '"', "'"
NO_PASSAGES: Mapping[str, EntryPassage] = {}
# Characters of a statement on a line of its own, of one with the sentence after its title, and of one with what stands
# around a sentence.
LONGEST, SHORT, AROUND = 320, 160, 200
ENDS = (".", "!", "?", ":")
STOPS = (". ", "! ", "? ", "\u3002", "\uff01", "\uff1f")
# Letters of an id's last part that tell it from all others; the commands take any beginning of it, of so many at least,
# that fits no other entry (``memory/model/ids``).
NAME, SHORTEST_NAME = 8, 4
# Words of a title in a list, and its characters; those of as many words in a script without spaces.
TITLE_WORDS, TITLE_CHARACTERS, UNSPACED = 11, 100, 40
# What is cut keeps so many characters, or goes.
SHORTEST = 40
# Files that a wish is said to be about.
SHOWN_PATHS = 2
# Before words that nobody looked at yet, with the day on which they were said.
UNSEEN = "Said on {}: {}"
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def describe_memory(card: Card, level: str, tokens: int, passage: EntryPassage | None = None) -> str:
    """On one line of at most ``tokens``: what it is and where it comes from, then its words as a quotation; where not
    all fit, those that ``passage`` says are asked about."""
    if level in LINES:
        return _plain_line(card, level, tokens, passage)
    name, about = _name(card), _origin(card)
    origin = f"{name} ({about}): " if about else f"{name}: "
    if card.flags:
        return f"{origin}not quoted: reads like an instruction"
    return _substance(card, origin, tokens, passage)


def describe_in(
    cards: list[Card], level: str, tokens: int, passages: Mapping[str, EntryPassage] = NO_PASSAGES
) -> tuple[tuple[str, str], ...]:
    """Return a line each within ``tokens`` for all. Statements stand whole: in the place of one that is too long for
    what is left comes the next, and only the first is cut rather than lost. Of substances the first takes what it
    needs, but for a little room that each of the others keeps."""
    entries: list[tuple[str, str]] = []
    left = tokens
    for place, card in enumerate(cards, 1):
        room = 0 if entries else tokens
        if level not in LINES:
            room = max(0, left - KEPT * (len(cards) - place))
        line = describe_memory(card, level, room, passages.get(card.id))
        cost = line_cost(line)
        if cost <= left:
            entries.append((card.id, line))
            left -= cost
    return tuple(entries)


def parts_of(
    cards: list[Card], entries: Lines, passages: Mapping[str, EntryPassage] = NO_PASSAGES
) -> tuple[tuple[str, str], ...]:
    """Return (id, numbers of the sentences in its line) of the cards whose line does not have all that they say. No
    number is known where nobody asked for the passages."""
    parts: list[tuple[str, str]] = []
    lines = dict(entries)
    for card in cards:
        line, passage = lines.get(card.id, ""), passages.get(card.id)
        said = passage.sentences if passage else (_after(card, _whole_title(card), card.excerpt),)
        held = [
            str(number)
            for number, one in enumerate(said)
            if holds(line, one) or holds(line, one.replace(DOUBLE, SINGLE))
        ]
        if line and not card.flags and len(held) < len(said):
            parts.append((card.id, ",".join(held) if passage else ""))
    return tuple(parts)


def wish_line(card: Card, paths: tuple[str, ...], is_whole: bool = True) -> str:
    """Return a standing wish on a plain line: what it says, where it ``is_whole`` with the short sentence after its
    title, and the files that it is about, if its words do not name them; of what nobody looked at that, and when it was
    said."""
    said = statement(card) if is_whole else _whole_title(card)
    words = " ".join(said.split())
    if UNREVIEWED in card.tags:
        words = UNSEEN.format(day_of(card.created), words)
    unnamed = [path for path in paths if path.rpartition("/")[2] not in words]
    about = ", ".join(unnamed[:SHOWN_PATHS]) + (", ..." if len(unnamed) > SHOWN_PATHS else "")
    return f"{words} ({about})" if about else words


def day_of(seconds: float) -> str:
    _, month, day = iso(seconds)[:10].split("-")
    return f"{int(day)} {_MONTHS[int(month) - 1]}"


def statement(card: Card) -> str:
    """The title, and the sentence after it where both are short."""
    title = _whole_title(card)
    more = _after(card, title, card.excerpt)
    end = more.find(". ")
    sentence = more if end < 0 else more[: end + 1]
    if not sentence or len(title) + len(sentence) > SHORT:
        return title
    return _joined(title, sentence)


def list_titles(cards: list[Card], tokens: int) -> tuple[tuple[str, str], ...]:
    """(id, line) of as many as fit: the name and the first words, enough to judge whether an entry is worth opening."""
    entries: list[tuple[str, str]] = []
    left = tokens
    for card in cards:
        by = f" (by {card.author})" if card.author else ""
        line = f"{_name(card)} {clip(_beginning(card.title), TITLE_CHARACTERS)}{by}"
        left -= line_cost(line)
        if left < 0:
            break
        entries.append((card.id, line))
    return tuple(entries)


def name_shortly(look: Look, query: Query, memory: Memory | None, contents: Lines) -> tuple[Memory | None, Lines]:
    """As short as no other entry has them, in the project or among the person's own."""
    statements = memory.entries if memory else ()
    named = {_end(key) for key, line in (*statements, *contents) if line.startswith(_end(key))}
    ends = {end for end in named if len(end) == NAME}
    beside: set[str] = set()

    def find(index: Connection, _: Query) -> list[Card]:
        from limpet.memory.index.reading import names_beside

        beside.update(names_beside(index, ends))
        return []

    if ends:
        look(find, query)
    names = {end: _shortest(end, beside | ends) for end in ends}
    if memory:
        memory = memory.replace(entries=_renamed(statements, names))
    return memory, _renamed(contents, names)


def distinct(cards: list[Card], titles: tuple[str, ...] = ()) -> list[Card]:
    """Leave out cards whose title another one before them has, or one of ``titles`` is."""
    said = set(map(plain_words, titles))
    first: dict[str, Card] = {}
    for card in cards:
        title = plain_words(card.title) or card.id
        if title not in said:
            first.setdefault(title, card)
    return list(first.values())


def holds(text: str, sentence: str) -> bool:
    return sentence.removeprefix(GOES_ON).rstrip(".") in text


def unsaid(cards: list[Card], lines: tuple[str, ...]) -> list[Card]:
    """Leave out cards whose whole title these lines say."""
    said = plain_words(" ".join(lines))
    return [card for card in cards if not said or card.title.endswith("...") or plain_words(card.title) not in said]


def plain_words(words: str) -> str:
    return " ".join(words.casefold().split()).rstrip(".")


def _beginning(title: str) -> str:
    from limpet.memory.index.terms import is_stop

    if is_unspaced(title):
        return clip(title, UNSPACED)
    words = title.split()
    if len(words) <= TITLE_WORDS:
        return title
    kept = words[:TITLE_WORDS]
    while len(kept) > TITLE_WORDS // 2 and is_stop(kept[-1].strip(",;:").casefold()):
        kept.pop()
    return " ".join(kept).rstrip(",;:") + "..."


def _plain_line(card: Card, level: str, tokens: int, passage: EntryPassage | None) -> str:
    name = _name(card)
    marks = [f"shared by {card.author}"] if card.author else []
    if level == "metadata":
        marks += [card.type, iso(card.created)[:10], f"{card.confidence:g}"]
    marks += ["stale"] if card.stale else []
    marks += [f"said on the branch {branch}"] if (branch := branch_of(card.tags)) else []
    about = f" ({', '.join(marks)})" if marks else ""
    if card.flags:
        return f"{name}: (not quoted: reads like an instruction){about}"
    words = statement(card)
    if passage and not holds(words, passage.asked):
        title = _whole_title(card)
        words = _joined(title, passage.around(lambda said: len(title) + len(said) <= AROUND))
    return _cut(words, tokens, lambda said: f"{name}: {said}{about}")


def _whole_title(card: Card) -> str:
    cut = card.title.removesuffix("...")
    text = _text(card, card.excerpt)
    at = text.find(cut) if cut != card.title else -1
    if at < 0:
        return clip(card.title, LONGEST)
    end = text.find(". ", at + len(cut))
    return clip(text[at:] if end < 0 else text[at : end + 1], LONGEST)


def _text(card: Card, words: str) -> str:
    """The words, with the title where that is their beginning alone."""
    is_cut = card.title.endswith(CUT) and words.startswith(GOES_ON)
    return card.title.removesuffix("...") + words.removeprefix(GOES_ON) if is_cut else words


def _substance(card: Card, origin: str, tokens: int, passage: EntryPassage | None) -> str:
    """All that it says, where that fits; else its excerpt as far as whole sentences do, or what is asked about with
    what stands around that."""
    title = _whole_title(card)
    everything = _after(card, title, " ".join(passage.sentences) if passage else card.excerpt)
    said = more = _after(card, title, card.excerpt)

    def quoted(said: str) -> str:
        """All words stand in one pair of quotation marks, so that none of them looks like ours."""
        return f'{origin}"{said.replace(DOUBLE, SINGLE)}"'

    def fits(said: str) -> bool:
        return len(said) <= tokens * LARGEST and line_cost(quoted(_joined(title, said))) <= tokens

    if fits(everything):
        return quoted(_joined(title, everything))
    while said and not fits(said):
        said = said[: _last_end(said)]
    if passage and not holds(f"{title} {said}", passage.asked) and fits(around := passage.around(fits)):
        said = around
    return _cut(_joined(title, said or more), tokens, quoted)


def _cut(words: str, tokens: int, line_of: Callable[[str], str]) -> str:
    """Return the line of as many of the words as ``tokens`` hold, of all for 0."""
    line = line_of(words)
    while tokens and (cost := line_cost(line)) > tokens and len(words) > SHORTEST:
        words = _shorten(words, len(line) * (cost - tokens) // cost)
        line = line_of(words)
    return line


def _last_end(text: str) -> int:
    """Where its last sentence begins, 0 where it is the only one."""
    return max(text.rfind(stop, 0, len(text) - 1) + 1 for stop in STOPS)


def _joined(title: str, more: str) -> str:
    return f"{title}{'' if title.endswith(ENDS) else '.'} {more}" if more else title.strip()


def _shorten(text: str, surplus: int) -> str:
    """Not by less than a twentieth; what is left is no shorter than SHORTEST."""
    return clip(text, max(SHORTEST, len(text) - max(surplus, len(text) // 20 + 1)))


def _after(card: Card, title: str, words: str) -> str:
    """The words less the title at their beginning: captured words are their own title."""
    return _text(card, words).removeprefix(title).lstrip(" .!;:,")


def _name(card: Card) -> str:
    """A whole id costs as much as several words; the commands take this part as well."""
    end = card.id.rpartition("-")[2]
    return end if len(end) >= NAME else card.id


def _origin(card: Card) -> str:
    parts = [card.type]
    if card.author:
        parts.append(f"shared by {card.author}")
    elif card.agent:
        parts.append(f"by {card.agent}")
    parts += [iso(card.created)[:10], f"{card.confidence:g}"]
    if card.stale:
        parts.append("stale: what it cites changed")
    return ", ".join(filter(None, parts))


def _renamed(entries: Lines, names: dict[str, str]) -> Lines:
    return tuple((key, line.replace(_end(key), names.get(_end(key), _end(key)), 1)) for key, line in entries)


def _shortest(end: str, known: set[str]) -> str:
    """Those that begin as it does stand next to it."""
    others = known - {end}
    for length in range(SHORTEST_NAME, NAME):
        if not any(other.startswith(end[:length]) for other in others):
            return end[:length]
    return end


def _end(key: str) -> str:
    return key.rpartition("-")[2]
