"""Where a tool call happens: the project, the agent in force, its work, and what a person allowed."""

from __future__ import annotations

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

PERMISSIONS = ("explore", "ask", "auto")


class Story(Value):
    """The story in force: its id, and the globs of the files it may touch."""

    id: str
    files: tuple[str, ...] = ()


class Scene(Value):
    """What the rules know beside the call.

    root, home: the project's folder and its .limpet folder, absolute.
    agent: the id in force, a sub-agent's own for its calls, "" for none.
    starter: the agent that started a sub-agent and has less authority than its own, so that both count; else "".
    workflow, mode: of the work under way; mode is planning, build or deploy, "" without a workflow.
    permission: one of PERMISSIONS where a person set one, else "".
    host_mode: the host's own (default, plan, acceptEdits, bypassPermissions), "" where it says none.
    owners: the agent that owns each private memory folder, by absolute path.
    kept: absolute folders that Limpet alone reads and writes (cache, events).
    settings: the section ``guard`` of the settings.
    """

    root: str
    home: str
    agent: str = ""
    starter: str = ""
    workflow: str = ""
    mode: str = ""
    permission: str = ""
    host_mode: str = ""
    story: Story | None = None
    owners: Mapping[str, str] = {}  # noqa: RUF012 - never changed: a Value is frozen
    kept: tuple[str, ...] = ()
    settings: Mapping[str, Any] = {}  # noqa: RUF012 - never changed: a Value is frozen
