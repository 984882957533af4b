"""Finding memories: lists and searches, the reasons for a hit, titles and figures."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from contextlib import nullcontext
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import clip
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.workspace import Workspace
from limpet.memory.catalogue import EVERYTHING
from limpet.memory.index.database import database_path
from limpet.memory.index.reading import STALE
from limpet.memory.index.terms import is_stop, terms
from limpet.memory.index.wishes import is_reversed
from limpet.memory.library import Library
from limpet.memory.model.attention import access_factor, decay
from limpet.memory.model.entry import DIGEST, Card, Hit, Query
from limpet.memory.model.layout import ARCHIVE, CURRENT, KNOWLEDGE, memories, personal_home
from limpet.memory.model.results import Gone, Listing, Stored
from limpet.operations.caller import Caller
from limpet.operations.conversations import full_name
from limpet.operations.learning.briefing import IDS
from limpet.operations.learning.consolidate import open_entry
from limpet.operations.learning.decisions import rule_of
from limpet.operations.memory.library import is_personal, open_library, personal_workspace
from limpet.operations.memory.view import Opened
from limpet.operations.project import Project, open_as

# Letters of an id by which commands know a memory.
SHORT = 8
UNSEEN = "(gone, or another agent's)"
LONGEST_TITLE = 120
# Hot entries that are looked at for each of one owner.
WEIGHED = 4


def list_memories(project: Project, query: Query, proposed: bool = False) -> tuple[Listing, bool]:
    """The newest first, and whether there are more; ``proposed``: those that their evidence proposes as durable.
    Digests of conversations are in no list but their own."""
    library = open_library(project)
    asked = query.replace(session=full_name(project.workspace, query.session), digests=query.tag == DIGEST)
    listing = library.list(asked.replace(limit=EVERYTHING if proposed else query.limit + 1))
    found = library.proposed(listing.cards) if proposed else listing.cards
    return listing.replace(cards=found[: query.limit]), len(found) > query.limit


def search_memories(project: Project, query: Query, explain: bool = False) -> tuple[Listing, list[dict[str, Any]]]:
    """Memories and entries of the knowledge, and with ``explain`` for each the words that its title, tags or excerpt
    show, those ``elsewhere``, and the factors whose product, at most 1, is its score (decision 20): ``share``: what its
    words are worth, as a part of the best hit's; ``decay``, ``accesses``, ``confidence``, ``stale``: what age, use,
    certainty and changed files make of that."""
    library = open_library(project)
    states = (*query.states, KNOWLEDGE) if query.states == (CURRENT,) else query.states
    listing = library.search(query.replace(session=full_name(project.workspace, query.session), states=states))
    asked = {}
    for word in query.text.split():
        asked[word] = {term for term in terms(word) if not is_stop(term)}
    return listing, [_reason(library, hit, asked) for hit in listing.hits] if explain else []


def find_while_typing(project: Project, query: Query) -> tuple[Card, ...]:
    """While the words are typed: the newest that hold them all, the last perhaps unfinished."""
    return open_library(project).find_begun(query.replace(digests=False))


def find_reversing(project: Project, card: Card) -> Card | None:
    """Return what the person said later against it, so that it is not sent any more; None for nothing."""
    cards = open_library(project).list(Query(digests=False, limit=EVERYTHING, now=project.caller.now)).cards
    return next((one for one in cards if is_reversed(card, one)), None)


def find_reversed(project: Project, ids: Collection[str]) -> dict[str, list[Card]]:
    """Return by id what stands against each of these, was said before and is in force, be it for a part of the work."""
    cards = open_library(project).list(Query(digests=False, limit=EVERYTHING, now=project.caller.now)).cards
    later = (card for card in cards if card.id in ids)
    return {one.id: [card for card in cards if is_reversed(card, one, wholly=False)] for one in later}


def open_memories(
    project: Project, keys: Sequence[str], whole: bool = False, count: bool = True
) -> tuple[list[Opened], list[LimpetError]]:
    """Each is opened once, ``whole`` with its uses; ``count``: as a use of it. An error for each key that names none.
    What the project does not know is looked for among the person's own: a block quotes these too."""
    named = [key for key in keys if IDS.fullmatch(key.upper())]
    opened, missing = _open_in(project, [key for key in keys if key not in named], whole, count)
    for key in named:
        try:
            stored, learned = open_entry(project, key)
        except LimpetError as error:
            missing[key] = error
        else:
            opened[key] = Opened(project.workspace, stored, learned=learned)
    unknown = [key for key, error in missing.items() if isinstance(error, Gone)]
    if unknown and not is_personal(project) and os.path.isdir(memories(personal_home())):
        own, wrong = _open_in(open_as(personal_workspace(), project.caller), unknown, whole, count)
        opened |= own
        missing |= {key: error for key, error in wrong.items() if not isinstance(error, Gone)}
    errors = [error for key, error in missing.items() if key not in opened]
    return list({opened[key].stored.path: opened[key] for key in keys if key in opened}.values()), errors


