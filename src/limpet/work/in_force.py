"""Determines which agent, workflow, task, squad and modes are in force: the one answer for block, capture, privacy and
commands. A conversation's own value comes before the project's (decision 11). Pure, and on the prompt path."""

from __future__ import annotations

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.values import Value
from limpet.roles.roster import plain_id, resolve_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# What a conversation says when it wants no agent though the project has one.
NOBODY = "none"
# Key of the project's session -> what a conversation's own state calls it.
CONVERSATION_KEYS = {
    "current_agent": "active_agent",
    "workflow": "workflow",
    "task": "task",
    "squad": "squad",
    "mode": "mode",
    "permission": "permission",
}
# Key of a session as it is read: each name of an agent that has a file in the project -> its id. No file holds it.
OWN_AGENTS = "agent_names"
# How much is explained to the user; and the confidence from which a judgement of ours is acted on.
VIBECODER, POWER_USER = "vibecoder", "power_user"
SURE = 0.6
_NOTHING: dict[str, Any] = {}
MODES = ("planning", "build", "deploy")
PERMISSIONS = ("explore", "ask", "auto")
ALIASES = {
    "mode": {"clarity": "planning"},
    "permission": {"yolo": "auto", "safe": "explore", "balanced": "ask"},
}


class InForce(Value):
    """The values in force for one conversation, or for the project where no conversation asks.

    ``workflow``, ``squad``, ``mode``, ``permission``: as they were set, "" where nobody did.
    ``task``: its title, or a mapping with ``id``, ``title``, ``executor``; None for none.
    ``follows_project``: whether the workflow is the project's, so that its pipeline and step are this conversation's.
    ``own_agents``: each name of an agent that has a file in the project -> its id.
    ``has_steps``: whether the workflow has steps under way, and does not bring rules only.
    """

    agent: str
    workflow: str
    task: Any
    squad: str
    mode: str
    permission: str
    follows_project: bool
    own_agents: Mapping[str, str] = _NOTHING
    has_steps: bool = False


def find_in_force(project: Mapping[str, Any], conversation: Mapping[str, Any] = _NOTHING) -> InForce:
    """``conversation`` is ``sessions/<id>.json``, ``project`` is ``session.yaml``."""
    found = {key: conversation.get(own) or project.get(key) for key, own in CONVERSATION_KEYS.items()}
    workflow, own = str(found["workflow"] or ""), project.get(OWN_AGENTS, _NOTHING)
    follows = conversation.get("workflow") in (None, project.get("workflow"))
    return InForce(
        agent=name_agent(str(found["current_agent"] or NOBODY), workflow, own),
        workflow=workflow,
        task=found["task"],
        squad=str(found["squad"] or ""),
        mode=str(found["mode"] or ""),
        permission=str(found["permission"] or ""),
        follows_project=follows,
        own_agents=own,
        has_steps=bool(workflow and follows and project.get("agents")),
    )


def is_at_work(found: InForce, lock: object, settings: Mapping[str, Any]) -> bool:
    """What speaks of the work holds: an agent, a workflow or the lock is in force, or the user wants it always
    (decision 47; a story alone brings itself). ``lock``: whatever is true while the lock is taken."""
    return bool(found.agent or found.workflow or lock or settings["rules"]["full"])


def find_modes(found: InForce, settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return the mode, which is the default one only while a workflow's steps are under way (decision 47), and the
    permission mode that a person set, in the settings too: "" where nobody did, and then none holds."""
    configured = str(settings["work"]["mode"])
    is_said = found.has_steps or configured != DEFAULTS["work"]["mode"]
    return found.mode or (configured if is_said else ""), found.permission or str(settings["guard"]["permission"])


def find_user_level(project: Mapping[str, Any]) -> str:
    """Return a person's own word, which has no confidence, or a judgement that is sure enough, else ""."""
    level, confidence = project.get("user_level"), project.get("user_level_confidence")
    if level not in (VIBECODER, POWER_USER) or (isinstance(confidence, (int, float)) and confidence < SURE):
        return ""
    return str(level)


def resolve_agent(name: str, workflow: str, own: Mapping[str, str] = _NOTHING) -> str | None:
    """Return the id that a name or alias stands for under this workflow, None for an unknown one (decision 34).
    ``own``: the names of the project's own agents, which no packaged one's alias hides."""
    plain = plain_id(name)
    return own.get(plain) or resolve_id(plain, brownfield=workflow.startswith("brownfield"))


def name_agent(name: str, workflow: str, own: Mapping[str, str] = _NOTHING) -> str:
    """Return the name itself in plain form where the agent is unknown, and "" for nobody."""
    return "" if name == NOBODY else resolve_agent(name, workflow, own) or plain_id(name)


def resolve_mode(name: str) -> str | None:
    found = ALIASES["mode"].get(name, name)
    return found if found in MODES else None


def resolve_permission(name: str) -> str | None:
    found = ALIASES["permission"].get(name, name)
    return found if found in PERMISSIONS else None
