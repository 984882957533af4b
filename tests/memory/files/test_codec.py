"""An entry as text and back."""

import difflib
import json
import os

import jsonschema
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import limpet
from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import split_frontmatter
from limpet.ground.formats.markdown import one_line
from limpet.ground.formats.yaml_text import load_yaml
from limpet.memory.files.codec import change_entry_text, normal_body, read_entry_text, write_entry_text
from limpet.memory.model import entry as words
from limpet.memory.model.entry import SECTORS, TYPES, MemoryEntry
from limpet.memory.model.results import HOWS, MemoryEvidence
from limpet.memory.model.validation import KEYS, memory_schema

from ...strategies import NASTY, QUICK, SLOW

SEED = """---
id: mem-2026-02-12-001
type: procedural
agent: architect
tags: [authentication, jwt, pattern, validated]
confidence: 0.92
sector: procedural
tier: hot
access_count: 7
last_accessed: 2026-02-12T16:30:00Z
created_at: 2026-02-10T10:15:00Z
---

# Pattern: JWT Authentication in Next.js Projects

## Context
During architecture phase, evaluated JWT vs session-based auth for SaaS platform.

## Decision
JWT chosen for stateless API, with refresh token rotation for security.
"""
DAY = "2026-02-12T00:00:00Z"
LEAST = "---\nid: mem-2026-02-12-001\ntype: decision\ncreated_at: 2026-02-12\n{more}---\n{body}"

texts = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    [one for one in NASTY if "\ud800" not in one and len(one) < 3000]
)
lists = st.lists(texts.map(str.strip).filter(bool), max_size=3).map(tuple)
timestamps = st.datetimes().map(lambda timestamp: timestamp.replace(microsecond=0).isoformat() + "Z")
evidence = st.lists(
    st.builds(MemoryEvidence, timestamps, st.sampled_from(HOWS), texts, texts, texts, texts), max_size=3
).map(tuple)
entries = st.builds(
    MemoryEntry,
    id=st.sampled_from(["mem-2026-02-12-001", "mem-2026-11-21-k7q2m9xa"]),
    type=st.sampled_from(TYPES),
    title=texts.map(one_line).filter(lambda title: len(title) <= 120),
    body=texts.map(normal_body),
    agent=texts,
    tags=lists,
    confidence=st.floats(0, 1),
    sector=st.sampled_from(SECTORS),
    tier=st.sampled_from(words.TIERS),
    created_at=timestamps,
    access_count=st.integers(0, 10**6),
    last_accessed=timestamps | st.just(""),
    evidence_count=st.integers(0, 99),
    evidence=evidence,
    storage=st.sampled_from(words.STORAGES),
    scope=st.sampled_from(words.SCOPES),
    pinned=st.booleans(),
    source=texts,
    session=texts,
    paths=lists,
    expires_at=timestamps | st.just(""),
    valid_from=timestamps | st.just(""),
    valid_until=timestamps | st.just(""),
    supersedes=lists,
    superseded_by=texts,
    flags=lists,
    category=st.sampled_from(("", *words.CATEGORIES)),
    severity=st.sampled_from(("", *words.SEVERITIES)),
    workaround=texts,
    resolved=st.booleans(),
)


def test_the_format_s_own_example_is_read():
    """chati.dev's sample has a sector for its type, plain timestamps and a title in its body."""
    entry = read_entry_text(SEED, "x.md")
    assert entry == MemoryEntry(
        id="mem-2026-02-12-001",
        type="procedural",
        title="Pattern: JWT Authentication in Next.js Projects",
        body=SEED[SEED.index("## Context") :].rstrip(),
        agent="architect",
        tags=("authentication", "jwt", "pattern", "validated"),
        confidence=0.92,
        sector="procedural",
        tier="hot",
        access_count=7,
        last_accessed="2026-02-12T16:30:00Z",
        created_at="2026-02-10T10:15:00Z",
    )


