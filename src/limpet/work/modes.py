"""The modes of pipeline and guard and their other names, as data that hook and commands share."""

MODES = ("planning", "build", "deploy")
PERMISSIONS = ("explore", "ask", "auto")
ALIASES = {
    "mode": {"clarity": "planning"},
    "permission": {"yolo": "auto", "safe": "explore", "balanced": "ask"},
}


def resolve_mode(name: str) -> str | None:
    """Return the pipeline mode of this name or alias, None when there is none."""
    found = ALIASES["mode"].get(name, name)
    return found if found in MODES else None


def resolve_permission(name: str) -> str | None:
    """Return the permission mode of this name or alias, None when there is none."""
    found = ALIASES["permission"].get(name, name)
    return found if found in PERMISSIONS else None
