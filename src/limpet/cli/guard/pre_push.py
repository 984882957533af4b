"""``limpet guard pre-push``: whether git asks the guard before a push."""

from __future__ import annotations

import click

from limpet.cli.caller import obtain_for, yes_option
from limpet.cli.output import emit, json_option, require_workspace, show
from limpet.hosts.file_changes import apply_changes
from limpet.hosts.git_hook import installation
from limpet.hosts.installation import plan_launcher

OFF = "git does not ask the guard before a push. To have it: limpet guard pre-push on"


@click.command("pre-push")
@click.argument("wanted", metavar="[on|off]", type=click.Choice(("on", "off")), required=False)
@yes_option
@json_option
def pre_push(wanted: str | None, agreed: bool, as_json: bool) -> None:
    """Have git ask the guard before a push.

    A line in git's own pre-push hook, beside what stands there. It stops a push of an agent that may not, whichever
    program starts it, and no push of yours. Without an argument: whether it is on. On a person's word.

    \b
    Examples:
      limpet guard pre-push on
      limpet guard pre-push
      limpet guard pre-push off
    """
    workspace = require_workspace()
    root = workspace.root
    path = installation.hook_path(root)
    plan, says = installation.plan_pre_push_removal(root), "Let git push without asking the guard"
    if wanted == "on":
        plan, says = plan_launcher() + installation.plan_pre_push(root), "Have git ask the guard before a push"
        show([f"The line in {path}:\n  {installation.hook_line()}"], err=True)
    if wanted and plan.pending():
        obtain_for(workspace, agreed)(f"{says} ({path})")
        apply_changes(plan.pending())
    is_on = installation.is_installed(root)
    emit({"on": is_on, "path": path}, [f"git asks the guard before a push: {path}" if is_on else OFF], as_json)