def test_a_new_entry_has_the_ten_keys_of_the_format_first():
    """As in chati.dev's sample, then what tells how long it is kept and for whom; nothing optional that is empty."""
    entry = read_entry_text(SEED, "x.md")
    own = "evidence_count: 1\nstorage: daily\nscope: shared\n"
    assert write_entry_text(entry) == SEED.replace("10:15:00Z\n", f"10:15:00Z\n{own}")
    unused = write_entry_text(entry.replace(last_accessed=""))
    assert unused == SEED.replace("10:15:00Z\n", f"10:15:00Z\n{own}").replace("2026-02-12T16:30:00Z", "null")


@SLOW
@given(entries)
def test_what_is_written_reads_as_the_same_entry_and_keeps_the_schema(entry):
    """Whatever the words hold: quotes, line ends, dashes, control characters, other scripts."""
    text = write_entry_text(entry)
    assert read_entry_text(text, "x.md") == entry
    jsonschema.validate(load_yaml(split_frontmatter(text, "x.md").yaml, "x.md"), memory_schema())


def test_the_schema_is_sound_and_holds_the_vocabulary():
    """Its own standard accepts it, the format's sample keeps it, and its words are those of ``Entry``."""
    path = os.path.join(os.path.dirname(limpet.__file__), "framework", "schemas", "memory.schema.json")
    with open(path, encoding="utf-8") as file:
        jsonschema.Draft202012Validator.check_schema(json.load(file))
    schema = memory_schema()
    jsonschema.validate(load_yaml(split_frontmatter(SEED, "x.md").yaml, "x.md"), schema)
    enums = {
        "type": TYPES,
        "sector": SECTORS,
        "tier": words.TIERS,
        "storage": words.STORAGES,
        "scope": words.SCOPES,
        "category": words.CATEGORIES,
        "severity": words.SEVERITIES,
    }
    for key, values in enums.items():
        assert tuple(word for word in schema["properties"][key]["enum"] if word) == values
    assert {*KEYS, "storage_tier", "seen"} == {*schema["properties"]}
    assert {*KEYS, "title", "body"} == {*MemoryEntry.fields}


@pytest.mark.parametrize(
    ("more", "field", "value"),
    [
        ("", "created_at", "2026-02-12T00:00:00Z"),
        ("", "sector", "episodic"),
        ("tags: auth, jwt ,\n", "tags", ("auth", "jwt")),
        ("tags:\n- auth\n- 2026\n", "tags", ("auth", "2026")),
        ("tags: ['a, b', 'c: d']\n", "tags", ("a, b", "c: d")),
        ("paths: src/a.ts\n", "paths", ("src/a.ts",)),
        ("storage_tier: durable\n", "storage", "durable"),
        ("storage: session\nstorage_tier: durable\n", "storage", "session"),
        ("confidence: 1\n", "confidence", 1.0),
        ("last_accessed:\n", "last_accessed", ""),
        ("expires_at: 2026-02-12T16:30:00.5+02:00\n", "expires_at", "2026-02-12T14:30:00Z"),
        ("expires_at: 2026-02-12 16:30:00\n", "expires_at", "2026-02-12T16:30:00Z"),
        ("agent: ~\n", "agent", ""),
        ("severity: ''\n", "severity", ""),
        ("seen: [2026-02-12T16:30:00Z, soon]\n", "evidence", (MemoryEvidence("2026-02-12T16:30:00Z"),)),
        (
            "seen: [2026-02-12]\nevidence: {at: 2026-02-12, by: person}\n",
            "evidence",
            (MemoryEvidence(DAY, by="person"),),
        ),
        ("evidence: [{at: 2026-02-12, mood: any}]\n", "evidence", (MemoryEvidence(DAY),)),
        ("mood: {any: thing}\n", "title", "t"),
    ],
)
def test_people_s_own_spellings_are_read(more, field, value):
    """One text for a list, dates without time, empty keys, the other name of storage, unknown keys."""
    entry = read_entry_text(LEAST.format(more=more, body="# t\n"), "x.md")
    assert getattr(entry, field) == value
    assert type(getattr(entry, field)) is type(value)


