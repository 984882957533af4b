"""What becomes of another tool's files, gathered while they are read. Places of ours have a room before their path:
``project:`` the project's root, ``state:`` and ``memories:`` its private folders, ``personal:`` the user's rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import PurePosixPath
from typing import Any

from limpet.ground.digest import blake2b
from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.safety.redaction import redact
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.memory.files.codec import LONGEST_TITLE, read_entry_text, write_entry_text
from limpet.memory.model.entry import DURABLE
from limpet.memory.model.ids import ALPHABET, file_name, place_of
from limpet.memory.model.layout import SHARED, read_place, write_place
from limpet.memory.model.validation import make_memory_entry, to_utc
from limpet.roles.roster import resolve_id

DIFFERS = "another file is there, which stays as it is"
NO_DAY = "2000-01-01"


class MovedItem(Value):
    """One thing of an original. ``what``: its kind; ``name``: itself, in a line. ``target``: where it is now, "" where
    it stays behind; ``why``: the reason for that."""

    what: str
    name: str
    source: str
    target: str = ""
    why: str = ""


class Conversion:
    """``files``: the original's, by path from the project's root; ``known``: returns the bytes of a place as they are;
    ``at``: the time of what tells none.
    ``targets``: the bytes that places are to have; ``items``: all that was found."""

    def __init__(
        self,
        kind: str,
        files: Mapping[str, bytes],
        known: Callable[[str], bytes | None],
        at: str,
        secrets: Collection[str] = (),
    ) -> None:
        self.kind, self.files, self.at, self.secrets = kind, files, at, secrets
        self.texts = {path: raw.decode("utf-8-sig", "replace") for path, raw in files.items()}
        self.targets: dict[str, bytes] = {}
        self.items: list[MovedItem] = []
        self._known = known

    def below(self, folder: str, *patterns: str) -> list[str]:
        found = [path for path in sorted(self.files) if path.startswith(f"{folder}/")]
        return [path for path in found if any(PurePosixPath(path).match(each) for each in patterns or ("*",))]

    def data(self, source: str) -> object:
        """None for what cannot be read, which then stays behind."""
        try:
            return load_yaml(self.texts[source], source)
        except LimpetError as error:
            self.leave(source, "file", source, str(error))
            return None

    def before(self, place: str) -> str | None:
        raw = self.targets.get(place, self._known(place))
        return None if raw is None else raw.decode("utf-8", "replace")

    def put(self, place: str, raw: str | bytes) -> None:
        self.targets[place] = raw.encode() if isinstance(raw, str) else raw

    def add(self, source: str, what: str, name: object, place: str) -> None:
        self.items.append(MovedItem(what, clip(" ".join(str(name).split()), 300), source, place))

    def leave(self, source: str, what: str, name: object, why: str) -> None:
        self.items.append(MovedItem(what, clip(" ".join(str(name).split()), 300), source, "", why))

    def copy(self, source: str, place: str, what: str = "file") -> bool:
        """False where another file is there."""
        raw = self.files[source]
        if self.before(place) not in (None, raw.decode("utf-8", "replace")):
            self.leave(source, what, source, f"{place}: {DIFFERS}")
            return False
        self.put(place, raw)
        self.add(source, what, source, place)
        return True

    def remember(self, source: str, type_: str, title: object, body: object = "", owner: str = "", **told: Any) -> None:
        """As a memory whose id is made of its words, so that it comes once."""
        words, text = " ".join(str(title or "").split()), str(body or "").strip()
        if not words:
            self.leave(source, type_, text, "it has no words")
            return
        if len(words) > LONGEST_TITLE:
            words, text = clip(words, LONGEST_TITLE), f"{words}\n\n{text}".strip()
        agent = resolve_id(owner) or owner
        drawn = blake2b(f"{agent}\n{words}\n{text}".encode(), digest_size=8).digest()
        at = to_utc(str(told.pop("created_at", "") or ""))
        fields = {
            "id": f"mem-{at[:10] or NO_DAY}-" + "".join(ALPHABET[byte % 32] for byte in drawn),
            **{"type": type_, "title": words, "body": text, "created_at": at or self.at, "storage": DURABLE},
            **{"agent": agent, "scope": "private" if agent else "shared", "source": f"import:{self.kind}"},
            **{key: value for key, value in told.items() if value not in (None, "", [], ())},
        }
        try:
            entry = make_memory_entry(fields, self.secrets)
            place = f"memories:{write_place(place_of(entry, agent or SHARED), file_name(entry))}"
            self.put(place, self.before(place) or write_entry_text(entry))
        except LimpetError as error:
            self.leave(source, type_, words, str(error))
        else:
            self.add(source, "memory", words, place)

    def take_memories(self, folder: str) -> None:
        """Entries of chati.dev's form keep their bytes and place, lists of an agent's memory become entries."""
        for source in self.below(folder):
            path = source.removeprefix(f"{folder}/")
            if path.endswith("/MEMORY.md"):
                self._take_list(source, path.split("/")[0])
            elif path.endswith("gotchas.json"):
                self.take_gotchas(source)
            elif path.endswith(".md") and read_place(path):
                self._take_entry(source, path)

    def take_gotchas(self, source: str) -> None:
        told = self.data(source)
        rows = told.get("gotchas", list(told.values())) if isinstance(told, dict) else told
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict):
                about: dict[str, Any] = {name: row.get(name) for name in ("workaround", "severity", "resolved")}
                title = row.get("title") or row.get("message") or row.get("pattern")
                paths = row.get("relatedFiles") or row.get("related_files")
                created = row.get("createdAt") or row.get("created_at")
                self.remember(source, "gotcha", title, row.get("description"), paths=paths, created_at=created, **about)

    def _take_entry(self, source: str, path: str) -> None:
        text = redact(self.texts[source], known=self.secrets)
        try:
            entry = read_entry_text(text, source)
        except LimpetError as error:
            self.leave(source, "memory", path, str(error))
            return
        place = f"memories:{path}"
        if self.before(place) not in (None, text):
            self.leave(source, "memory", entry.title, f"{place}: {DIFFERS}")
            return
        self.put(place, self.files[source] if text == self.texts[source] else text)
        self.add(source, "memory", entry.title, place)

    def _take_list(self, source: str, agent: str) -> None:
        """``- text (high) [tags]`` below headings that are categories."""
        category = ""
        for line in self.texts[source].splitlines():
            if line.startswith("#"):
                category = line.lstrip("# ").strip()
            elif line.lstrip().startswith("- "):
                text, _, tags = line.strip()[2:].partition(" [")
                sure = {"(high)": 0.8, "(medium)": 0.6, "(low)": 0.4}
                level = next((mark for mark in sure if text.endswith(mark)), "")
                owner = "" if agent == SHARED else agent
                listed = [tag.strip() for tag in (*tags.rstrip("] ").split(","), category) if tag.strip()]
                told = {"tags": listed, "confidence": sure.get(level, 0.6)}
                self.remember(source, "semantic", text.removesuffix(level), "", owner, **told)
            elif line.strip():
                self.leave(source, "line", line, "it is no item of the list")
