"""The packaged content by kind and name: agents, forms, workflows, quality gates, definitions, schemas, the
constitution. A project's own file takes the packaged one's place."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import nearest
from limpet.ground.storage.durable import create_file, make_shared_folders
from limpet.ground.storage.files import names_in
from limpet.ground.storage.text_file import read_strictly
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.operations.mirror import refresh_mirror
from limpet.roles.agent_file import parse_agent
from limpet.rules.plan.sources import FRAMEWORK

AGENTS, WORKFLOWS, SCHEMAS, CONSTITUTION = "agents", "workflows", "schemas", "constitution"
GUIDES = ("templates", "quality-gates", "intelligence")
"""Kinds of texts that agents work by."""

KINDS: Mapping[str, str] = {
    **dict.fromkeys(GUIDES, ".md"),
    AGENTS: ".md",
    WORKFLOWS: ".yaml",
    CONSTITUTION: ".md",
    SCHEMAS: ".schema.json",
}
"""Kind -> what its files end in. Of two items with one name the one of the earlier kind is meant."""

# Kinds of which a project has none of its own -> what it can do.
_FIXED = {
    CONSTITUTION: "Add articles in .limpet/constitution.md; nothing is taken away.",
    SCHEMAS: "They describe what Limpet reads.",
}


class FrameworkItem(Value):
    """A packaged text, or the project's own in its place.

    ``source``: its file, as messages name it.
    ``problem``: why the project's own file is not used, "" where nothing is wrong.
    """

    name: str
    kind: str
    title: str
    text: str
    source: str
    problem: str = ""

    @property
    def path(self) -> str:
        """Kind and name, such as ``templates/prd``; the constitution is the only one of its kind."""
        return self.name if self.name == self.kind else f"{self.kind}/{self.name}"


def framework_items(workspace: Workspace | None, kinds: Iterable[str] = KINDS) -> list[FrameworkItem]:
    """Return all items of these kinds, by kind and name; the project's own in place of packaged ones."""
    return [_find(workspace, kind, name) for kind in kinds for name in sorted(_names(workspace, kind))]


def read_framework_item(workspace: Workspace | None, name: str) -> FrameworkItem:
    """Return the item that a name means, such as ``templates/prd``, ``prd`` or ``prd.md``.

    Raises LimpetError for an unknown one, and for the project's own that cannot be read and replaces no packaged one.
    """
    return _read(workspace, *_meant(workspace, name))


def copy_item(workspace: Workspace, name: str) -> str:
    """Write a packaged item into the project, to be changed there, and return the new file as messages name it. Raise
    LimpetError, for one that is there already."""
    kind, plain = _meant(None, name)
    if kind in _FIXED:
        raise LimpetError(f"{plain} cannot be replaced", "", _FIXED[kind])
    own = framework_files_of(workspace.path(kind), KINDS[kind]).get(plain)
    file = f"{plain}{KINDS[kind]}"
    shown = f"{FOLDER}/{kind}/{os.path.basename(own) if own else file}"
    if own:
        raise LimpetError("File exists already", shown, "Edit it, or remove it first.")
    write_new(workspace.path(kind, file), _read(None, kind, plain).text, shown)
    refresh_mirror(workspace)
    return shown


def write_new(path: str, text: str, shown: str) -> None:
    """Write a new file of the project's. Raise LimpetError, where something is there already too."""
    try:
        make_shared_folders(os.path.dirname(path))
        create_file(path, text.encode("utf-8"))
    except FileExistsError:
        raise LimpetError("File exists already", shown, "Edit it, or remove it first.") from None
    except OSError as error:
        raise LimpetError(f"Cannot write the file ({error.strerror})", shown) from error


def _meant(workspace: Workspace | None, name: str) -> tuple[str, str]:
    """Return the kind and the plain name of the item that a name means. Raise LimpetError."""
    folder, _, last = name.strip().rpartition("/")
    known = [(kind, plain) for kind in KINDS for plain in sorted(_names(workspace, kind))]
    for kind, plain in known:
        if _plain(last) in (plain, f"{plain}{KINDS[kind]}") and folder.lower() in ("", kind):
            return kind, plain
    names = [plain for kind, plain in known if kind in GUIDES]
    near = nearest(_plain(last), [plain for _, plain in known])
    raise LimpetError("Nothing has this name", name, f"Forms, gates and definitions: {', '.join(names)}{near}")


def _names(workspace: Workspace | None, kind: str) -> set[str]:
    own = framework_files_of(workspace.path(kind), KINDS[kind]) if workspace and kind not in _FIXED else {}
    return {*own, *_packaged(kind)}


def _packaged(kind: str) -> dict[str, str]:
    if kind == CONSTITUTION:
        return {kind: os.path.join(FRAMEWORK, f"{kind}.md")}
    return framework_files_of(os.path.join(FRAMEWORK, kind), KINDS[kind])


def framework_files_of(folder: str, ending: str) -> dict[str, str]:
    """Return plain name -> path of the files with this ending; of two spellings the plain one counts."""
    found: dict[str, str] = {}
    for file in sorted(names_in(folder), key=lambda each: each != _plain(each)):
        if file.lower().endswith(ending):
            found.setdefault(_plain(file[: -len(ending)]), os.path.join(folder, file))
    return found


def _plain(name: str) -> str:
    return name.strip().lower().replace("_", "-")


def _find(workspace: Workspace | None, kind: str, name: str) -> FrameworkItem:
    try:
        return _read(workspace, kind, name)
    except LimpetError as error:
        source = f"{FOLDER}/{kind}/{name}{KINDS[kind]}"
        return FrameworkItem(name=name, kind=kind, title=name, text="", source=source, problem=str(error))


def _read(workspace: Workspace | None, kind: str, name: str) -> FrameworkItem:
    own = framework_files_of(workspace.path(kind), KINDS[kind]).get(name) if workspace and kind not in _FIXED else None
    packaged, problem = _packaged(kind).get(name), ""
    if own:
        shown = f"{FOLDER}/{kind}/{os.path.basename(own)}"
        try:
            return _item(kind, name, read_strictly(own, shown), shown)
        except LimpetError as error:
            if packaged is None:
                raise
            problem = f"{str(error).removesuffix('.')}. The packaged text is used."
    assert packaged is not None
    shown = f"framework/{os.path.relpath(packaged, FRAMEWORK).replace(os.sep, '/')}"
    return _item(kind, name, read_strictly(packaged, shown), shown).replace(problem=problem)


def _item(kind: str, name: str, text: str, source: str) -> FrameworkItem:
    """Return the item of a text. Raise LimpetError for an agent that is none."""
    title = _TITLES[kind](text, name, source) if kind in _TITLES else _value(text, "# ") or name
    return FrameworkItem(name=name, kind=kind, title=title, text=text, source=source)


def _value(text: str, start: str) -> str:
    """Return the rest of the first line that begins so, "" where none does."""
    return next((line[len(start) :].strip('",') for line in text.splitlines() if line.startswith(start)), "")


_TITLES: Mapping[str, Callable[[str, str, str], str]] = {
    AGENTS: lambda text, name, source: parse_agent(text, name, source)[0].title,
    WORKFLOWS: lambda text, name, source: _value(text, "description: ") or name,
    SCHEMAS: lambda text, name, source: _value(text, '  "title": "') or name,
}
