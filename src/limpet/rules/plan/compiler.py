"""Compiles manifest, domain files and constitution to a plan, when one of them changed: it may import what it likes."""

from __future__ import annotations

from limpet.ground.digest import digest
from limpet.ground.safety.redaction import redact, spellings_in
from limpet.ground.storage.files import UNRELIABLE
from limpet.ground.text.families import relatives
from limpet.ground.text.folding import fold
from limpet.ground.text.stems import stem
from limpet.ground.text.words import split_words
from limpet.ground.values import Value
from limpet.rules.format.constitution import Constitution
from limpet.rules.format.domain import read_domain
from limpet.rules.format.manifest import Domain, RulesManifest
from limpet.rules.layout import fault_of
from limpet.rules.matching import EVERYWHERE, EXCLUDE, GAP, build_index, keywords_of, split_signs
from limpet.rules.plan.plan import Squad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from limpet.ground.storage.files import Stamp
    from limpet.rules.plan.plan import Charter, Matcher, Record

SQUAD = "squad"
# Where a domain is from: the project's own, of the project around it, the package, another tool's folder, a squad.
PROJECT, INHERITED, SHIPPED, IN_PLACE = "project", "inherited", "shipped", "in-place"
# Kinds of domains that come whatever is typed and read.
UNASKED = ("constitution", "global", "context", "commands", "always")
# So many domains a directory has at most: its tokens end before, and every prompt reads them.
LISTED = 40
# Words that it has of a domain, letters of one, and keywords that are looked at: the first are those that a person
# thought of first.
DIRECTORY_WORDS = 5
LONGEST_WORD = 30
CONSIDERED = 20


class Unit(Value):
    """``plain``: its name in its own manifest, without the squad's.
    ``path``: its file from the project's root, "" without one, as that of a shipped domain is.
    ``files``: (path, stamp) of all files that it is read from.
    ``read``: returns its text, None where there is none.
    """

    domain: Domain
    plain: str
    kind: str
    path: str
    files: tuple[tuple[str, Stamp | None], ...]
    read: Callable[[], str | None]
    origin: str = PROJECT


def compile_plan(
    manifest: RulesManifest,
    units: list[Unit],
    squads: list[Squad],
    charter: Charter,
    watched: list[tuple[str, Stamp | None]],
    way: str,
    known: dict[str, Record],
    problems: int,
    in_place: str = "",
    secrets: Collection[str] = (),
    is_late: Callable[[], bool] = lambda: False,
) -> tuple[Matcher, list[Record]]:
    """Matcher and records of all domains, the squads' last; a record in ``known`` is taken over when the stamps of its
    files are unchanged. The ``secrets`` are taken out of what is sent. From when it ``is_late`` files are not read any
    more, and count as changed."""
    records = [_record(unit, known, secrets, is_late) for unit in units]
    own = [(number, unit.domain) for number, unit in enumerate(units) if unit.kind != SQUAD and unit.domain.active]
    called = _called(own, records)
    listed = [(number, _words_of(units[number].domain, records[number], secrets)) for number in called[:LISTED]]
    paths = [(number, _paths(unit, records[number])) for number, unit in enumerate(units)]
    practices = [(number, practice) for number, _ in own for practice, _ in records[number].get("deeds", ())]
    commands: list[str] = []
    for record in records:
        commands += record["commands"]
    matcher: Matcher = {
        "watched": watched,
        "squads": [(one.id, one.mode, one.numbers.start, one.numbers.stop) for one in squads],
        "squads_from": min((squad.numbers.start for squad in squads), default=len(units)),
        "devmode": manifest.devmode,
        "names": [unit.domain.name for unit in units],
        "active": [unit.domain.active for unit in units],
        "at_work": [number for number, unit in enumerate(units) if unit.domain.at_work],
        "on_demand": [number for number, domain in own if domain.on_demand],
        "kinds": _numbers(units, lambda unit: unit.kind),
        "agents": _numbers(units, lambda unit: unit.domain.agent if unit.kind != SQUAD else ""),
        "workflows": _numbers(units, lambda unit: unit.domain.workflow if unit.kind != SQUAD else ""),
        "elsewhere": _numbers(units, lambda unit: unit.origin if unit.origin != PROJECT else ""),
        "deeds": [(number, domain.comes_with) for number, domain in own if domain.comes_with],
        "fetched": [(number, redact(domain.when, known=secrets)) for number, domain in own if domain.when],
        "practices": practices,
        "paths": [(number, globs) for number, globs in paths if globs],
        "checked": [number for number, record in enumerate(records) if "checked" in record],
        "firm": [unit.domain.name for unit in units if unit.domain.firm],
        "directory": listed,
        "listed": len(called),
        "commands": commands,
        "index": build_index(_keywords(manifest, units, way)),
        "charter": charter,
        "problems": problems,
        "in_place": in_place,
    }
    return matcher, records


