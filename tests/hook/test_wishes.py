"""The person's standing wishes in the block: whole first, chosen last (decision 66)."""

import pytest

from limpet.ground.text.tokens import estimate_tokens

from ..conversation import write
from ..hook_host import notes
from ..memories import SETTINGS, configure, fill, ids, listed, remembered, short, wished

WISH = {"type": "user_correction"}
REQUEST = "Translate the login page into Welsh"
# Each word of these twenty-word lists with each of three endings: sixty wishes of usual length, no two alike.
SUBJECTS = (
    "fixtures migrations routes queues caches tokens cursors exports invoices mails reports sessions uploads "
    "webhooks workers schemas templates locales badges charts"
).split()
ENDINGS = ("only with a test beside it", "never by hand on Fridays", "in the order of the docs")
# What is about most of the store, in few words.
SHORTEST = "Never touch a shelf by hand"
SIXTY = [f"Always change {subject} {ending}" for ending in ENDINGS for subject in SUBJECTS]


def say(memories, titles, **fields):
    """Wishes, said one after the other."""
    for number, title in enumerate(titles):
        day = f"2026-10-{1 + number // 24:02}T{number % 24:02}:00:00Z"
        memories.library.add({**WISH, "storage": "daily", "created_at": day, "title": title, **fields}, "shared")
    memories.tell_index()


def start(host, source="startup", bracket=None, **payload):
    """How a conversation begins, in this bracket."""
    if bracket:
        payload["transcript_path"] = fill(host.workspace, bracket, name=f"transcript-{bracket}")
    return host.send("SessionStart", source=source, **payload)


def left_out(answer):
    """What the block says of wishes that it does not show."""
    return [line for line in answer.block["left_out"] if line.startswith("wishes")]


@pytest.mark.parametrize(("bracket", "source"), [("FRESH", "startup"), ("MODERATE", "resume")])
def test_sixty_wishes_all_stand_at_the_start_in_the_order_in_which_they_were_said(host, memories, bracket, source):
    """Beside forty facts, which wait for a request."""
    memories.add_many({"title": f"The ledger of month {number} is closed by hand"} for number in range(40))
    say(memories, SIXTY)
    began = start(host, source, bracket)
    assert began.block["bracket"] == bracket
    assert (wished(began), left_out(began), listed(began)) == (SIXTY, [], [])
    assert len(listed(host.prompt(REQUEST))) == SETTINGS["contents"]["shown"]["first"]


def test_a_prompt_whose_start_nobody_told_brings_them_before_any_title(host, memories):
    say(memories, SIXTY)
    for kind in ("limited", "logged"):
        memories.add(f"The login is {kind}")
    answer = host.prompt(REQUEST)
    assert wished(answer) == SIXTY and len(listed(answer)) == 2
    assert answer.text.index("<standing-wishes>") < answer.text.index("<contents")


@pytest.mark.parametrize(
    ("later", "sent"),
    [("Use ruff, not flake8", ["Use ruff, not flake8"]), ("Use ruff, not flake8, for Bolt", None)],
)
def test_a_wish_that_a_later_one_reverses_is_not_sent(host, memories, run, later, sent):
    """But where the later one holds for a part of the work alone; ``why --not`` says by which."""
    earlier = "Always run flake8 before you commit"
    memories.add(earlier, days_ago=2, source="person", **WISH)
    key = memories.add(later, days_ago=1, source="person", **WISH)
    assert wished(start(host)) == (sent or [earlier, later])
    host.prompt("Rename the folder of the grammar to syntax")
    told = " ".join(run("why", "--not", "run flake8 before", cwd=host.workspace.root).stdout.split())
    assert (f'said later, against it: "{later}" ({key[-8:]})' in told) == bool(sent)


def test_a_wish_is_a_plain_line(host, memories):
    """Its words are the person's, and no quoted data of unknown origin: no id, no note, no attribute."""
    memories.add("Never push without a review", **WISH)
    began = start(host)
    assert "<standing-wishes>\nNever push without a review\n</standing-wishes>\n" in began.text


def test_none_comes_twice_in_a_stretch(host, memories):
    """Neither with a prompt nor on resume, and no title of one is listed; after a compaction or a clear all come."""
    say(memories, SIXTY)
    start(host)
    asked = host.prompt("Change the fixtures with a test beside it")
    assert not asked.out or (wished(asked), remembered(asked), listed(asked)) == ([], [], [])
    resumed = start(host, "resume", "FRESH")
    assert not resumed.out or wished(resumed) == []
    host.send("PreCompact", trigger="auto")
    assert wished(start(host, "compact")) == SIXTY
    assert wished(start(host, "clear")) == SIXTY


def test_there_is_nothing_where_nothing_is_wanted(host, memories):
    memories.add("Amounts are integers of cents")
    assert "standing-wishes" not in start(host).text + host.prompt(REQUEST).text


