"""``holdfast guard deny-rules``: what the coding agent's own rules refuse, beside the guard."""

from __future__ import annotations

from collections.abc import Iterator

import click

from holdfast.cli.caller import obtain_for, yes_option
from holdfast.cli.output import emit, json_option, require_workspace
from holdfast.hosts.file_changes import apply_changes
from holdfast.hosts.installation import deny_rules_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.hosts.base import DenyRules, Host, OwnRules

ON = "To have them: holdfast guard deny-rules on"


@click.command("deny-rules")
@click.argument("wanted", metavar="[on|off]", type=click.Choice(("on", "off")), required=False)
@yes_option
@json_option
def deny_rules(wanted: str | None, agreed: bool, as_json: bool) -> None:
    """Have your coding agent itself refuse secrets and its settings.

    Deny rules among its own, in the project's local settings: it does not read .env files, private keys and
    Holdfast's files, nor change its own settings. Without an argument: whether they are on. On a person's word.

    \b
    Examples:
      holdfast guard deny-rules on
      holdfast guard deny-rules
      holdfast guard deny-rules off
    """
    workspace = require_workspace()
    here = deny_rules_here(workspace.root)
    for host, module in here if wanted else ():
        plan = module.plan_rules(workspace.home, wanted == "on")
        if plan.pending():
            does = "Add deny rules to" if wanted == "on" else "Take Holdfast's deny rules out of"
            obtain_for(workspace, agreed)(f"{does} {host.TITLE}'s own ({module.find_rules(workspace.root).path})")
            apply_changes(plan.pending())
    found = [(host, module, module.find_rules(workspace.root)) for host, module in here]
    data = [
        {"host": host.NAME, "state": rules.state, "path": rules.path, "rules": rules.rules, "missing": rules.missing}
        for host, _, rules in found
    ]
    emit(data, (line for each in found for line in _lines(*each)), as_json)


def _lines(host: Host, module: DenyRules, rules: OwnRules) -> Iterator[str]:
    if rules.state == "off":
        yield f"{host.TITLE}'s own deny rules are off. {ON}"
        return
    in_part = ", in part" if rules.state == "partly" else ""
    yield f"{host.TITLE}'s own deny rules are on{in_part}: {rules.path}"
    yield from (f"  {'missing  ' if rule in rules.missing else ''}{rule}" for rule in rules.rules)
    if in_part:
        yield "To mend them: holdfast guard deny-rules on"
    yield module.BEYOND
