"""Which memories a block quotes and lists, whose they are, and how long they may be."""

import itertools

import pytest

from limpet.engine.block.recall import recall
from limpet.engine.mistakes import draft_event
from limpet.ground.clock import Clock
from limpet.ground.text.tokens import estimate_tokens

from ...conversation import write
from ...memories import SETTINGS, Memories, short

STILL = Clock(timer=lambda: 0.0, worked=lambda: 0.0)
ASKING = "is the endpoint of the route 17 versioned?"


@pytest.fixture
def memories(workspace):
    return Memories(workspace)


def told(workspace, prompt="How is the endpoint versioned?", bracket="MODERATE", executor="agent", **more):
    """What a prompt is told of memories."""
    opening = more.pop("opening", False)
    found = recall(draft_event(workspace, prompt, clock=STILL, **more), bracket, executor, opening)
    assert found.note == ""
    return found


def recalled(workspace, *args, **more):
    """The statements that a prompt recalls, as lines."""
    found = told(workspace, *args, **more)
    return [line for _, line in found.memory.entries] if found.memory else []


def wished(workspace, *args, **more):
    """The standing wishes that a block tells of, as lines."""
    found = told(workspace, *args, **more)
    return [line for _, line in found.wishes.entries] if found.wishes else []


def listed(workspace, *args, **more):
    """The titles that a prompt is listed, without their ids."""
    return [line.partition(" ")[2] for _, line in told(workspace, *args, **more).contents]


@pytest.mark.parametrize(("bracket", "executor"), [("FRESH", "worker"), ("MODERATE", "worker"), ("MODERATE", "human")])
def test_where_the_executor_has_no_memory_none_is_looked_for(workspace, memories, bracket, executor):
    """Decision 7."""
    memories.add("The endpoint is versioned by date")
    found = told(workspace, bracket=bracket, executor=executor)
    assert (found.memory, found.contents) == (None, ())


@pytest.mark.parametrize("hurried", ["worked", "timer"])
def test_a_search_that_takes_too_long_is_given_up(workspace, memories, hurried):
    """Within the layer's allowance of the processor's time, and whatever that is at the event's end."""
    memories.add_many(
        {"title": f"The endpoint of route {number}", "body": f"versioned {number}"} for number in range(300)
    )
    looks = itertools.count()
    clock = STILL.replace(**{hurried: lambda: 100.0 * next(looks)}, end=100.0)
    found = recall(draft_event(workspace, ASKING, clock=clock), "MODERATE", "agent", False)
    assert (found.memory, found.contents) == (None, ()) and found.note == "memories took too long"


def test_in_fresh_a_prompt_brings_the_statement_that_it_calls_for(workspace, memories):
    """Its title and its words, under the name that the commands take, without anything else about it."""
    key = memories.add("Release notes go into docs/news, one file a change")
    (line,) = recalled(workspace, "Where do release notes go?", bracket="FRESH")
    assert line == f"{short(key)}: Release notes go into docs/news, one file a change"


def test_an_idle_prompt_opens_no_index(workspace, memories, monkeypatch):
    """Whatever is remembered: a person who says go ahead asked for nothing."""
    memories.add("Release notes: looks good, tests run again, go ahead and fix it, yes, ok, thanks, please")
    monkeypatch.setattr("limpet.memory.index.reading.open_index", lambda _: pytest.fail("the index was opened"))
    for prompt in ("ok", "yes go ahead", "looks good, thanks", "fix it please", "run the tests again", "", "notes"):
        found = told(workspace, prompt, bracket="FRESH")
        assert (found.memory, found.contents) == (None, ())


@pytest.mark.parametrize("pasted", ["```\n{}\n```", 'they wrote "{} for a long while"'])
def test_what_was_pasted_or_quoted_brings_nothing_whole(workspace, memories, pasted):
    """A prompt works on it, and is seldom about it; typed, the same words bring the memory."""
    memories.add("parse_invoice keeps the cents as they came")
    said = "parse_invoice keeps the cents"
    assert len(recalled(workspace, f"summarise the following for me\n{said}", bracket="FRESH")) == 1
    given = told(workspace, f"summarise the following for me\n{pasted.format(said)}", bracket="FRESH")
    assert (given.memory, len(given.contents)) == (None, 1)


def test_memories_of_a_prompt_keep_their_tokens_and_stand_whole(workspace, memories):
    """Three at most, 250 tokens together; none is cut where another one fits."""
    for number in range(9):
        memories.add(
            f"The nightly export of ledger {number} waits for the settlement of the bank and then for the mail"
        )
    lines = recalled(workspace, "when does the nightly ledger export wait for the settlement?", bracket="FRESH")
    cost = sum(estimate_tokens(f"- {line}\n") for line in lines)
    assert 1 < len(lines) <= 3 and cost <= 250 and all(line.endswith("then for the mail") for line in lines)


def test_wishes_that_do_not_fit_are_without_what_follows_their_titles(workspace, memories):
    """As long as they do, the short sentence after a title stands with it."""
    fields = {"type": "user_correction", "body": "The bank sends it on the third."}
    memories.add("Never touch the ledger of a month before the bank has sent it", **fields)
    (line,) = wished(workspace, prompt="", opening=True)
    assert line.endswith("before the bank has sent it. The bank sends it on the third.")
    memories.add_many({**fields, "title": f"Never touch the ledger of month {at} by hand"} for at in range(90))
    assert not any("third" in line for line in wished(workspace, prompt="", opening=True))


def test_a_wish_names_the_files_that_it_is_about(workspace, memories):
    """Two of them, if its words do not."""
    for name in ("one", "two", "three"):
        write(workspace.root + f"/src/{name}.py", "x = 1\n")
    paths = tuple(f"src/{name}.py" for name in ("one", "two", "three"))
    memories.add("Never log here", type="user_correction", paths=paths, days_ago=1)
    memories.add("Never log in two.py", type="user_correction", paths=("src/two.py",))
    assert wished(workspace, prompt="", opening=True) == [
        "Never log here (src/one.py, src/three.py, ...)",
        "Never log in two.py",
    ]


def test_what_an_agent_wrote_down_by_itself_is_quoted(workspace, memories):
    """With its id, after what the person said."""
    own = memories.add("Never push without a review", type="user_correction")
    other = memories.add("Never merge on a Friday", type="user_correction")
    path = memories.path(other)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    write(path, text.replace("source: person", "source: agent:dev"))
    memories.tell_index()
    found = told(workspace, prompt="", opening=True)
    assert [mark for mark, _ in found.wishes.entries] == [f"wish {own}"]
    assert [line for _, line in found.memory.entries] == [f"{short(other)}: Never merge on a Friday"]


def test_the_first_request_is_listed_what_is_near_before_what_is_hot(workspace, memories):
    """Whatever its age."""
    old = ["The glossary lies beside the templates", "The templates of mails are plain text"]
    for title in old:
        memories.add(title, days_ago=300)
    memories.add_many({"title": f"The ledger of month {number} is closed by hand"} for number in range(40))
    found = listed(workspace, "Translate the login templates into French")
    assert set(found[:2]) == set(old) and len(found) > 10


def test_the_first_list_keeps_its_tokens(workspace, memories):
    body = "The deployment of the billing service waits for the nightly export, "
    memories.add_many({"title": f"{body} in case {number}"} for number in range(60))
    contents = told(workspace, "Translate the login templates into French").contents
    cost = sum(estimate_tokens(f"{line}\n") for _, line in contents)
    assert 10 < len(contents) <= SETTINGS["contents"]["shown"]["first"]
    assert cost <= SETTINGS["contents"]["tokens"]["first"]