def test_evidence_that_comes_to_an_older_file_stands_with_its_times():
    text = LEAST.format(more="seen: [2026-02-12]\nmood: fine\n", body="# t\n")
    old = read_entry_text(text, "x.md").evidence
    more = (*old, MemoryEvidence("2026-02-13T10:00:00Z", "said", "person", "s", "m1", "dev"))
    changed = change_entry_text(text, {"evidence": more}, "x.md")
    assert read_entry_text(changed, "x.md").evidence == more
    assert "seen:" not in changed
    assert "mood: fine" in changed


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("type: decision", "type: decison", 3, "type must be one of .*did you mean decision"),
        ("type: decision", "typ: decision", 1, "type is missing"),
        ("id: mem-2026-02-12-001", "id: 7", 2, "id must be a text"),
        ("id: mem-2026-02-12-001", "id: ../../x", 2, "id must be like mem-"),
        ("created_at: 2026-02-12", "created_at: yesterday", 4, "created_at must be a time"),
        ("created_at: 2026-02-12", "created_at:", 4, "created_at is missing"),
        ("created_at: 2026-02-12", "created_at: 0001-01-01T00:00:00+23:00", 4, "must be a time"),
        ("type: decision", "type: decision\nconfidence: 1.2", 4, "confidence must be at most 1"),
        ("type: decision", "type: decision\nconfidence: .nan", 4, "confidence must be a finite number"),
        ("type: decision", "type: decision\naccess_count: -1", 4, "access_count must be at least 0"),
        ("type: decision", "type: decision\npinned: yes", 4, "pinned must be true or false"),
        ("type: decision", "type: decision\ntags: [[a]]", 4, "tags must be a text"),
        ("type: decision", "type: decision\nevidence: [{how: said}]", 4, "evidence must have a time in each `at`"),
        ("type: decision", "type: decision\nevidence: [soon]", 4, "evidence must be a mapping"),
        ("type: decision", "type: decision\ntype: lesson", 4, "duplicate key"),
        ("type: decision", "type: decision\nagent: [", 6, "a bracket is not closed"),
        ("type: decision", "type: decision\n<<<<<<< HEAD", 4, "Unresolved merge conflict"),
        ("type: decision", "type: deci\0sion", 3, "forbidden character"),
        ("type: decision", "type: !!python/object:os.system x", 3, "constructor"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(old, new, line, what):
    """Wrong types, words, ranges and broken YAML cost the entry, and the error says where and what to do."""
    text = LEAST.format(more="", body="# t\n").replace(old, new)
    with pytest.raises(LimpetError, match=what) as caught:
        read_entry_text(text, "x.md")
    assert caught.value.where == f"x.md:{line}"
    assert caught.value.hint


def test_aliases_cannot_blow_up():
    """A few lines that stand for billions of values are refused at once."""
    lines = ["a0: &a0 [x]\n"] + [f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * 9) + "]\n" for n in range(1, 12)]
    with pytest.raises(LimpetError, match="More than"):
        read_entry_text(LEAST.format(more="".join(lines), body=""), "x.md")


