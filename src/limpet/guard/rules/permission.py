"""Who may do what: the permission mode that a person set (Article XI), what belongs to other agents, choosing another
agent, and what cannot be understood."""

from __future__ import annotations

from limpet.guard.call import CODE, WRITING, Verdict, is_scratch
from limpet.guard.shell.command import program
from limpet.roles.roster import resolve_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from limpet.guard.acts import Act
    from limpet.guard.call import Case, Scene, TargetPlace

SWITCHING, CONVERSATION = "authority.agent", "authority.conversation"
OWN = "limpet"
ACTIVATE, DEACTIVATE = ("work", "agent", "activate"), ("work", "agent", "deactivate")
UNCLEAR = "unclear"


def judge_permission(case: Case) -> Iterator[Verdict]:
    mode = case.table["permissions"].get(case.scene.permission)
    if mode is None:
        return
    rule, says = f"permission.{case.scene.permission}", mode["says"]
    if case.call.kind == "write":
        for place in case.written:
            said = says.format(act=f"write {(place.inside or place.path)[-80:]}")
            yield Verdict("ask", rule, said, act=place.act, target=place.inside)
    for act in case.acts:
        if act.kind in mode["asks"] and not _is_nothing(act, case, mode):
            yield Verdict("ask", rule, says.format(act=act.text[:80]), act=act.text, target=act.target)


def judge_authority(case: Case) -> Iterator[Verdict]:
    agent = case.scene.agent
    if not agent:
        return
    for act in case.acts:
        owners = case.owners(act.kind) if act.kind != CODE else ()
        if owners:
            yield _verdict(case, act.kind, owners, act.text, act.target)
        barred = case.table["barred"].get(act.kind)
        if barred and agent in barred["agents"]:
            yield _denial(case, act.kind, barred["says"], barred["to"], act.text, act.target)
    is_of_the_project = agent not in case.table["agents"] and CODE not in case.scene.settings.get("authority", {})
    for place in case.written:
        kinds = _kinds_of(place, case)
        entitled: tuple[str, ...] = ()
        for kind in kinds:
            entitled += case.owners(kind)
        if entitled and agent not in entitled and not (CODE in kinds and is_of_the_project):
            yield _verdict(case, kinds[0], entitled, place.act, place.inside)


def judge_switching(case: Case) -> Iterator[Verdict]:
    """An active agent may not activate another one, or leave its place, but the one whose work it is; and none may
    start a conversation of its own, which its limits would not bind."""
    agent = case.scene.agent
    for act in case.kinds("conversation") if agent else ():
        reason = f"{agent} may not start a conversation that its limits do not bind. Use a sub-agent, or ask the user."
        yield Verdict("deny", CONVERSATION, reason, act=act.text, target=act.target)
    if not agent or agent in case.table["choosers"]:
        return
    for command in case.understood.commands if case.understood else ():
        words = words_of_ours(command.words)
        named = [resolve_id(word) or word for word in words[3:] if not word.startswith("-")]
        if words[:3] == DEACTIVATE or (words[:3] == ACTIVATE and agent not in named):
            way = "End the step: limpet work finish -, or ask the user to type *agent NAME."
            reason = f"{agent} may not choose another agent. {way}"
            yield Verdict("deny", SWITCHING, reason, act=" ".join(command.words), target=" ".join(named))