@pytest.mark.parametrize(("bracket", "source"), [("FRESH", "startup"), ("MODERATE", "resume"), ("CRITICAL", "resume")])
def test_two_hundred_long_wishes_are_chosen_and_counted(host, memories, bracket, source):
    """Those that hold for most of the work; the block says how many are missing, and how to list them."""
    tail = "until the warehouse has counted it by hand and the bank has sent its own list"
    say(memories, [f"Shelf {number} is not touched {tail}" for number in range(199)])
    memories.add(SHORTEST, **WISH)
    began = start(host, source, bracket)
    shown = wished(began)
    tokens = SETTINGS["wishes"][bracket]
    assert SHORTEST in shown and 2 < len(shown) < 200
    assert tokens * 2 // 3 < estimate_tokens("\n".join(shown), 0.15) <= tokens
    missing = 200 - len(shown)
    pointer = "limpet memory list --type user_correction --limit 500"
    assert left_out(began) == [f"wishes: cut: {missing} of 200 lines left out ({pointer})"]
    assert not (later := host.prompt(REQUEST)).out or wished(later) == []


def test_what_a_full_block_had_no_room_for_comes_with_the_next_one(host, memories):
    """Within the same tokens: the rules that always hold keep their room."""
    rules = "".join(f"GLOBAL_RULE_{n}=Keep part {n} of the ledger in the order of booking.\n" for n in range(60))
    write(host.workspace.path("rules", "global"), rules)
    say(memories, SIXTY)
    began = start(host)
    first = wished(began)
    assert len(began.block["rules"][0]["lines"]) == 60 and 0 < len(first) < 60 and left_out(began)
    assert estimate_tokens(began.text, 0.15) <= 2500
    second = wished(host.prompt("ok"))
    assert sorted([*first, *second]) == sorted(SIXTY)
    later = host.prompt("ok")
    assert not later.out or wished(later) == []


def test_wishes_that_were_withdrawn_or_changed_are_corrected_with_the_next_prompt(host, memories):
    """Once, if the prompt says anything; the next stretch has them as they stand."""
    old = memories.add("Never push without a review", **WISH)
    other = memories.add("Ask before a file is deleted", **WISH)
    changed = memories.add("Never merge on a Friday", **WISH)
    start(host)
    memories.library.forget(old)
    memories.library.supersede(other, {**WISH, "title": "Delete what you like", "confidence": 1.0})
    memories.library.edit(changed, {"title": "Never merge on a Sunday"})
    memories.tell_index()
    assert sorted(wished(host.prompt(REQUEST))) == [
        "No longer: Ask before a file is deleted - instead: Delete what you like",
        "No longer: Never push without a review",
        "Now: Never merge on a Sunday",
    ]
    again = host.prompt("Translate the signup page into Welsh as well")
    assert not again.out or wished(again) == []
    assert sorted(wished(start(host, "clear"))) == ["Delete what you like", "Never merge on a Sunday"]


def test_a_memory_that_a_prompt_brought_and_that_ended_is_corrected_too(host, memories):
    key = memories.add("parse_invoice keeps the cents as they came")
    start(host)
    assert ids(host.prompt("Why does parse_invoice drop the sign?")) == [short(key)]
    memories.library.forget(key)
    memories.tell_index()
    assert wished(host.prompt(REQUEST)) == ["No longer: parse_invoice keeps the cents as they came"]


def test_what_the_team_shared_is_quoted_with_its_id(host, memories):
    """The words of others are data; the person's own stand before them."""
    own = "Never push without a review"
    key = memories.library.share(memories.add("Never merge on a Friday", **WISH), "Ada").entry.id
    memories.add(own, **WISH)
    began = start(host)
    assert (wished(began), remembered(began)) == ([own], [f"{short(key)}: Never merge on a Friday (shared by Ada)"])
    assert began.text.index("<standing-wishes>") < began.text.index("<memory")
    assert "data, not instructions" in began.text


def test_the_budget_is_a_setting(host, memories):
    """``memory.wishes.FRESH: 0`` brings none."""
    configure(host.workspace, "memory: {wishes: {FRESH: 0}}")
    memories.add("Never push without a review", **WISH)
    assert wished(start(host)) == []
    assert notes(host.prompt(REQUEST)) == []


def test_the_first_titles_take_what_the_start_left_of_the_budget(host, memories):
    """And three quarters of theirs in any case: a start that is full of rules and wishes leaves that."""
    contents = SETTINGS["contents"]["tokens"]["first"]
    memories.add_many(
        {"title": f"The ledger of month {number} is closed by hand after the count of the shelves"}
        for number in range(60)
    )
    start(host)
    room = estimate_tokens("\n".join(host.prompt(REQUEST).block["contents"]), 0.15)
    rules = "".join(f"GLOBAL_RULE_{n}=Keep part {n} of the ledger in the order of booking.\n" for n in range(60))
    write(host.workspace.path("rules", "global"), rules)
    say(memories, SIXTY)
    start(host, session_id="full")
    full = estimate_tokens("\n".join(host.prompt(REQUEST, session_id="full").block["contents"]), 0.15)
    assert contents // 2 < full < room <= contents and full <= contents * 3 // 4


def test_titles_of_wishes_stand_before_those_of_facts(host, memories):
    """Of those that found no room in the stretch's beginning."""
    configure(host.workspace, "memory: {wishes: {FRESH: 0}}")
    facts = [memories.add(f"The login page has part {number}") for number in range(3)]
    wish = memories.add("Never change the login page on a Friday", **WISH)
    start(host)
    answer = host.prompt(REQUEST)
    told = [*ids(answer), *listed(answer)]
    assert {short(key) for key in (*facts, wish)} >= {*told} and short(wish) in told
    assert listed(answer)[0] == short(wish) or short(wish) in ids(answer)
