"""Star-commands that act: they change this conversation's state and answer in the block."""

from __future__ import annotations

from limpet.context.usage import bracket_of
from limpet.context.values import TypedCommand
from limpet.engine.block.choose import active_domains
from limpet.engine.commands.agent import (
    HELP,
    NOT_FIRST,
    NOT_TYPED,
    SWITCHED,
    TELL,
    UNHEARD,
    choose_agent,
    known_commands,
    safe_words,
)
from limpet.engine.event_context import PREVIEW, EventContext
from limpet.ground.config.defaults import TYPED_CHARACTERS, TYPED_COMMANDS
from limpet.ground.late import Late
from limpet.rules.format.acting import is_acting, opening_commands
from limpet.rules.format.domain import MEMORY_COMMANDS, PRIVATE, StarCommand, find_commands
from limpet.rules.layout import LIMPET
from limpet.rules.plan.plan import RulePlan, find_squad
from limpet.work.in_force import resolve_mode, resolve_permission
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.engine.commands import memory

    Answer = tuple[EventContext, tuple[str, ...]]
else:
    memory = Late("limpet.engine.commands.memory")

SHOWN = 40
TOO_LONG = f"Nothing was done: the line is longer than {TYPED_CHARACTERS:,} characters. Put the text into a file."
TOO_MANY = f"This command and those after it were not run: the limit is {TYPED_COMMANDS} per prompt."
NEARLY_FULL = "The window is nearly full: write the handoff first and start new work in a new session."
WOULD_PAUSE = "Would switch Limpet off or on for this conversation."
# The marks that a client puts around what a person pasted.
PASTED, PASTED_END = "<pasted_content", "</pasted_content"
RULE_VERBS = ("create", "add", "edit", "suggest", "diagnose")


def act(context: EventContext) -> EventContext:
    plan = context.plan
    assert plan is not None
    answers: dict[str, tuple[str, ...]] = {}
    aliases, is_persons = _aliases(context), context.event.is_persons
    known = {*known_commands(plan), *aliases}
    typed, unheard = [], dict[str, None]()
    for command, whole, opens in _typed(context.event.prompt, known):
        if is_acting(command) and not (opens and is_persons):
            unheard[f"*{command.name}"] = None
        else:
            typed.append((command, whole))
    for count, (command, whole) in enumerate(typed):
        if count == TYPED_COMMANDS:
            answers[command.name] = (*answers.get(command.name, ()), TELL, TOO_MANY)
            break
        lines: tuple[str, ...] = ()
        command = command.replace(name=LIMPET.command) if command.name in aliases else command
        if not whole and _takes_text(command):
            lines = (TELL, TOO_LONG)
        elif command.name == LIMPET.command:
            context, lines = _govern(context, command, plan)
        elif command.name == HELP and HELP not in plan.matcher["commands"]:
            lines = (TELL, *_help(context, plan))
        elif command.name in ACTING:
            context, lines = ACTING[command.name](context, command)
        said = answers.get(command.name, ())
        answers[command.name] = said + tuple(line for line in lines if line not in said)
    if unheard:
        why = NOT_FIRST if is_persons else NOT_TYPED.format(context.event.origin)
        first = next(iter(unheard)).removeprefix("*")
        said, line = answers.get(first, ()), UNHEARD.format(", ".join(unheard), why)
        answers[first] = (line, *said) if context.is_shown else (*said, TELL, line)
    if is_persons and not (answers or context.is_shown):
        from limpet.engine.messages import unknown_commands

        if unknown := unknown_commands(context):
            answers[LIMPET.command] = (TELL, *unknown)
    where = "limpet rules show COMMANDS"
    answered = tuple(TypedCommand(name=name, lines=lines, where=where) for name, lines in answers.items())
    return context.replace(typed=(*context.typed, *answered))


def _aliases(context: EventContext) -> tuple[str, ...]:
    typed = [name for name in LIMPET.aliases if f"*{name}" in context.event.prompt.lower()]
    if not typed:
        return ()
    import os

    root = context.workspace.root
    squads = context.plan is not None and bool(context.plan.matcher["squads"])
    return tuple(name for name in typed if squads or os.path.isdir(f"{root}/{LIMPET.aliases[name]}"))


def _typed(prompt: str, known: set[str]) -> Iterator[tuple[StarCommand, bool, bool]]:
    """Each with whether its line was read whole, and whether the prompt opens with it. What stands behind one that
    changes rules or memories, or behind ``/limpet``, is its text; what was pasted only tells which ones are in it."""
    opens, pasted = True, False
    for line in prompt.lstrip().splitlines():
        if opens and _is_slash(line):
            opens = False
            continue
        pasted = pasted or PASTED in line
        opening = opening_commands(line, known) if opens and not pasted else ()
        opens = bool(opening)
        for command in find_commands(line[:TYPED_CHARACTERS], known):
            if not pasted or is_acting(command):
                counted = opening[:1] if _takes_text(command) else opening
                yield command, len(line) <= TYPED_CHARACTERS, command.name in counted
            if _takes_text(command) or (command.name in LIMPET.aliases and _writes_rules(command)):
                break
        pasted = pasted and PASTED_END not in line


