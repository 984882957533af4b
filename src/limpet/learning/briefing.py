"""Chooses what of the knowledge matters for a piece of work, and says why, in a sentence for each (Shaktra Intelligence
System, Briefing Generation). Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from limpet.ground.text.escaping import clip
from limpet.ground.text.folding import fold, is_unspaced
from limpet.ground.text.stems import stem
from limpet.ground.text.words import is_stop_word, split_words
from limpet.ground.values import Value
from limpet.learning.model import ACTIVE, ANTI_PATTERN, PROCEDURE, KnowledgeEntry, Stores, is_contested

# Worth of what an entry has in common with the work: a file that it names, a word of its tags, of its text, of its
# guidance; that it applies to this kind of work, or to any. The least that is relevant, the most, and what a trigger
# makes of it.
FILE, TAG, TEXT, GUIDANCE, FITS, ANY = 6, 3, 2, 1, 5, 3
LEAST, MOST, TRIGGERED = 3, 10, 8
# Entries that may hold a word, as a share of all and at least: a word of more of them tells nothing.
SHARE, FEW = 3, 10
SHORTEST, MOST_SHARED, LONGEST = 3, 4, 160
# Words that open a step of a criterion, and words of any work: in common they tell something beside another one only.
_OPENING = frozenset("given angenommen gegeben dado dada dados dadas etant donne".split())
_USUAL_TEXT = """
add app build call change check class code command create data entry file fix function implement implementation item
key line list make method name new number object output page parameter part print project result return run script
show step story support system task text type update user value work write
"""
_USUAL = frozenset(map(stem, _USUAL_TEXT.split()))
GENERAL = ("", "general")
# A file or a pattern of files within a text.
_PATH = re.compile(r"[\w*.-]*[/*][\w*./-]*\w|\.?\w[\w-]*(?:\.\w[\w-]*)+|(?<![\w.])\.[A-Za-z]\w*")
# Agent -> the kinds of work to which procedures apply; what is not named here builds.
WORK: dict[str, tuple[str, ...]] = {
    "qa-planning": ("review",),
    "qa-implementation": ("review",),
    "architect": ("analysis",),
    **dict.fromkeys(("orchestrator", "phases", "tasks", "devops"), ("tpm",)),
    **dict.fromkeys(("brief", "detail", "ux"), ("pm",)),
}
BUILDS = ("tdd", "bugfix")
KINDS_OF_WORK = (*BUILDS, "review", "analysis", "tpm", "pm", "general")


class Topic(Value):
    """What a piece of work is about. ``text``: its title, what is to be done, the request. ``work``: the kinds of work
    that it is, as ``applies_to`` of procedures names them; () for any."""

    text: str
    files: tuple[str, ...] = ()
    work: tuple[str, ...] = ()


class Briefed(Value):
    """An entry that is told. ``relevance``: why, in a sentence; ``worth``: from 0 to 10. ``recheck``: it has lost so
    much confidence that it is told only to be checked again. ``contested``: two stories or conversations contradict
    it."""

    entry: KnowledgeEntry
    relevance: str
    worth: int
    recheck: bool = False
    contested: bool = False


def select_entries(stores: Stores, topic: Topic, settings: Mapping[str, Any]) -> tuple[Briefed, ...]:
    """Return the active entries that matter, those first whose relevance times confidence is highest, at most
    ``briefing_entries``; the last place is for one below ``briefing_confidence``, so that it recovers or dies (decision
    31). ``settings`` are those of ``learning``."""
    active: list[KnowledgeEntry] = []
    for entries in stores.values():
        active += [entry for entry in entries if entry.status == ACTIVE]
    words = {entry.id: _words(entry) for entry in active}
    holders: Counter[str] = Counter()
    for each in words.values():
        holders.update(each.keys())
    most = max(FEW, len(active) // SHARE)
    said = topic.text + " " + " ".join(topic.files)
    told = {word for word in _stems(said) if holders[word] <= most}
    found = [_weigh(entry, words[entry.id], told, topic, fold(said)) for entry in active]
    relevant = sorted(
        (one for one in found if one.worth >= LEAST and one.entry.confidence >= settings["confidence_archive"]),
        key=lambda one: (-one.worth * one.entry.confidence, one.entry.id),
    )
    sure = [one for one in relevant if one.entry.confidence >= settings["briefing_confidence"]]
    doubtful = [one.replace(recheck=True) for one in relevant if one not in sure][:1]
    return (*sure[: settings["briefing_entries"] - len(doubtful)], *doubtful)


def keywords(topic: Topic) -> tuple[str, ...]:
    return tuple(_stems(topic.text + " " + " ".join(topic.files)).values())


def headline(entry: KnowledgeEntry, contested: bool) -> str:
    marks = ("contested: " if contested else "") + ("avoid: " if entry.kind == ANTI_PATTERN else "")
    return marks + " ".join(entry.text.split())


def briefed_line(one: Briefed) -> str:
    entry = one.entry
    sure = f"{entry.confidence:g}{', does it still hold?' if one.recheck else ''}"
    do = clip(" ".join("; ".join(entry.guidance).split()), LONGEST)
    said = clip(headline(entry, one.contested), LONGEST).rstrip(".")
    return f"{entry.id} ({sure}) {said}{f': {do}' if do else ''} [{one.relevance}]"


def work_of(agent: str) -> tuple[str, ...]:
    return WORK.get(agent, BUILDS)


def _weigh(
    entry: KnowledgeEntry, words: Mapping[str, tuple[str, int]], told: set[str], topic: Topic, said: str
) -> Briefed:
    worth, reasons = 0, []
    trigger = next((each for each in entry.trigger_patterns if len(each) >= SHORTEST and fold(each) in said), "")
    if trigger:
        reasons.append(f"triggered by: {trigger}")
    if named := next(_named(entry, topic.files), ""):
        worth += FILE
        reasons.append(f"named by {named}")
    common = {key: held for key, held in words.items() if key in told}
    is_tag = any(weight == TAG for key, (_, weight) in common.items() if key not in _USUAL)
    if is_tag or (len(common) > 1 and not common.keys() <= _USUAL):
        shared = sorted((-weight, word) for word, weight in common.values())
        worth -= sum(negative for negative, _ in shared)
        reasons.append(f"shares: {', '.join(word for _, word in shared[:MOST_SHARED])}")
    if entry.kind == PROCEDURE:
        fits = entry.applies_to in topic.work
        if topic.work and not fits and entry.applies_to not in GENERAL:
            return Briefed(entry, "", 0)
        worth += FITS if fits else ANY
        reasons.append(f"applies to {entry.applies_to if fits else 'any work'}")
    worth = min(MOST, max(worth, TRIGGERED if trigger else 0))
    return Briefed(entry, "; ".join(reasons), worth, contested=is_contested(entry.evidence))


def _words(entry: KnowledgeEntry) -> dict[str, tuple[str, int]]:
    texts = (
        (TAG, " ".join((*entry.tags, *entry.categories))),
        (TEXT, entry.text),
        (GUIDANCE, " ".join((entry.failure_mode, *entry.guidance))),
    )
    found: dict[str, tuple[str, int]] = {}
    for worth, text in texts:
        for key, word in _stems(text).items():
            found.setdefault(key, (word, worth))
    return found


def _stems(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in split_words(fold(text)):
        says_something = len(word) >= SHORTEST or is_unspaced(word)
        if says_something and not is_stop_word(word) and word not in _OPENING:
            found.setdefault(stem(word), word)
    return found


def _named(entry: KnowledgeEntry, files: Sequence[str]) -> Iterator[str]:
    for name in _PATH.findall(" ".join((entry.text, *entry.guidance, *entry.tags, *entry.trigger_patterns))):
        if any(
            fnmatchcase(path, name) or path.endswith(f"/{name}") or f"/{path}".find(f"/{name}/") >= 0 for path in files
        ):
            yield name
