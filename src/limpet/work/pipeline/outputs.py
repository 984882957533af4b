"""The output of a step: the path where its agent puts what it makes, in a folder of the run's own."""

from __future__ import annotations

import re

from limpet.ground.text.words import fold
from limpet.work.pipeline.move import Session
from limpet.work.pipeline.workflow import Step

WORK = "{work}"
_LONGEST = 20


def output_path(session: Session, step: Step) -> str:
    """Return the path of the step's output from the project's root, with ``/`` at its end for a folder; "" for none."""
    return step.output.replace(WORK, folder_of(session))


def folder_of(session: Session) -> str:
    """Return the name of the run's folder, as it was when the run began."""
    agreed = session.get("agreement")
    folder = agreed.get("folder") if isinstance(agreed, dict) else None
    return folder if isinstance(folder, str) and folder else new_folder(session)


def new_folder(session: Session) -> str:
    """Return a name for the run's folder that no other run has: ``harbour-k3j4``, after project or workflow."""
    project = session.get("project")
    name = (project.get("name") if isinstance(project, dict) else None) or session.get("workflow") or "work"
    slug = re.sub(r"[^a-z0-9]+", "-", fold(str(name)))[:_LONGEST].strip("-") or "work"
    run = str(session.get("run") or "")[:4]
    return f"{slug}-{run}" if run else slug