def _is_slash(line: str) -> bool:
    if line[:1] not in ("/", "$"):
        return False
    from limpet.work.slash import read_slash

    return bool(read_slash(line)[0])


def _takes_text(command: StarCommand) -> bool:
    return command.name in MEMORY_COMMANDS or (command.name == LIMPET.command and _writes_rules(command))


def _writes_rules(command: StarCommand) -> bool:
    return bool(command.words) and command.words[0].lower() in RULE_VERBS


def work(context: EventContext, command: StarCommand) -> Answer:
    verb, rest = (command.words[0], " ".join(command.words[1:])) if command.words else ("", "")
    if verb == "mode":
        mode = resolve_mode(rest)
        if mode is None:
            return context, (f"Unknown mode {safe_words(context, rest)!r}. Use planning, build or deploy.",)
        return context.with_session(mode=mode), (f"Mode of this conversation: {mode}.",)
    if verb not in ("start", "task", "squad") or not rest:
        usage = "Say *work start WORKFLOW, *work task TEXT, *work squad NAME or *work mode planning|build|deploy."
        return context, (usage,)
    if verb in ("start", "task") and _is_nearly_full(context):
        return context, (NEARLY_FULL,)
    if verb == "start":
        from limpet.engine.commands.session import start_workflow

        return start_workflow(context, rest)
    kept = safe_words(context, rest)
    if verb == "squad" and context.plan and not find_squad(context.plan.matcher, rest):
        return context, (f"Unknown squad {kept!r}. To see squads, run `limpet rules list`.",)
    if verb == "task":
        from limpet.engine.commands.session import take_up

        return take_up(context, kept, is_story=False)
    return context.with_session(squad=kept), (f"Squad of this conversation: {kept}.",)


def _is_nearly_full(context: EventContext) -> bool:
    """No new work is begun then (decision 2)."""
    assert context.usage is not None
    return bool(context.usage.remaining < context.mirror.settings["context"]["handoff_below"])


def develop(context: EventContext, command: StarCommand) -> Answer:
    if not command.words:
        return context, ("Say *develop ID with the story's or task's id.",)
    if _is_nearly_full(context):
        return context, (NEARLY_FULL,)
    from limpet.engine.commands.session import take_up

    return take_up(context, " ".join(command.words))


def permission(context: EventContext, command: StarCommand) -> Answer:
    words = ("auto",) if command.name == "yolo" else command.words
    permission = resolve_permission(words[0] if words else "")
    if permission is None:
        return context, ("Say *mode explore, *mode ask or *mode auto; *work mode sets planning, build or deploy.",)
    return context.with_session(permission=permission), (f"Permission mode of this conversation: {permission}.",)


def privacy(context: EventContext, command: StarCommand) -> Answer:
    """The switch acts before any step (``engine.person``)."""
    return context, (TELL, WOULD_PAUSE if context.event.host == PREVIEW else SWITCHED)


# Commands that act -> the function that does.
ACTING: dict[str, Callable[[EventContext, StarCommand], Answer]] = {
    **dict.fromkeys(MEMORY_COMMANDS, memory.act_on_memory),
    PRIVATE: privacy,
    "agent": choose_agent,
    "work": work,
    "develop": develop,
    "mode": permission,
    "yolo": permission,
}


def _govern(context: EventContext, command: StarCommand, plan: RulePlan) -> Answer:
    verb = command.words[0].lower() if command.words else "help"
    name = command.words[1].upper().replace("-", "_") if len(command.words) > 1 else ""
    if verb in ("on", "off"):
        return _switch(context, plan, verb == "on", name)
    if verb in RULE_VERBS:
        from limpet.engine.commands.memory import govern_rules

        return govern_rules(context, command.words)
    if verb == "reload":
        epoch = {"began": context.session[EPOCH].get("began", 0)}
        return context.with_session(reload=True, **{EPOCH: epoch}), ("Sending all rules again.",)
    if verb == "status":
        from limpet.engine.commands.session import status_lines

        return context, (TELL, *status_lines(context))
    answers = {"help": _help, "domains": _domains, "session": _session, "debug": _debug}
    if verb not in answers:
        return context, (f"Unknown command: *limpet {safe_words(context, command.words[0])}.", *_help(context, plan))
    return context, (TELL, *answers[verb](context, plan))


