"""The texts of a project that would reach a prompt or run, as a person reads them who is asked to trust it. What
Limpet ships itself is left out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.instructions.find import flags_of
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.confinement import is_linked
from limpet.ground.storage.files import read_text
from limpet.ground.storage.scaffold import shipped_rules
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.memory.files.codec import read_entry_text
from limpet.memory.files.store import read_raw, scan
from limpet.memory.model.entry import LARGEST
from limpet.operations.framework import AGENTS, GUIDES, KINDS, WORKFLOWS, files_of, list_items
from limpet.operations.rules.view import called_by
from limpet.operations.trust.known_rules import changed_rules
from limpet.roles.agent_paths import own_files
from limpet.rules.catalogue import Entry, read_catalogue
from limpet.rules.edit.difference import changed_lines
from limpet.rules.format.manifest import read_manifest
from limpet.rules.layout import CONSTITUTION_FILE, LIMPET
from limpet.rules.plan.compiler import INHERITED, SHIPPED
from limpet.rules.plan.sources import plain_name, read_sources

# How many memories and files of the work are read, and the lines of the latter that are shown.
MOST_MEMORIES, MOST_OF_THE_WORK, OPENING = 500, 50, 6
LONGEST_TRIGGER, LONGEST_TEXT = 300, 65_536
CUT = "The rest is not shown: the file is longer than 65,536 characters."
RULES, ARTICLES, WORK, MEMORIES = "rules", "articles", "work", "memories"
# What of the work speaks to an agent, by its path in ``.limpet``.
OF_THE_WORK = ("session.yaml", "manifest.yaml", "continuation", "handoffs", "stories", "knowledge")

Redact = Callable[[str], str]


class Text(Value):
    """A file whose text would reach a prompt, or run.

    ``kind``: rules, articles, agents, workflows, templates, quality-gates, intelligence, work or memories.
    ``file``: its path from the project's root.
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
    """Return the project's texts, and how many of its files are copies of what Limpet ships."""
    secrets = read_secrets(workspace.root)

    def safe(text: str) -> str:
        return redact(text, known=secrets)

    rules, shipped_rule_files = _rules(workspace)
    framework, shipped_files = _of_the_framework(workspace, safe)
    others = (*_articles(workspace, safe), *framework, *_work(workspace, safe), *_memories(workspace, safe))
    return (*rules, *others), shipped_rule_files + shipped_files


def changed_texts(workspace: Workspace) -> tuple[Text, ...]:
    """Return what changed in the rules of a trusted project since the user knows them: lines that came and went."""
    return tuple(
        _text(RULES, change.path, "", (f"{one.sign} {one.text}" for one in changed_lines(change) if one.text.strip()))
        for change in changed_rules(workspace)
    )


def _text(kind: str, file: str, about: str, lines: Iterable[str], opening: Iterable[str] | None = None) -> Text:
    """Return the text of these lines; with an ``opening`` only that of them, and what reads as an order."""
    whole = tuple(line.rstrip() for line in lines if line.strip())
    orders = tuple(line for line in whole if flags_of(line))
    shown = whole if opening is None else tuple(dict.fromkeys((*opening, *orders)))
    return Text(kind, file, about, shown, orders, max(0, len(whole) - len(shown)))


def _rules(workspace: Workspace) -> tuple[list[Text], int]:
    """Return the project's domains that are not as they are shipped, without the rules that are; and how many are."""
    shipped = shipped_rules(workspace.root)
    known = {domain.name: domain for domain in read_manifest(shipped[LIMPET.manifest].decode()).domains}
    found, copies = [], 0
    for entry in read_catalogue(workspace):
        if entry.origin in (INHERITED, SHIPPED):  # the project around this one is trusted by itself
            continue
        name = plain_name(entry.file or entry.domain.name)
        ours = name if "/" not in entry.file and name in shipped else ""
        packaged = {*shipped[ours].decode().splitlines()} if ours else set()
        own = [(key, rule) for key, rule in entry.lines if not {rule, f"{key}={rule}"} & packaged]
        if own or (entry.lines and not (ours and known.get(entry.domain.name) == entry.domain)):
            plain = f"{entry.domain.name}_RULE_"
            lines = (rule if key.isdigit() or key.startswith(plain) else f"{key}={rule}" for key, rule in own)
            found.append(_text(RULES, entry.shown_file, _when(entry), lines))
        else:
            copies += bool(entry.lines)
    return found, copies


def _when(entry: Entry) -> str:
    state = "" if entry.domain.active else ", inactive"
    return f"{entry.domain.name}{state}: {clip(called_by(entry), LONGEST_TRIGGER)}"


def _articles(workspace: Workspace, safe: Redact) -> Iterator[Text]:
    if os.path.lexists(os.path.join(workspace.root, CONSTITUTION_FILE)):
        for article in read_sources(workspace).constitution.added:
            title = safe(f"{article.numeral}. {article.title} ({article.severity})")
            yield _text(ARTICLES, CONSTITUTION_FILE, "every prompt", (title, *map(safe, article.duties)))


def _of_the_framework(workspace: Workspace, safe: Redact) -> tuple[list[Text], int]:
    """Return the project's own agents, workflows and texts that agents work by, those in place of packaged ones first;
    and how many are word for word the packaged ones."""
    found, left_out = [], 0
    for kind in (AGENTS, WORKFLOWS, *GUIDES):
        packaged = {item.name: item.text for item in list_items(None, (kind,))}
        folder = workspace.path(kind)
        files = own_files(folder) if kind == AGENTS else files_of(folder, KINDS[kind])
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
    paths = (path for name in OF_THE_WORK for path in _files_at(workspace.path(name)))
    for path in islice(paths, MOST_OF_THE_WORK):
        lines = [line for line in safe(_read(path)).splitlines() if line.strip()]
        yield _text(WORK, os.path.relpath(path, workspace.root).replace(os.sep, "/"), "", lines, lines[:OPENING])


def _files_at(path: str) -> Iterator[str]:
    if os.path.isfile(path):
        yield path
    elif not is_linked(path):
        for folder, folders, names in os.walk(path):
            folders.sort()
            yield from (os.path.join(folder, name) for name in sorted(names))


def _memories(workspace: Workspace, safe: Redact) -> Iterator[Text]:
    """Yield the memories that can become an entry: a larger file is none."""
    paths = [path for path, mark in scan(workspace.shared) if mark[1] <= LARGEST]
    for path in paths[:MOST_MEMORIES]:
        text = safe((read_raw(workspace.shared, path) or b"").decode("utf-8", "replace"))
        try:
            entry = read_entry_text(text, path)
            opening = [entry.title]
        except LimpetError as error:
            opening = [str(error)]
        yield _text(MEMORIES, f"{FOLDER}/memories/{path}", "", text.splitlines(), opening).replace(left_out=0)
    if len(paths) > MOST_MEMORIES:
        about = f"{len(paths) - MOST_MEMORIES} more, not read here"
        yield Text(MEMORIES, f"{FOLDER}/memories", about, (), ())


def _read(path: str) -> str:
    text = (read_text(path, STATE_BYTES) or "").replace("\r\n", "\n")
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}\n{CUT}"
