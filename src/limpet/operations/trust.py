"""Trust in a project (decision 46): what it would bring, giving it, and its state for ``status`` and ``doctor``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.config.settings import Layer, leaves, offered_settings, read_layers
from limpet.ground.digest import checksum, digest
from limpet.ground.errors import LimpetError
from limpet.ground.git import root_commit
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.instructions import flags_of
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.confinement import is_linked
from limpet.ground.storage.files import names_in, read_bytes, read_text
from limpet.ground.storage.scaffold import shipped_rules
from limpet.ground.storage.user_folders import settings_files
from limpet.ground.storage.walking import files_below
from limpet.ground.text.escaping import clip
from limpet.ground.trust.consent import OWNER, REPLACED, find_consent, find_former, inode_of
from limpet.ground.trust.giving import give_trust
from limpet.ground.trust.in_place import SPECS, folders_in_place
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, SHARED, Workspace
from limpet.memory.files.codec import read_entry_text
from limpet.memory.files.store import scan_files
from limpet.memory.files.tree import walk_team
from limpet.memory.model.entry import LARGEST
from limpet.memory.model.layout import WHOLE_STORE, team_memories
from limpet.operations.caller import Caller
from limpet.operations.framework import AGENTS, FORMS, KINDS, WORKFLOWS, framework_files_of, packaged_texts
from limpet.operations.mirror import refresh_mirror
from limpet.operations.project import open_as
from limpet.operations.rules.view import called_by
from limpet.operations.sharing.team import list_teammates, settle_teammates
from limpet.operations.trust_record import changed_rules, keep_rules, waiting_in_place
from limpet.roles.agent import own_files
from limpet.rules.edit.difference import changed_lines
from limpet.rules.format.manifest import read_manifest
from limpet.rules.layout import CONSTITUTION_FILE, LIMPET
from limpet.rules.naming import read_catalogue
from limpet.rules.plan.compiler import INHERITED, SHIPPED
from limpet.rules.plan.places import plain_rule_name, read_rule_files
from limpet.rules.plan.sources import folder_in_place, read_sources
from limpet.rules.plan.store import drop_plan
from limpet.work.checks import keep_environment

Drafts = Mapping[str, "str | None"]
# How many memories and files of the work are read, and the lines of the latter that are shown.
MOST_MEMORIES, MOST_OF_THE_WORK, OPENING = 500, 50, 6
LONGEST_TRIGGER, LONGEST_TEXT = 300, 65_536
CUT = "The rest is not shown: the file is longer than 65,536 characters."
RULES, ARTICLES, WORK, MEMORIES = "rules", "articles", "work", "memories"
# What of the work speaks to an agent, by its path in ``.limpet``.
OF_THE_WORK = ("manifest.yaml", "handoffs", "stories", "knowledge")
Redact = Callable[[str], str]
CHANGED = "The project changed while you were asked, so nothing was recorded"


class Setting(Value):
    """A value that the project's files set; ``key`` is dotted, ``instead_of`` the value without them, ``acts`` whether
    it spends, runs, deletes, writes or waits."""

    key: str
    value: Any
    instead_of: Any
    acts: bool


class TrustOffer(Value):
    """What a project would bring into conversations.

    ``texts``: what would reach a prompt or run; of a project that is trusted already what changed in its rules.
    ``packaged``: how many files are left out, because they are copies of what Limpet ships.
    ``settings``: the values that differ; of a project that is trusted already those that act and wait for a word.
    ``agreed``: the values of acting settings, by dotted key, as they stand in what was read.
    ``mark``: what changes with every file that counts.
    """

    texts: tuple[Text, ...]
    packaged: int
    settings: tuple[Setting, ...]
    agreed: dict[str, Any]
    mark: str


def survey(workspace: Workspace) -> TrustOffer:
    """Reads the project's files within their limits, and runs nothing of it."""
    drafts = _drafts(workspace)
    mark = fingerprint_texts(workspace, drafts)
    agreed, known = offered_settings(workspace, drafts), find_consent(workspace)
    settings = _settings(workspace, drafts, agreed)
    waiting = tuple(one for one in settings if known and one.acts and not known.covers(one.key, one.value))
    texts, packaged = (changed_texts(workspace), 0) if known else offered_texts(workspace)
    folders = waiting_in_place(workspace, known) if known else folders_in_place(workspace.root)
    texts = (*texts, *_in_place(workspace, folders))
    agreed |= dict.fromkeys(folders_in_place(workspace.root), True)
    return TrustOffer(texts, packaged, waiting if known else settings, agreed, mark)


def fingerprint_texts(workspace: Workspace, drafts: Drafts | None = None) -> str:
    """Of a trusted project only settings and rules count, because the rest changes at work."""
    files: dict[str, Any] = {}
    if not find_consent(workspace):
        files.update((path, _checksum(f"{workspace.home}/{path}")) for path in files_below(workspace.home))
    for folder in map(workspace.root.__add__, (f"/{name}" for name in folders_in_place(workspace.root))):
        files.update((name, _checksum(f"{folder}/{name}")) for name in names_in(folder))
    rules = {name: checksum(raw or b"") for name, raw in read_rule_files(workspace).items()}
    places = [inode_of(folder) for folder in (workspace.root, workspace.home)]
    parts = (drafts or _drafts(workspace), files, rules)
    return digest(repr((places, [sorted(part.items()) for part in parts])))


