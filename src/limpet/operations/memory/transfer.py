"""Export and import of memories."""

from __future__ import annotations

from limpet.ground.errors import LimpetError
from limpet.memory.model.results import Imported, Problem
from limpet.operations.memory.library import open_library, update_index
from limpet.operations.project import Project


def export_memories(
    project: Project, target: str, form: str = "", with_index: bool = False
) -> tuple[str, int, tuple[Problem, ...]]:
    """Write the current and archived memories to the new file ``target``, without ``form`` in the format of its ending.

    Return the format, the number of entries, and the files that could not be read. Raises LimpetError.
    """
    library = open_library(project)
    form = form or ("md-tar" if target.endswith(".tar") else "json")
    count = library.export(target, form, with_index)
    try:
        return form, count, library.refresh().problems
    except LimpetError:  # the index is out of reach, the files were not
        return form, count, ()


def import_memories(project: Project, source: str, why: str = "") -> Imported:
    """Import an export, a Markdown file or a folder of them. Raise LimpetError, for an agent always."""
    library = open_library(project)
    done = library.import_(source, why)
    update_index(library)
    return done
