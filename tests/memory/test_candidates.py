"""Answers to candidates, read from what was typed."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.memory.candidates import (
    LARGEST_DAY,
    LONGEST,
    Candidate,
    CandidateAnswer,
    Moment,
    candidate_id_of,
    drop_days,
    ranked,
    read_candidate,
    read_candidate_answer,
    read_candidate_files,
    read_finding,
    read_open,
    refuse_copy,
    same_words,
    save,
    search_candidates,
    write_open,
    write_record,
)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "k7q2m9: The import uses four workers.",
            CandidateAnswer("write", "k7q2m9", sentence="The import uses four workers."),
        ),
        (
            "k7q2m9: gotcha: The linter wants a parent.",
            CandidateAnswer("write", "k7q2m9", "gotcha", "", "The linter wants a parent."),
        ),
        ("k7q2m9:drop", CandidateAnswer("drop", "k7q2m9")),
        (" k7q2m9 : Drop. ", CandidateAnswer("drop", "k7q2m9")),
        ("k7q2m9: repeats 3fa8b2c1", CandidateAnswer("repeats", "k7q2m9", memory="3fa8b2c1")),
        ("k7q2m9: ends mem-2026-11-21-k7q2m9xa", CandidateAnswer("ends", "k7q2m9", memory="mem-2026-11-21-k7q2m9xa")),
        ("k7q2m9: replaces kqzh: It uses six.", CandidateAnswer("replaces", "k7q2m9", "", "kqzh", "It uses six.")),
        (
            "k7q2m9: replaces 3fa8b2c1: It uses six.",
            CandidateAnswer("replaces", "k7q2m9", "", "3fa8b2c1", "It uses six."),
        ),
        (
            "gotcha: It reads: the parent folder.",
            CandidateAnswer("write", "", "gotcha", "", "It reads: the parent folder."),
        ),
        ("k7q2m9: Note: it ends 2027.", CandidateAnswer("write", "k7q2m9", sentence="Note: it ends 2027.")),
        (
            "k7q2m9: ends with a newline, always",
            CandidateAnswer("write", "k7q2m9", sentence="ends with a newline, always"),
        ),
        ("k7q2m9: Drop it from the build.", CandidateAnswer("write", "k7q2m9", sentence="Drop it from the build.")),
        ("k7q2m9: Drop-in styles stay.", CandidateAnswer("write", "k7q2m9", sentence="Drop-in styles stay.")),
        ("k7q2m9: Replace python3 with uv.", CandidateAnswer("write", "k7q2m9", sentence="Replace python3 with uv.")),
        ("k7q2m9: End each file: a newline.", CandidateAnswer("write", "k7q2m9", sentence="End each file: a newline.")),
        ("k7q2m9: Identify users by mail.", CandidateAnswer("write", "k7q2m9", sentence="Identify users by mail.")),
        ("k7q2m9: 使用四个工作进程。", CandidateAnswer("write", "k7q2m9", sentence="使用四个工作进程。")),
    ],
)
def test_an_answer_has_one_of_six_forms(text, answer):
    """A sentence that only begins like one is a sentence."""
    assert read_candidate_answer(text) == answer


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("no colon", "Not an answer"),
        ("", "Not an answer"),
        ("k7q2m9:", "No sentence"),
        ('k7q2m9: "..."', "No sentence"),
        ("decision:  ", "No sentence"),
        ("decision: replaces 3fa8b2c1: It uses six.", "A finding of your own replaces no memory"),
        ("k7q2m9: replaces 3fa8b2c1: ", "No sentence"),
        ("k7q2m9: " + "x" * 301, "Longer than 300 characters"),
    ],
)
def test_what_is_no_answer_is_refused_with_the_reason(text, why):
    """In plain words."""
    with pytest.raises(LimpetError, match=why):
        read_candidate_answer(text)


@pytest.mark.parametrize(
    "rest",
    [
        "replaces g13pnn8f",
        "replaces kqzhwxab",
        "replaces g13pnn8f It uses six.",
        "replaces kqzhwxab It uses six.",
        "Replaces g13pnn8f: It uses six.",
        "replace g13pnn8f: It uses six.",
        "replaces [g13pnn8f]: It uses six.",
        "replaces MEMORY: It uses six.",
        "replaces: It uses six.",
        "replaces the old one: It uses six.",
        "replaces g13pnn8f: drop",
        "replaces g13pnn8f: gotcha: It uses six.",
        "ends g13pnn8f: because of MySQL",
        "ends mem-2026-11-21-g13pnn8f because of MySQL",
        "repeats g13pnn8f: It uses six.",
        "repeats",
        "repeated g13pnn8f",
        "gotcha: replaces g13pnn8f: It uses six.",
        "gotcha: drop",
        "drop: it is noise",
        "drop it",
        "drop this.",
        "drop, it is noise",
        "drop - it is noise",
        "drop (noise)",
        "drop because it is noise",
        "drop it since nobody asks",
        "drop g13pnn8f",
        "dropped",
        "skip",
    ],
)
def test_what_only_begins_like_an_answer_is_no_sentence(rest):
    """It is refused with the forms."""
    with pytest.raises(LimpetError, match=r'Write "ID: SENTENCE"'):
        read_candidate_answer(f"k7q2m9: {rest}")


@pytest.mark.parametrize("sentence", ["replaces g13pnn8f", "replaces g13pnn8f: It uses six.", "drop", "drop: noise"])
def test_a_finding_of_ones_own_is_a_sentence(sentence):
    """However it is handed in."""
    with pytest.raises(LimpetError):
        read_finding("gotcha", sentence)


def test_the_quote_cut_is_no_sentence():
    """What says more, or all of it, is one."""
    quote = "Let's use Redis for the cache, since the limiter has it."
    for cut in ("Let's use Redis for the...", "let\u2019s use redis \u2026".replace("\u2019", "'")):
        with pytest.raises(LimpetError, match="the quote, cut"):
            refuse_copy(cut, quote)
    refuse_copy("Let's use Redis for the cache", quote)
    refuse_copy("The cache is Redis...", quote)


ONE = Candidate(id="abcdef", at=1.0, session="talk", type="decision", quote="Use Redis.")


@given(st.text(min_size=1), st.floats(0, 4e9), st.sampled_from(["", "decision"]))
def test_a_candidate_comes_back_as_it_was_written(quote, at, type):
    """Whatever its characters; what was answered too."""
    again = (Moment(at, "later", "u1"),)
    made = ONE.replace(quote=f"x{quote}"[:500], at=at, type=type, before=quote, again=again, asked=("talk",))
    made = made.replace(entry=quote, alone=bool(at))
    assert read_candidate(write_record(made)) == made
    assert read_candidate(write_record(made.answered())) == made.answered()


def test_an_odd_line_is_read_as_far_as_it_makes_sense():
    """A type that is none makes a note; what is no candidate is none."""
    odd = {"id": "abcdef", "at": "x", "type": "nonsense", "quote": "Use it.", "again": [3], "asked": 7}
    found = read_candidate(odd)
    assert (found.type, found.at, found.quote, found.asked) == ("", 0.0, "Use it.", ())
    for record in ({}, {"id": 3, "quote": "x"}, {"id": "", "quote": "x"}):
        assert read_candidate(record) is None


def test_ids_are_short_and_tell_messages_apart():
    """The same for the same key; none is a word that means something else."""
    assert candidate_id_of("a") == candidate_id_of("a") != candidate_id_of("b")
    assert len({candidate_id_of(str(number)) for number in range(2000)}) == 2000
    assert all(
        len(candidate_id_of(str(number))) == 6 and "o" not in candidate_id_of(str(number)) for number in range(50)
    )


def test_it_is_open_until_it_was_asked_for_or_answered():
    """A note once it was said again; what an agent said never is."""
    note = ONE.replace(type="")
    assert ONE.is_open and not ONE.replace(asked=("a",)).is_open and not note.is_open
    assert note.replace(again=(Moment(2.0, "later"),)).is_open
    assert not ONE.answered().is_open and not ONE.replace(role="assistant").is_open


def test_what_is_an_entry_is_open_only_where_it_does_not_stand_alone():
    """Its words are the entry's then."""
    kept = ONE.replace(quote="", entry="mem-2026-11-21-k7q2m9xa")
    assert kept.is_open and not kept.replace(alone=True).is_open and not kept.replace(asked=("a",)).is_open
    assert not kept.answered().is_open and kept.answered().entry == ""


