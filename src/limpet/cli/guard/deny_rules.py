"""``limpet guard deny-rules``: what the coding agent's own rules refuse, beside the guard."""

from __future__ import annotations

import click

from limpet.cli.caller import obtain_for, yes_option
from limpet.cli.output import emit, json_option, require_workspace
from limpet.hosts.file_changes import Plan, apply_changes
from limpet.hosts.registry import all_hosts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.base import OwnRules

ON = "limpet guard deny-rules on"


@click.command("deny-rules")
@click.argument("wanted", metavar="[on|off]", type=click.Choice(("on", "off")), required=False)
@yes_option
@json_option
def deny_rules(wanted: str | None, agreed: bool, as_json: bool) -> None:
    """Have your coding agent refuse to read secrets.

    Deny rules among its own, in the project's local settings: it does not read .env files, private keys and
    Limpet's files, nor change its own settings. Without an argument: whether they are on. On a person's word.

    \b
    Examples:
      limpet guard deny-rules on
      limpet guard deny-rules
      limpet guard deny-rules off
    """
    workspace = require_workspace()
    root, data, lines = workspace.root, [], []
    for host in all_hosts():
        before = host.find_deny_rules(root)
        if before is None:
            continue
        plan = host.plan_deny_rules(workspace.home, wanted == "on") if wanted else Plan()
        if plan.pending():
            does = "Add deny rules to" if wanted == "on" else "Take Limpet's deny rules out of"
            obtain_for(workspace, agreed)(f"{does} {host.TITLE}'s own ({before.path})")
            apply_changes(plan.pending())
        rules = host.find_deny_rules(root) or before
        data.append({"host": host.NAME, "state": rules.state, "path": rules.path, "missing": rules.missing})
        lines += _describe(f"{host.TITLE}'s own deny rules are", rules)
    emit(data, lines, as_json)


def _describe(what: str, rules: OwnRules) -> list[str]:
    if rules.state == "off":
        return [f"{what} off. To have them: {ON}"]
    missing = [f"Missing: {', '.join(rules.missing)}. To mend it: {ON}"] if rules.missing else []
    return [f"{what} on: {rules.path}", *missing, f"{rules.beyond}."]
