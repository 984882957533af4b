"""Paths of the YAML files that settings and session come from.

Separate from ``settings``, because the prompt path only compares their stamps and must not import YAML.
"""

from __future__ import annotations

import os
import sys

from limpet.ground.trust.consent import consent_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.workspace import Workspace

CONFIG = "config.yaml"
LOCAL_CONFIG = "config.local.yaml"
SESSION = "session.yaml"


def user_config_path() -> str:
    """Return the user's configuration file: in ``XDG_CONFIG_HOME``, else ``APPDATA`` (Windows), else ``~/.config``."""
    folders = [os.environ.get("XDG_CONFIG_HOME", "")]
    if sys.platform == "win32":
        folders.append(os.environ.get("APPDATA", ""))
    absolute = [folder for folder in folders if os.path.isabs(folder)]
    folder = absolute[0] if absolute else os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(folder, "limpet", CONFIG)


def settings_files(workspace: Workspace | None) -> tuple[str, ...]:
    """Return the configuration files, the strongest last; outside a project the user's only."""
    own = () if workspace is None else (workspace.path(CONFIG), workspace.path(LOCAL_CONFIG))
    return (user_config_path(), *own)


def yaml_files(workspace: Workspace) -> tuple[str, ...]:
    """Return the files that settings and session stand in, whether or not they are there."""
    return (*settings_files(workspace), workspace.path(SESSION))


def source_files(workspace: Workspace) -> tuple[str, ...]:
    """Return every file from which the mirror is made, whether or not it is there: the user's word says which settings
    count."""
    return (*yaml_files(workspace), *consent_paths(workspace))