@pytest.mark.parametrize(
    ("markdown", "title", "body"),
    [
        ("", "", ""),
        ("\n\n", "", ""),
        ("# Title\n", "Title", ""),
        ("\n# Title \n\nText\n---\nmore\n\n", "Title", "Text\n---\nmore"),
        ("#\nText\n", "", "Text"),
        ("# Using C#\nText", "Using C#", "Text"),
        ("plain first\nsecond\n", "plain first", "second"),
        ("before\n\n# Title\nafter\n", "Title", "before\n\n\nafter"),
        ("```\n# comment\n```\n# Title\nx\n", "Title", "```\n# comment\n```\n\nx"),
        ("```\n# comment\n", "```", "# comment"),
        ("## Second rank\nText\n", "## Second rank", "Text"),
        ("#tag\nText\n", "#tag", "Text"),
        ("# T\r\n\r\n    code\r\nx\r\n", "T", "    code\nx"),
        ("# " + "long " * 50, ("long " * 23).strip() + "...", ("long " * 50).strip()),
        ("# a\u2028b\tc\n", "a b c", ""),
    ],
)
def test_the_title_is_the_first_heading_or_the_first_line(markdown, title, body):
    """Headings in code are none; what is too long to be a title stays in the body whole."""
    entry = read_entry_text(LEAST.format(more="", body=markdown), "x.md")
    assert (entry.title, entry.body) == (title, body)


def test_a_body_of_ten_megabytes_is_read_whole():
    """Its signs that may begin something cost no search to the end for each of them."""
    body = "#([`---\n<<<\n" * 900_000
    assert read_entry_text(LEAST.format(more="", body="# t\n" + body), "x.md").body == body.rstrip()


def test_an_entry_that_could_not_be_read_back_is_not_written():
    """A wrong word, and frontmatter beyond what is read, are errors before there is a file."""
    entry = read_entry_text(SEED, "x.md")
    for wrong in ({"type": "idea"}, {"confidence": 2.0}, {"workaround": "x" * 100_000}, {"created_at": ""}):
        with pytest.raises(LimpetError, match="mem-2026-02-12-001"):
            write_entry_text(entry.replace(**wrong))


def test_half_a_surrogate_pair_does_not_reach_the_file():
    """UTF-8 cannot hold it."""
    entry = read_entry_text(SEED, "x.md").replace(title="a\ud800b", workaround="\udfff")
    assert read_entry_text(write_entry_text(entry), "x.md").title == "a?b"


DRESSED = (
    "\ufeff---\r\n# mine\r\nid: 'mem-2026-02-12-001'  # the id\r\ntype:   decision\r\nmood: {a: [1, 2]} # kept\r\n"
    "created_at: \"2026-02-12\"\r\ntags:\r\n- a # first\r\n- 'b, c'\r\nstorage_tier: daily\r\nconfidence: .5\r\n"
    "# end\r\n--- \r\n \r\n#  Title  \r\n\r\n\r\nText\t\r\n---\r\n\r\nmore  \r\n\r\n"
)


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ({}, "", ""),
        ({"type": "decision", "title": "Title", "tags": ["a", "b, c"], "confidence": 0.5}, "", ""),
        ({"created_at": "2026-02-12T00:00:00Z"}, "", ""),
        ({"type": "lesson"}, "type:   decision", "type:   lesson"),
        ({"confidence": 0.75}, ".5", "0.75"),
        ({"pinned": True}, "confidence: .5\r\n", "confidence: .5\r\npinned: true\r\n"),
        (
            {"last_accessed": "2026-03-01T00:00:00Z"},
            "confidence: .5\r\n",
            "confidence: .5\r\nlast_accessed: 2026-03-01T00:00:00Z\r\n",
        ),
        ({"storage": "durable"}, "storage_tier: daily", "storage_tier: durable"),
        ({"mood": None}, "mood: {a: [1, 2]} # kept\r\n", ""),
        ({"mood": "glad"}, "{a: [1, 2]}", "glad"),
        ({"superseded_by": ""}, "", ""),
        ({"title": "Other"}, "#  Title  ", "#  Other  "),
        ({"body": "New\ntext"}, "Text\t\r\n---\r\n\r\nmore", "New\r\ntext"),
        ({"body": "Text\t\n---\n\nmore"}, "", ""),
    ],
)
def test_a_change_leaves_every_other_byte(changes, old, new):
    """Byte order mark, CRLF, comments, order, quotes, unknown keys and blanks are the person's own."""
    changed = change_entry_text(DRESSED, changes, "x.md")
    assert changed == (DRESSED.replace(old, new) if old else DRESSED)


