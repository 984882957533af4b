"""What a person's message is worth remembering for, with what it answers."""

import pytest

from holdfast.memory.capture.remarks import complains, read_note, read_remarks

TWO = "I see two ways:\n1. Patch the adapter\n2. **Upgrade** axios to v1\n\nWhich do you prefer?"


def read(text, told=""):
    return [(each.type, each.text) for each in read_remarks(text, told)]


@pytest.mark.parametrize(
    ("told", "said", "title"),
    [
        (TWO, "2", "Upgrade axios to v1 (2)"),
        (TWO, "yes, the second", "Upgrade axios to v1 (yes, the second)"),
        (TWO, "la segunda", "Upgrade axios to v1 (la segunda)"),
        (TWO, "option 2 is better, the adapter is old", "Upgrade axios to v1 (option 2 is better, the adapter is old)"),
        ("**Option A: a file**\n**Option B: a table**\nWhich?", "B", "a table (B)"),
        ("How long should passwords be?", "12 chars", "12 chars (asked: How long should passwords be?)"),
        (
            "1. Postgres: relational\n2. Mongo\nWhich database?",
            "Postgres",
            "Postgres: relational (asked: Which database?)",
        ),
        (
            "Shall the retry limit stay at five attempts for webhooks?",
            "yes",
            "Shall the retry limit stay at five attempts for webhooks? (yes)",
        ),
    ],
)
def test_a_short_answer_is_kept_with_what_it_answers(told, said, title):
    """By a number, a place in the list, a name, or a yes."""
    ((kind, text),) = read(said, told)
    assert (kind, text.replace("**", "")) == ("decision", title.replace("**", ""))


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("Should I run the tests?", "yes"),
        (TWO, "what is the difference?"),
        (TWO, "7"),
        ("Done.", "2"),
        (TWO, "ok"),
        ("Do you want me to write it now?", "the other provider too"),
        ("Want me to run one of these to verify it?", "them one by one, from check to build"),
    ],
)
def test_an_answer_that_settles_nothing_is_nothing(told, said):
    """The next step, a question, an option that nobody offered."""
    assert read(said, told) == []


@pytest.mark.parametrize("said", ["once more, with debug", "again, without the cache", "As before, but verbose"])
def test_wanting_it_once_more_corrects_nothing(said):
    """What was wanted before and is said again does: "Again, use tabs"."""
    assert read(said, "Two tests fail.") == []
    assert read("Again, use tabs and no spaces.", "Done.") == [("user_correction", "Again, use tabs and no spaces.")]


@pytest.mark.parametrize(
    "wish",
    [
        "Never commit directly to main",
        "I want you to always write tests first",
        "Careful, the staging database is shared with sales",
        "Nunca faça deploy na sexta",
        "Cuidado, o banco de staging é compartilhado",
        "Siempre escribe los tests primero",
        "Ojo con la tabla de pedidos, no la borres",
        "Ne touche jamais au fichier generated.ts",
        "Attention, la base de test est partagée",
    ],
)
def test_standing_wishes_and_warnings_are_corrections(wish):
    """Which all agents share (decision 22), in four languages."""
    assert read(wish) == [("user_correction", wish)]


def test_a_directive_about_how_work_is_done_is_a_correction():
    """It holds for all of it; one about the product is a decision."""
    assert read("Be sure to keep it DRY.") == [("user_correction", "Be sure to keep it DRY.")]
    assert read("The totals should be in the footer.") == [("decision", "The totals should be in the footer.")]


def test_two_corrections_of_one_message_are_one():
    """Whole, under the sentence that says what is to be."""
    text = "No, don't use mock there. Always use CliRunner for tests, never subprocess."
    (found,) = read_remarks(text, "")
    assert found.type == "user_correction"
    assert (found.text, found.whole) == ("Always use CliRunner for tests, never subprocess.", text)


def test_a_long_correction_is_kept_whole():
    """However long its sentence."""
    text = (
        "No, an export goes through the queue, " + "with its format and its owner, " * 20 + "never through the request."
    )
    (found,) = read_remarks(text, "")
    assert (found.type, found.whole) == ("user_correction", text)


def test_the_title_carries_the_thing():
    """A sentence that only points to it comes with the one before it."""
    assert read("Lexical strings in there! These should be real times.") == [
        ("decision", "Lexical strings in there! These should be real times.")
    ]


def test_a_reproach_with_what_is_wanted_is_a_correction():
    """Though it asks why."""
    assert read("why did you remove the retry? put it back") == [
        ("user_correction", "why did you remove the retry? put it back")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "finding 2",
        "no, that did nothing",
        "[Image #1]",
        "fix 3 and 4",
        "thanks!",
        "proceed",
        "Your task is to audit it.",
    ],
)
def test_noise_is_nothing(text):
    """Neither a memory nor a note."""
    assert read(text) == [] and read_note(text) == ""


def test_what_says_something_and_directs_nothing_is_a_note():
    """In the person's own words; a question or an order of the moment is none."""
    assert read("The invoices come from the billing team.") == []
    assert read_note("ok. The invoices come from the billing team.") == "ok. The invoices come from the billing team."
    assert read_note("Show me the invoices of the billing team") == ""
    assert read_note("Where do the invoices come from?") == ""


def test_a_complaint_shows_or_tells_that_something_is_wrong():
    """A plan or a question does not."""
    assert complains("why does the login fail?") and complains("See:\n\n    error: no such table\n    at line 3")
    assert not complains("Add a login page.") and not complains("Which one?")
