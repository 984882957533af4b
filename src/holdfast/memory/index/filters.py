"""Filters of a query as SQL: who may see a card comes first, and is never left out."""

from __future__ import annotations

from holdfast.memory.index.database import SEPARATOR
from holdfast.memory.model.entry import DIGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.memory.model.card import Query

_EQUAL = ("agent", "sector", "tier", "type", "storage", "session")


def conditions(query: Query) -> tuple[str, list[object]]:
    """Return a condition on the table ``cards`` c, and its values."""
    parts: list[tuple[str, list[object]]] = [visible(query.owners)]
    if query.states:
        parts.append((f"c.state IN ({_marks(query.states)})", list(query.states)))
    parts += [(f"c.{name} = ?", [getattr(query, name)]) for name in _EQUAL if getattr(query, name)]
    if query.tag:
        parts.append((_TAGGED, _tag(query.tag)))
    if not query.digests:
        parts.append((f"NOT {_TAGGED}", _tag(DIGEST)))
    if query.since:
        parts.append(("c.created >= ?", [query.since]))
    if query.until:
        parts.append(("c.created <= ?", [query.until]))
    if query.valid:
        parts.append((_VALID, [query.now, query.now]))
    return " AND ".join(sql for sql, _ in parts), [value for _, values in parts for value in values]


def visible(owners: tuple[str, ...] | None) -> tuple[str, list[object]]:
    """Return the condition that a card belongs to one of the owners; None is everybody, () nobody."""
    if owners is None:
        return "1", []
    return (f"c.owner IN ({_marks(owners)})", list(owners)) if owners else ("0", [])


_TAGGED = "instr(? || c.tags || ?, ?)"
_VALID = "c.superseded_by = '' AND (c.expires = 0 OR c.expires > ?) AND (c.valid_until = 0 OR c.valid_until > ?)"


def _tag(name: str) -> list[object]:
    return [SEPARATOR, SEPARATOR, f"{SEPARATOR}{name}{SEPARATOR}"]


def _marks(values: tuple[str, ...]) -> str:
    return ", ".join("?" * len(values))
