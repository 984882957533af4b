"""What every format of transcripts must do; the second host's is one that nobody has."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from limpet.transcripts import messages as protocols
from limpet.transcripts import untold
from limpet.transcripts.registry import TRANSCRIPTS, transcript_of, usage_of
from limpet.transcripts.tail import Reading

from ..conftest import SOURCE
from ..second.registering import FOLDER, NAME, recorded, register
from ..test_imports import LIBRARY

# Each format once: hosts may share one.
FORMATS = {module: host for host, module in reversed(TRANSCRIPTS.items())}
EVERY = (*sorted(FORMATS.values()), NAME)
REPORT = """
import sys
before = set(sys.modules)
sys.path.extend(sys.argv[1:3])
for name in sys.argv[3:]:
    __import__(name)
print(*{name for name in set(sys.modules) - before if name not in sys.builtin_module_names})
"""


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """The second host's is one of the product's."""
    register(monkeypatch)


@pytest.fixture(params=EVERY)
def name(request):
    """Every host in turn."""
    return request.param


@pytest.fixture
def usage(name):
    """What the hook asks."""
    return usage_of(name)


@pytest.fixture
def told(usage):
    """A format that tells tokens and compactions."""
    if usage.read_usage is untold.read_usage:
        pytest.skip("its files tell neither: see the tests of what they tell")


@pytest.fixture
def transcript(name):
    """What captures ask."""
    return transcript_of(name)


@pytest.fixture
def path(name, tmp_path):
    """A copy of its recorded conversation, which was compacted once and then answered, alone in a folder."""
    (found,) = Path(recorded(name)).glob("transcript.*")
    copy = tmp_path / "talks" / found.name
    copy.parent.mkdir()
    copy.write_bytes(found.read_bytes())
    return copy


def starts(path):
    """The bytes at which lines begin, and the end."""
    lines = path.read_bytes().splitlines(keepends=True)
    return [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]


@pytest.mark.parametrize(
    ("protocol", "find"), [(protocols.TokenUsage, usage_of), (protocols.Transcript, transcript_of)]
)
def test_the_modules_meet_their_protocols(name, protocol, find):
    """Every function is there and takes what the Protocol's takes (mypy compares the types)."""
    functions = {each: value for each, value in vars(protocol).items() if inspect.isfunction(value) and each[0] != "_"}
    for each, function in functions.items():
        wanted = set(inspect.signature(function).parameters) - {"self"}
        assert wanted <= set(inspect.signature(getattr(find(name), each)).parameters)


def test_an_unknown_host_has_none():
    """It is no error: a preview is held in no host."""
    assert (usage_of("preview"), transcript_of("preview")) == (None, None)


def test_the_newest_usage_is_read_from_the_end(told, usage, path):
    """With its model and the byte of its line."""
    found = usage.read_usage(str(path))
    assert found.used and found.model and (found.boundary or 0) < (found.at or 0)
    assert found.at in starts(path) and found.size == path.stat().st_size


def test_every_answer_is_told_once_with_what_it_cost(told, usage, transcript, path):
    """In their order; the last one used what the window is measured by."""
    answers = list({one.id: one for one in transcript.read_answers(str(path))}.values())
    assert len(answers) > 1 and all(one.id for one in answers)
    assert [one.at for one in answers] == sorted(one.at for one in answers)
    assert answers[-1].total == usage.read_usage(str(path)).used
    assert all(one.total > 0 for one in answers)


def test_usage_before_a_byte_does_not_count(told, usage, path):
    """What was compacted away is void."""
    assert usage.read_usage(str(path), path.stat().st_size) == Reading(size=path.stat().st_size)


def test_a_compaction_without_an_answer_after_it_is_told(told, usage, transcript, path):
    """Nothing that came before it is in use."""
    boundary = transcript.epoch_start(str(path))
    raw = path.read_bytes()
    path.write_bytes(raw[: min(start for start in starts(path) if start > boundary)])
    found = usage.read_usage(str(path))
    assert (found.used, found.boundary) == (None, boundary)


def test_the_parent_of_a_fork_is_the_neighbour_that_used_as_much(told, usage, path):
    """Where it names none."""
    if usage.__name__ in ("limpet.transcripts.codex", "limpet.transcripts.copilot"):
        pytest.skip("its forks name their parent, or are not told to hooks; see the tests of its usage")
    fork = path.with_name(f"fork{path.suffix}")
    fork.write_bytes(b"")
    used = usage.read_usage(str(path)).used
    assert usage.find_parent(str(fork), used) == str(path)
    assert usage.find_parent(str(fork), used + 1) == ""


def test_words_since_the_newest_compaction_are_found(told, usage, transcript, path):
    """Those before it are not."""
    begin = transcript.epoch_start(str(path))
    words = transcript.read_messages(str(path), begin)[0][-1].text.split()[0].encode()
    assert usage.holds(str(path), words)
    assert not usage.holds(str(path), b"Add a test for the parser.")


def test_messages_of_both_sides_come_in_their_order(transcript, path):
    """Each with the byte of its line; all that was read is told."""
    messages, end = transcript.read_messages(str(path))
    assert messages[0].text == "Add a test for the parser." and messages[0].role == "user"
    assert {"user", "assistant"} <= {message.role for message in messages}
    offsets = [message.offset for message in messages]
    assert offsets == sorted(offsets) and set(offsets) <= set(starts(path))
    assert end == path.stat().st_size


def test_reading_goes_on_where_it_ended(transcript, path):
    """A grown transcript costs what was added."""
    messages, end = transcript.read_messages(str(path))
    assert transcript.read_messages(str(path), end) == ([], end)
    middle = messages[1].offset
    later = [message.offset for message in messages if message.offset >= middle]
    assert [message.offset for message in transcript.read_messages(str(path), middle)[0]] == later


def test_the_newest_epoch_begins_at_a_line(told, transcript, path):
    """Of the compaction: what follows is in the window."""
    begin = transcript.epoch_start(str(path))
    assert begin in starts(path) and 0 < begin < path.stat().st_size


@pytest.mark.parametrize("raw", [None, b"", b"\n\n", b"{}\n[]\n7\n", b"\xff\xfe\x00\n" * 3, b'{"type": "user"'])
def test_a_file_of_any_bytes_says_nothing(name, usage, transcript, tmp_path, raw):
    """Nor does one that is not there."""
    path = tmp_path / "any"
    if raw is not None:
        path.write_bytes(raw)
    found = usage.read_usage(str(path))
    assert (found.used, found.model, found.boundary) == (None, None, None)
    assert transcript.read_messages(str(path))[0] == [] and not usage.holds(str(path), b"absent")
    assert 0 <= transcript.epoch_start(str(path)) <= len(raw or b"")


def test_what_the_hook_imports_of_it_is_light(name, usage):
    """Of the standard library no more than any prompt needs."""
    command = [sys.executable, "-I", "-S", "-c", REPORT, SOURCE, FOLDER, usage.__name__]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    ours = ("limpet", TRANSCRIPTS[name].partition(".")[0])
    assert {each for each in done.stdout.split() if each.partition(".")[0] not in ours} <= LIBRARY
