"""The folders of other tools that are read where they lie, once the user agreed to them by name: rules of SYNAPSE, else
of CARL, and the state of chat-spec's documents. Apart from ``consent``, because no prompt asks: who compiles does."""

from __future__ import annotations

import os

from limpet.ground.config.mirror import read_last_mirror
from limpet.ground.storage.confinement import leads_out
from limpet.ground.trust.consent import find_consent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.workspace import Workspace

CARL, SYNAPSE, SPECS = ".carl", ".synapse", ".chat-spec"
# The newer form of CARL's rules, which is read before the older.
CARL_2 = "carl.json"
SIGNS = {SYNAPSE: ("manifest",), CARL: (CARL_2, "manifest"), SPECS: ("manifest.yaml",)}


def folders_in_place(root: str) -> tuple[str, ...]:
    """Those that are there and no link out of the project: one with rules at most."""
    found = [folder for folder in SIGNS if _is_there(root, folder)]
    rules = [folder for folder in found if folder != SPECS]
    return (*rules[:1], *found[len(rules) :])


def agreed_in_place(workspace: Workspace, is_specs: bool = False) -> str:
    """The folder with rules, or with ``is_specs`` the one with documents' state, that is read; "" for none."""
    for folder in () if workspace.stranger else folders_in_place(workspace.root):
        if (folder == SPECS) == is_specs and _is_on(workspace):
            consent = find_consent(workspace)
            return folder if consent and consent.covers(folder, True) else ""
    return ""


def specs_home(workspace: Workspace) -> str:
    """The folder with the documents' state: the project's own as soon as it has any."""
    own = os.path.lexists(workspace.path(SIGNS[SPECS][0]))
    return workspace.home if own or not agreed_in_place(workspace, is_specs=True) else f"{workspace.root}/{SPECS}"


def _is_there(root: str, folder: str) -> bool:
    if not os.path.isdir(f"{root}/{folder}") or leads_out(f"{root}/{folder}", root):
        return False
    return any(os.path.isfile(f"{root}/{folder}/{sign}") for sign in SIGNS[folder])


def _is_on(workspace: Workspace) -> bool:
    last = read_last_mirror(workspace)
    return last is None or bool(last.settings["rules"]["in_place"])