def _called(own: list[tuple[int, Domain]], records: list[Record]) -> list[int]:
    called = []
    for number, domain in own:
        if domain.kind == "keyword" and not (domain.when or domain.on_demand):
            is_heard = domain.recall or domain.hints or domain.paths or "paths" in records[number]
            if is_heard or "checked" not in records[number]:
                called.append(number)
    return called


def make_charter(constitution: Constitution, secrets: Collection[str] = ()) -> Charter:
    project = [
        (
            redact(f"{article.numeral}. {article.title} ({article.severity})", known=secrets),
            _redacted(article.duties, secrets),
        )
        for article in constitution.added
    ]
    registry = constitution.short_with_registry
    text = repr((constitution.short, constitution.short_before_work, registry, project))
    return {
        "digest": digest(text),
        "short": list(constitution.short),
        "short_before_work": list(constitution.short_before_work),
        "short_with_registry": list(registry),
        "project": project,
    }


def _words_of(domain: Domain, record: Record, secrets: Collection[str]) -> tuple[str, ...]:
    words = list(_keyword_words(domain.recall[:CONSIDERED]))
    if not words:
        words = " ".join((record["authority"] + record["rules"])[:1]).split()
    short = [word for word in words if len(word) <= LONGEST_WORD]
    return tuple(redact(" ".join(short[:DIRECTORY_WORDS]), known=secrets).split())


def _keyword_words(keywords: Iterable[str]) -> Iterator[str]:
    known = set[str]()
    for keyword in keywords:
        stems = {stem(word) for word in split_words(fold(keyword))}
        if stems and not stems <= known:
            yield from split_signs(keyword)[1].replace(GAP, " ").split()
            known.update(stems, *map(relatives, split_words(fold(keyword))))


def _paths(unit: Unit, record: Record) -> tuple[str, ...]:
    if unit.domain.kind in UNASKED:
        return ()
    return tuple(glob for glob in (*unit.domain.paths, *record.get("paths", ())) if not fault_of(glob))


def _keywords(manifest: RulesManifest, units: list[Unit], way: str) -> Iterator[tuple[int, int, str, str]]:
    for keyword in manifest.global_exclude:
        yield EVERYWHERE, EXCLUDE, keyword, way
    for number, unit in enumerate(units):
        for role, keyword in keywords_of(unit.domain):
            yield number, role, keyword, unit.domain.match or way


def _numbers(units: list[Unit], key_of: Callable[[Unit], str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, unit in enumerate(units):
        if key_of(unit):
            found.setdefault(key_of(unit), []).append(number)
    return found


def _record(unit: Unit, known: dict[str, Record], secrets: Collection[str], is_late: Callable[[], bool]) -> Record:
    name, files = unit.domain.name, [tuple(file) for file in unit.files]
    old = known.get(name)
    firm = unit.domain.firm
    if old and old["files"] == files and (old["kind"], "firm" in old) == (unit.kind, firm):
        return old
    late = bool(unit.path) and is_late()
    raw = None if late else unit.read()
    text, held = read_domain(unit.plain, raw or ""), spellings_in(raw or "", secrets)
    rules = _redacted(text.rules, held)
    authority = _redacted(text.authority, held)
    groups = [_redacted_groups(each, held) for each in (text.brackets, text.commands, text.articles)]
    record: Record = {
        "name": name,
        "plain": unit.plain,
        "kind": unit.kind,
        "files": [(path, UNRELIABLE) for path, _ in unit.files] if late else list(unit.files),
        "digest": "" if raw is None else digest(repr((rules, authority, groups, text.disabled))),
        "rules": rules,
        "authority": authority,
        "brackets": groups[0],
        "disabled": list(text.disabled),
        "commands": groups[1],
        "articles": groups[2],
    }
    if text.paths:
        record["paths"] = list(text.paths)
    if text.checks:
        record["checked"] = True
    if text.deeds:
        record["deeds"] = [(practice, redact(rule, known=held)) for practice, rule in text.deeds]
    if firm:
        record["firm"] = True
    return record


def _redacted_groups(groups: Mapping[str, Iterable[str]], secrets: Collection[str]) -> dict[str, list[str]]:
    return {name: _redacted(texts, secrets) for name, texts in groups.items()}


def _redacted(texts: Iterable[str], secrets: Collection[str]) -> list[str]:
    return [redact(text, known=secrets) for text in texts]
