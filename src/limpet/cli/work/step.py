"""The step that is due now, as the commands that begin, end and move steps show it below what they did."""

from __future__ import annotations

from limpet.cli.work.output import Shown
from limpet.operations.project import Project
from limpet.operations.work.briefing import brief
from limpet.work.pipeline.briefing import briefing_data, briefing_lines


def step_now(project: Project) -> Shown:
    """Return the step that is due now, with an empty line above it; ``step`` is None where none is."""
    briefing = brief(project)
    if briefing is None:
        return {"step": None}, ()
    return {"step": briefing_data(briefing)}, ("", *briefing_lines(briefing))
