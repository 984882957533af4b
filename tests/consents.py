"""Records of trust as earlier versions wrote them."""

import json

from holdfast.ground.trust.consent import consent_path, signed_text
from holdfast.ground.trust.key import read_key, sign

from .conversation import write


def forget_identity(workspace):
    """Leave of the user's record what an earlier version kept: nothing by which the folder is known."""
    path = consent_path(workspace.home)
    with open(path, "rb") as file:
        known = json.loads(file.read().partition(b"\n")[2])
    text = json.dumps({name: known[name] for name in ("root", "owner", "at", "place", "agreed")}).encode()
    write(path, sign(signed_text(path, text), read_key()).encode() + b"\n" + text)