def _drafts(workspace: Workspace) -> dict[str, str | None]:
    own = (path for path in settings_files(workspace) if path.startswith(workspace.home + os.sep))
    return {path: read_text(path, STATE_BYTES) for path in own}


def _checksum(path: str) -> object:
    """Of a large file times and size stand for its bytes."""
    raw = read_bytes(path, STATE_BYTES)
    if raw is not None:
        return checksum(raw)
    try:
        about = os.lstat(path)
    except OSError:
        return None
    return about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino


def _settings(workspace: Workspace, drafts: Drafts, agreed: Mapping[str, Any]) -> tuple[Setting, ...]:
    layers = read_layers(workspace, drafts, agreed)
    own = [layer for layer in layers if layer.name.startswith(f"{FOLDER}/")]
    without = _leaves_of(layer for layer in layers if layer not in own)
    within = _leaves_of(own)
    return tuple(
        Setting(key=key, value=value, instead_of=without.get(key), acts=key in agreed)
        for key, value in within.items()
        if value != without.get(key)
    )


def _leaves_of(layers: Iterable[Layer]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for layer in layers:
        found.update((".".join(path), value) for path, value in leaves(layer.values))
    return found


class Text(Value):
    """A file whose text would reach a prompt, or run.

    ``kind``: rules, articles, agents, workflows, templates, quality-gates, intelligence, work or memories.
    ``about``: when it speaks, or what it is.
    ``lines``: its text; of the work the opening, of a memory the title, and what reads as an order.
    ``orders``: those of its lines that read as orders to the model.
    ``left_out``: the number of its lines that are not shown.
    """

    kind: str
    file: str
    about: str
    lines: tuple[str, ...]
    orders: tuple[str, ...]
    left_out: int = 0


def offered_texts(workspace: Workspace) -> tuple[tuple[Text, ...], int]:
    """The project's texts, and how many of its files are copies of what Limpet ships."""
    secrets = read_secrets(workspace.root)

    def safe(text: str) -> str:
        return redact(text, known=secrets)

    rules, shipped_rule_files = _rules(workspace)
    framework, shipped_files = _of_the_framework(workspace, safe)
    others = (*_articles(workspace, safe), *framework, *_work(workspace, safe), *_memories(workspace, safe))
    return (*rules, *others), shipped_rule_files + shipped_files


def changed_texts(workspace: Workspace) -> tuple[Text, ...]:
    texts = []
    for change in changed_rules(workspace):
        lines = (f"{one.sign} {one.text}" for one in changed_lines(change) if one.text.strip())
        texts.append(_text(RULES, change.path, "", lines))
    return tuple(texts)


def _text(kind: str, file: str, about: str, lines: Iterable[str], opening: Iterable[str] | None = None) -> Text:
    whole = tuple(line.rstrip() for line in lines if line.strip())
    orders = tuple(line for line in whole if flags_of(line))
    shown = whole if opening is None else tuple(dict.fromkeys((*opening, *orders)))
    return Text(kind, file, about, shown, orders, max(0, len(whole) - len(shown)))


def _rules(workspace: Workspace) -> tuple[list[Text], int]:
    """The project's domains, without what is as it is shipped; and how many are so altogether."""
    shipped = shipped_rules(workspace.root)
    known = {domain.name: domain for domain in read_manifest(shipped[LIMPET.manifest].decode()).domains}
    found, copies = [], 0
    for entry in read_catalogue(workspace):
        if entry.origin in (INHERITED, SHIPPED):  # the project around this one is trusted by itself
            continue
        name = plain_rule_name(entry.file or entry.domain.name)
        ours = name if "/" not in entry.file and name in shipped else ""
        packaged = {*shipped[ours].decode().splitlines()} if ours else set()
        own = [(key, rule) for key, rule in entry.lines if not {rule, f"{key}={rule}"} & packaged]
        if own or (entry.lines and not (ours and known.get(entry.domain.name) == entry.domain)):
            plain = f"{entry.domain.name}_RULE_"
            lines = (rule if key.isdigit() or key.startswith(plain) else f"{key}={rule}" for key, rule in own)
            state = "" if entry.domain.active else ", inactive"
            about = f"{entry.domain.name}{state}: {clip(called_by(entry), LONGEST_TRIGGER)}"
            found.append(_text(RULES, entry.shown_file, about, lines))
        else:
            copies += bool(entry.lines)
    return found, copies


def _in_place(workspace: Workspace, folders: Iterable[str]) -> Iterator[Text]:
    secrets = read_secrets(workspace.root)
    for folder in folders:
        if folder == SPECS:
            yield Text(WORK, f"{folder}/manifest.yaml", "the state of documents", (), ())
        files = {} if folder == SPECS else folder_in_place(workspace.root, folder)[1]
        for name, (path, read) in files.items():
            yield _text(RULES, path, f"{name}, read where it lies", redact(read() or "", known=secrets).splitlines())


def _articles(workspace: Workspace, safe: Redact) -> Iterator[Text]:
    if os.path.lexists(os.path.join(workspace.root, CONSTITUTION_FILE)):
        for article in read_sources(workspace).constitution.added:
            title = safe(f"{article.numeral}. {article.title} ({article.severity})")
            yield _text(ARTICLES, CONSTITUTION_FILE, "every prompt", (title, *map(safe, article.duties)))


def _of_the_framework(workspace: Workspace, safe: Redact) -> tuple[list[Text], int]:
    """Those in place of packaged ones first; and how many are word for word the packaged ones."""
    found, left_out = [], 0
    for kind in (AGENTS, WORKFLOWS, *FORMS):
        packaged = packaged_texts(kind)
        folder = workspace.path(kind)
        files = own_files(folder) if kind == AGENTS else framework_files_of(folder, KINDS[kind])
        for name in sorted(files, key=lambda each: (each not in packaged, each)):
            text = _read(files[name])
            if packaged.get(name) == text:
                left_out += 1
            else:
                about = "in place of the packaged one" if name in packaged else ""
                shown = f"{FOLDER}/{kind}/{os.path.basename(files[name])}"
                found.append(_text(kind, shown, about, safe(text).splitlines()))
    return found, left_out


def _work(workspace: Workspace, safe: Redact) -> Iterator[Text]:
    paths = chain.from_iterable(_files_at(workspace.path(name)) for name in OF_THE_WORK)
    for path in islice(paths, MOST_OF_THE_WORK):
        lines = [line for line in safe(_read(path)).splitlines() if line.strip()]
        yield _text(WORK, os.path.relpath(path, workspace.root).replace(os.sep, "/"), "", lines, lines[:OPENING])


def _files_at(path: str) -> Iterator[str]:
    if os.path.isfile(path):
        yield path
    elif not is_linked(path):
        yield from (f"{path}/{name}" for name in files_below(path))


def _memories(workspace: Workspace, safe: Redact) -> Iterator[Text]:
    top = team_memories(workspace.root)
    paths = [found.path for found in walk_team(workspace.root) if not found.what and found.stamp[1] <= LARGEST]
    for path in paths[:MOST_MEMORIES]:
        text = safe((read_bytes(os.path.join(top, *path.split("/")), LARGEST) or b"").decode("utf-8", "replace"))
        try:
            opening = [read_entry_text(text, path).title]
        except LimpetError as error:
            opening = [str(error)]
        yield _text(MEMORIES, f"{FOLDER}/memories/{path}", "", text.splitlines(), opening).replace(left_out=0)
    if len(paths) > MOST_MEMORIES:
        about = f"{len(paths) - MOST_MEMORIES} more, not read here"
        yield Text(MEMORIES, f"{FOLDER}/memories", about, (), ())


def _read(path: str) -> str:
    text = (read_text(path, STATE_BYTES) or "").replace("\r\n", "\n")
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}\n{CUT}"


