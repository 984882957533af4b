"""Star-commands that act: they change this conversation's state and answer in the block."""

from __future__ import annotations

from holdfast.context.brackets import bracket_of
from holdfast.context.values import Typed
from holdfast.engine.commands.opening import TELL, safe_words
from holdfast.rules.format.star_commands import Command, find_commands
from holdfast.rules.layout import HOLDFAST
from holdfast.work.in_force import NOBODY, resolve_agent
from holdfast.work.modes import resolve_mode, resolve_permission
from holdfast.work.session import remaining_window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from holdfast.context.usage import Usage
    from holdfast.engine.event_context import Turn
    from holdfast.rules.plan.plan import Plan

    Answer = tuple[Turn, tuple[str, ...]]

SHOWN = 40
MEMORY_COMMANDS = ("remember", "recall", "forget", "memories", "gotcha")
RULE_VERBS = ("create", "add", "edit", "toggle", "suggest", "diagnose")


def act(turn: Turn, plan: Plan, usage: Usage) -> tuple[Turn, tuple[Typed, ...]]:
    """The turn after all typed commands, and each with its answer; a working mode has no answer yet but its rules."""
    answers: dict[str, tuple[str, ...]] = {}
    for command in _typed(turn.event.prompt, {*plan.matcher["commands"], *ACTING, HOLDFAST.command}):
        lines: tuple[str, ...] = ()
        if command.name == HOLDFAST.command:
            turn, lines = _govern(turn, command, plan, usage)
        elif command.name in ACTING:
            turn, lines = ACTING[command.name](turn, command)
        said = answers.get(command.name, ())
        answers[command.name] = said + tuple(line for line in lines if line not in said)
    where = "holdfast rules show COMMANDS"
    return turn, tuple(Typed(name=name, lines=lines, where=where) for name, lines in answers.items())


def _typed(prompt: str, known: set[str]) -> Iterator[Command]:
    """The commands in the order of typing; those that act may come again in another line. What stands behind one that
    changes rules or memories is the rule's or memory's own text."""
    for line in prompt.splitlines():
        for command in find_commands(line, known):
            yield command
            if command.name in MEMORY_COMMANDS or _changes_rules(command):
                break


def _changes_rules(command: Command) -> bool:
    return command.name == HOLDFAST.command and bool(command.words) and command.words[0].lower() in RULE_VERBS


def _agent(turn: Turn, command: Command) -> Answer:
    name = command.words[0] if command.words else ""
    if name in ("", NOBODY, "off"):
        return _with(turn, active_agent=NOBODY), ("No agent is active in this conversation.",)
    found = resolve_agent(name, turn.in_force.workflow)
    if found is None:
        return turn, (f"There is no agent {safe_words(turn, name)!r}: see `holdfast agent list`.",)
    return _with(turn, active_agent=found), (f"Agent {found} is active in this conversation.",)


def _work(turn: Turn, command: Command) -> Answer:
    verb, rest = (command.words[0], " ".join(command.words[1:])) if command.words else ("", "")
    fields = {"start": "workflow", "task": "task", "squad": "squad"}
    if verb == "mode":
        return _work_mode(turn, rest)
    if verb not in fields or not rest:
        return turn, (
            "Say *work start WORKFLOW, *work task TEXT, *work squad NAME or *work mode planning|build|deploy.",
        )
    if verb in ("start", "task") and _is_nearly_full(turn):
        return turn, ("The window is nearly full: write the handoff first, a fresh session starts new work.",)
    kept = safe_words(turn, rest)
    said = (f"{fields[verb].capitalize()} of this conversation: {kept}.",)
    if verb == "task":
        from holdfast.engine.commands.task import with_own_task

        return with_own_task(turn, kept), said
    return _with(turn, **{fields[verb]: kept}), said


def _is_nearly_full(turn: Turn) -> bool:
    """Return whether so little of the window was left at the last prompt that no new work is begun (decision 2)."""
    left = remaining_window(turn.session)
    return left is not None and left < turn.mirror.settings["context"]["handoff_below"]


def _work_mode(turn: Turn, name: str) -> Answer:
    mode = resolve_mode(name)
    if mode is None:
        return turn, (f"There is no mode {safe_words(turn, name)!r}: planning, build or deploy.",)
    return _with(turn, mode=mode), (f"Mode of this conversation: {mode}.",)


def _develop(turn: Turn, command: Command) -> Answer:
    if not command.words:
        return turn, ("Say *develop ID with the story's or task's id.",)
    return _work(turn, command.replace(words=("task", *command.words)))


def _permission(turn: Turn, command: Command) -> Answer:
    name = "auto" if command.name == "yolo" else (command.words[0] if command.words else "")
    permission = resolve_permission(name)
    if permission is None:
        return turn, ("Say *mode explore, *mode ask or *mode auto; *work mode sets planning, build or deploy.",)
    return _with(turn, permission=permission), (f"Permission mode of this conversation: {permission}.",)


def _memory(turn: Turn, command: Command) -> Answer:
    from holdfast.engine.commands.memory import act_on_memory

    return act_on_memory(turn, command)


