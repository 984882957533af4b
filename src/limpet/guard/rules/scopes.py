"""Where may be written: by the mode while a workflow is under way, and by the story in force (Article XI); of a story
itself the agent's own sections."""

from __future__ import annotations

from limpet.ground.text.globs import find_glob
from limpet.guard.call import Verdict, is_scratch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.guard.call import Case, TargetPlace

MODE, FILES = "mode.scope", "story.files"
# Acts that reach beyond the project, which belong to the mode deploy.
OUTWARDS = ("push", "pull-request", "merge-request", "release", "deploy")
STORY, SECTION = "authority.story", "story.section"
# The part whose boxes are its owners' too.
RESULTS = "qa_results"


def judge_scopes(case: Case) -> Iterator[Verdict]:
    for place in case.written:
        if place.named and not is_scratch(place, case.table):
            yield from _by_mode(case, place)
            yield from _by_story(case, place)
    scene = case.scene
    if not scene.workflow or scene.mode == "deploy":
        return
    for act in case.kinds(*OUTWARDS):
        if not scene.agent or scene.agent in case.owners(act.kind):
            reason = f"The work is in {scene.mode} mode: a {act.kind} waits for deploy mode, after QA has approved."
            yield Verdict("ask", MODE, reason, act=act.text, target=act.target)


def judge_story_sections(case: Case) -> Iterator[Verdict]:
    agent, owners = case.scene.agent, case.owners("story")
    if not agent or agent in owners:
        return
    for place in case.written:
        if not find_glob(case.table["places"]["stories"], place.inside):
            continue
        if case.call.kind == "shell":
            yield _deny(case, place, SECTION, f"{agent} may not change a story by a shell command", _way(case))
        elif case.before is None and case.call.whole:
            yield _deny(case, place, STORY, f"{agent} may not write a story", f"Hand it to @{owners[0]}")
        elif case.before is None:
            reason = f"The story cannot be read, so what {agent} changes in it is not known. Have the user look."
            yield Verdict("ask", SECTION, reason, target=place.inside)
        else:
            yield from _by_section(case, place, owners[0])


def changed_parts(before: str, after: str) -> tuple[str, ...]:
    """``marks`` for boxes, but those of QA Results, else a section or a key of the frontmatter, by its field's name
    where it has one."""
    from limpet.guard.rules.story_parts import split_story, unmarked

    old, new = split_story(before), split_story(after)
    changed: dict[str, None] = {}
    for name in (*old, *new):
        if old.get(name) != new.get(name):
            is_marked = name != RESULTS and name in old and name in new and unmarked(old[name]) == unmarked(new[name])
            changed["marks" if is_marked else name] = None
    return tuple(changed)


def _by_mode(case: Case, place: TargetPlace) -> Iterator[Verdict]:
    scene = case.scene
    if not scene.workflow:
        return
    if not place.inside:
        if not find_glob(scene.settings.get("outside", ()), place.path):
            yield _ask(MODE, f"{place.path[-80:]} is outside the project. Is that meant?", place)
        return
    scope, groups = case.table["modes"].get(scene.mode, {}), case.table["places"]
    if not _is_certain(case, place):
        return
    only, kept = scope.get("only", ()), scope.get("not", ())
    is_within = not only or any(place.is_one_of(groups[name]) for name in only)
    if not is_within or any(place.is_one_of(groups[name]) for name in kept):
        yield _ask(MODE, f"{place.inside[-80:]} is outside what {scene.mode} mode writes: {scope['says']}.", place)


def _by_story(case: Case, place: TargetPlace) -> Iterator[Verdict]:
    story, groups = case.scene.story, case.table["places"]
    if story is None or not story.files or not place.inside or place.is_one_of(groups["limpet"]):
        return
    if not _is_certain(case, place):
        return
    if not place.is_one_of(story.files):
        reason = f"{place.inside[-80:]} is not among the files of story {story.id}. Add it to the story, or leave it."
        yield _ask(FILES, reason, place)


def _is_certain(case: Case, place: TargetPlace) -> bool:
    """Of what no tool was given to write only what has the name of code: folders, archives and reports come from
    programs."""
    groups = case.table["places"]
    return case.call.kind == "write" or place.is_one_of((*groups["source"], *groups["infrastructure"]))


def _ask(rule: str, reason: str, place: TargetPlace) -> Verdict:
    return Verdict("ask", rule, reason, act=place.act, target=place.inside or place.path)


def _by_section(case: Case, place: TargetPlace, owner: str) -> Iterator[Verdict]:
    assert case.before is not None
    after = case.after()
    if after is None or after == case.before:
        return
    own = _own(case)
    foreign = [part for part in changed_parts(case.before, after) if part not in own]
    if foreign:
        what = f"{case.scene.agent} may not change {_said(foreign[0])} in a story"
        yield _deny(case, place, SECTION, what, f"{_way(case)}, or hand it to @{owner}")


def _own(case: Case) -> tuple[str, ...]:
    sections, agent = case.table["sections"], case.scene.agent
    return tuple(sections.get(agent, () if agent in case.table["agents"] else sections["dev"]))


def _way(case: Case) -> str:
    own = _own(case)
    return f"Edit only {_said(own[-1])}" if own else "Use limpet work story"


def _said(part: str) -> str:
    return {"qa_results": "QA Results", "dev_record": "Dev Agent Record"}.get(part, part)


def _deny(case: Case, place: TargetPlace, rule: str, what: str, way: str) -> Verdict:
    owner = case.owners("story")[0]
    return Verdict("deny", rule, f"{what}. {way}.", agent=owner, act=place.act, target=place.inside)
