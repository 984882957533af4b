"""Manifest, domain files and constitution to a plan; runs only when one of them changed, so it may import what
it likes."""

from __future__ import annotations

from holdfast.ground.digest import digest
from holdfast.ground.redaction import redact
from holdfast.ground.values import Value
from holdfast.rules.constitution import Constitution
from holdfast.rules.domain import read_domain
from holdfast.rules.manifest import Domain, Manifest
from holdfast.rules.matcher import EVERYWHERE, EXCLUDE, RECALL, build_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from holdfast.ground.files import Stamp
    from holdfast.rules.plan import Charter, Matcher, Record


class Source(Value):
    """A domain file: its name in the rules folder, its stamp, and how to read its text (None when unreadable)."""

    name: str
    stamp: Stamp | None
    read: Callable[[], str | None]


def compile_plan(
    manifest: Manifest,
    find: Callable[[str], Source | None],
    charter: Charter,
    sources: dict[str, Stamp | None],
    way: str,
    known: dict[str, Record],
) -> tuple[Matcher, list[Record]]:
    """The matcher and the records of all domains; a record in ``known`` is taken over when its file's stamp is
    unchanged."""
    records = [_record(domain, find(domain.name), known) for domain in manifest.domains]
    matcher: Matcher = {
        "sources": sources,
        "devmode": manifest.devmode,
        "names": [domain.name for domain in manifest.domains],
        "active": [domain.active for domain in manifest.domains],
        "kinds": _numbers(manifest, lambda domain: domain.kind),
        "agents": _numbers(manifest, lambda domain: domain.agent),
        "workflows": _numbers(manifest, lambda domain: domain.workflow),
        "commands": [name for record in records for name in record["commands"]],
        "index": build_index(_keywords(manifest, way)),
        "charter": charter,
        "places": [],
        "problems": len(manifest.problems),
    }
    return matcher, records


def make_charter(constitution: Constitution) -> Charter:
    """The constitution as the blocks carry it."""
    titles = [f"{article.numeral} {article.title}" for article in constitution.articles]
    project = [
        (
            f"{article.numeral}. {article.title} ({article.severity})",
            [redact(duty) for duty in article.duties],
        )
        for article in constitution.added
    ]
    text = repr((constitution.short, titles, project))
    return {
        "digest": digest(text),
        "short": list(constitution.short),
        "titles": titles,
        "project": project,
    }


def _keywords(manifest: Manifest, way: str) -> Iterator[tuple[int, int, str, str]]:
    for keyword in manifest.global_exclude:
        yield EVERYWHERE, EXCLUDE, keyword, way
    for number, domain in enumerate(manifest.domains):
        for keyword in domain.recall:
            yield number, RECALL, keyword, domain.match or way
        for keyword in domain.exclude:
            yield number, EXCLUDE, keyword, domain.match or way


def _numbers(manifest: Manifest, key_of: Callable[[Domain], str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, domain in enumerate(manifest.domains):
        if key_of(domain):
            found.setdefault(key_of(domain), []).append(number)
    return found


def _record(domain: Domain, source: Source | None, known: dict[str, Record]) -> Record:
    old = known.get(domain.name)
    if old and source and old["stamp"] == source.stamp and old["file"] == source.name and old["kind"] == domain.kind:
        return old
    text = read_domain(domain.name, (source.read() if source else None) or "")
    rules = [redact(rule) for rule in text.rules]
    authority = [redact(rule) for rule in text.authority]
    groups = {
        "brackets": {name: [redact(rule) for rule in found] for name, found in text.brackets.items()},
        "commands": {name: [redact(rule) for rule in found] for name, found in text.commands.items()},
        "articles": {name: [redact(rule) for rule in found] for name, found in text.articles.items()},
    }
    return {
        "name": domain.name,
        "kind": domain.kind,
        "file": source.name if source else "",
        "stamp": source.stamp if source else None,
        "digest": digest(repr((rules, authority, groups, text.disabled))),
        "rules": rules,
        "authority": authority,
        "brackets": groups["brackets"],
        "disabled": list(text.disabled),
        "commands": groups["commands"],
        "articles": groups["articles"],
    }