ACTING: dict[str, Callable[[Turn, Command], Answer]] = {
    **dict.fromkeys(MEMORY_COMMANDS, _memory),
    "agent": _agent,
    "work": _work,
    "develop": _develop,
    "mode": _permission,
    "yolo": _permission,
}


def _govern(turn: Turn, command: Command, plan: Plan, usage: Usage) -> Answer:
    """``*holdfast`` and its words."""
    verb = command.words[0].lower() if command.words else "help"
    name = command.words[1].upper().replace("-", "_") if len(command.words) > 1 else ""
    if verb in ("on", "off"):
        return _switch(turn, plan, verb == "on", name)
    if verb in RULE_VERBS:
        from holdfast.engine.commands.rules import govern_rules

        return govern_rules(turn, command.words)
    if verb == "reload":
        return _with(turn, reload=True, stretch={"began": turn.session["stretch"].get("began", 0)}), (
            "All rules are read and sent again.",
        )
    answers = {"help": _help, "status": _status, "domains": _domains, "session": _session, "debug": _debug}
    if verb not in answers:
        return turn, (f"*holdfast {safe_words(turn, command.words[0])} is not known.", *_help(turn, plan, usage))
    return turn, (TELL, *answers[verb](turn, plan, usage))


def _switch(turn: Turn, plan: Plan, on: bool, name: str) -> Answer:
    if name == "CONSTITUTION":
        return turn, ("The constitution cannot be switched off.",) if not on else ("The constitution is always on.",)
    if name not in plan.matcher["names"] and name != "DEVMODE":
        return turn, (f"There is no domain {safe_words(turn, name)!r}: see *holdfast domains.",)
    overrides = {**turn.session["overrides"], name: on}
    return _with(turn, overrides=overrides), (f"{name} is {'on' if on else 'off'} in this conversation.",)


def _help(turn: Turn, plan: Plan, usage: Usage) -> tuple[str, ...]:
    return (
        "*holdfast help | status | debug | domains | session | reload | on DOMAIN | off DOMAIN (this conversation)",
        "*holdfast create NAME word, word | add DOMAIN rule | edit DOMAIN N rule | toggle DOMAIN (the rule files)",
        "*holdfast suggest DOMAIN | diagnose",
        f"working modes: {', '.join('*' + name for name in plan.matcher['commands'])}",
        "*agent NAME, *work start|task|squad|mode ..., *develop ID, *mode explore|ask|auto, *yolo",
        "*remember TEXT, *recall WORDS, *forget ID, *memories, *gotcha TEXT",
    )


def _status(turn: Turn, plan: Plan, usage: Usage) -> tuple[str, ...]:
    bracket = bracket_of(usage.remaining, turn.mirror.settings["context"])
    matcher = plan.matcher
    return (
        f"bracket {bracket}: {usage.remaining}% of {usage.window} tokens left ({usage.source})",
        f"domains: {sum(matcher['active'])} of {len(matcher['names'])} active",
        f"mistakes in the manifest: {matcher['problems']}",
        f"prompts: {turn.session['prompt_count']}, compactions: {turn.session['compactions']}",
    )


def _domains(turn: Turn, plan: Plan, usage: Usage) -> tuple[str, ...]:
    overrides = turn.session["overrides"]
    kinds = {number: kind for kind, numbers in plan.matcher["kinds"].items() for number in numbers}
    lines = [
        f"{name} ({kinds[number]}) {'on' if overrides.get(name, plan.matcher['active'][number]) else 'off'}"
        for number, name in enumerate(plan.matcher["names"])
    ]
    rest = len(lines) - SHOWN
    return (*lines[:SHOWN], f"+{rest} more: holdfast rules list") if rest > 0 else tuple(lines)


def _session(turn: Turn, plan: Plan, usage: Usage) -> tuple[str, ...]:
    session = turn.session
    own = {
        name: session[name]
        for name in ("active_agent", "workflow", "task", "squad", "mode", "permission")
        if session.get(name)
    }
    return (
        f"id {session['id']}, begun {session['started']}, prompt {session['prompt_count']}",
        f"overrides: {session['overrides'] or 'none'}; own fields: {own or 'none'}",
    )


def _debug(turn: Turn, plan: Plan, usage: Usage) -> tuple[str, ...]:
    last = turn.session.get("last") or {}
    return (
        *_status(turn, plan, usage),
        *_session(turn, plan, usage),
        f"domains sent last: {', '.join(turn.session['history'].get('domains_last', [])) or 'none'}",
        f"last block: {last.get('tokens', 0)} tokens; layers in ms: {last.get('layers', {})}",
        _remembered(turn),
    )


def _remembered(turn: Turn) -> str:
    from holdfast.engine.block.recall import owners_of
    from holdfast.operations.memory.figures import memory_figures

    figures = memory_figures(turn.workspace, owners_of(turn))
    told = [f"{name} {counted}" for name, counted in figures.items() if isinstance(counted, dict) and counted]
    return f"memories that you may see: {'; '.join(told) or 'none'}"


def _with(turn: Turn, **changes: object) -> Turn:
    return turn.replace(session={**turn.session, **changes})
