"""A project with a secret that nothing but its ``.env`` tells, and a search for it in every byte of ``.limpet``."""

import os

from .conversation import write

KNOWN = "blue-heron-meadow-77"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
SECRETS = (KNOWN, TOKEN)


def know_secret(root):
    """Put KNOWN into the folder's ``.env``."""
    write(os.path.join(root, ".env"), f"DB_PASSWORD={KNOWN}\n")


def leaks(workspace, *said):
    """The files below ``.limpet`` and in the private folder that hold one of the SECRETS, and what of ``said`` does."""
    return [text for text in said if any(secret in text for secret in SECRETS)] + holding(workspace, *SECRETS)


def holding(workspace, *texts):
    """The files below ``.limpet`` and in the private folder whose bytes hold one of these texts."""
    places = {os.path.join(*at) for folder in (workspace.home, workspace.data) for at in _walk(folder)}
    return sorted(path for path in places if _holds(path, texts))


def _walk(home):
    return ((folder, name) for folder, _, names in os.walk(home) for name in names)


def _holds(path, texts):
    with open(path, "rb") as file:
        raw = file.read()
    return any(text.encode() in raw for text in texts)