@pytest.mark.parametrize(
    ("markdown", "changes", "expected"),
    [
        ("", {"title": "T"}, "\n# T\n"),
        ("", {"title": "T", "body": "b"}, "\n# T\n\nb\n"),
        ("# T", {"body": "b"}, "# T\n\nb\n"),
        ("# T\nold\n", {"body": ""}, "# T\n"),
        ("#\nold\n", {"title": "T"}, "# T\nold\n"),
        ("plain\nold\n", {"title": "T"}, "# T\nold\n"),
        ("plain\nold\n", {"body": "new"}, "# plain\nnew\n"),
        ("before\n# T\nafter\n", {"title": "U"}, "before\n# U\nafter\n"),
        ("before\n# T\nafter\n", {"body": "new"}, "# T\nnew\n"),
        ("# T\nold\n", {"body": "# not the title\nx"}, "# T\n# not the title\nx\n"),
        ("# " + "w" * 130 + "\nold\n", {"title": "T"}, "# T\n" + "w" * 130 + "\nold\n"),
        ("# T\n", {"title": None}, "# \n"),
    ],
)
def test_title_and_body_change_in_place(markdown, changes, expected):
    """A text without a heading gets one; nothing of a long first line is lost."""
    changed = change_entry_text(LEAST.format(more="", body=markdown), changes, "x.md")
    assert changed == LEAST.format(more="", body=expected)


changes_of_one = st.sampled_from(sorted({*KEYS} - {"id"})).flatmap(
    lambda key: entries.map(lambda entry: {key: getattr(entry, key)})
)


@QUICK
@given(entries, changes_of_one, st.sampled_from(["\n", "\r\n"]))
def test_one_change_touches_one_line_and_reads_back(entry, changes, line_break):
    """Every key of every entry can be set, and only its line differs."""
    text = "\ufeff" + write_entry_text(entry).replace("\n", line_break)
    assume("\r\r" not in text)
    changed = change_entry_text(text, changes, "x.md")
    before = read_entry_text(text, "x.md")
    assert read_entry_text(changed, "x.md") == before.replace(**changes)
    steps = difflib.ndiff(text.split("\n"), changed.split("\n"))
    assert all(step[2:].startswith(f"{[*changes][0]}:") for step in steps if step[0] in "-+")


@QUICK
@given(entries, texts, texts)
def test_another_title_and_body_read_back_and_leave_the_frontmatter(entry, title, body):
    """Whatever they hold, and a second time the same changes nothing."""
    title = one_line(title)
    assume(len(title) <= 120)
    text = write_entry_text(entry)
    changed = change_entry_text(text, {"title": title, "body": body}, "x.md")
    assert read_entry_text(changed, "x.md") == entry.replace(title=title, body=normal_body(body))
    assert changed.startswith(text[: text.index("\n---\n")])
    assert change_entry_text(changed, {"title": title, "body": body}, "x.md") == changed


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"type": "idea"}, "x.md:4: type must be one of"),
        ({"id": None}, "id is missing"),
        ({"confidence": "high"}, "confidence must be a number"),
        ({"tags": [1.5]}, "tags must be a text"),
    ],
)
def test_a_change_that_would_spoil_the_entry_is_refused(changes, what):
    """The text that would result is read before it is given back."""
    with pytest.raises(LimpetError, match=what):
        change_entry_text(DRESSED, changes, "x.md")


@QUICK
@given(texts | st.text().map(lambda text: LEAST.format(more=text, body=text)))
def test_any_text_is_an_entry_or_a_clear_error(text):
    """Nothing else comes out, and the error names the file."""
    try:
        entry = read_entry_text(text, "x.md")
    except LimpetError as error:
        assert error.where.startswith("x.md")
    else:
        assert read_entry_text(write_entry_text(entry), "x.md").id == entry.id
