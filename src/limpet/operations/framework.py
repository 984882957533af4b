"""The texts that agents work by (templates, quality gates, definitions), and what is packaged, by kind. A project's own
file takes the packaged one's place."""

from __future__ import annotations

import os
from collections.abc import Mapping

from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import split_described
from limpet.ground.formats.markdown import read_sections
from limpet.ground.storage.durable import create_file, make_shared_folders
from limpet.ground.storage.files import names_in
from limpet.ground.storage.text_file import read_strictly
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.roles.agent import BESIDE, Agent
from limpet.rules.plan.sources import FRAMEWORK
from limpet.work.pipeline.workflow import plain_name

AGENTS, WORKFLOWS = "agents", "workflows"
FORMS = ("templates", "quality-gates", "intelligence")
"""Kinds of texts that agents work by. Of two with one name the one of the earlier kind is meant."""

KINDS: Mapping[str, str] = {**dict.fromkeys(FORMS, ".md"), AGENTS: ".md", WORKFLOWS: ".yaml"}
"""Kind -> what its files end in."""


class AgentForm(Value):
    """A text that an agent works by; ``problem``: why the project's own file is not used, "" where nothing is wrong."""

    name: str
    kind: str
    text: str
    source: str
    problem: str = ""

    @property
    def title(self) -> str:
        return next((each.title for each in read_sections(self.text) if each.rank == 1), self.name)


def forms_of(workspace: Workspace | None, agent: Agent) -> list[AgentForm]:
    """The project's own texts come in place of packaged ones; a name that no file has is passed over."""
    found = []
    for name in map(plain_name, (*agent.templates, *BESIDE.get(agent.id, ()))):
        for kind in FORMS:
            own = framework_files_of(workspace.path(kind), KINDS[kind]) if workspace else {}
            packaged = _packaged(kind)
            if name in own or name in packaged:
                found.append(_read(kind, name, own.get(name, ""), packaged.get(name, "")))
                break
    return found


def packaged_texts(kind: str) -> dict[str, str]:
    return {name: read_strictly(path, path) for name, path in _packaged(kind).items()}


def framework_files_of(folder: str, ending: str) -> dict[str, str]:
    """Return plain name -> path of the files with this ending; of two spellings the plain one counts."""
    found: dict[str, str] = {}
    for file in sorted(names_in(folder), key=lambda each: each != plain_name(each)):
        if file.lower().endswith(ending):
            found.setdefault(plain_name(file[: -len(ending)]), os.path.join(folder, file))
    return found


def write_new(path: str, text: str, shown: str) -> None:
    """Raises LimpetError where something is there already."""
    try:
        make_shared_folders(os.path.dirname(path))
        create_file(path, text.encode("utf-8"))
    except FileExistsError:
        raise LimpetError("File exists already", shown, "Edit it, or remove it first.") from None
    except OSError as error:
        raise LimpetError(f"Cannot write the file ({error.strerror})", shown) from error


def _packaged(kind: str) -> dict[str, str]:
    return framework_files_of(os.path.join(FRAMEWORK, kind), KINDS[kind])


def _read(kind: str, name: str, own: str, packaged: str) -> AgentForm:
    problem, shown = "", f"{FOLDER}/{kind}/{os.path.basename(own)}"
    if own:
        try:
            text = split_described(read_strictly(own, shown), shown)[1]
            return AgentForm(name=name, kind=kind, text=text, source=shown)
        except LimpetError as error:
            problem = str(error)
    if not packaged:
        return AgentForm(name=name, kind=kind, text="", source=shown, problem=problem)
    problem = f"{problem.removesuffix('.')}. The packaged text is used." if problem else ""
    shown = f"framework/{kind}/{os.path.basename(packaged)}"
    text = split_described(read_strictly(packaged, shown), shown)[1]
    return AgentForm(name=name, kind=kind, text=text, source=shown, problem=problem)
