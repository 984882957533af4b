"""The empty document of a step, for its agent to fill in."""

from __future__ import annotations

from holdfast.work.pipeline.workflow import Step


def step_form(step: Step, to: str) -> str:
    """Return the Markdown that `work finish` reads back; ``to`` is the next agent, "" after the last step."""
    title = f"# Handoff: {step.agent}" + (f" to {to}" if to else "")
    criteria = [f"- [ ] {number}. {one.text}" for number, one in enumerate(step.criteria, 1)]
    tick = "tick each met criterion: - [x] 1: the file, command or place that shows it"
    own = "at least one: - [x] WHAT IS TRUE: the file, command or place that shows it"
    return "\n\n".join(
        (
            title,
            f"## Summary\n\n<!-- what {to or 'the next agent'} must know -->",
            "## Outputs\n\n<!-- each file created or changed, from the root: - PATH -->",
            "## Decisions\n\n<!-- each: - WHAT: HOW -->",
            "## Blockers\n\nNone.",
            "\n".join((f"## Criteria\n\n<!-- {tick if criteria else own} -->", *criteria)),
        )
    )
