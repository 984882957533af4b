"""Where may be written: by the mode while a workflow is under way, and by the story in force (Article XI)."""

from __future__ import annotations

from limpet.ground.text.globs import find_glob
from limpet.guard.places import is_scratch
from limpet.guard.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.guard.case import Case
    from limpet.guard.places import Place

MODE, FILES = "mode.scope", "story.files"
# Acts that reach beyond the project, which belong to the mode deploy.
OUTWARDS = ("push", "pull-request", "merge-request", "release", "deploy")


def judge(case: Case) -> Iterator[Verdict]:
    """Ask about what lies outside the mode's scope, or outside the story's files."""
    for place in case.written:
        if place.named and not is_scratch(place, case.table):
            yield from _by_mode(case, place)
            yield from _by_story(case, place)
    yield from _outwards(case)


def _by_mode(case: Case, place: Place) -> Iterator[Verdict]:
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


def _by_story(case: Case, place: Place) -> Iterator[Verdict]:
    story, groups = case.scene.story, case.table["places"]
    if story is None or not story.files or not place.inside or place.is_one_of(groups["limpet"]):
        return
    if not _is_certain(case, place):
        return
    if not place.is_one_of(story.files):
        reason = f"{place.inside[-80:]} is not among the files of story {story.id}. Add it to the story, or leave it."
        yield _ask(FILES, reason, place)


def _is_certain(case: Case, place: Place) -> bool:
    """Return whether a place of the project is a file that somebody means to change: of what no tool was given
    to write only what has the name of code, since folders, archives and reports come from programs."""
    groups = case.table["places"]
    return case.call.kind == "write" or place.is_one_of((*groups["source"], *groups["infrastructure"]))


def _outwards(case: Case) -> Iterator[Verdict]:
    scene = case.scene
    if not scene.workflow or scene.mode == "deploy":
        return
    for act in case.kinds(*OUTWARDS):
        if not scene.agent or scene.agent in case.owners(act.kind):
            reason = f"The work is in {scene.mode} mode: a {act.kind} waits for deploy mode, after QA has approved."
            yield Verdict("ask", MODE, reason, act=act.text, target=act.target)


def _ask(rule: str, reason: str, place: Place) -> Verdict:
    return Verdict("ask", rule, reason, act=place.act, target=place.inside or place.path)
