"""Records of trust as earlier versions wrote them."""

from holdfast.ground.trust.consent import consent_path, consent_purpose
from holdfast.ground.trust.key import read_key
from holdfast.ground.trust.signed import read_signed, signed_record

from .conversation import write


def forget_identity(workspace):
    """Leave of the user's record what an earlier version kept: nothing by which the folder is known."""
    path = consent_path(workspace.home)
    known = read_signed(path, consent_purpose(path))
    older = {name: known[name] for name in ("root", "owner", "at", "place", "agreed")}
    write(path, signed_record(older, consent_purpose(path), read_key()))
