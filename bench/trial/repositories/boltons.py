"""mahmoud/boltons: eight wishes that no file of it states, and three tasks."""

from __future__ import annotations

import ast
import re

from wishes import Repository, Wish
from work import Work, calls, new_functions, programs, public

SUBJECT = re.compile(r"\[[a-z]+\] [A-Z].*")
TRAILER = re.compile(r"^Area: [a-z]+$", re.M)
CLOSING = re.compile(r"Check: .*\bpytest\b.*")
LONGEST_SUBJECT = 50
WHOLE_TREE = ("-A", "--all", ".", "-u", "--update", ":/", "*")


def has_no_example(work: Work) -> bool:
    names = [function.name for function in public(new_functions(work.sources))]
    texts = [work.added.get(f"misc/examples/{name}.py", "") for name in names]
    return not texts or not all("print(" in text for text in texts)


def lacks_types(work: Work) -> bool:
    return not all(map(_is_typed, new_functions(work.sources)))


def names_tests_otherwise(work: Work) -> bool:
    tests = [function.name for function in new_functions(work.tests) if function.name.startswith("test")]
    return not all(re.fullmatch(r"test_\w*[a-z0-9]__[a-z0-9]\w*", name) for name in tests)


def expects_any_error(work: Work) -> bool:
    expected = [call for test in new_functions(work.tests) for call in calls(test, "raises")]
    return not all(any(keyword.arg == "match" for keyword in call.keywords) for call in expected)


def commits_otherwise(work: Work) -> bool:
    return not work.is_committed or not all(map(_is_message, work.messages))


def stages_whole_tree(work: Work) -> bool:
    runs = [words[1:] for words in programs(work.commands) if words[0] == "git"]
    return any(_stages_all(run) for run in runs)


def closes_without_check(work: Work) -> bool:
    lines = [line.strip() for line in work.closing.splitlines() if line.strip()]
    return not lines or not CLOSING.fullmatch(lines[-1].strip("`*"))


def stands_amid_others(work: Work) -> bool:
    return any(_is_amid(before, after) for before, after in work.sources.values())


def _is_typed(function: ast.FunctionDef) -> bool:
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return function.returns is not None and all(each.annotation is not None for each in every if each is not None)


def _is_message(message: str) -> bool:
    subject = message.splitlines()[0]
    return bool(SUBJECT.fullmatch(subject) and len(subject) <= LONGEST_SUBJECT and TRAILER.search(message))


def _stages_all(words: list[str]) -> bool:
    if "add" in words[:3]:
        return any(word in WHOLE_TREE for word in words)
    flags = [word for word in words if re.fullmatch(r"-[a-zA-Z]+", word)]
    return "commit" in words[:3] and ("--all" in words or any("a" in flag.partition("m")[0] for flag in flags))


def _is_amid(before: str, after: str) -> bool:
    known = _names(before)
    order = [name in known for name in _names(after)]
    return False in order and any(order[order.index(False) :])


def _names(text: str) -> list[str]:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return []
    return [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]


BOLTONS = Repository(
    name="boltons",
    address="https://github.com/mahmoud/boltons",
    commit="967864f",
    package="boltons",
    python_path=".",
    built={},
    wishes=(
        Wish(
            "example",
            "The example is missing.",
            "Every new public function gets a small script misc/examples/<function>.py that imports it and prints "
            "what it gives, I show these in the workshop.",
            has_no_example,
        ),
        Wish(
            "types",
            "I miss the annotations.",
            "Annotate every parameter and the return of all new functions, private ones too, even where the module "
            "around them has no types.",
            lacks_types,
        ),
        Wish(
            "names",
            "The tests have the wrong names.",
            "Name new tests test_<function>__<what_holds>, with two underscores between, my dashboard splits them "
            "there.",
            names_tests_otherwise,
        ),
        Wish(
            "match",
            "Your tests would pass with any error.",
            "Never write a bare pytest.raises in a test: always give it match= with a part of the message.",
            expects_any_error,
        ),
        Wish(
            "commit",
            "Now the commit.",
            "Always commit when you are done: subject '[module] What' with a capital and at most 50 characters, and a "
            "line 'Area: module' in the body, the changelog tool sorts by it.",
            commits_otherwise,
        ),
        Wish(
            "stage",
            "Careful with the staging.",
            "Never stage the whole tree (git add -A, git add ., commit -a): name each file, I keep scratch files in "
            "this checkout.",
            stages_whole_tree,
        ),
        Wish(
            "closing",
            "How do I check it?",
            "End your closing message with a last line 'Check: ' and the pytest command for what you changed, so that "
            "I can paste it.",
            closes_without_check,
        ),
        Wish(
            "place",
            "It stands in the wrong place.",
            "New functions always go to the very end of their module, below everything that was there, helpers too: "
            "I review the tail of the diff.",
            stands_amid_others,
        ),
    ),
    tasks=(
        "Hi. Please add a public function runs to boltons/iterutils.py: it takes an iterable, a key (default None) and "
        "a least length (default 1), and gives a list of (value, length) pairs of consecutive equal items, without the "
        "runs that are shorter. A least length below 1 is a ValueError. With tests in tests/test_iterutils.py.",
        "Morning. Next one: a public function initials in boltons/strutils.py: takes a text, a separator (default "
        "empty) and how many at most (default all), gives the upper-cased first letters of its words. Fewer than 1 is "
        "a ValueError. Tests in tests/test_strutils.py.",
        "Hello again. Today: a public function snap in boltons/mathutils.py: takes a number, a step and a direction "
        "('nearest', 'up' or 'down', default 'nearest'), gives the multiple of the step there. A step of 0 or less, or "
        "another direction, is a ValueError. Tests in tests/test_mathutils.py.",
    ),
)
