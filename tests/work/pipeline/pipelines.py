"""Sessions at a point of a pipeline, and moves put into effect without a file."""

import os

import limpet
from limpet.work.pipeline.gate import Facts
from limpet.work.pipeline.state import SEALED_RUN, Limits, finish_names, seal
from limpet.work.pipeline.workflow import parse_workflow

NOW = 1_792_584_000.0
LIMITS = Limits(gate=95.0, loops=3)
RUN = {"command": "pytest -q", "exit_code": 0, "digest": "a" * 64, "timestamp": "2026-10-21T12:00:00Z"}
FACTS = Facts(project="p", key=b"k" * 32, tree="t" * 64)


def shipped(name):
    """A shipped workflow."""
    path = os.path.join(os.path.dirname(limpet.__file__), "framework", "workflows", f"{name}.yaml")
    with open(path, encoding="utf-8") as file:
        return parse_workflow(file.read(), name, f"{name}.yaml")


GREENFIELD, BROWNFIELD, QUICK = map(shipped, ("greenfield", "brownfield", "quick-flow"))


def session_at(agent, workflow=GREENFIELD, score=None, **more):
    """A session in which this agent works, all before it have completed, and all after it are pending."""
    place = workflow.place_of(agent)
    done = {step.agent: {"status": "completed", "score": 97} for step in workflow.steps[:place]}
    waiting = {step.agent: {"status": "pending"} for step in workflow.steps[place + 1 :]}
    own = {"status": "in_progress"} | ({} if score is None else {"score": score})
    step = workflow.steps[place]
    session = {
        "workflow": workflow.name,
        "current_agent": agent,
        "mode": step.mode,
        "project": {"type": workflow.project_type, "state": step.state},
        "agents": {**done, agent: own, **waiting},
        "run": "aaaaaaaa",
        **more,
    }
    return session if score is None else finished(session, agent, score)


def finished(session, agent, score=97, evidence="claimed", facts=FACTS, **more):
    """The session in which this agent's step was finished, under the user's seal; a person let it pass without a check
    unless ``more`` says otherwise."""
    fields = {"score": score, "evidence": evidence, "tree": facts.tree, "timestamp": RUN["timestamp"]}
    fields |= more or {"word": "typed"}
    finish = {**fields, "seal": seal(session, agent, fields, finish_names(fields), facts)}
    return put(put(session, ("gates", agent, "finish"), finish), ("agents", agent, "score"), score)


def checked(session, agent, facts=FACTS, **fields):
    """The session in which a check ran for this agent, under the user's seal; ``fields`` are its record's."""
    record = {"check": "tests", **RUN, "tree": facts.tree, **fields}
    record["seal"] = seal(session, agent, record, SEALED_RUN, facts)
    known = session.get("gates", {}).get(agent, {}).get("evidence", [])
    return put(session, ("gates", agent, "evidence"), [*known, record])


def after(session, move):
    """The session with the move's changes."""
    for key, value in move.changes.items():
        session = put(session, (key,) if isinstance(key, str) else key, value)
    return session


def put(values, path, value):
    known = values if isinstance(values, dict) else {}
    return {**known, path[0]: put(known.get(path[0]), path[1:], value) if path[1:] else value}


def statuses(session):
    """By agent how far it is."""
    return {agent: record["status"] for agent, record in session["agents"].items()}