def test_days_that_are_over_leave_with_what_nobody_wrote_down(shared):
    """The day itself stays."""
    save(shared, [candidate("The first one.", 1.0), candidate("The second one.", DAY + 1)])
    drop_days(shared, "1970-01-02")
    assert [one.quote for one in read_candidate_files(shared)] == ["The second one."]
    drop_days(shared, "1970-01-02")
    drop_days(shared, "")
    assert len(read_candidate_files(shared)) == 1


def test_what_an_agent_concluded_is_its_own_and_what_was_stated_is_everybodys():
    """Decision 22."""
    mine = ONE.replace(agent="dev", role="assistant", type="resolution")
    assert (mine.owner, ONE.replace(agent="dev").owner, mine.replace(type="lesson").owner) == ("dev", "", "")


def test_the_likeliest_memory_comes_first():
    """What was said twice, decisions and corrections, the newest."""
    twice = ONE.replace(id="twice", type="", again=(Moment(2.0, "b"),))
    newer, other = ONE.replace(id="newer", at=9.0), ONE.replace(id="other", type="lesson")
    found = ranked([other, ONE, newer, twice])
    assert [each.id for each in found] == ["twice", "newer", "abcdef", "other"]


def test_the_same_words_are_known_however_they_are_typed():
    """Not what is only alike."""
    assert same_words("  Use\nRedis. ") == same_words("use redis")
    assert same_words("use redis for it") != same_words("use redis")


