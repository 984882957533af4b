"""Secrets in what is written (Article IV), and what destroys what cannot be brought back."""

from __future__ import annotations

import os

from limpet.ground.safety.hints import may_hold_secret
from limpet.guard.call import WRITING, Verdict, is_scratch, lies_in_folder
from limpet.guard.shell.command import UNKNOWN, program, program_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from limpet.guard.acts import Act
    from limpet.guard.call import Case, TargetPlace

SECRET_WRITE = "secret.write"
MARK = "[redacted:"
EXAMPLES = ("example", "placeholder", "dummy", "changeme", "redacted", "xxxx", "your-", "your_", "insecure")
# What is left of a value without words for one is too little for a secret: "devpassword123", "test_key_123".
FEWEST_OWN = 4
# Characters from which all that redaction does may take too long.
LARGE = 1_000_000
# A drawn key has more signs that differ, and no such row of them in the order of the alphabet or of numbers.
FEWEST, LONGEST_ROW = 5, 6
DESTRUCTIVE, ALL = "destructive", "destructive.all"


def judge_secrets(case: Case) -> Iterator[Verdict]:
    """Deny a key that is known by its form and was not in the file before, and ask about it in examples and tests; ask
    once in a conversation, for each ending of a file's name, about what may be a password. In examples and tests it is
    made up."""
    places = tuple(place for place in case.written if not _is_allowed(place, case))
    if not places:
        return
    kinds = tuple(dict.fromkeys(_kinds_written(case)))
    for place in places if kinds else ():
        is_example = place.is_one_of(case.table["places"]["examples"])
        strong = [kind for kind in kinds if kind not in case.table["secrets"]["weak"]]
        kind = next(iter(strong if is_example else (*strong, *kinds)), "")
        if kind:
            answer = "ask" if is_example or not strong else "deny"
            once = "" if strong else f"{SECRET_WRITE} {os.path.splitext(place.path)[1]}"
            what = f"The text for {(place.inside or place.path)[-60:]} holds a secret ({kind})"
            reason = f"{what}. Name an environment variable instead, or have the user write it."
            yield Verdict(answer, SECRET_WRITE, reason, act=place.act, target=place.inside, once=once)


def is_placeholder(value: str) -> bool:
    """A value that only shows what a secret looks like: it says so, is made of words for one, repeats itself, or
    counts."""
    from limpet.ground.text.word_lists import read_words

    lowered = own = value.lower()
    fillers = " ".join(read_words("words/secret_words")["fillers"]).split()
    for word in sorted(fillers, key=len, reverse=True):
        own = own.replace(word, "")
    says_so = any(word in lowered for word in EXAMPLES) or sum(map(str.isalnum, own)) < FEWEST_OWN
    return says_so or len(set(lowered)) < FEWEST or _longest_row(lowered) >= LONGEST_ROW


def judge_destructive(case: Case) -> Iterator[Verdict]:
    """Ask while an agent is active or a person set a permission mode; deny where everything would go. Of a few things
    ask always: what nobody wants unasked."""
    scene = case.scene
    for text, what in _total(case):
        reason = f"{text[:60]} would destroy {what[-60:]}, all of it. Ask the user first."
        yield Verdict("ask", ALL, reason, act=text, target=what)
    if not (scene.agent or scene.permission):
        return
    for act in case.kinds("destructive"):
        places = [place for place in case.written if place.act == act.text]
        if any(_is_everything(place.path) for place in places):
            reason = f"This would destroy {places[0].path}, all of it."
            yield Verdict("deny", DESTRUCTIVE, reason, act=act.text, target=act.target)
        elif not _is_mild(act, case) and (not places or not all(is_scratch(place, case.table) for place in places)):
            reason = (
                f"{act.text[:80]} destroys what cannot be brought back. Ask the user first, and say what would be lost."
            )
            yield Verdict("ask", DESTRUCTIVE, reason, act=act.text, target=act.target)


def _is_allowed(place: TargetPlace, case: Case) -> bool:
    is_kept = bool(place.inside) or not is_scratch(place, case.table)
    return not is_kept or place.is_one_of(case.scene.settings.get("secrets_in", ()))


