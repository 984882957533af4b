"""Every command that a text of the house prints exists, and takes the words that stand with it: source, also where a
value is put in, framework, pages and README. Click takes them apart."""

import ast
import re
import shlex
from pathlib import Path

import click
import pytest

from limpet.cli import limpet

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "limpet"
HELD = "KEPT"  # what stands for a value that is put in
HOOK = "hook"  # clients give it; it is taken before the command line is made
# What may come next in a sentence about Limpet, as its line in a client's status bar.
SAYS = ("is", "paused", "ready")
# Where a shell's own words begin, another sentence or another column.
END = re.compile(r"   | #| >|<| \| |`|[.,;] |\)| \(|[\"'][}\]]*$")
CODE = re.compile(r"`limpet ([^`]+)`")
# After these it is a command of which all words are to be understood, up to the end of the line.
ALONE = re.compile(r"(?:^ *(?:\$ )?|[Rr]un: |[Uu]ndo: |: )limpet ([a-z].*)$", re.MULTILINE)
# Elsewhere it is one only where a word of ours comes next.
WITHIN = re.compile(r"(?<![\w*$/`-])limpet ([a-z][^`\n.,;:()]*)")


def texts():
    """(Where, text) of what may print a command."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = (str(part.value) if isinstance(part, ast.Constant) else HELD for part in node.values)
                yield path, "".join(parts)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield path, node.value
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(SOURCE / "framework").rglob("*")]
    for path in sorted(page for page in pages if page.is_file() and page.suffix not in (".py", ".pyc", ".png")):
        yield path, path.read_text(encoding="utf-8")


def commands_in(text):
    """(Words after the name, whether they end where the command does)."""
    for found in CODE.findall(text):
        yield re.split(" >| <", found)[0], True
    for found in ALONE.findall(text):
        yield END.split(found)[0].rstrip(".,;:"), True
    for found in WITHIN.findall(text):
        if found.split()[0] in limpet.places:
            yield found.partition("<")[0].rstrip("'\"}"), False


def spelled_out(words):
    """`config get|set` is two commands."""
    place = next((place for place, word in enumerate(words) if re.fullmatch(r"[a-z-]+(\|[a-z-]+)+", word)), None)
    if place is None:
        return [words]
    return [[*words[:place], one, *words[place + 1 :]] for one in words[place].split("|")]


def complaint(line, is_whole=True):
    """What click says against a command, "" for nothing. A value of the wrong kind and a missing one are forgiven: a
    text names a command also by its name alone."""
    try:
        words = shlex.split(line.replace("...", "").replace("…", ""))
    except ValueError:  # the end of the line is within a value
        words, is_whole = re.split("[\"']", line)[0].split(), False
    found = [refused for each in spelled_out(words) if (refused := _refused(each, is_whole))]
    return found[0] if found else ""


def _refused(words, is_whole):
    if words[:1] == [HOOK] or words[0] in SAYS:
        return ""
    command, context = limpet, click.Context(limpet, info_name="limpet", resilient_parsing=True)
    while isinstance(command, click.Group) and words and not words[0].startswith(("-", "[")):
        known = command.get_command(context, words[0].rstrip(","))
        if known is None or words[0].rstrip(",") in command.below:  # a text has the one name
            return f"no command {words[0]}" if is_whole and words[0].islower() else ""
        command, words = known, words[1:]
        context = click.Context(command, info_name=command.name, parent=context)
    if not words:
        return ""
    try:
        command.make_context(command.name, [word for word in words if word != "[--"])
    except click.NoSuchOption as error:
        return "" if error.option_name == f"--{HELD}" else error.format_message()
    except (click.BadParameter, click.exceptions.Exit):
        return ""
    except click.UsageError as error:
        return error.format_message() if is_whole and "unexpected extra" in error.message else ""
    return ""


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Run: limpet rules chekc", "no command chekc"),
        ("use `limpet init --al`", "--al"),
        (f"Run: limpet memory undo {HELD} {HELD}", "unexpected extra"),
        ("say limpet memory edit --colour, then go on", "--colour"),
        ("`limpet story list` tells", "no command story"),
        ("Run: limpet memory undo ID", ""),
        ("limpet work story show ID --check", ""),
        ("`limpet config get|set`", ""),
    ],
)
def test_a_wrong_command_would_be_found(text, wrong):
    """In code, behind `Run:` and in a sentence; by its name, its options and its number of words."""
    said = " ".join(filter(None, (complaint(*each) for each in commands_in(text))))
    assert wrong in said if wrong else said == ""


def test_every_command_that_is_printed_exists():
    found, wrong = 0, []
    for path, text in texts():
        for line, is_whole in commands_in(text):
            found += 1
            if line and (said := complaint(line, is_whole)):
                wrong.append(f"{path.relative_to(ROOT)}: limpet {line}: {said}")
    assert found > 1000
    assert wrong == []
