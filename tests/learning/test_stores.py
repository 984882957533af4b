"""The stores: text to entries and back, and what git makes of two branches."""

import subprocess

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.errors import LimpetError
from limpet.learning.consolidation import consolidate
from limpet.learning.model import ANTI_PATTERN, KINDS, PRINCIPLE, PROCEDURE, KnowledgeEntry, KnowledgeEvidence
from limpet.learning.stores import NO_STORES, read_entries, write_entries

from .histories import histories

LEARNING = DEFAULTS["learning"]
NOW = 1_795_262_400.0
FILE = """\
# Ours, reviewed in May.
version: 2
principles:
  # the oldest
  - id: PR-001   # by Ann
    text: >-
      Always validate the email
      in the service layer
    guidance:
      - "Use a regular expression"   # RFC 5322
    confidence: 0.76
    source_count: 3
    mood: {calm: true}

  - id: PR-002
    text: Raise domain exceptions
    confidence: 0.84
# the end
owner: ann
"""
PIECE = KnowledgeEvidence("S-1", "OB-003", "reinforce", "developer", "code", "2026-11-26T10:00:00Z")


def changed(entry, *pieces, confidence):
    return entry.replace(confidence=confidence, evidence=(*entry.evidence, *pieces))


def test_an_entry_changes_in_its_own_lines():
    """Comments, spelling, unknown keys and all other entries keep their bytes."""
    first, second = read_entries(PRINCIPLE, FILE, "f")[0]
    assert (first.start, first.guidance, second.evidence) == ("0.76", ("Use a regular expression",), ())
    text = write_entries(PRINCIPLE, FILE, (changed(first, PIECE, confidence=0.84), second), "f")
    assert text == FILE.replace("confidence: 0.76", "confidence: 0.84").replace(
        "    mood: {calm: true}\n",
        "    mood: {calm: true}\n    start: 0.76\n    evidence:\n      - {source: S-1, observation: OB-003,"
        " effect: reinforce, agent: developer, phase: code, at: 2026-11-26T10:00:00Z}\n",
    )
    more = PIECE.replace(source="S-2")
    twice = write_entries(PRINCIPLE, text, (changed(first, PIECE, more, confidence=0.92), second), "f")
    assert twice == text.replace("0.84\n    source", "0.92\n    source").replace(
        "10:00:00Z}\n",
        "10:00:00Z}\n      - {source: S-2, observation: OB-003, effect: reinforce, agent: developer,"
        " phase: code, at: 2026-11-26T10:00:00Z}\n",
    )
    assert read_entries(PRINCIPLE, twice, "f")[0][0].evidence == (PIECE, more)


def test_a_new_entry_follows_the_last():
    """In a file that has others, in an empty list, and in no file."""
    new = KnowledgeEntry(
        PRINCIPLE, "PR-003", "Money is in cents", tags=("money",), evidence=(PIECE,), created="2026-11-26"
    )
    text = write_entries(PRINCIPLE, FILE, (new,), "f")
    assert text.replace(text[text.index("  - {id: PR-003") : text.index("# the end")], "") == FILE
    for begun in ("principles: []\n", "principles:\n", "", "# none yet\n"):
        written = write_entries(PRINCIPLE, begun, (new,), "f")
        assert read_entries(PRINCIPLE, written, "f") == ((new,), ())
    assert written.startswith("# none yet\nprinciples:\n  - {id: PR-003, text: Money is in cents, ")
    assert write_entries(PRINCIPLE, "principles: []\n", (), "f") == "principles: []\n"


def test_an_anti_pattern_has_the_seeds_keys():
    """Its text is the approach that failed, its guidance the one that is recommended."""
    entry = KnowledgeEntry(ANTI_PATTERN, "AP-001", "Raw errors in responses", guidance=("Map them",), severity="P1")
    text = write_entries(ANTI_PATTERN, "", (entry,), "f")
    assert "failed_approach: Raw errors in responses," in text and "recommended_approach: Map them," in text
    assert read_entries(ANTI_PATTERN, text, "f")[0] == (entry,)


def test_a_mistake_costs_its_entry_only():
    """It is named with its line or its entry, and stays in the file."""
    text = FILE.replace("confidence: 0.84", "confidence: 1.84").replace("owner: ann", "owner: [ann]")
    entries, mistakes = read_entries(PRINCIPLE, text, "f.yml")
    assert [entry.id for entry in entries] == ["PR-001"]
    assert mistakes == ("f.yml:17: confidence must be at most 1 (got 1.84)",)
    kept = write_entries(PRINCIPLE, text, (entries[0].replace(status="archived"),), "f.yml")
    assert kept == text.replace("    mood: {calm: true}\n", "    mood: {calm: true}\n    status: archived\n")
    broken = read_entries(PRINCIPLE, FILE.replace("Raise domain", "[Raise domain"), "f.yml")
    assert len(broken[0]) == 1 and broken[1][0].startswith("f.yml:15: Invalid YAML")
    for wrong, told in {
        "id: PR-002": ("id: AP-002", "f.yml: AP-002: id must be PR- and a number"),
        "    text: Raise": ("    txt: Raise", "f.yml:15: text is missing"),
        "    confidence: 0.84": (
            "    evidence: [{source: S-1, observation: OB-001, effect: weaken}]",
            "f.yml: PR-002: start is missing beside evidence",
        ),
    }.items():
        assert read_entries(PRINCIPLE, FILE.replace(wrong, told[0]), "f.yml")[1] == (told[1],)