def words_of_ours(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words after ``limpet``, ``python -m limpet`` or an interpreter's script of ours; none for any other."""
    if words and program(words[0]) == OWN:
        return words[1:]
    for before, word in enumerate(words[1:]):
        if (word == OWN and words[before] == "-m") or (word.endswith(f"/{OWN}") and _is_own_path(word)):
            return words[before + 2 :]
    return ()


def _is_own_path(word: str) -> bool:
    from limpet.ground.own_name import is_own_name  # which most calls do without

    return is_own_name(word)


def keeps_words(words: tuple[str, ...], table: Mapping[str, Any]) -> bool:
    """Whether a command of ours, by the words after ``limpet``, may keep what it is given: all but those that read, and
    those too with the options that make them write."""
    plain = [word for word in words if not word.startswith("-")]
    paths = {" ".join(plain[:count]) for count in (1, 2, 3)}
    if not plain or not paths.isdisjoint(table["reads"]):
        options = {word.partition("=")[0] for word in words}
        return any(path in paths and option in options for path, option in table["reads_but_with"])
    return True


def judge_unclear(case: Case) -> Iterator[Verdict]:
    """Where nobody set ``explore`` or ``ask``, only a word of the command that names what is forbidden is asked
    about."""
    understood, scene = case.understood, case.scene
    if understood is None or understood.clear:
        return
    answer, act = scene.settings.get("unclear", "ask"), case.call.command[:200]
    if scene.permission in case.table["permissions"]:
        reason = f"This command cannot be understood ({understood.why}). Write it plainly, or have the user run it."
        yield Verdict(answer, UNCLEAR, reason, act=act)
        return
    for word, what in _forbidden(case):
        why = f"This command cannot be understood ({understood.why})"
        reason = f"{why}, and {word!r} in it may mean {what}. Write it plainly."
        yield Verdict(answer, UNCLEAR, reason, act=act, target=word)
        return


def _is_nothing(act: Act, case: Case, mode: Mapping[str, Any]) -> bool:
    if act.kind not in WRITING:
        return False
    places = [place for place in case.written if place.act == act.text]
    only_reads = case.scene.permission == "explore"
    if places and all(is_scratch(place, case.table) and not (only_reads and place.inside) for place in places):
        return True
    name, *words = act.text.split() or [""]
    plain = " ".join((program(name), *words))
    is_build = any(plain == known or plain.startswith(known + " ") for known in mode.get("building", ()))
    return act.target == "." and (is_build or any(word in mode.get("showing", ()) for word in words))


def _verdict(case: Case, kind: str, owners: tuple[str, ...], act: str, target: str) -> Verdict:
    agent, rule = case.scene.agent, f"authority.{kind}"
    says = case.table["authority"][kind]["says"].format(target=target[-60:])
    if agent in owners:
        return Verdict("allow", rule, f"{agent} may {says}.", act=act, target=target)
    return _denial(case, kind, says, owners[0], act, target)


def _way(scene: Scene, to: str) -> str:
    """How the act gets to whom it belongs: by the end of the step only where the next one is theirs, and back where
    theirs was before."""
    if not scene.workflow:
        return f"Hand it to @{to}, or have the user do it."
    if scene.following[:1] == (to,):
        return f"Hand it to @{to}: limpet work finish -, or have the user do it."
    if to in scene.following:
        return f"It waits for the step of {to}; note it in your handoff, or have the user do it."
    if to in scene.earlier:
        return f"Send it back with what is to be mended: limpet work back {to} --reason WHY."
    return f"No step of {scene.workflow} that follows has @{to}: have the user do it."


def _denial(case: Case, kind: str, says: str, to: str, act: str, target: str) -> Verdict:
    reason = f"{case.scene.agent} may not {says}. {_way(case.scene, to)}"
    return Verdict("deny", f"authority.{kind}", reason, agent=to, act=act, target=target)


def _kinds_of(place: TargetPlace, case: Case) -> tuple[str, ...]:
    """The kinds one of which the agent must be allowed to write a file; none for what every agent may write. What no
    tool was given to write is code by what a command does or by its name: folders, archives and reports come from
    programs."""
    if not place.inside or not place.named or is_scratch(place, case.table):
        return ()
    places, written = case.table["places"], case.table["written"]
    kinds = next((tuple(written[name]) for name in written if place.is_one_of(places[name])), (CODE,))
    is_code = case.call.kind == "write" or place.is_code or place.is_one_of(places["source"])
    return kinds if is_code or CODE not in kinds else ()


def _forbidden(case: Case) -> Iterator[tuple[str, str]]:
    assert case.understood is not None
    scene, words = case.scene, [word.lower() for word in case.understood.texts]
    if scene.agent and case.understood.starts:
        for kind, names in case.table["words"].items():
            if scene.agent not in case.owners(kind):
                yield from ((name, f"a {kind}") for name in names if name in words)
    folders = {
        folder: f"the private memory of {owner}" for folder, owner in scene.owners.items() if owner != scene.agent
    }
    for folder, what in (*folders.items(), *((folder, "the state of Limpet") for folder in scene.kept)):
        tail = "/".join(folder.replace("\\", "/").rstrip("/").split("/")[-2:]).lower()
        yield from ((word, what) for word in words if tail in word.replace("\\", "/"))
