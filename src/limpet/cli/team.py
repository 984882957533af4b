"""``limpet team``: what teammates brought to the project's memories, rules and knowledge."""

from __future__ import annotations

import click

from limpet.cli.caller import open_project
from limpet.cli.groups import Commands
from limpet.cli.memory.view import count_memories
from limpet.cli.output import emit, json_option, table
from limpet.ground.clock import local_minute
from limpet.ground.text.escaping import clip
from limpet.operations.sharing.team import TeamNews, list_news, list_teammates

LONGEST = 60
TO_REVIEW = "{} of teammates not looked at: your agents do not get {}. Run: limpet review"


@click.group(cls=Commands)
def team() -> None:
    """See what your team shares through the repository.

    \b
    Examples:
      limpet team status
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
        lines.append(TO_REVIEW.format(count_memories(waiting), "it" if waiting == 1 else "them"))
    emit({"waiting": waiting, "news": [one.__dict__ for one in news]}, lines, as_json)


def _who(news: TeamNews) -> str:
    return f"{clip(news.author, 30)} (signed)" if news.is_signed else clip(news.author, 30)


def _what(news: TeamNews) -> str:
    return clip(news.title or news.name.rpartition("/")[2], LONGEST)
