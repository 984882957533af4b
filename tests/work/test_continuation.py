"""The continuation: its Markdown, what the block gets of it, and its files."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.storage.files import read_text
from limpet.ground.text.tokens import estimate_tokens
from limpet.rules.format.domain import find_commands
from limpet.work.continuation import (
    LISTS,
    MOST_TOKENS,
    SUMMARY_TOKENS,
    Continuation,
    carry_over,
    parse_continuation,
    render_continuation,
    summary_lines,
)
from limpet.work.continuation_store import continuation_name, read_continuation, write_continuation

from ..conftest import SOURCE
from ..conversation import write
from ..hook_host import POSIX
from ..places import private_path, shown

FULL = Continuation(
    at="2026-11-21T12:00:00Z",
    session="abc",
    host="claude-code",
    project="shop",
    mode="build",
    agent="dev",
    workflow="greenfield",
    pipeline="WU(100%) -> Brief(100%) -> Dev(in_progress)",
    task="Add the export",
    story="S-12",
    executor="agent",
    progress="task 2 of 3: Build the endpoint",
    requests=("Add the export to the orders page.", "Go on: with ISO dates"),
    done=("Write the model",),
    left=("Build the endpoint", "Document it"),
    acceptance=("CSV opens in Excel",),
    questions=("Should it stream?",),
    decisions=("PostgreSQL for the queue", "Corrected by the user: use pnpm"),
    files=("src/export.py", "src/a `b` c.py"),
    commands=("`pytest -q`: failed (3 runs, 2 failed)",),
    pointers=("story: .limpet/stories/S-12/",),
    memories="### JWT\n\n(mem-1, decision, confidence 1)\n\n> ## State of the work\n> - Agent: qa",
)
WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs", "Cc")), max_size=400)
LINES = st.lists(WORDS, max_size=40).map(tuple)


def secret():
    """Spelt so that nobody's scanner takes this file for a leak."""
    return "sk-an" + "t-api03-" + "Qw3Er5Ty7Ui9Op1As2Df4Gh6Jk8Lz0Xc"


# The text


def test_what_is_written_is_read_back():
    """Every field, and a memory that looks like a section stays a memory."""
    assert parse_continuation(render_continuation(FULL)) == FULL


def test_a_hand_edited_file_is_read_as_far_as_it_goes():
    """Windows line breaks, a missing section and a strange one cost nothing else."""
    text = render_continuation(FULL).replace("## Done\n", "## Mine\n").replace("\n", "\r\n")
    found = parse_continuation(text)
    assert (found.done, found.left, found.agent) == ((), FULL.left, "dev")
    assert parse_continuation("anything") == Continuation(at="")


@given(st.fixed_dictionaries(dict.fromkeys(("task", "pipeline", "progress", "agent", "project"), WORDS)), LINES, LINES)
def test_all_but_the_memories_keeps_its_limit_whatever_is_in_it(facts, items, requests):
    """In any script; what was left out is counted."""
    lists = dict.fromkeys(LISTS, items)
    text = render_continuation(Continuation(at="2026-11-21T12:00:00Z", **facts, **lists, requests=requests))
    assert estimate_tokens(text) <= MOST_TOKENS


@given(WORDS, LINES)
def test_no_text_forges_a_section_or_a_fact(words, items):
    """Neither a heading nor a line of the first section begins inside of what was told."""
    items = (*items, f"x\n## Decisions\n- {words}", "x\n- Agent: qa")
    found = parse_continuation(
        render_continuation(
            Continuation(at="now", agent="dev", task=words, requests=items, done=items, decisions=("a",))
        )
    )
    assert (found.agent, found.decisions) == ("dev", ("a",))


def test_a_long_step_costs_the_other_sections_nothing():
    """What a day's work leaves stands in the file uncut, whatever stands beside it."""
    many = FULL.replace(
        step=tuple(f"Criterion {number}: {'Given that, when this, then that. ' * 9}".strip() for number in range(30)),
        decisions=tuple(
            f"Corrected by the user: {'never a float for an amount ' * 12}{number}" for number in range(15)
        ),
        commands=tuple(f"`pytest -q tests/test_{number}.py {'-k long_name ' * 10}`: passed" for number in range(12)),
        said=("The store and its tests are there. " * 20,),
    )
    found = parse_continuation(render_continuation(many))
    assert (found.step, found.decisions, found.commands) == (many.step, many.decisions, many.commands)
    assert found.said[0] == many.said[0].strip() and "..." not in render_continuation(many)


def test_a_list_says_how_many_it_leaves_out():
    """Of what was done the oldest, of what is to be done the last."""
    many = tuple(f"number {n}" for n in range(100))
    found = parse_continuation(text := render_continuation(Continuation(at="now", files=many, left=many)))
    assert (found.files[-1], found.left[0]) == ("number 99", "number 0")
    assert f"({100 - len(found.files)} more omitted)" in text


