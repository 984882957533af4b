"""The stories that a file of another tool holds: itself one, or a list of tasks in parts. Pure, so that the same part
is found again when its file has changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from limpet.ground.digest import digest
from limpet.ground.formats.markdown import (
    Section,
    find_section,
    iterate_items,
    plain_lines,
    read_items,
    read_sections,
)
from limpet.ground.values import Value
from limpet.work.stories.file_list import File, is_file_path, read_file_section
from limpet.work.stories.story import HEADINGS, Checks, Story
from limpet.work.stories.text import read_story_text

_BOX = re.compile(r"\[[ xX]\]")
# How spec-kit and others say what shows that a part is done.
_TEST = re.compile(
    r"[\s>*_-]*(?:independent test|checkpoint|verification|done when|acceptance)[^\w:]*:[*_\s]*(.{3,})", re.IGNORECASE
)
# T001 [P] [US1] before what a task says to do.
_REFERENCE = re.compile(r"(?:[*\s]*(?:[A-Z]{1,3}\d+|\d+(?:\.\d+)*)[*.:)]*\s+|\[[^\]]*\]\s*)*")
_REMOVES = re.compile(r"(?:remove|delete)\b", re.IGNORECASE)
_NAMED = re.compile(r"`([^`\s]+)`|(?<![\w/`])([\w@.-]+/[\w@./-]*\.\w{1,8})(?![\w/`])")
_STORY = re.compile(r"(?:user )?(?:story|historia)\b")
_TITLE = re.compile(r"(?:implementation )?tasks?\b(?: list)?\s*[:：–—-]?\s*", re.IGNORECASE)


class StoryPart(Value):
    """``heading``: of this part of the file, "" for the whole; ``start``, ``end``: its positions; ``line``: its first.
    ``says``: what tells its words from others, whatever is ticked. ``text``: of a file that is a story, else ""."""

    heading: str
    start: int
    end: int
    line: int
    says: str
    story: Story
    text: str = ""


def read_parts(text: str, where: str, name: str) -> tuple[StoryPart, ...]:
    """``name``: what a list is about whose title does not say it. Raise LimpetError as for a story."""
    story, sections = read_story_text(text, where), read_sections(text)
    several = [each for each in sections if _STORY.match(each.key) and _has_criteria(sections, each)]
    if len(several) > 1:
        return tuple(_whole(text, each.title, each.start, each.end, where) for each in several)
    if story.acceptance or find_section(sections, HEADINGS["acceptance"]):
        return (_whole(text, "", 0, len(text), where),)
    title = next((section.title for section in sections if section.rank == 1), "")
    about, parts = _TITLE.sub("", title, 1) or name, list[StoryPart]()
    for section in _divide(text, sections):
        same = sum(part.heading.partition(" #")[0] == section.title for part in parts)
        heading = f"{section.title} #{same + 1}" if same else section.title
        line = text.count("\n", 0, section.start) + 1
        says = _says(text[section.start : section.end])
        parts.append(StoryPart(heading, section.start, section.end, line, says, _story(text, section, about)))
    files = find_section(sections, HEADINGS["files"])
    if len(parts) == 1 and files:
        told = dict((*read_file_section(text, files), *parts[0].story.files))
        return (parts[0].replace(story=parts[0].story.replace(files=tuple(told.items()))),)
    return tuple(parts)


def difference(story: Story, part: StoryPart) -> str:
    """What the file says otherwise than the story that was made of it, "" for nothing."""
    ours, theirs = _checks(story), _checks(part.story)
    ticked = sum(done and not ours.get(words, True) for words, done in theirs.items())
    if part.says == story.imported_as:
        return f"{ticked} ticked there" if ticked else ""
    new = sum(words not in ours for words in theirs)
    gone = sum(words not in theirs for _, words in story.tasks)
    counts = {"new": new, "gone": gone, "ticked there": ticked}
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "other words"


def _has_criteria(sections: Sequence[Section], story: Section) -> bool:
    inside = [each for each in sections if story.start < each.start < story.end]
    return find_section(inside, HEADINGS["acceptance"]) is not None


def _whole(text: str, heading: str, start: int, end: int, where: str) -> StoryPart:
    own, line = text[start:end], text.count("\n", 0, start) + 1
    story = read_story_text(own, where)
    return StoryPart(heading, start, end, line, _says(own), story.replace(title=heading or story.title), own)


def _checks(story: Story) -> dict[str, bool]:
    return {words: done for done, words in (*story.tasks, *story.acceptance)}


def _says(text: str) -> str:
    return digest(" ".join(_BOX.sub("", text).split()))


def _divide(text: str, sections: Sequence[Section]) -> list[Section]:
    """The parts with boxes of the first rank of headings that has several, and what stands above them."""
    boxes = [item.box for item in iterate_items(text, 0, len(text)) if item.box >= 0]
    whole = Section(key="", title="", rank=0, start=0, body=0, end=len(text))
    holding = [each for each in (whole, *sections) if any(each.body <= box < each.end for box in boxes)]
    for rank in range(1, 7):
        level = [each for each in holding if each.rank == rank]
        if len(level) > 1:
            starts = [each.start for each in sections]
            above = [each for each in holding if each.rank < rank]
            cut = [each.replace(end=min(start for start in starts if start >= each.body)) for each in above]
            level += [each for each in cut if any(each.body <= box < each.end for box in boxes)]
            return sorted(level, key=lambda each: each.start)
    return [each for each in holding if all(each.body <= box < each.end for box in boxes)][-1:]


def _story(text: str, section: Section, about: str) -> Story:
    tasks = tuple((item.done, item.text) for item in read_items(text, section))
    tests = [found[1] for _, line in plain_lines(text, section.body, section.end) if (found := _TEST.match(line))]
    heading = section.title or about
    done = all(done for done, _ in tasks)
    return Story(
        id="",
        title=f"{about}: {heading}" if about and heading not in (about, about.lower()) else heading or "Tasks",
        status="done" if done else "draft",
        tasks=tasks,
        acceptance=tuple((done, " ".join(each.split())) for each in tests or [f"Every task of {heading} is done"]),
        files=tuple(dict(_files(tasks)).items()),
    )


def _files(tasks: Checks) -> Iterator[File]:
    for _, text in tasks:
        removes = _REMOVES.match(text, _REFERENCE.match(text).end())  # type: ignore[union-attr]
        paths = (span or bare for span, bare in _NAMED.findall(text))
        yield from ((path, "delete" if removes else "") for path in paths if "/" in path and is_file_path(path))
