"""Who may change which part of a story: its owners all, its executor and the QA roles their own sections (seed 004)."""

from __future__ import annotations

from limpet.ground.text.globs import find_glob
from limpet.guard.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.guard.case import Case
    from limpet.guard.places import Place

STORY, SECTION = "authority.story", "story.section"
# The part whose boxes are its owners' too.
RESULTS = "qa_results"


def judge(case: Case) -> Iterator[Verdict]:
    """Deny a new story, and a change outside the agent's sections, to whom stories do not belong."""
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
    """Return the parts in which two texts of a story differ: ``marks`` for boxes, but those of QA Results, else a
    section or a key of the frontmatter, by its field's name where it has one."""
    from limpet.guard.rules.story_parts import split_story

    old, new = split_story(before), split_story(after)
    names = [name for name in dict.fromkeys((*old, *new)) if old.get(name) != new.get(name)]
    return tuple(dict.fromkeys("marks" if _without_marks(old, new, name) else name for name in names))


def _by_section(case: Case, place: Place, owner: str) -> Iterator[Verdict]:
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
    """Return the parts that the agent may change: a project's own agent as the story's executor, which is dev."""
    sections, agent = case.table["sections"], case.scene.agent
    return tuple(sections.get(agent, () if agent in case.table["agents"] else sections["dev"]))


def _without_marks(old: dict[str, str], new: dict[str, str], name: str) -> bool:
    from limpet.guard.rules.story_parts import unmarked

    return name != RESULTS and name in old and name in new and unmarked(old[name]) == unmarked(new[name])


def _way(case: Case) -> str:
    own = _own(case)
    return f"Edit only {_said(own[-1])}" if own else "Use limpet story"


def _said(part: str) -> str:
    return {"qa_results": "QA Results", "dev_record": "Dev Agent Record"}.get(part, part)


def _deny(case: Case, place: Place, rule: str, what: str, way: str) -> Verdict:
    owner = case.owners("story")[0]
    return Verdict("deny", rule, f"{what}. {way}.", agent=owner, act=place.act, target=place.inside)
