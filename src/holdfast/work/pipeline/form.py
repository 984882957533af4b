"""The empty document of a step, for its agent to fill in."""

from __future__ import annotations

from holdfast.work.pipeline.workflow import Step

EVIDENCE = "a path, a story, a check, or a `command` that ran here"


def step_form(step: Step, to: str, run: str, output: str = "") -> str:
    """Return the Markdown that `work finish` reads back, and that counts for this step of this run only.

    ``to``: the next agent, "" after the last step.
    ``run``: the run's id.
    ``output``: the path of what the step makes, "" for none.
    """
    head = f"---\nfrom_agent: {step.agent}\nrun: {run}\n---\n# Handoff: {step.agent}" + (f" to {to}" if to else "")
    criteria = [f"- [ ] {number}. {one.text}" for number, one in enumerate(step.criteria, 1)]
    tick = f"tick what is met: - [x] 1: EVIDENCE ({EVIDENCE})"
    own = f"at least one: - [x] WHAT IS TRUE: EVIDENCE ({EVIDENCE})"
    made = f"- {output}\n" if output and not output.endswith("/") else ""
    return "\n\n".join(
        (
            head,
            f"## Summary\n\n<!-- what {to or 'the next agent'} must know -->",
            f"## Outputs\n\n{made}<!-- each file created or changed, from the root: - PATH -->",
            "## Decisions\n\n<!-- each: - WHAT: HOW -->",
            "## Blockers\n\nNone.",
            "\n".join((f"## Criteria\n\n<!-- {tick if criteria else own} -->", *criteria)),
        )
    )