def _switch(context: EventContext, plan: RulePlan, on: bool, name: str) -> Answer:
    if name == "CONSTITUTION":
        return context, ("The constitution cannot be switched off.",) if not on else ("The constitution is always on.",)
    if name not in plan.matcher["names"] and name != "DEVMODE":
        return context, (f"Unknown domain {safe_words(context, name)!r}. See *limpet domains.",)
    overrides = {**context.session["overrides"], name: on}
    return context.with_session(overrides=overrides), (f"{name} is {'on' if on else 'off'} in this conversation.",)


def _help(context: EventContext, plan: RulePlan) -> tuple[str, ...]:
    return (
        "*remember TEXT, *recall WORDS, *forget ID, *memories, *gotcha TEXT",
        "*private: nothing is sent or kept in this conversation; *private off ends it",
        f"working modes: {', '.join('*' + name for name in plan.matcher['commands'])}",
        "*limpet help | status | debug | domains | session | reload | on DOMAIN | off DOMAIN (this conversation)",
        "*limpet create NAME word, word | add DOMAIN rule | edit DOMAIN N rule (the rule files)",
        "*limpet suggest DOMAIN | diagnose",
        "*agent NAME, *work start|task|squad|mode ..., *develop ID, *mode explore|ask|auto, *yolo",
    )


def _figures(context: EventContext, plan: RulePlan) -> tuple[str, ...]:
    usage = context.usage
    assert usage is not None
    bracket = bracket_of(usage.remaining, context.mirror.settings["context"])
    matcher, states = plan.matcher, _states(context, plan)
    return (
        f"bracket {bracket}: {usage.remaining}% of {usage.window} tokens left ({usage.source})",
        f"domains: {', '.join(f'{states.count(state)} {state}' for state in dict.fromkeys(states))}",
        f"mistakes in the manifest: {matcher['problems']}",
        f"prompts: {context.session['prompt_count']}, compactions: {context.session['compactions']}",
    )


def _domains(context: EventContext, plan: RulePlan) -> tuple[str, ...]:
    kinds: dict[int, str] = {}
    for kind, numbers in plan.matcher["kinds"].items():
        kinds.update(dict.fromkeys(numbers, kind))
    told = zip(plan.matcher["names"], _states(context, plan), strict=True)
    lines = [f"{name} ({kinds[number]}) {state}" for number, (name, state) in enumerate(told)]
    rest = len(lines) - SHOWN
    return (*lines[:SHOWN], f"+{rest} more: limpet rules list") if rest > 0 else tuple(lines)


def _states(context: EventContext, plan: RulePlan) -> list[str]:
    """Of each domain, as it is in this conversation."""
    matcher, told = plan.matcher, context.session["overrides"]
    states = []
    for number, is_on in enumerate(active_domains(context, plan)):
        name = matcher["names"][number]
        if is_on:
            waits = number in matcher["on_demand"] and not told.get(name)
            states.append("on demand" if waits else "on")
        else:
            waits = number in matcher["at_work"] and name not in told
            states.append("off until work is under way" if waits else "off")
    return states


def _session(context: EventContext, plan: RulePlan) -> tuple[str, ...]:
    session = context.session
    names = ("active_agent", "workflow", "task", "squad", "mode", "permission")
    own = {name: session[name] for name in names if session.get(name)}
    return (
        f"conversation {session['id']}, begun {session['started']}, prompt {session['prompt_count']}",
        f"domains switched here: {_pairs(session['overrides'])}",
        f"set here: {_pairs(own)}",
    )


def _debug(context: EventContext, plan: RulePlan) -> tuple[str, ...]:
    last = context.session.get("last") or {}
    return (
        *_figures(context, plan),
        *_session(context, plan),
        f"domains sent last: {', '.join(context.session['history'].get('domains_last', [])) or 'none'}",
        f"last block: {last.get('tokens', 0)} tokens; layers in ms: {_pairs(last.get('layers'))}",
        _remembered(context),
    )


def _remembered(context: EventContext) -> str:
    from limpet.engine.block.recall import owners_of
    from limpet.operations.figures import memory_figures

    settings, now = context.mirror.settings["memory"], context.clock.now()
    figures = memory_figures(context.workspace, owners_of(context), settings, now)
    told = [f"{name}: {_pairs(counted)}" for name, counted in figures.items() if isinstance(counted, dict) and counted]
    return f"memories: {'; '.join(told) or 'none'}"


def _pairs(found: object) -> str:
    if not isinstance(found, dict) or not found:
        return "none"
    return ", ".join(f"{name} {_value(value)}" for name, value in found.items())


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, dict):
        return str(value.get("title") or value.get("id") or "set")
    return str(value)
