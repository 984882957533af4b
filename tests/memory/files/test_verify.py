"""What is wrong with the entries' files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.memory.files.verify import LARGEST, verify_all, verify_text

from ...strategies import NASTY, QUICK

HEAD = "---\nid: mem-2026-02-12-{id}\ntype: decision\ncreated_at: 2026-02-12T00:00:00Z\n"
GOOD = HEAD.format(id="001") + "---\n\n# Title\n\nText\n"
PATH = "shared/durable/x.md"


def told(path, text):
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return [(problem.line, problem.what) for problem in verify_text(path, raw)]


@pytest.mark.parametrize(
    "path",
    ["shared/durable/x.md", "dev/daily/2026-02-12/x.md", "archive/dev/session/abc/x.md", "forgotten/shared/daily/x.md"],
)
def test_a_good_file_in_any_place_has_no_problem(path):
    """Unknown keys, CRLF, rules in the body and other scripts are people's own business."""
    text = GOOD.replace("type:", "mood: glad\ntype:").replace("Text", "---\nعربي 猫\n=======\n").replace("\n", "\r\n")
    assert told(path, text) == []


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", 1, "No frontmatter"),
        ("# no frontmatter\n", 1, "No frontmatter"),
        (GOOD.replace("---\n\n", "\n"), 1, "Frontmatter is not closed"),
        (GOOD.replace("decision", "decison"), 3, "type must be one of"),
        (GOOD.replace("type", "typ"), 1, "type is missing"),
        (GOOD.replace("type: decision", "type: [decision"), 4, "a bracket is not closed"),
        (GOOD.replace("type", "confidence: 3\ntype"), 3, "confidence must be at most 1"),
        (GOOD.replace("type", "confidance: 0.3\ntype"), 3, "did you mean confidence?"),
        (GOOD.replace("type", "valid_from: 2027-01-01\nvalid_until: 2026-01-01\ntype"), 4, "before valid_from"),
        (GOOD.replace("type", "expires_at: 2025-01-01\ntype"), 3, "expires_at is before created_at"),
        (GOOD.replace("type", "storage: session\ntype"), 3, "storage is session, but the file is in durable/"),
        (GOOD.replace("type", "storage_tier: daily\ntype"), 3, "storage is daily, but"),
        (GOOD.replace("type", "scope: private\ntype"), 3, "scope is private, but the file is in shared/"),
        (GOOD.replace("Text", "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n"), 10, "Unresolved merge conflict"),
        (GOOD.replace("type", "<<<<<<< HEAD\ntype"), 3, "Unresolved merge conflict"),
        ("<<<<<<< HEAD\n" + GOOD + ">>>>>>> x\n", 1, "Unresolved merge conflict"),
        (GOOD.replace("Text", "a\nb\0"), 10, "Invisible character U+0000"),
        (GOOD.replace("Title", "\u202egpj"), 7, "Invisible character U+202E"),
        (GOOD.replace("Text", "\x1b[31m"), 9, "Invisible character U+001B"),
        (GOOD.encode() + b"\xff\n", 10, "Not UTF-8: byte 0xff"),
        (GOOD.encode("utf-16"), 1, "is UTF-16"),
        (GOOD[: GOOD.index("# Title")], 6, "Neither title nor text"),
        (GOOD + "x" * LARGEST, 0, "Larger than 1 MB"),
    ],
)
def test_each_mistake_is_told_with_its_line(text, line, what):
    """Syntax, words, ranges, order, places, merges, hidden characters, encoding and size."""
    found = [(where, said) for where, said in told(PATH, text) if what in said]
    assert [where for where, _ in found] == [line]


@pytest.mark.parametrize(
    ("path", "text", "what"),
    [
        ("x.md", GOOD, "Not a path for a memory"),
        ("shared/forever/x.md", GOOD, "Not a path for a memory"),
        ("shared/durable/x.txt", GOOD, "Not a path for a memory"),
        ("", GOOD, "Not a path for a memory"),
        ("dev/durable/x.md", GOOD.replace("type", "scope: shared\ntype"), "scope is shared, but the file is in dev/"),
        ("dev/durable/x.md", GOOD.replace("type", "agent: ux\ntype"), "agent is ux, but the file is private to dev"),
    ],
)
def test_what_contradicts_the_place_is_told(path, text, what):
    """The folder decides; the field that says otherwise is named."""
    assert what in " ".join(said for _, said in told(path, text))


def test_every_mistake_of_a_file_is_told_at_once_in_the_order_of_its_lines():
    """Nobody has to fix one and ask again for the next."""
    text = GOOD.replace("decision", "idea").replace("type", "confidence: high\npinned: 3\ntype").replace("Text", "\0")
    assert [line for line, _ in told(PATH, text)] == [3, 4, 5, 11]


def test_a_file_that_is_too_large_is_looked_at_in_its_beginning():
    """What is wrong there is told; bytes beyond are not even decoded."""
    raw = GOOD.replace("decision", "idea").encode() + b"\xc3\xa9\n" * LARGEST + b"\xff\0"
    assert [line for line, _ in told(PATH, raw)] == [0, 3]


def test_ids_of_two_files_and_of_none_are_told():
    """Both files are named for an id duplicate key; a link that leads nowhere, or to itself, is told with its line."""
    other = HEAD.format(id="002") + "supersedes: [mem-2026-02-12-001, mem-2026-02-12-009]\n---\n# b\n"
    self_made = HEAD.format(id="003") + "superseded_by: mem-2026-02-12-003\n---\n# c\n"
    files = {"shared/durable/a.md": GOOD, "dev/durable/a.md": GOOD, PATH: other, "shared/durable/z.md": self_made}
    problems = verify_all((path, text.encode()) for path, text in files.items())
    assert [str(problem).partition(". ")[0] for problem in problems] == [
        "dev/durable/a.md:2: Duplicate id mem-2026-02-12-001, also in shared/durable/a.md",
        "shared/durable/x.md:5: supersedes names 'mem-2026-02-12-009', which does not exist",
        "shared/durable/z.md:5: superseded_by names the entry itself",
    ]


pieces = st.sampled_from(
    [b"---\n", b"---", b"id: mem-2026-02-12-001\n", b"type: decision\n", b"\xff", b"\xfe", b"\0", b"<<<<<<< x\n"]
    + [b">>>>>>> x\n", b"\r\n", b"supersedes: [a]\n", b"tags: &a [*a]\n", b"? [x]\n: y\n", b"1: 2\n", b"\xed\xa0\x80"]
    + [b"!!set {a}\n", b"- ", b"{", b"<<: {a: 1}\n", b"created_at: 2026-01-01\n", b'"": 1\n', b"# t\n", b"...\n"]
) | st.binary(max_size=8)
anything = (
    st.lists(pieces).map(b"".join)
    | st.binary()
    | st.sampled_from(NASTY).map(lambda text: (GOOD + text).encode("utf-8", "surrogatepass"))
)


@QUICK
@given(st.lists(st.tuples(st.text(max_size=9) | st.sampled_from([PATH, "archive", "/", "a/b/c"]), anything)))
def test_no_bytes_and_no_path_make_it_fail(files):
    """Each problem has a line of the file, words and a hint."""
    assert all(problem.what and problem.hint and problem.line >= 0 for problem in verify_all(files))


@QUICK
@given(st.lists(pieces).map(b"".join))
def test_frontmatter_of_any_bytes_is_looked_at(middle):
    """Nor does what stands between the lines of dashes."""
    for problem in verify_text(PATH, b"---\n" + middle + b"\n---\n# t\n"):
        assert 0 <= problem.line <= middle.count(b"\n") + 5
