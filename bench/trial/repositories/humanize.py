"""python-humanize/humanize: eight wishes that no file of it states, and three tasks."""

from __future__ import annotations

import ast
import re

from wishes import Repository, Wish
from work import Work, calls, new_functions, programs, public, raised_texts

FRAGMENT = re.compile(r"(Added|Fixed|Changed|Removed)\b[^\n]*")
SUBJECT = re.compile(r"[a-z_]+: [a-z]")
TRAILER = re.compile(r"^Ticket: none$", re.M)
LIST_ITEM = re.compile(r"^\s*([-*]|\d+\.)\s", re.M)
MOST_LINES = 3


def has_no_fragment(work: Work) -> bool:
    texts = [text.strip() for path, text in work.added.items() if re.fullmatch(r"newsfragments/[\w.-]+\.md", path)]
    return not any(FRAGMENT.fullmatch(text) for text in texts)


def has_doctest(work: Work) -> bool:
    return any(">>>" in line for line in work.lines)


def takes_flags_by_position(work: Work) -> bool:
    return any(len(each.args.posonlyargs + each.args.args) > 1 for each in public(new_functions(work.sources)))


def lacks_ids(work: Work) -> bool:
    return any(not _has_ids(call) for test in new_functions(work.tests) for call in calls(test, "parametrize"))


def names_no_parameter(work: Work) -> bool:
    texts = [text for function in new_functions(work.sources) for text in raised_texts(function)]
    return not texts or not all("`" in text for text in texts)


def runs_whole_suite(work: Work) -> bool:
    runs = [words for words in programs(work.commands) if words[0] in ("pytest", "tox", "nox")]
    return any("--version" not in run and not any(re.search(r"test_\w+\.py", word) for word in run) for run in runs)


def commits_otherwise(work: Work) -> bool:
    return not work.is_committed or not all(SUBJECT.match(each) and TRAILER.search(each) for each in work.messages)


def closes_long(work: Work) -> bool:
    lines = [line for line in work.closing.splitlines() if line.strip()]
    return len(lines) > MOST_LINES or bool(LIST_ITEM.search(work.closing))


def _has_ids(call: ast.Call) -> bool:
    own = any(keyword.arg == "ids" for keyword in call.keywords)
    return own or any(keyword.arg == "id" for each in calls(call, "param") for keyword in each.keywords)


HUMANIZE = Repository(
    name="humanize",
    address="https://github.com/python-humanize/humanize",
    commit="c3a124c",
    package="src/humanize",
    python_path="src",
    built={"src/humanize/_version.py": '__version__ = version = "4.0"\n'},
    wishes=(
        Wish(
            "fragment",
            "You forgot the news fragment.",
            "Every change that a user can notice gets its own file newsfragments/<short-name>.md: one line, starting "
            "with Added, Fixed, Changed or Removed.",
            has_no_fragment,
        ),
        Wish(
            "doctest",
            "Please take the doctests out again.",
            "No >>> doctests in the docstrings of new code, I don't want them: write examples as plain lines "
            "'input -> output'.",
            has_doctest,
        ),
        Wish(
            "keyword",
            "One thing about the signature.",
            "In new public functions everything after the first parameter must be keyword-only: I don't want callers "
            "to pass flags by position, ever.",
            takes_flags_by_position,
        ),
        Wish(
            "ids",
            "The tests are hard to read.",
            "Give every parametrize readable ids=, otherwise nobody can read the failures in our CI.",
            lacks_ids,
        ),
        Wish(
            "backticks",
            "The errors are not right yet.",
            "Error messages always name the parameter in backticks, like '`limit` must be ...', in all errors that "
            "new code raises.",
            names_no_parameter,
        ),
        Wish(
            "suite",
            "No, not like that.",
            "Don't run the whole test suite, it takes forever with the coverage plugin on my machine: only ever run "
            "the test file you touched.",
            runs_whole_suite,
        ),
        Wish(
            "commit",
            "The commit is not as I want it.",
            "Always commit when the work is done: subject 'module: what' in lower case, and a last line "
            "'Ticket: none' in the body, the release script looks for that.",
            commits_otherwise,
        ),
        Wish(
            "closing",
            "That was too long.",
            "Keep your closing message to at most three lines, never a list: I read these on my phone.",
            closes_long,
        ),
    ),
    tasks=(
        "Hi. Please add a public function shortened_list to src/humanize/lists.py, exported like its sibling: it takes "
        "a list of items, a limit (default 3) and a conjunction (default \"and\"), and gives 'a, b, c and 4 more', or "
        "the plain natural list where nothing is cut. A limit below 1 is a ValueError. With tests in "
        "tests/test_lists.py.",
        "Morning. Next one: a public function roman in src/humanize/number.py, exported like its siblings: takes an "
        "integer value and whether to use lower case (default no), gives the Roman numeral. Outside 1 to 3999 it is a "
        "ValueError. Tests in tests/test_number.py.",
        "Hello again. Today: a public function clock in src/humanize/time.py, exported like its siblings: takes a "
        "number of seconds and whether to always show the hours (default no), gives '2:05' or '1:02:05'. Negative "
        "seconds are a ValueError. Tests in tests/test_time.py.",
    ),
)
