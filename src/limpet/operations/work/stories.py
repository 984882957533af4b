"""Stories: added, begun, ticked, noted in, finished, found and listed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import event_data, read_events
from limpet.ground.formats.markdown import one_line
from limpet.ground.values import Value
from limpet.learning.consolidation import EntryChange
from limpet.operations.approval import Obtain
from limpet.operations.binding import permit_story
from limpet.operations.commit import refresh
from limpet.operations.learning.briefing import brief_story
from limpet.operations.learning.consolidate import consolidate_project
from limpet.operations.learning.observe import apply_written, story_under_way
from limpet.operations.project import Project, clean
from limpet.operations.work.briefing import plans
from limpet.operations.work.checks import Proof, failures, record_refusal, run_checks, why_failed
from limpet.operations.work.moves import choose_work, refuse_new_task
from limpet.work.pipeline.gate import BUILD, FINISH
from limpet.work.pipeline.state import run_of, story_of
from limpet.work.stories import store
from limpet.work.stories.evidence import count_claimed, criterion_evidence_of, end_command, remarks, whole_lines
from limpet.work.stories.file_list import story_from_text
from limpet.work.stories.queue import START_STORY, UNDER_WAY, Queue, read_queue
from limpet.work.stories.store import TICKED, Ending
from limpet.work.stories.story import ADD, TICK, Story
from limpet.work.stories.text import read_criterion

END = "limpet work story done"
ADDING = "Add the story: {}"
EVIDENCE = "a file of the project, or the command that showed it; without it a criterion is only claimed"


class FinishedStory(Value):
    """``note``: what the story's record says of the end, "" where a person took it as it is; ``learned``: what it
    taught."""

    story: Story
    note: str
    learned: tuple[EntryChange, ...] = ()


class FoundStory(Value):
    """``stories``: (id, story), or the error where it cannot be read; ``total``: the number of all stories."""

    stories: tuple[tuple[str, Story | LimpetError], ...]
    total: int


def add_story(
    project: Project,
    story_id: str,
    title: str,
    *,
    acceptance: Sequence[str] = (),
    pre_conditions: Sequence[str] = (),
    tasks: Sequence[str] = (),
    files: Sequence[str] = (),
    executor: str = "",
    agent: str = "",
    workflow: str = "",
    obtain: Obtain | None = None,
) -> Story:
    """Without an id it gets the next; items are ``text`` or ``[x] text``, files ``PATH (new)``. Raise LimpetError where
    it takes a person's word, and there is none."""
    permit_story(project, obtain, ADDING.format(" ".join(title.split())))
    name, during = agent.lstrip("@"), _building(project)
    story = Story(
        id=story_id,
        title=" ".join(title.split()),
        executor=executor or "agent",
        executor_name=executor or "agent",
        agent=f"@{name}" if name else "",
        workflow=workflow,
        status="draft",
        acceptance=tuple(map(read_criterion, acceptance)),
        pre_conditions=tuple(map(read_criterion, pre_conditions)),
        tasks=tuple(map(read_criterion, tasks)),
        files=tuple(map(story_from_text, files)),
        run=during.get("run", ""),
        added_during=during.get("added_during", ""),
    )
    return _changed(project, store.add_story(project.workspace, story, project.actor))


def after_adding(project: Project, story: Story) -> str:
    """The command that comes next: while a step plans, its end."""
    if plans(project):
        return f"{FINISH}, once every story is added"
    if story.open_conditions:
        return f"{TICK.format(story.id)}, once it holds"
    return START_STORY.format(story.id)


def add_text(project: Project, story_id: str, text: str, obtain: Obtain | None = None) -> Story:
    """``text``: a whole ``story.md``. Raise LimpetError as ``add_story`` does."""
    permit_story(project, obtain, ADDING.format(story_id))
    return _changed(project, store.add_story_text(project.workspace, story_id, text, project.actor, _building(project)))


def tick_criterion(project: Project, story_id: str, field: str, which: str, done: bool = True) -> Story:
    """``field``: ``pre_conditions``, ``acceptance`` or ``tasks``; ``which``: a number, or words of that item alone."""
    return _changed(project, store.tick_item(project.workspace, story_id, field, which, done, project.actor))


def note_on_story(project: Project, story_id: str, field: str, text: str) -> Story:
    """``field``: ``dev_record`` or ``qa_results``."""
    return _changed(project, store.add_record(project.workspace, story_id, field, text, project.actor))


def describe_story(project: Project, story: Story) -> tuple[str, ...]:
    head = f"{story.id}: {story.title} ({store.shown_file(project.workspace, story.id)})"
    evidence = (f"evidence   {EVIDENCE}",) if story.open_criteria else ()
    return (head, *whole_lines(story), *evidence, f"next       {end_command(story)}")


def start_story(project: Project, story_id: str = "", also: bool = False) -> Story:
    """It is in progress then, what of the knowledge matters for it is chosen, and it is the task in force. Without an
    id it is the one in progress, else the first that can begin; ``also``: though another one is in progress. Raises
    LimpetError, with nothing changed, for one that cannot be read, is done, or has to wait, and where so little of the
    caller's window is left that a handoff is due."""
    workspace = project.workspace
    queue = read_queue(workspace)
    name = story_id or _first(project, queue, also)
    find_story(project, name)
    refuse_new_task(project)
    if plans(project):
        raise LimpetError(f"Cannot start {name} in a step that plans", "", f"Its turn comes later. Run: {FINISH}")
    others = [one.id for one in queue.under_way if one.id != name]
    if others and not also and story_id:
        hint = f"End it ({END}), or add --also to work on both."
        raise LimpetError(f"Cannot start {name}: {', '.join(others)} is in progress", "", hint)
    story = store.start_story(workspace, name, project.actor, run_of(project.session))
    brief_story(project, story)
    _choose_task(project, {"id": story.id, "title": story.title, "executor": story.executor})
    return story


