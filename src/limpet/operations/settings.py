"""Settings read and changed by their dotted keys. A change refreshes the mirror, so that the hook has it at once."""

from __future__ import annotations

import os
from typing import Any

from limpet.ground.config.settings import Layer, leaves, merge_layers, origins, set_setting
from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import DROPPED, known_keys, load_schema, nearest
from limpet.ground.formats.yaml_edit import render_value
from limpet.ground.storage.user_folders import CONFIG, LOCAL_CONFIG, user_config_path
from limpet.ground.trust.giving import is_acting
from limpet.ground.workspace import Workspace
from limpet.operations.approval import Obtain
from limpet.work.checks import keep_environment


def change_setting(
    workspace: Workspace | None, scope: str, key: str, value: str, now: float, obtain: Obtain
) -> tuple[Any, str]:
    """Return the value, written as in YAML, and its file. ``scope``: ``user`` (all projects; the only one without a
    project), ``local`` (this machine), "" (the project). Raises LimpetError, for a secret without a word of it."""
    from limpet.ground.safety.redaction import redact  # not for those who only read settings

    if redact(value) != value:
        raise LimpetError("Reads as a secret, which no settings hold", key, "Keep it in an environment variable.")
    if scope == "user" or workspace is None:
        file, lock, home = user_config_path(), user_config_path() + ".lock", None
    else:
        name, home = LOCAL_CONFIG if scope == "local" else CONFIG, workspace
        file = os.path.join(workspace.data if scope == "local" else workspace.home, name)
        lock = workspace.kept("locks", f"{name}.lock")

    def agree(wanted: Any) -> None:
        if is_acting(tuple(key.split(".")), wanted):
            obtain(f"Set {key} to {render_value(wanted)} in {file}")

    new = set_setting(workspace, file, lock, key, value, agree)
    if home and is_acting(tuple(key.split(".")), new):
        from limpet.operations.trust_record import agree_to  # not for those who only read settings

        agree_to(home, key, new, now)
        if key.startswith("work.checks"):
            keep_environment(home, os.environ, now)
    if workspace:
        from limpet.operations.mirror import refresh_mirror  # not for those who only read settings

        refresh_mirror(workspace)
    return new, file


def listed_settings(layers: list[Layer]) -> dict[str, dict[str, Any]]:
    """By dotted key the ``value`` in force, and ``from``, the name of the layer that sets it."""
    sources = origins(layers)
    return {".".join(path): {"value": value, "from": sources[path]} for path, value in leaves(merge_layers(layers))}


def find_setting(settings: dict[str, Any], key: str) -> Any:
    """The value or section of a dotted key, all settings for "". Raises LimpetError for an unknown key."""
    found: Any = settings
    rest = key
    while rest:
        whole = found.get(rest, DROPPED) if isinstance(found, dict) else DROPPED
        if whole is not DROPPED:
            return whole
        name, _, rest = rest.partition(".")
        found = found.get(name, DROPPED) if isinstance(found, dict) else DROPPED
        if found is DROPPED or not rest:
            what = f"Unknown setting: {key}{nearest(key, known_keys(load_schema('config')))}"
            raise LimpetError(what, hint="" if "?" in what else "Run: limpet config get")
    return found