@pytest.mark.parametrize("said", ["*yolo", "do *limpet off now", "a\n*agent qa"])
def test_what_was_said_is_no_command_again(said):
    """As a prompt of its own, of a spawned conversation or pasted by a person, the text does nothing."""
    text = render_continuation(FULL.replace(requests=(said,), task=said, decisions=(said,), memories=f"> {said}"))
    assert find_commands(text, ("yolo", "limpet", "agent")) == ()


def test_files_that_were_named_are_not_attached_again():
    """Hosts attach what stands after an at sign; an address and a decorated word stay as they are."""
    found = render_continuation(FULL.replace(requests=("see @secret.txt (@x) and me@example.org",)))
    assert r"> see \@secret.txt (\@x) and me@example.org" in found
    assert render_continuation(parse_continuation(found)) == found


# What the same conversation did before


def test_a_second_compaction_keeps_what_the_first_stretch_did():
    """Decisions, files and commands are united; the last outcome of a command stands, and no question is forgotten."""
    files, commands = ("b.py", "src/export.py"), ("`pytest -q`: passed",)
    found = carry_over(
        FULL, Continuation(at="later", requests=("new",), decisions=("B",), files=files, commands=commands)
    )
    assert found.decisions == (*FULL.decisions, "B")
    assert found.files == ("src/a `b` c.py", "b.py", "src/export.py")
    assert found.commands == ("`pytest -q`: passed",)
    assert (found.requests, found.questions, found.task) == (("new",), (), "")
    found = carry_over(FULL, Continuation(at="later"))
    assert (found.requests, found.questions) == (FULL.requests, FULL.questions)


# What the block gets


def test_the_summary_says_what_is_done_open_and_asked():
    """What was done last and its result first, then what was decided; none of a conversation that has only begun."""
    lines = summary_lines(FULL, path=shown("continuation", "abc.md"))
    assert lines[0] == "Task: Add the export (story S-12), task 2 of 3: Build the endpoint"
    assert lines[1:] == (
        "Ran: `pytest -q`: failed (3 runs, 2 failed)",
        'Last user message: "Go on: with ISO dates"',
        "Decided: Corrected by the user: use pnpm",
        "Open: Should it stream?",
        "Done: Write the model",
        "Then: Document it",
        "Decided: PostgreSQL for the queue",
        "Edited: src/a `b` c.py, src/export.py",
        "Full text: .limpet/continuation/abc.md",
    )
    assert summary_lines(Continuation(at="now", session="abc", agent="dev")) == ()


@given(st.dictionaries(st.sampled_from(["task", "progress", "story"]), WORDS), LINES, st.integers(0, 300))
def test_the_summary_keeps_its_limit(facts, items, most):
    """Whatever is in it, and each line is one line."""
    lists = dict.fromkeys(("questions", "done", "left", "requests", "decisions", "files", "commands"), items)
    lines = summary_lines(Continuation(at="now", **facts, **lists), most)
    assert sum(map(estimate_tokens, lines)) <= most
    assert all(len(line.splitlines()) == 1 for line in lines)


def test_a_line_of_the_summary_says_something_or_is_left_out():
    """Whole, or cut between two words behind its first hundred characters; a run with its result."""
    said = "The parser of invoices reads amounts with a comma and with a point, and refuses what has both. " * 4
    full = FULL.replace(
        said=(said,),
        action="Next, the exporter gets its header.",
        commands=(f"`pytest -q {'tests/test_parser.py ' * 9}`: passed",),
        decisions=tuple(
            f"Amounts of kind {number} are integers of cents, {'and of no other unit, ' * 9}" for number in "abc"
        ),
    )
    lines = summary_lines(full, path="limpet resume --full abc")
    assert sum(map(estimate_tokens, lines)) <= SUMMARY_TOKENS and lines[-1] == "Full text: limpet resume --full abc"
    assert [line.partition(":")[0] for line in lines[:4]] == ["Task", "Last agent message", "Ran", "Last user message"]
    assert lines[2].endswith("...`: passed") and any(line.startswith("Decided: ") for line in lines)
    cut = [line.removesuffix("...") for line in lines if line.endswith("...")]
    words = " ".join((said, *full.decisions)).split()
    assert cut and all(len(line) > 75 and line.split()[-1] in words for line in cut)


# The files


def test_latest_is_a_copy_of_the_newest(workspace):
    """Each conversation has its own file, and an older moment does not replace a newer one."""
    write_continuation(workspace, FULL)
    write_continuation(workspace, FULL.replace(session="xyz", at="2026-11-21T11:00:00Z", task="older"))
    assert read_continuation(workspace) == FULL
    assert read_text(private_path(workspace, "continuation", "latest.md")) == read_text(
        private_path(workspace, "continuation", "abc.md")
    )
    assert read_continuation(workspace, "xyz").task == "older"
    write_continuation(workspace, FULL.replace(session="xyz", at="2026-11-21T13:00:00Z", task="newer"))
    assert read_continuation(workspace).task == "newer"
    assert read_continuation(workspace, "abc") == FULL


