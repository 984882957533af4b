"""``limpet team``: what teammates brought to the project's memories, rules and knowledge, and the server through which
they share them."""

from __future__ import annotations

import time

import click

from limpet.cli.caller import obtain_for, open_project, yes_option
from limpet.cli.groups import Commands
from limpet.cli.output import counted, emit, json_option, require_workspace, table
from limpet.cli.sync import sync_lines
from limpet.ground.clock import local_minute
from limpet.ground.text.escaping import clip
from limpet.operations.project import handed
from limpet.operations.sharing.joined import (
    decide_shared_proposal,
    join_team,
    leave_team,
    list_shared_proposals,
)
from limpet.operations.sharing.team import TeamNews, list_news, list_teammates

LONGEST = 60
TO_REVIEW = "{} of teammates not looked at: your agents do not get {}. Run: limpet review"


@click.group(cls=Commands)
def team() -> None:
    """See what your team shares, and join its server.

    \b
    Examples:
      limpet team status
      limpet team join https://limpet.example.com --token T
    """


@team.command("status")
@json_option
def team_status(as_json: bool) -> None:
    """Show what is new since you looked, and by whom.

    Authors are as git has them; only a signature that you know proves one.

    \b
    Examples:
      limpet team status
      limpet team status --json
    """
    project = open_project()
    waiting = len(list_teammates(project))
    news = list_news(project)
    rows = [(one.change, one.kind, _who(one), local_minute(one.at), _what(one)) for one in news]
    lines = list(table(rows)) or ["Nothing new from teammates."]
    if waiting:
        lines.append(TO_REVIEW.format(counted(waiting, "memory"), "it" if waiting == 1 else "them"))
    emit({"waiting": waiting, "news": [one.__dict__ for one in news]}, lines, as_json)


@team.command("join")
@click.argument("url")
@click.option("--token", required=True, metavar="T", envvar="LIMPET_TOKEN", help="As your team's server made it.")
@yes_option
@json_option
def team_join(url: str, token: str, agreed: bool, as_json: bool) -> None:
    """Share this project's team memories through a server.

    What you share (limpet memory share) goes there, without any secret; what teammates share comes here and waits for
    your look (limpet review). Nothing else leaves.

    \b
    Examples:
      limpet team join https://limpet.example.com --token T
    """
    workspace = require_workspace()
    joined, report = join_team(obtain_for(workspace, agreed), workspace, url, token.strip(), time.time())
    lines = [f"Joined {joined.url} as {joined.person}, as project {joined.project}.", *sync_lines(report)]
    emit({**joined.__dict__, **report.__dict__}, lines, as_json)


@team.command("leave")
@yes_option
@json_option
def team_leave(agreed: bool, as_json: bool) -> None:
    """Share through the server no longer; the memories stay.

    \b
    Examples:
      limpet team leave
    """
    workspace = require_workspace()
    left = leave_team(obtain_for(workspace, agreed), workspace)
    emit(left.__dict__, [f"Left {left.url}. The memories stay here, and there."], as_json)


@team.command("proposals")
@click.option("--approve", "approved", default="", metavar="ID", help="Offer it to every project.")
@click.option("--reject", "rejected", default="", metavar="ID", help="Offer it to none.")
@yes_option
@json_option
def team_proposals(approved: str, rejected: str, agreed: bool, as_json: bool) -> None:
    """Decide what the whole organisation is offered.

    What three or more projects of the server say by themselves is proposed. What you approve is asked in every project,
    one at a time (limpet review). It takes an administrator's token for all projects, and your word.

    \b
    Examples:
      limpet team proposals
      limpet team proposals --approve 8f14e45fceea167a
    """
    if approved and rejected:
        raise click.UsageError("--approve and --reject cannot be combined")
    project = open_project()
    if key := approved or rejected:
        one = decide_shared_proposal(obtain_for(project.workspace, agreed), project.workspace, key, bool(approved))
        done = "Approved: every project is offered it" if approved else "Rejected: no project is offered it"
        emit({**one.__dict__, "approved": bool(approved)}, [f'{done}: "{clip(one.title, LONGEST)}"'], as_json)
        return
    found = [handed(project, one, "title") for one in list_shared_proposals(project.workspace)]
    rows = [(one.sense, f"{one.projects} projects", one.confidence, one.title) for one in found]
    lines = list(table(rows)) or ["Nothing is proposed for the organisation."]
    emit({"proposals": [one.__dict__ for one in found]}, lines, as_json)


def _who(news: TeamNews) -> str:
    return f"{clip(news.author, 30)} (signed)" if news.is_signed else clip(news.author, 30)


def _what(news: TeamNews) -> str:
    return clip(news.title or news.name.rpartition("/")[2], LONGEST)