def memory_stats(project: Project) -> dict[str, Any]:
    library = open_library(project)
    counts = library.stats()  # brings the index up to date
    index = os.stat(database_path(library.shared))
    about = {"bytes": index.st_size, "changed": iso(index.st_mtime)}
    return {**counts, "uses": library.uses().__dict__, "index": about}


def titles_of(workspace: Workspace, caller: Caller, ids: Iterable[str]) -> dict[str, str]:
    """Return the end of each id, by which commands know it -> its title, as far as the caller may see it."""
    library, wanted = open_library(open_as(workspace, caller)), [*ids]
    titles: dict[str, str] = {}
    for as_is in (True, False):  # what the index does not know yet is a reason to look at the files
        left = [key for key in wanted if titles.get(key[-SHORT:], UNSEEN) == UNSEEN]
        with library.at_once(as_is) if left else nullcontext():
            for key in left:
                titles[key[-SHORT:]] = _title_of(library, key)
    return {key[-SHORT:]: titles[key[-SHORT:]] for key in wanted}


def _title_of(library: Library, key: str) -> str:
    """A person gets it from the index, without a look at the file."""
    card = library.card(key) if library.reader.person else None
    try:
        return card.title if card else library.show(key, count=False).entry.title
    except LimpetError:
        return UNSEEN


def quote_memories(library: Library, text: str, tokens: int | None = None, owner: str = "") -> list[str]:
    """The memories that ``text`` finds, then the hottest, as Markdown, within ``tokens`` (None: the configured ones);
    with ``owner`` only that agent's own. The last one is cut at its end where it is too long."""
    left, parts = int(library.settings["tokens"]["full"]) if tokens is None else tokens, []
    for key in _ids(library, text, owner):
        part = _quote(library, key)
        while estimate_tokens(part) > left and len(part) > LONGEST_TITLE * 2:
            part = clip(part, len(part) * 4 // 5)  # a fifth less each time: tokens can only be estimated
        if estimate_tokens(part) > left:
            break
        left -= estimate_tokens(part)
        parts.append(part)
    return parts


def _open_in(
    project: Project, keys: Sequence[str], whole: bool, count: bool
) -> tuple[dict[str, Opened], dict[str, LimpetError]]:
    library = open_library(project)
    opened: dict[str, Opened] = {}
    missing: dict[str, LimpetError] = {}
    for as_is in (True, False):  # what the index does not know yet is a reason to look at the files
        if left := [key for key in keys if key not in opened]:
            missing = {}
            with library.at_once(as_is):
                for key in left:
                    try:
                        opened[key] = _opened(project.workspace, library, library.show(key, count))
                    except LimpetError as error:
                        missing[key] = error
    if whole and opened:
        with library.at_once():  # anew, so that this opening counts
            opened = {key: one.replace(uses=library.uses(one.stored.entry.id)) for key, one in opened.items()}
    return opened, missing


def _opened(workspace: Workspace, library: Library, stored: Stored) -> Opened:
    card, missing = library.facts_of(stored)
    linked = (stored.entry.superseded_by, *stored.entry.supersedes)
    titles = {name: found.title for name in linked if name and (found := library.card(name))}
    rule = rule_of(workspace, stored.entry.id) if stored.place.state == ARCHIVE else ""
    return Opened(workspace, stored, card, titles, missing, rule=rule, is_heard=library.is_heard(stored))


def _reason(library: Library, hit: Hit, asked: dict[str, set[str]]) -> dict[str, Any]:
    card = hit.card
    held = set(terms(f"{card.title} {' '.join(card.tags)} {card.excerpt}"))
    return {
        "words": [word for word, meant in asked.items() if meant & held],
        "elsewhere": [word for word, meant in asked.items() if meant and not meant & held],
        "share": round(hit.share, 4),
        "decay": round(decay(card, library.clock.now(), library.settings), 4),
        "accesses": round(access_factor(card.accesses), 4),
        "confidence": card.confidence,
        "stale": STALE if card.stale else 1.0,
    }


def _ids(library: Library, text: str, owner: str) -> list[str]:
    most = library.settings["shown"]["full"]
    found = library.search(Query(text=text, limit=most, now=library.clock.now())).hits if text else ()
    relevant = [hit.card for hit in found if hit.relevance >= library.settings["least_relevance"]]
    hot = [hit.card for hit in library.hottest(most * WEIGHED if owner else most)]
    ids = [card.id for card in (*relevant, *hot) if owner in ("", card.owner)]
    return list(dict.fromkeys(ids))[:most]


def _quote(library: Library, key: str) -> str:
    entry = library.show(key, count=False).entry
    if entry.flags:
        return f"### {entry.id}\n\nNot quoted: reads like an instruction.\n"
    origin = ", ".join(part for part in (entry.id, entry.type, entry.agent, entry.created_at[:10]) if part)
    title = clip(" ".join(entry.title.split()), LONGEST_TITLE)
    body = "\n".join(f"> {line}".rstrip() for line in entry.body.splitlines())
    return f"### {title}\n\n({origin}, confidence {entry.confidence:g})\n\n{body}\n"
