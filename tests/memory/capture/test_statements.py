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
        (
            ACKNOWLEDGES,
            ["You decide the rest", "your call", "tu decides", "du entscheidest", "decide tu", "voce decide"],
        ),
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
        "No, just this once use the old API",
        "No, use the old API this time only",
        "For once, don't write tests",
        "No, only for this commit skip the linter",
        "Nein, nimm nur dieses Mal die alte API, nicht die neue",
        "Nein, nimm ausnahmsweise die alte API",
        "Non, utilise l'ancienne API, juste pour cette fois",
        "No, usa la API antigua, solo esta vez",
        "Não, só dessa vez use a API antiga",
        "不对，就这一次用旧的API",
        "いや、今回は古いAPIを使わないで",
        "아니요, 이번 한 번만 옛날 API를 쓰지 마세요",
    ],
)
def test_what_is_wanted_once_holds_for_nothing_later(text):
    """In eight languages; for a commit or a conversation, too."""
    assert read(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "No, that is wrong, the timestamp is in seconds",
        "That's wrong. It is 42.",
        "No, that's wrong, it should be 42",
        "Nein, das ist falsch, der Zeitstempel ist in Sekunden",
        "Non, c'est faux, le timestamp est en secondes",
        "No, eso está mal, el timestamp está en segundos",
        "Não, isso está errado, o timestamp é em segundos",
        "不对，时间戳是秒",
        "違います、タイムスタンプは秒です",
        "아니야, 그건 틀렸어. 타임스탬프는 초 단위야",
    ],
)
def test_a_reproach_about_one_value_is_set_right_at_once(text):
    """What is wrong of how things are in general is a correction."""
    assert read(text) is None
    assert read("That's not right, prices are stored in cents.") is not None


@pytest.mark.parametrize(
    "text",
    [
        "Can you stop adding comments to every line?",
        "Could you please not add comments to every line?",
        "Can you not touch the lockfile?",
        "Kannst du aufhören, jede Zeile zu kommentieren?",
        "Kannst du bitte nicht jede Zeile kommentieren?",
        "Peux-tu arrêter d'ajouter des commentaires à chaque ligne ?",
        "¿Podrías no añadir comentarios en cada línea?",
        "Você pode parar de adicionar comentários em cada linha?",
        "能不能不要每行都加注释？",
        "コメントを付けないでもらえますか？",
        "주석을 달지 말아 주시겠어요?",
    ],
)
def test_a_wish_that_is_put_as_a_question_is_a_correction(text):
    """In eight languages."""
    assert read(text) == ("user_correction", text)


@pytest.mark.parametrize(
    "text",
    [
        "Can you stop?",
        "Can you stop the server?",
        "Could you stop here?",
        "Can you stop adding comments to every line for now?",
        "Could you not use the cache that we have?",
        "Can you not see the file?",
        "Kannst du keine Datei finden?",
        "Why do we never mock the clock?",
        "can we keep using npm here?",
        "No, put it back",
        "No, keep going",
        "No, make the tests pass",
        "No, write it again",
        "No, make a new branch",
        "Nein, mach weiter",
    ],
)
def test_a_question_or_an_order_after_a_no_is_none(text):
    """Nor is one for the moment."""
    assert read(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "No, make the line 88 wide",
        "No, call it parse_line",
        "No, set the timeout to 30 seconds",
        "Nein, schreib die Doku auf Deutsch",
        "Non, appelle le module store",
        "No, llama al módulo store",
        "Não, faça a linha com 88 colunas",
        "不，把行宽设为88",
    ],
)
def test_a_no_with_what_to_do_is_a_correction(text):
    """Whatever is to be done: made, put, called, set."""
    assert read(text) == ("user_correction", text)


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
