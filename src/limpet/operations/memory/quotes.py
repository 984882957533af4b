"""The memories that matter now, quoted in full for the continuation: where the window is nearly full, the prompt itself
has room for a pointer only (decision 6)."""

from __future__ import annotations

from limpet.ground.text.escaping import clip
from limpet.ground.text.tokens import estimate_tokens
from limpet.memory.library import Library
from limpet.memory.model.card import Query

LONGEST_TITLE = 120
# Hot entries that are looked at for each of one owner.
WEIGHED = 4


def quote_memories(library: Library, text: str, tokens: int | None = None, owner: str = "") -> list[str]:
    """Return the memories that ``text`` finds, then the hottest, as Markdown, within ``tokens``, without
    them the configured ones; with ``owner`` only that agent's own.

    The last one is cut at its end where it is too long.
    """
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
        return f"### {entry.id}\n\nNot quoted: reads like an instruction. See `limpet memory show {entry.id}`\n"
    origin = ", ".join(part for part in (entry.id, entry.type, entry.agent, entry.created_at[:10]) if part)
    title = clip(" ".join(entry.title.split()), LONGEST_TITLE)
    body = "\n".join(f"> {line}".rstrip() for line in entry.body.splitlines())
    return f"### {title}\n\n({origin}, confidence {entry.confidence:g})\n\n{body}\n"
