"""What Shaktra learned, its stories, and the documents' state of chat-spec, as files of ours."""

from __future__ import annotations

from typing import Any

from limpet.ground.errors import LimpetError
from limpet.learning.matching import ROLES
from limpet.learning.model import FILES, KINDS, PREFIXES, PRINCIPLE, KnowledgeEntry
from limpet.learning.stores import next_number, read_entries, write_entries
from limpet.migration.conversion import Conversion
from limpet.work.documents.form import union
from limpet.work.documents.manifest import edit_manifest, read_manifest_text

MEMORY = ".shaktra/memory"
# Of the older files: the key of their rows, and what they are believed.
OLD = {f"{MEMORY}/decisions.yml": ("decisions", "0.7"), f"{MEMORY}/lessons.yml": ("lessons", "0.5")}
MANIFEST = "project:.limpet/manifest.yaml"


def convert_shaktra(one: Conversion) -> None:
    for kind in KINDS:
        source, place = f"{MEMORY}/{FILES[kind]}", f"project:.limpet/knowledge/{FILES[kind]}"
        if source in one.files:
            _take_store(one, kind, source, place)
    for source, (key, confidence) in OLD.items():
        if source in one.files:
            _take_older(one, source, key, confidence)
    for source in one.below(".shaktra/stories"):
        story, _, name = source.removeprefix(".shaktra/stories/").partition("/")
        if not name and story.endswith(".yml"):
            _take_story(one, source, story.removesuffix(".yml"))
        elif name:
            one.copy(source, f"project:.limpet/stories/{story}/{name.removeprefix('.')}", "story file")


def convert_chat_spec(one: Conversion) -> None:
    source = ".chat-spec/manifest.yaml"
    for path in (*one.below(".chat-spec/artifacts"), *one.below(".chat-spec/qa")):
        one.copy(path, f"project:.limpet/{path.removeprefix('.chat-spec/')}", "detail")
    if source not in one.files or one.data(source) is None:
        return
    theirs, text = read_manifest_text(one.texts[source]), one.before(MANIFEST) or one.texts[source]
    own = read_manifest_text(text)
    new = tuple(each for each in theirs.artifacts if not own.artifact(each.key))
    log = tuple(dict.fromkeys((*own.log, *theirs.log)))
    joined = own.replace(artifacts=(*own.artifacts, *new), backlog=union(own.backlog, theirs.backlog), log=log)
    one.put(MANIFEST, text if own == theirs else edit_manifest(text, joined))
    for each in theirs.artifacts:
        said = f"{each.key}: {each.score} of {each.max_score}"
        if joined.artifact(each.key) == each:
            one.add(source, "document", said, MANIFEST)
        else:
            one.leave(source, "document", said, "it was evaluated here too, and that holds")
    for item in theirs.backlog:
        one.add(source, "backlog", f"{item.artifact}: {item.item}", MANIFEST)
    for line in theirs.log:
        one.add(source, "log", line, MANIFEST)


def _take_store(one: Conversion, kind: str, source: str, place: str) -> None:
    before = one.before(place)
    try:
        theirs, mistakes = read_entries(kind, one.texts[source], source)
        own = read_entries(kind, before or "", place)[0]
    except LimpetError as error:
        one.leave(source, kind, source, str(error))
        return
    for mistake in mistakes:
        one.leave(source, kind, mistake, "it has a mistake; the line is in the file" if before is None else "mistake")
    if before is None:
        one.put(place, one.files[source])
    _add_entries(one, kind, place, [each for each in theirs if before is not None and each not in own])
    for entry in theirs:
        one.add(source, kind, f"{entry.id} {entry.confidence}: {entry.text}", place)


def _take_older(one: Conversion, source: str, key: str, confidence: str) -> None:
    """An id that another row supersedes is found by its own number."""
    place, told = f"project:.limpet/knowledge/{FILES[PRINCIPLE]}", one.data(source)
    given = told.get(key) if isinstance(told, dict) else told
    rows = [row for row in (given if isinstance(given, list) else ()) if isinstance(row, dict) and _text(row)]
    for row in given if isinstance(given, list) else [given] * bool(given):
        if row not in rows:
            one.leave(source, "principle", row, "it is no row with a text")
    own = read_entries(PRINCIPLE, one.before(place) or "", place)[0]
    known, number = {each.source: each.id for each in own}, next_number(own)
    new, ids = list[KnowledgeEntry](), dict[str, str]()
    for row in rows:
        came = f"migrated:{row.get('id')}"
        ids[str(row.get("id"))] = known.get(came, f"{PREFIXES[PRINCIPLE]}-{number:03}")
        number += came not in known
    for row in rows:
        came, before = f"migrated:{row.get('id')}", ids.get(str(row.get("supersedes")), "")
        entry = _principle(row, ids[str(row.get("id"))], confidence, came).replace(supersedes=before)
        new += [entry] * (came not in known)
        one.add(source, "principle", f"{entry.id} {confidence}: {entry.text}", place)
    _add_entries(one, PRINCIPLE, place, new)
    if f"{source}.bak" not in one.files:
        one.put(f"project:{source}.bak", one.files[source])


def _principle(row: dict[str, Any], id_: str, confidence: str, came: str) -> KnowledgeEntry:
    categories, action = _texts(row.get("categories")), row.get("action")
    roles = tuple(role for role, tags in ROLES.items() if not {*categories}.isdisjoint(tags.split()))
    return KnowledgeEntry(
        kind=PRINCIPLE,
        id=id_,
        text=_text(row),
        start=confidence,
        confidence=float(confidence),
        guidance=_texts(row.get("guidance")) or ((str(action),) if action else ()),
        categories=categories,
        tags=categories,
        roles=roles or ("developer",),
        status="superseded" if row.get("status") == "superseded" else "active",
        source=came,
        created=str(row.get("created") or row.get("date") or "")[:10],
    )


def _add_entries(one: Conversion, kind: str, place: str, new: list[KnowledgeEntry]) -> None:
    """Under a new id where another entry has theirs."""
    if not new:
        return
    own = list(read_entries(kind, one.before(place) or "", place)[0])
    texts, taken = {each.text for each in own}, {each.id for each in own}
    for entry in new:
        if entry.text not in texts:
            free = entry.id if entry.id not in taken else f"{PREFIXES[kind]}-{next_number(own):03}"
            own.append(entry.replace(id=free))
    one.put(place, write_entries(kind, one.before(place) or "", own, place))


def _take_story(one: Conversion, source: str, story: str) -> None:
    told, place = one.data(source), f"project:.limpet/stories/{story}/story.yml"
    if isinstance(told, dict) and one.copy(source, place, "story"):
        rows = told.get("acceptance_criteria") or told.get("acceptance")
        for row in rows if isinstance(rows, list) else ():
            one.add(source, "criterion", row.get("description") if isinstance(row, dict) else row, place)


def _text(row: dict[str, Any]) -> str:
    return " ".join(str(row.get("summary") or row.get("insight") or row.get("title") or "").split())


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()
