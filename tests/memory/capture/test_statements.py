"""What a typed sentence does."""

import pytest

from limpet.memory.capture.digest import own_words
from limpet.memory.capture.find import read_answer
from limpet.memory.capture.statements import (
    ACKNOWLEDGES,
    ASKS,
    DIRECTS,
    ORDERS,
    STATES,
    TELLS,
    act_of,
    as_rule,
    gives_work,
    read_note,
    read_remark,
    weight_of,
    without_opening,
)


@pytest.mark.parametrize(
    ("act", "sentences"),
    [
        (ASKS, ["Why is it so slow?", "what does it cost", "por que falha?"]),
        (
            ORDERS,
            ["Show me the log", "now run the tests again", "address 41", "mostra o diff", "Don't write any code yet"],
        ),
        (ACKNOWLEDGES, ["yes please", "ok, go ahead", "that's fine", "vale", "d'accord", "beleza"]),
        (TELLS, ["I ran it and nothing came", "maybe we use Rust some day", "no te preocupes por eso"]),
        (DIRECTS, ["The exporter should never block the request", "ok, don't log the body of a request"]),
        (DIRECTS, ["a senha deve ter doze caracteres", "hay que usar la cola nueva", "il faut garder le cache"]),
        (DIRECTS, ["We only ship it for Linux, right?", "When the flag is off, keep the banner as it is"]),
        (STATES, ["The invoices come from the billing team"]),
        (ASKS, ["为什么这么慢？", "このテストは何をしていますか", "왜 느려?", "Warum schlägt er fehl"]),
        (ORDERS, ["帮我看一下日志", "ログを見て", "로그 보여주고 고쳐줘", "Schau bitte in das Log"]),
        (ACKNOWLEDGES, ["好的", "了解です", "네", "alles klar", "好的，继续"]),
        (
            DIRECTS,
            [
                "导出绝不能阻塞请求",
                "エクスポートは必ず非同期にすること",
                "로그는 항상 영어로 남긴다",
                "Logs immer auf Englisch",
            ],
        ),
    ],
)
def test_acts(act, sentences):
    """In eight languages; a nod that is asked for and a case that is named ask nothing."""
    assert [(sentence, act_of(sentence)) for sentence in sentences] == [(sentence, act) for sentence in sentences]


def test_words_that_only_open_a_sentence_are_taken_off():
    """However many; a name stays."""
    assert without_opening("ok, so well, use tabs") == "use tabs"
    assert without_opening("Okta holds the users") == "Okta holds the users"


def test_weight_is_the_words_that_say_something():
    """No stop words, no numbers."""
    assert weight_of("it is the 3 of them") == 0
    assert weight_of("the queue of 12 exports") == 2


TWO = "I see two ways:\n1. Patch the adapter\n2. **Upgrade** axios to v1\n\nWhich do you prefer?"


def read(text, told=""):
    """The type of the message, and the sentence or the answer that tells; None for nothing."""
    answer = read_answer(text, told)
    found = read_remark(text, answer is not None)
    return found and (found[0], answer.line(text) if answer else " ".join(found[1]))


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
    kind, text = read(said, told)
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
    assert read(said, told) is None


@pytest.mark.parametrize("said", ["once more, with debug", "again, without the cache", "As before, but verbose"])
def test_wanting_it_once_more_corrects_nothing(said):
    """What was wanted before and is said again does: "Again, use tabs"."""
    assert read(said, "Two tests fail.") is None
    assert read("Again, use tabs and no spaces.", "Done.") == ("user_correction", "Again, use tabs and no spaces.")


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
    assert read(wish) == ("user_correction", wish)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Be sure to keep it DRY.", "user_correction"),
        ("The totals should be in the footer.", "decision"),
        ("why did you remove the retry? put it back", "user_correction"),
    ],
)
def test_a_directive_about_how_work_is_done_is_a_correction(said, kind):
    """And a reproach with what is wanted; about the product it is a decision."""
    assert read(said) == (kind, said)


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
    assert read(text) is None and not read_note(own_words(text).text)


def test_what_says_something_and_directs_nothing_is_a_note():
    """A question or an order of the moment is none."""
    assert read("The invoices come from the billing team.") is None
    assert read_note("ok. The invoices come from the billing team.")
    assert not read_note("Show me the invoices of the billing team")
    assert not read_note("Where do the invoices come from?")


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("No, use black, not ruff", "Use black, not ruff"),
        ("Nein, nimm pnpm statt npm", "Nimm pnpm statt npm"),
        ("Don't, ever, sleep", "Don't, ever, sleep"),
        ("No tabs, use spaces", "No tabs, use spaces"),
    ],
)
def test_a_rule_says_no_to_nothing_that_was_done(sentence, rule):
    assert as_rule(sentence) == rule


@pytest.mark.parametrize(
    ("text", "is_work"),
    [
        ("Add a docstring to the signer", True),
        ("Add a changelog line for each change", False),
        ("The invoices come from billing", False),
        ("添加一个测试", True),
    ],
)
def test_a_piece_of_work_is_told_from_what_holds(text, is_work):
    assert gives_work(text) == is_work