def finish_story(project: Project, story_id: str = "", ending: Ending = TICKED) -> FinishedStory:
    """Without an id the one in progress: what ``ending`` shows is ticked, nothing in it is open, and the checks
    succeed; where a person takes it as it is, nothing is asked. Raises LimpetError with every reason against it."""
    workspace, name = project.workspace, story_id or _under_way(project)
    shown = tuple((number, clean(project, one_line(evidence))) for number, evidence in ending.shown)
    ending = ending.replace(shown=shown, accepted=clean(project, ending.accepted))
    if not ending.accepted:
        ending = ending.replace(note=_check(project, store.try_finish(workspace, name, ending)))
    done = store.finish_story(workspace, name, project.actor, ending)
    _choose_task(project, None, name)
    story, learned = _learn(project, done)
    return FinishedStory(story=story, note=ending.note, learned=learned)


def find_story(project: Project, story_id: str) -> Story:
    found = store.read_story(project.workspace, story_id)
    if found is None:
        raise store.unknown_story(project.workspace, story_id)
    return found


def listed_stories(project: Project, status: str | None = None, limit: int = 20) -> FoundStory:
    """No more stories are read than necessary."""
    wanted = (
        (name, found)
        for name, found in store.iterate_stories(project.workspace)
        if status is None or (isinstance(found, Story) and found.status.lower() == status.lower())
    )
    return FoundStory(stories=tuple(islice(wanted, limit)), total=len(store.story_ids(project.workspace)))


def all_done(queue: Queue) -> str:
    if not queue.done:
        return "No stories yet"
    return f"All {queue.done} stories are done" if queue.done > 1 else "The only story is done"


def _learn(project: Project, story: Story) -> tuple[Story, tuple[EntryChange, ...]]:
    """What fails keeps no story open: the next consolidation does it."""
    learned: tuple[EntryChange, ...] = ()
    with suppress(LimpetError):
        apply_written(project, story)
    with suppress(LimpetError):
        learned = consolidate_project(project).changes
        story = store.set_story_fields(project.workspace, story.id, {"memory_captured": True}, project.actor)
    return story, learned


def _check(project: Project, story: Story) -> str:
    """Return the line for the record of a story in which nothing is open. Raises LimpetError for checks that fail."""
    ran = run_checks(project, project.step.agent if project.step else "")
    failed = [one for one in ran if one.exit_code]
    if failed:
        record_refusal(project, story.id, failures(ran))
        where = store.shown_file(project.workspace, story.id)
        told = (f"check {one.name} {why_failed(one)} (output: {one.output or 'not kept'})" for one in failed)
        raise LimpetError("; ".join(told), where, "Fix them, then run the same again.")
    shown = f"{len(story.acceptance) - count_claimed(story)} of {len(story.acceptance)} criteria shown"
    checks = ", ".join(f"{one.name} exit code {one.exit_code}" for one in ran) or "none configured"
    unchanged = Proof(project, (), builds=True).unchanged(criterion_evidence_of(story).values(), _began(project, story))
    seen = (f"evidence that it did not change: {', '.join(unchanged)}",) if unchanged else ()
    return f"Done {iso(project.caller.now)[:10]}: {'; '.join((shown, *seen, *remarks(story)))}; checks: {checks}"


def _began(project: Project, story: Story) -> str:
    events = read_events(project.workspace.shared, store.CHANGED)
    of_story = (event for event in events if event_data(event).get("story") == story.id)
    begun = [str(event["time"]) for event in of_story if event_data(event).get("status") in UNDER_WAY]
    return max(begun, default="")


def _building(project: Project) -> dict[str, str]:
    try:
        step = project.step
    except LimpetError:
        step = None
    found = {"run": run_of(project.session), "added_during": step.agent} if step and step.state == BUILD else {}
    return {key: value for key, value in found.items() if value}


def _first(project: Project, queue: Queue, also: bool) -> str:
    if queue.under_way and not also:
        return _under_way(project)
    if queue.ready:
        return queue.ready[0].id
    if queue.waiting:
        waits = "; ".join(f"{story.id} waits for: {', '.join(story.open_conditions)}" for story in queue.waiting[:3])
        hint = f"Once it holds, run: {TICK.format(queue.waiting[0].id)}"
        raise LimpetError("No story can begin", waits, hint)
    if queue.unreadable:
        raise queue.unreadable[0][1]
    raise LimpetError(all_done(queue), "", f"Run: {ADD}")


def _under_way(project: Project) -> str:
    own, begun = story_under_way(project)
    if own:
        return own
    if begun:
        raise LimpetError(f"Several stories are in progress: {', '.join(begun)}", "", f"Run: {END} ID")
    raise LimpetError("No story is in progress", "", "Run: limpet work story show")


def _choose_task(project: Project, task: dict[str, Any] | None, ended: str = "") -> None:
    """In place of one that the conversation chose for itself too; None clears the story ``ended``."""
    own = project.conversation.get("task")
    if own and (task or story_of(own) == ended):
        choose_work(project, "task", None, project.caller.conversation)
    if task or story_of(project.session.get("task")) == ended:
        choose_work(project, "task", task)
    else:
        refresh(project)


def _changed(project: Project, story: Story) -> Story:
    refresh(project)
    return story
