"""The thirteen shipped agents and their aliases; plain data, because the prompt hook reads it."""

from __future__ import annotations

ROLES: dict[str, tuple[str, str, str, str, str]] = {
    # id: (title, mission, inputs, outputs, criteria)
    "orchestrator": (
        "Orchestrator",
        "Route every message to the right agent, keep the session, settle deviations; produce nothing itself",
        "User message, session state, latest handoff, config",
        "Routing decision, session state, record of deviations and mode changes",
        "Right agent active, state saved, no gate skipped unconfirmed, deviations brought back",
    ),
    "greenfield-wu": (
        "Greenfield discovery",
        "Find out how the work is done today, what hurts, what works, and what the user wants instead",
        "User access, documents the user provides",
        "Operational report: workflow, pain points, strengths, outcomes, constraints",
        "Four phases done, three or more pain points with examples, constraints named, user confirmed",
    ),
    "brownfield-wu": (
        "Brownfield discovery",
        "Understand an existing system: operations, code, integrations and technical debt",
        "Codebase (read only), user access, views of architect, ux and QA",
        "Full report: operations, architecture, integration map, debt graded by severity",
        "Six phases done, findings cite files, debt graded, reuse decisions recorded, user confirmed",
    ),
    "brief": (
        "Brief",
        "Find out with the user what the problem is and what a solution must achieve, in five phases",
        "Discovery report and handoff, user access",
        "Brief: problem, users, functional and non-functional needs, constraints, open questions",
        "Five phases done, needs sorted, contradictions settled or listed, user approved the text",
    ),
    "detail": (
        "Detail (PRD)",
        "Turn the brief into numbered, testable requirements",
        "Brief, discovery report; in brownfield also the architecture",
        "PRD: FR, NFR, constraints, Given-When-Then, scope, risks, traceability table",
        "No orphans brief to PRD, each requirement testable and prioritised, scope in and out stated",
    ),
    "architect": (
        "Architect",
        "Decide how it is built: structure, technology, interfaces, data",
        "PRD, brief, existing code",
        "Architecture document with decision records",
        "Each requirement placed, each NFR measurable, choices compared and validated, interfaces testable",
    ),
    "ux": (
        "UX",
        "Decide how it looks and feels, and keep the design system",
        "Architecture, PRD, brief",
        "UX specification: flows, screens, states, components, design tokens",
        "Each user requirement has a flow, all states covered, tokens defined once, WCAG 2.1 AA met",
    ),
    "phases": (
        "Phases",
        "Split the product into phases that each deliver something, the MVP first",
        "PRD, architecture, UX specification",
        "Phase plan: goal, requirements, dependencies and exit criteria of each phase",
        "Phase 1 is the MVP, no phase above two weeks, each requirement in one phase, order holds",
    ),
    "tasks": (
        "Tasks",
        "Split phases into tasks that one executor can do and anyone can check",
        "Phase plan, PRD, architecture, UX specification",
        "Stories and tasks with criteria, size, executor, files, dependencies",
        "Given-When-Then each, none above eight hours, every requirement covered, no circular waits",
    ),
    "qa-planning": (
        "QA of the planning",
        "Check that the planning is consistent and its criteria are rigorous, before anything is built",
        "All planning artifacts and handoffs",
        "Planning report: score, penalties, findings with their owner, verdict",
        "Traceability checked both ways, criteria audited, no placeholders left, score of 95 or more",
    ),
    "dev": (
        "Dev",
        "Build what the story says, as the architecture says, with tests",
        "Story or task, architecture, UX specification, gotchas, planning approval",
        "Code, tests, local commits, Dev Agent Record in the story",
        "Every criterion shown by a command; lint, types, tests, build pass; 95% a task; no blocker hidden",
    ),
    "qa-implementation": (
        "QA of the implementation",
        "Find out whether the code does what the specs say, safely",
        "Code, stories, PRD, architecture, Dev Agent Record",
        "QA Results in the story and a report: verdict, score, findings by kind and severity",
        "All tests pass, coverage 80% or more, no critical or high finding, every criterion verified",
    ),
    "devops": (
        "DevOps",
        "Release approved work, and be able to roll it back",
        "QA approval, code, architecture, environment names",
        "Pushes, pull requests, releases, deployment, deploy report",
        "QA approved, pre-push gate passed, way back tried, health check passed after the deploy",
    ),
}

ALIASES: dict[str, str] = {
    "pm": "detail",
    "po": "brief",
    "sm": "tasks",
    "qa": "qa-implementation",
    "analyst": "greenfield-wu",
    "data-engineer": "architect",
    "ux-design-expert": "ux",
    "aiox-master": "orchestrator",
    "squad-creator": "orchestrator",
}

BROWNFIELD_ALIASES: dict[str, str] = {"analyst": "brownfield-wu"}


def resolve(name: str, brownfield: bool = False) -> str | None:
    """Return the agent id that ``name`` (id or alias; ``@``, any case, ``_`` for ``-``) means; None when unknown."""
    key = plain_id(name)
    if brownfield and key in BROWNFIELD_ALIASES:
        return BROWNFIELD_ALIASES[key]
    return key if key in ROLES else ALIASES.get(key)


def plain_id(name: str) -> str:
    """Return an agent's name as its id is spelt: without ``@``, in lower case, ``-`` for ``_``."""
    return name.strip().removeprefix("@").lower().replace("_", "-")


def name_for(agent: str, names: list[str]) -> str:
    """Return the one of these ids and aliases whose rules are the agent's: its own id, else the first of its aliases in
    the roster's order, "" where none is. Never more than one: what shares an agent here were several roles elsewhere,
    of which one may what the other may not (decision 34)."""
    aliases = (alias for alias in ALIASES if agent in (ALIASES[alias], BROWNFIELD_ALIASES.get(alias)))
    return next((name for name in (agent, *aliases) if name and name in names), "")
