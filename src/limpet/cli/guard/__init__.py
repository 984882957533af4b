"""``limpet guard``."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands
from limpet.ground.late import late_modules

calls, rights = late_modules("limpet.cli.guard", "calls rights")

SECTIONS = {
    "See": {"test": calls.test_call, "explain": calls.explain_rule, "log": calls.list_judged},
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


@guard.command("pre-push", hidden=True)
@click.argument("state", type=click.Choice(("on", "off")))
@click.option("--yes", "agreed", is_flag=True)
@click.pass_context
def pre_push(context: click.Context, state: str, agreed: bool) -> None:
    """Set git's guard, by the name of git's hook.

    \b
    Examples:
      limpet guard pre-push on
    """
    from limpet.cli.guard.rights import install

    context.invoke(install, name="pre-push", off=state == "off", agreed=agreed, as_json=False)
