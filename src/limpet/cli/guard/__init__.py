"""``limpet guard``."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands
from limpet.ground.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.cli.guard import calls, rights
else:
    calls = Late("limpet.cli.guard.calls")
    rights = Late("limpet.cli.guard.rights")

SECTIONS = {
    "See": {
        "test": calls.test_call,
        "explain": calls.explain_rule,
        "log": calls.list_judged,
    },
    "Set": {
        "mode": rights.permission_command,
        "allow": rights.allow,
        "undo": calls.undo_deed,
        "install": rights.install,
    },
}


@click.group(cls=Commands, sections=SECTIONS)
def guard() -> None:
    """See and set what agents may do.

    \b
    Examples:
      limpet guard test "git push" --agent dev
      limpet guard explain authority.push
      limpet guard mode ask
    """
