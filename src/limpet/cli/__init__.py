"""The command line: one file a command group, imported only when its command runs."""

from __future__ import annotations

import os
import sys
from io import StringIO

import click

from limpet import __version__
from limpet.cli.groups import Commands
from limpet.ground.errors import LimpetError
from limpet.ground.late import Late
from limpet.hosts.commands.upkeep import mend_launcher

EVERYDAY = (
    "init",
    "status",
    "why",
    "log",
    "review",
    "memory search",
    "memory add",
    "memory forget",
    "rules add",
    "rules match",
    "pause",
    "doctor",
)
TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.cli import (
        agents,
        completion,
        config,
        demo,
        doctor,
        guard,
        init,
        learn,
        log,
        mcp,
        memory,
        review,
        rules,
        spec,
        status,
        trust,
        uninstall,
        why,
        work,
    )
    from limpet.cli import groups as help_
    from limpet.cli.guard import rights
    from limpet.cli.memory import gotcha
    from limpet.cli.work import handoff, lock, story
else:
    agents = Late("limpet.cli.agents")
    completion = Late("limpet.cli.completion")
    config = Late("limpet.cli.config")
    demo = Late("limpet.cli.demo")
    doctor = Late("limpet.cli.doctor")
    gotcha = Late("limpet.cli.memory.gotcha")
    guard = Late("limpet.cli.guard")
    handoff = Late("limpet.cli.work.handoff")
    help_ = Late("limpet.cli.groups")
    init = Late("limpet.cli.init")
    learn = Late("limpet.cli.learn")
    lock = Late("limpet.cli.work.lock")
    log = Late("limpet.cli.log")
    mcp = Late("limpet.cli.mcp")
    memory = Late("limpet.cli.memory")
    review = Late("limpet.cli.review")
    rights = Late("limpet.cli.guard.rights")
    rules = Late("limpet.cli.rules")
    spec = Late("limpet.cli.spec")
    status = Late("limpet.cli.status")
    story = Late("limpet.cli.work.story")
    trust = Late("limpet.cli.trust")
    uninstall = Late("limpet.cli.uninstall")
    why = Late("limpet.cli.why")
    work = Late("limpet.cli.work")

SECTIONS = {
    "Start": {
        "help": help_.help_page,
        "init": init.init,
        "status": status.show_status_page,
        "doctor": doctor.doctor,
        "hosts": doctor.hosts,
        "demo": demo.demo,
    },
    "See what your agent gets": {
        "why": why.explain_last,
        "context": why.context,
        "log": log.show_log,
        "sessions": log.recent_conversations,
        "debug": log.debug,
        "pause": log.pause,
    },
    "Rules and agents": {
        "rules": rules.rules,
        "agent": agents.agent,
        "guard": guard.guard,
        "constitution": rights.show_constitution,
    },
    "Memory": {
        "memory": memory.memory,
        "review": review.review,
        "gotcha": gotcha.gotcha,
        "learn": learn.learn,
    },
    "Work": {
        "work": work.work,
        "story": story.story,
        "handoff": handoff.handoff,
        "spec": spec.spec,
        "resume": lock.resume,
        "exit": lock.exit,
        "lock": lock.lock,
        "spawn": lock.spawn,
    },
    "Settings": {
        "config": config.config,
        "trust": trust.trust,
        "completion": completion.completion,
        "mcp": mcp.mcp,
        "package": mcp.package,
        "uninstall": uninstall.uninstall,
    },
}


@click.group(
    cls=Commands, sections=SECTIONS, everyday=EVERYDAY, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="limpet")
def limpet() -> None:
    """Keep AI coding agents to your rules, your memories and their place in the work.

    \b
    Examples:
      limpet init
      limpet why
      limpet COMMAND --help
    """


def _tell_of_registration() -> None:
    quiet = {"--json", "completion", "init", "uninstall"}.intersection(sys.argv) or "_LIMPET_COMPLETE" in os.environ
    if quiet or not sys.stderr.isatty():
        return
    from limpet.ground.trust.consent import find_consent
    from limpet.ground.workspace import find_workspace
    from limpet.hosts.registry import has_changed, look

    workspace = find_workspace(os.getcwd())
    if workspace and find_consent(workspace) and has_changed(workspace, unseen=True) and (found := look(workspace)):
        from limpet.cli.output import tell

        tell(found)


def _is_handed_over(words: list[str]) -> bool:
    """A command of an agent whose sandbox may not write is left to the hook, which runs outside of it."""
    if not words or words[0] not in ("memory", "learn", "agent", "work", "story"):
        return False
    from limpet.work.inbox import is_carried

    if not is_carried(words):
        return False
    from limpet.cli.caller import surroundings
    from limpet.cli.inbox import hand_over

    return bool(surroundings().host) and hand_over(words)


def run() -> None:
    """Run the command line; what is wrong becomes one line on stderr and exit code 1, 2 for a usage error."""
    if sys.argv[1:2] != ["doctor"]:  # which says what is wrong
        mend_launcher()
    _tell_of_registration()
    try:
        if _is_handed_over(sys.argv[1:]):
            sys.exit(0)
        sys.exit(limpet(prog_name="limpet", standalone_mode=False))
    except click.Abort:
        click.echo("Aborted!", err=True)
        sys.exit(1)
    except (click.ClickException, LimpetError, OSError) as error:
        from limpet.cli.output import show, tell

        if isinstance(error, click.ClickException):
            error.show(said := StringIO())
            show(said.getvalue().splitlines(), err=True)
            sys.exit(error.exit_code)
        tell(error)
        sys.exit(1)