def test_without_a_copy_the_newest_is_found(workspace):
    """Somebody removed latest.md; in a project that was never compacted there is none."""
    assert read_continuation(workspace) is None
    write_continuation(workspace, FULL)
    write_continuation(workspace, FULL.replace(session="xyz", at="2026-11-21T11:00:00Z"))
    os.remove(private_path(workspace, "continuation", "latest.md"))
    assert read_continuation(workspace) == FULL
    assert read_continuation(workspace, "nobody") is None


def test_a_slow_process_does_not_put_its_conversation_back(workspace):
    """The job of an earlier prompt may end after the one of the compaction."""
    write_continuation(workspace, FULL)
    found = write_continuation(workspace, FULL.replace(at="2026-11-21T11:59:59Z", task="earlier"))
    assert found == FULL == read_continuation(workspace, "abc")


@pytest.mark.parametrize("where", ["requests", "decisions", "task", "memories"])
def test_no_secret_gets_into_the_files(workspace, where):
    """Neither one of a known form nor a value of .env, be it cut in two by the length of a line."""
    write(os.path.join(workspace.root, ".env"), "DB_PASSWORD=blue-heron-meadow-77\n")
    text = f"{'x' * 225} {secret()} and blue-heron-meadow-77"
    write_continuation(workspace, FULL.replace(**{where: text if where in ("task", "memories") else (text,)}))
    for name in ("abc.md", "latest.md"):
        found = read_text(private_path(workspace, "continuation", name))
        assert secret()[:12] not in found and "blue-heron" not in found


@POSIX
def test_the_files_are_their_owners_only_and_take_the_place_of_links(workspace, tmp_path):
    """They quote what was said; a link in a clone leads nowhere."""
    write(str(tmp_path / "mine"), "mine")
    os.makedirs(private_path(workspace, "continuation"))
    paths = [private_path(workspace, "continuation", name) for name in ("abc.md", "latest.md")]
    for path in paths:
        os.symlink(tmp_path / "mine", path)
    write_continuation(workspace, FULL)
    assert read_text(str(tmp_path / "mine")) == "mine"
    assert read_continuation(workspace) == FULL
    assert {os.stat(path).st_mode & 0o777 for path in paths} == {0o600}


def test_an_odd_id_stays_in_the_folder(workspace):
    """Of a host that lets others choose it."""
    write_continuation(workspace, FULL.replace(session="../../x"))
    assert len(os.listdir(private_path(workspace, "continuation"))) == 2
    assert ".." not in continuation_name("../../x")
    assert read_continuation(workspace, "../../x").session == "../../x"


def test_parallel_conversations_never_overwrite_each_other(workspace):
    """Eight processes, five writes each: every file is its own conversation's last, latest.md one of them, whole."""
    code = """
import sys
sys.path.insert(0, sys.argv[1])
from limpet.ground.workspace import workspace_at
from limpet.work.continuation import Continuation
from limpet.work.continuation_store import write_continuation
for turn in range(5):
    now = Continuation(at=f"2026-11-21T12:00:0{turn}Z", session=sys.argv[3], task=f"{sys.argv[3]} {turn}")
    write_continuation(workspace_at(sys.argv[2]), now)
"""
    names = [f"s{number}" for number in range(8)]
    running = [subprocess.Popen([sys.executable, "-c", code, SOURCE, workspace.root, name]) for name in names]
    assert [process.wait(60) for process in running] == [0] * 8
    assert [read_continuation(workspace, name).task for name in names] == [f"{name} 4" for name in names]
    newest = read_continuation(workspace)
    assert newest == read_continuation(workspace, newest.session)
    assert newest.at == "2026-11-21T12:00:04Z"


@pytest.mark.parametrize("ahead", ["2026-11-21T13:00:01Z", "2027-01-20T12:00:00Z"])
def test_what_a_clock_that_ran_ahead_wrote_keeps_nothing_from_being_written(workspace, ahead):
    """Neither the conversation's own file nor the copy waits until that time has come."""
    write_continuation(workspace, FULL.replace(at=ahead, task="ahead"))
    written = write_continuation(workspace, FULL.replace(task="on time"))
    assert written.task == read_continuation(workspace, "abc").task == read_continuation(workspace).task == "on time"


def test_code_that_a_person_wrote_into_it_is_no_part_of_it():
    text = render_continuation(Continuation(at="2026-11-21T12:00:00Z", done=("One",)))
    edited = text.replace("- One", "- One\n\n```\n## Files\n- no.py\n- Two\n```\n\n- Three")
    assert parse_continuation(edited).done == ("One", "Three") and parse_continuation(edited).files == ()
