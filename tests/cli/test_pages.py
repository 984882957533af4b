"""README and handbook: every command on them exists and takes the options that stand with it, every link leads
somewhere. What the commands print is held by the pages' own tests."""

import re
import shlex
from pathlib import Path

import click
import pytest

from .test_help import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
HOOK = "hook"  # hosts give it; __main__ takes it before the command line is made


def code(text):
    """Every command in a page: a line of a block, or code in a sentence."""
    lines = re.findall(r"^(?: {4}|)(?:\$ )?(limpet [^#\n]*)", text, re.MULTILINE)
    return [*lines, *re.findall(r"`(limpet [^`]+)`", text)]


def words_of(command):
    """The words up to where a shell or the argument of another program begins."""
    words = shlex.split(re.split(r" > |   ", command)[0].replace("...", ""))
    return words[: words.index("--")] if "--" in words else words


def spelled_out(words):
    """`config get|set` is two commands."""
    place = next((place for place, word in enumerate(words) if re.fullmatch(r"[a-z]+(\|[a-z]+)+", word)), None)
    if place is None:
        return [words]
    return [[*words[:place], one, *words[place + 1 :]] for one in words[place].split("|")]


def complaint(words):
    """What is wrong with a command, "" for nothing."""
    path = max((known for known in COMMANDS if tuple(words[: len(known)]) == known), key=len)
    rest, command = words[len(path) :], COMMANDS[path]
    if isinstance(command, click.Group) and rest and rest[0].islower() and not rest[0].startswith("-"):
        return f"there is no command {rest[0]}"
    known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)} | {
        "--help",
        "-h",
        "--version",
    }
    return ", ".join(word for word in rest if word.startswith("--") and word.partition("=")[0] not in known)


def test_a_wrong_command_would_be_found():
    """In a block and in a sentence, by its name and by its options."""
    found = code("    $ limpet rules chekc\nuse `limpet init --al` or\n\n    limpet status --json   # all\n")
    assert [complaint(words_of(one)) for one in sorted(found)] == ["--al", "there is no command chekc", ""]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_exists(page):
    """With its options."""
    found = [one for command in code(page.read_text(encoding="utf-8")) for one in spelled_out(words_of(command))]
    wrong = {" ".join(words): complaint(words) for words in found if words[1:2] != [HOOK]}
    assert {command: what for command, what in wrong.items() if what} == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page):
    """To a file that is there, and to a heading in it."""
    for path, anchor in re.findall(r"\]\(([^)#\s:]*)(?:#([^)\s]*))?\)", page.read_text(encoding="utf-8")):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), path
        if anchor:
            titles = re.findall(r"^#+ (.*)", target.read_text(encoding="utf-8"), re.MULTILINE)
            known = [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]
            assert anchor in known, f"{path}#{anchor}"