def find_inheritance(workspace: Workspace, born: str) -> str:
    """The record of the project that this one continues, with all that was private of it: one that was moved here, or
    a fresh clone of it at the same place. "" for none, as for a copy of one that is still there."""
    path, former, why = find_former(workspace) or ("", None, "")
    if former is None or why == OWNER or (why == REPLACED and former.born != born):
        return ""
    return path if why == REPLACED or not os.path.lexists(former.root) else ""


def count_inherited(workspace: Workspace) -> int:
    """The memories that would come along."""
    record = find_inheritance(workspace, root_commit(workspace.root))
    return sum(1 for _ in scan_files(os.path.join(os.path.dirname(record), SHARED))) if record else 0


def trust_project(workspace: Workspace, offer: TrustOffer, now: float) -> Workspace:
    """Return the project as it is found from now on; what was private of one that was moved here goes along. Raises
    LimpetError where the project is not as it was shown, or the user's folders cannot be written."""
    if fingerprint_texts(workspace) != offer.mark:
        raise LimpetError(CHANGED, workspace.root, "To look again, run: limpet trust")
    born = root_commit(workspace.root)
    workspace = give_trust(workspace, offer.agreed, now, born, find_inheritance(workspace, born))
    if any(key.startswith("work.checks.") for key in offer.agreed):
        keep_environment(workspace, os.environ, now)
    keep_rules(workspace)
    if any(text.kind == MEMORIES for text in offer.texts):  # the person just read them
        project = open_as(workspace, Caller(reader=WHOLE_STORE, now=now))
        settle_teammates(project, list_teammates(project)[:MOST_MEMORIES])
    drop_plan(workspace)
    refresh_mirror(workspace)
    return workspace
