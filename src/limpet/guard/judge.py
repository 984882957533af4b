"""What the guard answers to a tool call: the one function that the hook and the commands ask."""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.guard.case import Case, read_table
from limpet.guard.places import places_of
from limpet.guard.rules import permission, private, scopes, secrets
from limpet.guard.rules import permission as authority
from limpet.guard.rules import permission as switching
from limpet.guard.rules import permission as unclear
from limpet.guard.rules import private as registration
from limpet.guard.rules import scopes as story_sections
from limpet.guard.rules import secrets as destructive
from limpet.guard.shell.command import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.guard.acts import Act
    from limpet.guard.call import Scene, ToolCall, Verdict
    from limpet.guard.shell.command import Understood

    Rule = Callable[[Case], Iterator[Verdict]]

# Stands where a part of a command is not known.
HIDDEN = "..."
_SUBSTITUTIONS = ("$(", "`")
# In the order in which reasons are worth telling.
RULES: tuple[Rule, ...] = (
    secrets.judge_secrets,
    private.judge_private,
    registration.judge_registration,
    authority.judge_authority,
    switching.judge_switching,
    story_sections.judge_story_sections,
    destructive.judge_destructive,
    scopes.judge_scopes,
    permission.judge_permission,
    unclear.judge_unclear,
)


class Judgement(Value):
    """What is said to a call.

    verdicts: of the rules, of which the strictest counts; none where no rule is concerned.
    opaque: whether the call may change files that it does not name: it is not understood, or runs what is not known.
    """

    verdicts: tuple[Verdict, ...]
    opaque: bool


def judge_tool_call(
    call: ToolCall, scene: Scene, understood: Understood | None = None, before: str | None = None
) -> Judgement:
    """Return what the rules say to a call.

    understood: of a shell command, else None.
    before: the text of the one file that is written, where it is a story or is written whole; None for a new one.
    """
    acts = acts_in(call, scene, understood)
    case = Case(
        call=call,
        scene=scene,
        acts=acts,
        written=places_of(call, acts, scene, writing=True),
        read=places_of(call, acts, scene, writing=False),
        understood=understood,
        before=before,
        table=read_table(),
    )
    others = _judge(case.replace(scene=scene.replace(agent=scene.starter))) if scene.starter else ()
    verdicts = (*_judge(case), *(_of_starter(verdict, scene) for verdict in others if verdict.answer != "allow"))
    is_unclear = understood is not None and not understood.clear
    return Judgement(verdicts, is_unclear or _hides(call.command) or any(act.is_opaque for act in acts))


def _hides(command: str) -> bool:
    """Return whether a text within quotes holds a substitution, which another program or an expansion may run."""
    return any(sign in quoted for quoted in command.split("'")[1::2] for sign in _SUBSTITUTIONS)


def _judge(case: Case) -> tuple[Verdict, ...]:
    found = (verdict for rule in RULES for verdict in rule(case))
    return tuple(_answerable(_readable(verdict), case) for verdict in found if _counts(verdict, case))


def _answerable(verdict: Verdict, case: Case) -> Verdict:
    stands = verdict.answer == "ask" and case.table["rules"][verdict.rule].get("stands")
    if not stands or case.scene.host_mode not in case.table["host_modes_that_answer"]:
        return verdict
    return verdict.replace(answer="deny", reason=f"{verdict.reason} Refused: in this mode the client asks nobody.")


def _of_starter(verdict: Verdict, scene: Scene) -> Verdict:
    way = f"To let sub-agents of this type act as {scene.agent}, the user adds it to guard.subagents."
    return verdict.replace(reason=f"{scene.agent} was started by {scene.starter}: {verdict.reason} {way}")


def acts_in(call: ToolCall, scene: Scene, understood: Understood | None) -> tuple[Act, ...]:
    """Return what a call does, of a shell command and of a tool whose acts are known."""
    if understood is None and call.kind != "tool":
        return ()
    from limpet.guard.acts import acts_of, acts_of_tool  # here: writes and reads need none of it

    return acts_of_tool(call, scene) if understood is None else acts_of(understood)


def _readable(verdict: Verdict) -> Verdict:
    """Return the verdict with a mark that people read where a part of a command is not known."""
    texts = {name: getattr(verdict, name) for name in ("reason", "act", "target")}
    shown = {name: text.replace(UNKNOWN, HIDDEN) for name, text in texts.items() if UNKNOWN in text}
    return verdict.replace(**shown) if shown else verdict


def _counts(verdict: Verdict, case: Case) -> bool:
    """Return whether a verdict is said: its rule is switched on, and nothing is asked where a person asked for nothing
    to be, but what guards the guard itself."""
    scene, row = case.scene, case.table["rules"][verdict.rule]
    if not scene.settings.get("rules", {}).get(row["switch"], True):
        return False
    if verdict.answer != "ask" or row.get("stands") or scene.permission in case.table["permissions"]:
        return True
    return scene.permission != "auto" and scene.host_mode not in case.table["host_modes_without_questions"]
