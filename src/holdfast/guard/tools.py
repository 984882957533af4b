"""What a tool does that is neither shell nor file: by the settings, by its name, by its own hints."""

from __future__ import annotations

from holdfast.ground.text.globs import find_glob
from holdfast.guard.table import read_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.guard.acts import Act
    from holdfast.guard.call import ToolCall
    from holdfast.guard.scene import Scene


def acts_of_tool(call: ToolCall, scene: Scene) -> tuple[Act, ...]:
    """Return the one act of a tool: ``run`` where neither settings, data nor hints tell another.

    What the tool says of itself makes it stricter than ``run`` only where it says so, and is believed to be reading
    only for what no rule forbids.
    """
    from holdfast.guard.acts import Act

    own = scene.settings.get("tools", {})
    for pattern, kind in (*own.items(), *read_table()["tools"].items()):
        if find_glob((pattern,), call.tool):
            return (Act(kind, call.tool, call.tool),)
    kind = "destructive" if call.hints.get("destructiveHint") else "read" if call.hints.get("readOnlyHint") else "run"
    return (Act(kind, call.tool, call.tool),)