def _kinds_written(case: Case) -> Iterator[str]:
    call = case.call
    old = [case.before or "", *(edit[0] for edit in call.edits)]
    new = [edit[1] for edit in call.edits] if call.edits else [call.command]
    passed = {*case.table["secrets"]["ignored"]}
    for text in new:
        for kind, value in _known_in(text) or _secrets_of(text):
            if kind not in passed and not is_placeholder(value) and not any(value in each for each in old):
                passed.add(kind)
                yield kind


def _known_in(text: str) -> tuple[tuple[str, str], ...]:
    """Of a text that may take more than the time that there is, the keys that its first look finds."""
    if len(text) < LARGE:
        return ()
    from limpet.ground.safety.redaction import find_known

    return tuple(find_known(text))


def _secrets_of(text: str) -> Iterator[tuple[str, str]]:
    if not may_hold_secret(text):
        return
    from limpet.ground.safety.redaction import redact

    redacted = redact(text)
    if redacted == text:
        return
    first, *others = redacted.split(MARK)
    at = len(first)
    for each in others:
        kind, _, kept = each.partition("]")
        end = text.find(kept, at) if kept else len(text)
        if end < 0:
            return
        yield kind, text[at:end]
        at = end + len(kept)


def _longest_row(value: str) -> int:
    longest = row = 1
    for one, other in zip(value, value[1:], strict=False):
        row = row + 1 if ord(other) == ord(one) + 1 else 1
        longest = max(longest, row)
    return longest


def _total(case: Case) -> Iterator[tuple[str, str]]:
    """(Act, what goes) where a disk, the home folder, the project or its repository goes, or all history."""
    for act in case.kinds("wipe"):
        yield act.text, "a device or all history"
    table, texts = case.table["removing"], {act.text for act in case.kinds("destructive")}
    takes_away = (*case.table["registration"]["removes"], *table["empties"])
    for place in case.written:
        if place.path.startswith("/dev/") and place.is_one_of(case.table["places"]["devices"]):
            yield place.act, place.path
        elif place.act in texts and program_in(place.act) in takes_away:
            is_exact = place.named or _empties(place.act, table)
            if is_exact and _goes_whole(place.path, case):
                yield place.act, place.path
    for act in case.kinds(*WRITING):  # where nothing sets the variable, the root of the disk
        if act.text in texts and program_in(act.text) in takes_away and act.target in (f"{UNKNOWN}/*", f"{UNKNOWN}/"):
            yield act.text.replace(UNKNOWN, "..."), "the root of the disk, or a folder that is not known"
    words = case.understood.texts if case.understood and not case.understood.clear else ()
    if any(word.rpartition(".")[2] in table["in_code"] for word in words):
        folder = case.call.folder or case.scene.root
        paths = (os.path.join(folder, "." if word in table["here"] else os.path.expanduser(word)) for word in words)
        yield from ((case.call.command, path) for path in paths if _goes_whole(os.path.realpath(path), case))


def _empties(act: str, table: Mapping[str, Any]) -> bool:
    """Whether a program takes all that is in the folder: a search that nothing narrows."""
    name, *words = act.split()
    bare = table["empties"].get(program(name))
    return bare is not None and (not bare or all(word in bare for word in words if word[:1] == "-"))


def _goes_whole(path: str, case: Case) -> bool:
    path = path.rstrip("*").rstrip("/") or "/"
    return _is_everything(path) or lies_in_folder(os.path.realpath(case.scene.root), path.removesuffix("/.git"))


def _is_mild(act: Act, case: Case) -> bool:
    for known in case.table["mild"]:
        rest = act.text.removeprefix(known + " ")
        if rest != act.text and not any(sign in f" {rest}" for sign in (" -", "*", "?", "[")):
            return True
    return False


def _is_everything(path: str) -> bool:
    path = path.rstrip("*").rstrip("/") or "/"
    return lies_in_folder(os.path.realpath(os.path.expanduser("~")), path)
