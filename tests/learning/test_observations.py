"""The file of a story's or a conversation's observations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.learning.model import CHECK, DISCOVERY, FINDING, TYPES, Observation
from limpet.learning.observations import (
    BROKEN,
    CORRECTED,
    DEVIATED,
    MENDED,
    REFUSED,
    ObservedDeed,
    add_observation,
    observation_of,
    read_observations,
    refuse,
)

SEED = """\
story_id: ST-1   # ours
observations:
  # the first
  - id: OB-003
    agent: developer
    phase: code
    type: consistency-check
    importance: 8
    principle_id: PR-001
    relationship: reinforce
    text: "Email validation implemented in service layer via validate_email()
           before any repository interaction."
    mood: calm
"""
FOUND = Observation("ST-1", "", DISCOVERY, "No: quotes needed", tags=("a", "yes"), at="2026-11-26T10:00:00Z")


def test_the_seeds_file_is_read():
    """With a text over two lines; keys that nobody knows are kept."""
    (found,), mistakes = read_observations(SEED, "ST-1", "f")
    assert (found.id, found.principle_id, found.relationship, found.importance) == ("OB-003", "PR-001", "reinforce", 8)
    assert found.text.endswith("via validate_email() before any repository interaction.")
    assert mistakes == ()


def test_one_is_added_behind_the_others():
    """Under the next free number, and nothing else is touched."""
    text = add_observation(SEED, FOUND, "ST-1", "f")
    assert text.startswith(SEED)
    assert text[len(SEED) :] == (
        '  - {id: OB-004, type: discovery, importance: 5, text: "No: quotes needed", tags: [a, "yes"],'
        " at: 2026-11-26T10:00:00Z}\n"
    )
    assert read_observations(text, "ST-1", "f")[0][-1] == FOUND.replace(id="OB-004")


@pytest.mark.parametrize(("source", "head"), [("S-1", "story_id: S-1\n"), ("conversation:a1", "conversation: a1\n")])
def test_a_file_is_begun(source, head):
    """It says whose it is."""
    text = add_observation("", FOUND.replace(source=source), source, "f")
    assert text.startswith(head + "observations:\n  - {id: OB-001, ")


@given(
    st.text(min_size=1, max_size=80).filter(lambda text: text.strip()),
    st.lists(st.text(max_size=20), max_size=3).map(tuple),
)
def test_any_text_comes_back_as_it_was(text, tags):
    """Whatever it is made of."""
    added = Observation("S-1", "", FINDING, text, tags=tags, resolved=False, severity="P1", origin="deed")
    once = add_observation("", added, "S-1", "f")
    twice = add_observation(once, added, "S-1", "f")
    assert twice.startswith(once)
    found, mistakes = read_observations(twice, "S-1", "f")
    assert (found, mistakes) == ((added.replace(id="OB-001"), added.replace(id="OB-002")), ())


def test_a_mistake_costs_its_observation_only():
    """It is named with its line, and stays in the file."""
    wrong = SEED.replace("importance: 8", "importance: 80")
    text = add_observation(wrong, FOUND, "ST-1", "f.yml")
    assert text.startswith(wrong)
    found, mistakes = read_observations(text, "ST-1", "f.yml")
    assert [each.id for each in found] == ["OB-004"]
    assert mistakes == ("f.yml:8: importance must be at most 10 (got 80)",)
    broken = text.replace("    mood: calm", "    mood: [calm")
    assert [each.id for each in read_observations(broken, "ST-1", "f.yml")[0]] == ["OB-004"]


def test_two_branches_that_observed_are_read_as_both():
    """Where git left a conflict, and the next one makes the file clean; two under one id stay two."""
    base, other = add_observation(SEED, FOUND, "ST-1", "f"), FOUND.replace(text="Theirs", at="2026-11-27T10:00:00Z")
    ours, theirs = (text[len(SEED) :] for text in (base, add_observation(SEED, other, "ST-1", "f")))
    text = f"{SEED}<<<<<<< HEAD\n{ours}||||||| 1234567\n=======\n{theirs}>>>>>>> branch\n"
    found = read_observations(text, "ST-1", "f")[0]
    assert [(each.id, each.text) for each in found[1:]] == [("OB-004", FOUND.text), ("OB-004", "Theirs")]
    clean = add_observation(text, FOUND.replace(text="Later"), "ST-1", "f")
    assert "<<<<" not in clean
    assert [each.id for each in read_observations(clean, "ST-1", "f")[0]] == ["OB-003", "OB-004", "OB-004", "OB-005"]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"type": "hunch"}, f"An observation's type must be one of {', '.join(TYPES)} (got 'hunch')"),
        ({"type": ""}, "An observation's type must be one of"),
        ({"importance": 0}, "An observation's importance must be at least 1 (got 0)"),
        ({"text": " "}, "An observation has 1 to 2000 characters (got 0)"),
        ({"text": "x" * 2001}, "An observation has 1 to 2000 characters (got 2001)"),
        ({"principle_id": "PR-001", "relationship": "weaken"}, f"A {CHECK}, and no other observation"),
        ({"type": CHECK}, f"A {CHECK}, and no other observation"),
        ({"type": CHECK, "principle_id": "PR-1x", "relationship": "weaken"}, "Not an ID of an entry: PR-1x"),
    ],
)
def test_what_a_file_may_not_hold_is_refused(changes, told):
    """In a line that says what to do."""
    with pytest.raises(LimpetError) as error:
        refuse(FOUND.replace(**changes))
    assert str(error.value).startswith(told)


@pytest.mark.parametrize("text", ["observations: 5\n", "- a\n", "observations: [{id: OB-001}]\n", "a: [\n"])
def test_what_is_no_such_file_is_said(text):
    """And not written to."""
    with pytest.raises(LimpetError):
        add_observation(text, FOUND, "ST-1", "f")


def shown(kind, what="`x`", source="S-1", **told):
    """The observation of a deed of this kind."""
    return observation_of(ObservedDeed(kind, "ref", "2026-11-21T10:00:00Z", "dev", what, **told), source)


def test_what_mended_a_check_names_command_error_files_and_reason():
    """It stands alone: nobody who reads it later has the conversation."""
    found = shown(
        MENDED,
        "go test ./...",
        details=("undefined: fsnotify",),
        times=2,
        files=("pkg/watch.go",),
        words="The problem is a missing import.",
        tags=("go",),
    )
    assert found.text == (
        "`go test ./...` failed 2 times: undefined: fsnotify. Mended in pkg/watch.go: The problem is a missing import."
    )
    assert (found.source, found.type, found.origin, found.agent) == ("S-1", "fix-rationale", "deed", "dev")
    assert (found.importance, found.resolved, found.paths, found.tags) == (6, None, ("pkg/watch.go",), ("go",))


@pytest.mark.parametrize(
    "told",
    [{"details": ("e",), "words": "w", "times": 3}, {"details": ("e",), "files": ("a.py",)}, {"what": "", "times": 2}],
    ids=["no file changed", "passed the next time without a word", "nobody knows what"],
)
def test_routine_is_not_observed(told):
    assert shown(MENDED, **told) is None


def test_a_gate_that_refused_is_a_finding():
    """Open or resolved; what it took several times, or left, counts for more."""
    reasons = ("check tests (`pytest -q`) failed with exit code 1: AssertionError: 3 != 4",)
    passed = shown(REFUSED, 'Story S-1 "Export"', details=reasons, resolved=True, files=("a.py", "b.py"))
    assert passed.text == (
        'Story S-1 "Export" was refused: check tests (`pytest -q`) failed with exit code 1: AssertionError: 3 != 4. '
        "It passed after changes to a.py, b.py."
    )
    assert (passed.type, passed.severity, passed.resolved, passed.importance) == ("quality-loop-finding", "P1", True, 5)
    left = shown(REFUSED, "The step of dev", details=reasons, times=2)
    assert left.text.endswith("It did not pass.") and (left.resolved, left.importance) == (False, 7)


def test_a_broken_rule_brings_its_sentence_as_guidance():
    """With the places, and whether it was kept afterwards."""
    found = shown(BROKEN, "Use the logger.", details=("src/a.ts:2",), tags=("api",))
    assert found.text == 'The rule "Use the logger" was broken (src/a.ts:2). It was not kept afterwards.'
    assert (found.guidance, found.severity, found.resolved) == (("Use the logger",), "P2", False)
    assert shown(BROKEN, "Use the logger.", resolved=True).text.endswith("It was kept afterwards.")


def test_corrections_and_deviations_are_observed():
    """A correction is a memory already; a deviation says why and how it ended."""
    found = shown(CORRECTED, "Use tabs.")
    assert (found.type, found.origin, found.text, found.importance) == ("discovery", "person", "Use tabs.", 6)
    found = shown(DEVIATED, "The importer drops rows", tags=("bug", "planning"), resolved=True)
    assert found.text == (
        "The work left its plan (bug, planning): The importer drops rows. The work came back to where it was."
    )
    assert (found.type, found.resolved) == ("deviation", True)


def test_an_observation_stays_short():
    """However much a tool said, and however many files were changed."""
    files = tuple(f"src/module_{number}.py" for number in range(40))
    found = shown(MENDED, "x " * 900, details=("y " * 900,), files=files, words="z " * 900, times=2)
    assert len(found.text) <= 500 and "and 36 more" in shown(MENDED, files=files, times=2).text