@pytest.mark.parametrize("text", ["principles: 5\n", "- id: PR-001\n", "principles: {a: 1}\n", "a: b\n  c: [\n"])
def test_what_is_no_store_is_said_and_not_written(text):
    """In a line that names the file."""
    with pytest.raises(LimpetError, match="f"):
        write_entries(PRINCIPLE, text, (KnowledgeEntry(PRINCIPLE, "PR-001", "x"),), "f")


def merge(folder, base, ours, theirs):
    """What git makes of two branches of a file."""
    for name, text in {"base": base, "ours": ours, "theirs": theirs}.items():
        (folder / name).write_text(text, encoding="utf-8")
    command = ["git", "merge-file", "-p", "ours", "base", "theirs"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


def test_branches_that_changed_different_entries_merge_by_git(tmp_path):
    """Without a conflict."""
    first, second = read_entries(PRINCIPLE, FILE, "f")[0]
    ours = write_entries(PRINCIPLE, FILE, (changed(first, PIECE, confidence=0.84),), "f")
    theirs = write_entries(PRINCIPLE, FILE, (changed(second, PIECE, confidence=0.92),), "f")
    merged = merge(tmp_path, FILE, ours, theirs)
    assert "<<<<" not in merged
    assert [entry.confidence for entry in read_entries(PRINCIPLE, merged, "f")[0]] == [0.84, 0.92]


def test_the_evidence_of_two_branches_unites(tmp_path):
    """Where git left a conflict, in either order; the next write makes the file clean."""
    first, second = read_entries(PRINCIPLE, FILE, "f")[0]
    new = KnowledgeEntry(
        PRINCIPLE, "PR-003", "Ours is new", created="2026-11-27", evidence=(PIECE.replace(effect="create"),)
    )
    doubt = PIECE.replace(source="S-2", effect="contradict", at="2026-11-27T10:00:00Z")
    ours = write_entries(PRINCIPLE, FILE, (changed(first, PIECE, confidence=0.84), new), "f")
    theirs = write_entries(
        PRINCIPLE,
        FILE,
        (
            changed(first, doubt, confidence=0.56),
            new.replace(text="Theirs is older", created="2026-11-25", evidence=()),
        ),
        "f",
    )
    found = []
    for one, other in ((ours, theirs), (theirs, ours)):
        merged = merge(tmp_path, FILE, one, other)
        assert "<<<<" in merged
        entries, mistakes = read_entries(PRINCIPLE, merged, "f")
        assert mistakes == ()
        clean = write_entries(PRINCIPLE, merged, entries, "f")
        assert "<<<<" not in clean and "# by Ann" in clean and clean.endswith("# the end\nowner: ann\n")
        assert [entry.replace(evidence=()) for entry in read_entries(PRINCIPLE, clean, "f")[0]] == [
            entry.replace(evidence=()) for entry in entries
        ]
        found.append(entries)
    assert found[0] == found[1]
    united, _, older, newer = found[0]
    assert (united.confidence, united.source_count, united.evidence) == (0.64, 4, (PIECE, doubt))
    assert (older.id, older.text) == ("PR-003", "Theirs is older")
    assert (newer.id, newer.text, newer.aliases) == ("PR-004", "Ours is new", ("PR-003",))


@pytest.mark.parametrize("kind", [PRINCIPLE, ANTI_PATTERN, PROCEDURE])
@examples(max_examples=25)
@given(history=histories, cut=st.integers(0, 12), share=st.integers(0, 8))
def test_any_order_of_merging_two_branches_gives_the_same_stores(tmp_path_factory, kind, history, cut, share):
    """Two branches that consolidated observations of their own, from what both had; afterwards nothing is counted
    again."""
    folder = tmp_path_factory.mktemp("merge")

    def write(text, observations):
        stores = {each: read_entries(each, texts.get(each, ""), each)[0] for each in KINDS} if text else NO_STORES
        outcome = consolidate(stores, observations, LEARNING, NOW)
        return write_entries(kind, text, outcome.stores[kind], "f"), outcome.stores

    base, stores = write("", history[:share])
    texts = {each: write_entries(each, "", stores[each], each) for each in KINDS}
    ours, _ = write(base, history[: share + cut])
    theirs, _ = write(base, (*history[:share], *history[share + cut :]))
    one, other = (read_entries(kind, merge(folder, base, *two), "f")[0] for two in ((ours, theirs), (theirs, ours)))
    assert [entry.replace(evidence=()) for entry in one] == [entry.replace(evidence=()) for entry in other]
    assert [set(entry.evidence) for entry in one] == [set(entry.evidence) for entry in other]
    pieces = {
        piece for text in (ours, theirs) for entry in read_entries(kind, text, "f")[0] for piece in entry.evidence
    }
    assert {piece for entry in one for piece in entry.evidence} == pieces
    merged = {**NO_STORES, kind: one}
    assert (
        consolidate(merged, history, LEARNING, NOW).stores
        == consolidate({**merged, kind: other}, history, LEARNING, NOW).stores
    )
