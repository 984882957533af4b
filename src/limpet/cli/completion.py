"""``limpet completion``: the script that teaches a shell to complete, and what it completes by name."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem, get_completion_class

from limpet.cli.groups import SuggestingChoice
from limpet.cli.output import find_trusted
from limpet.ground.errors import LimpetError
from limpet.ground.workspace import Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.memory.model.entry import Card

VARIABLE = "_LIMPET_COMPLETE"
# For releases of click that know no PowerShell: it speaks Bash's part of the protocol, a line "type,value" each.
POWERSHELL = f"""\
Register-ArgumentCompleter -Native -CommandName limpet -ScriptBlock {{
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements |
        Where-Object {{ $_.Extent.StartOffset -lt $cursorPosition }} |
        ForEach-Object {{ $_.Extent.Text }})
    $place = if ($wordToComplete) {{ $words.Count - 1 }} else {{ $words.Count }}
    try {{
        $env:COMP_WORDS = $words -join ' '
        $env:COMP_CWORD = $place
        $env:{VARIABLE} = 'bash_complete'
        limpet | ForEach-Object {{
            $type, $value = $_ -split ',', 2
            if ($type -eq 'plain') {{
                $text = if ($value -match '\\s') {{ "'$value'" }} else {{ $value }}
                [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $value)
            }}
        }}
    }} finally {{
        Remove-Item Env:COMP_WORDS, Env:COMP_CWORD, Env:{VARIABLE} -ErrorAction SilentlyContinue
    }}
}}
"""


@click.command()
@click.argument("shell", type=SuggestingChoice(("bash", "zsh", "fish", "powershell")))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    It completes commands, options, domains, agents, memories, stories and settings. Paste the lines of your shell.

    \b
    Bash (needs the package bash-completion):
      mkdir -p ~/.local/share/bash-completion/completions
      limpet completion bash > ~/.local/share/bash-completion/completions/limpet

    \b
    Zsh:
      mkdir -p ~/.zfunc
      limpet completion zsh > ~/.zfunc/_limpet
      echo 'fpath+=(~/.zfunc); autoload -Uz compinit && compinit' >> ~/.zshrc

    \b
    Fish:
      mkdir -p ~/.config/fish/completions
      limpet completion fish > ~/.config/fish/completions/limpet.fish

    \b
    PowerShell:
      limpet completion powershell >> $PROFILE

    \b
    Examples:
      limpet completion bash
    """
    known = get_completion_class(shell)
    script = known(ctx.find_root().command, {}, "limpet", VARIABLE).source() if known else POWERSHELL
    # click's script for fish cuts a description at its first comma.
    click.echo(script.replace('string split ","', 'string split -m 1 ","').rstrip("\n"))


def complete_domain(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return domains as `rules list` names them, for any spelling of their beginning."""
    workspace = _workspace()
    if workspace is None:
        return []
    from limpet.rules.naming import spell
    from limpet.rules.plan.sources import read_sources

    return _starting(spell(incomplete), (unit.domain.name for unit in read_sources(workspace).units))


def complete_squad(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    workspace = _workspace()
    if workspace is None:
        return []
    from limpet.rules.plan.places import squad_folders

    return _starting(incomplete, (folder.rpartition("/")[2] for folder in squad_folders(workspace)))


def complete_agent(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from limpet.operations.agents.known import own_agents
    from limpet.roles.roster import AGENTS, ALIASES

    workspace = _workspace()
    own = own_agents(workspace) if workspace else ()
    return _starting(incomplete.lstrip("@").lower(), (*AGENTS, *ALIASES, *own))


def complete_rule(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from limpet.guard.call import read_table

    return _starting(incomplete, read_table()["rules"])


def complete_story(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    workspace = _workspace()
    if workspace is None:
        return []
    from limpet.work.stories.store import story_ids

    return _starting(incomplete, story_ids(workspace))


def complete_setting(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from limpet.ground.config.settings import config_schema
    from limpet.ground.formats.schema import known_keys

    return _starting(incomplete, known_keys(config_schema()))


def complete_memory(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [
        CompletionItem(card.id, help=card.title)
        for card in _cards()
        if card.id.startswith(incomplete) or card.id.rpartition("-")[2].startswith(incomplete)
    ]


def complete_owner(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from limpet.memory.model.layout import SHARED, TEAM
    from limpet.roles.roster import AGENTS

    return _starting(incomplete.lower(), (SHARED, TEAM, *AGENTS))


def complete_tag(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    tags: set[str] = set()
    for card in _cards():
        tags.update(card.tags)
    return _starting(incomplete, sorted(tags))


def _cards() -> tuple[Card, ...]:
    workspace = _workspace()
    if workspace is None:
        return ()
    from limpet.cli.caller import caller_of
    from limpet.operations.figures import offered_cards

    try:
        return offered_cards(workspace, caller_of(workspace).reader)
    except (LimpetError, OSError):
        return ()


def _starting(beginning: str, names: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(beginning)]


def _workspace() -> Workspace | None:
    """Return the project here, None for none; errors are swallowed, since a shell would print them while completing."""
    try:
        return find_trusted()
    except (LimpetError, OSError):
        return None