DAY = 86_400.0


def candidate(quote, at=0.0, **fields):
    return Candidate(id=candidate_id_of(quote), at=at, session="talk", quote=quote, **fields)


def test_candidates_lie_in_a_file_a_day_for_the_owner_only(shared):
    """Each once, and each as it was saved last."""
    found = [candidate("The first one.", 1.0), candidate("The second one.", DAY + 1)]
    save(shared, found)
    save(shared, [found[0].replace(asked=("talk",))])
    assert read_candidate_files(shared) == [found[0].replace(asked=("talk",)), found[1]]
    folder = os.path.join(shared, "candidates")
    assert sorted(os.listdir(folder)) == ["1970-01-01.jsonl", "1970-01-02.jsonl"]
    if os.name == "posix":
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
        assert stat.S_IMODE(os.stat(os.path.join(folder, "1970-01-01.jsonl")).st_mode) == 0o600


def test_what_is_taken_out_is_gone_and_broken_lines_are_passed_over(shared):
    """The others stay, and count."""
    found = [candidate("The first one.", 1.0), candidate("The second one.", 2.0)]
    save(shared, found)
    save(shared, [], removed=found[:1])
    with open(os.path.join(shared, "candidates", "1970-01-01.jsonl"), "ab") as file:
        file.write(b'{"torn": \n[]\n\xff\n')
    assert read_candidate_files(shared) == found[1:]


def test_a_full_day_takes_no_more_and_changes_what_it_has(shared):
    """A day's file stays bounded."""
    many = [candidate(f"{number} " + "x" * (LONGEST - 10), 1.0) for number in range(LARGEST_DAY // LONGEST + 10)]
    save(shared, many)
    kept = read_candidate_files(shared)
    assert 0 < len(kept) < len(many)
    assert os.path.getsize(os.path.join(shared, "candidates", "1970-01-01.jsonl")) <= LARGEST_DAY
    save(shared, [kept[-1].answered()])
    assert read_candidate_files(shared)[-1] == kept[-1].answered()


@pytest.mark.parametrize("name", ["candidates"])
def test_a_link_out_of_the_project_is_not_read_or_written(shared, tmp_path_factory, name):
    """It may have come with a checkout."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "1970-01-01.jsonl").write_text('{"id": "abcdef", "at": 1, "session": "x", "quote": "Not ours."}\n')
    os.symlink(outside, os.path.join(shared, name))
    assert read_candidate_files(shared) == [] and read_open(shared) == []
    if name == "candidates":
        with pytest.raises(OSError):
            save(shared, [candidate("A line.")])
    else:
        save(shared, [candidate("A line.")])
    assert os.listdir(outside) == ["1970-01-01.jsonl"]


def test_the_list_of_the_open_ones_is_replaced_whole(shared):
    """What is no list is an empty one."""
    write_open(shared, [{"id": "abcdef"}])
    assert read_open(shared) == [{"id": "abcdef"}]
    for text in ("[", '{"open": 3}', '{"open": [3]}'):
        Path(shared, "candidates", "open.json").write_text(text)
        assert read_open(shared) == []


def test_the_best_comes_first_and_what_shares_no_word_not_at_all():
    """A rare word weighs more than one that all hold; of equals the newer comes first."""
    known = [
        candidate("The export button belongs to the toolbar."),
        candidate("The import button is fine."),
        candidate("Nothing of it."),
        candidate("The import button is fine.", 5.0),
    ]
    found = search_candidates(known, "where does the export button go", 3)
    assert [each.quote[:11] for each in found] == ["The export ", "The import ", "The import "]
    assert [each.at for each in found[1:]] == [5.0, 0.0]
    assert search_candidates(known, "export button", 1) == found[:1]
    assert search_candidates(known, "zebra", 3) == ()
