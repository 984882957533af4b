"""What a deed says to later work."""

import pytest

from limpet.learning.observations import BROKEN, CORRECTED, DEVIATED, MENDED, REFUSED, ObservedDeed, observation_of


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


def test_a_correction_is_the_persons_and_makes_no_entry_by_itself():
    """It is a memory already."""
    found = shown(CORRECTED, "Use tabs.")
    assert (found.type, found.origin, found.text, found.importance) == ("discovery", "person", "Use tabs.", 6)


def test_a_deviation_says_why_and_how_it_ended():
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
