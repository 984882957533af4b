"""Keywords that a domain's rules suggest."""

from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.text.folding import fold
from limpet.ground.text.stems import stem
from limpet.ground.text.words import STOP_WORDS, split_words
from limpet.rules.edit.suggest import suggest_keywords

from ...strategies import QUICK, hostile

RULES = {
    "PAYMENTS": (
        "Store the amount of an invoice in cents, never in floats.",
        "An invoice is immutable; correct it by a credit note.",
        "Write each credit note to the ledger.",
    ),
    "DATABASE": ("Write each change of the schema as a migration.", "Store times in UTC."),
    "DOCS": ("Write for the reader.",),
}


def words(name="PAYMENTS", known=(), rules=RULES):
    """The proposed words, the best first."""
    return [one.word for one in suggest_keywords(name, rules, known)]


def test_what_the_rules_say_often_and_others_seldom_comes_first():
    """A phrase that returns before its words, the name's own words among the best."""
    found = words()
    assert set(found[:3]) == {"credit note", "invoice", "payments"}
    assert found.index("ledger") < (found.index("store") if "store" in found else 99)


def test_how_often_and_where_else_is_told():
    """In its rules, and in how many other domains."""
    found = {one.word: one for one in suggest_keywords("PAYMENTS", RULES, (), most=50)}
    assert (found["invoice"].count, found["invoice"].others) == (2, 0)
    assert (found["store"].count, found["store"].others) == (1, 1)


def test_what_calls_or_excludes_the_domain_already_is_not_proposed():
    """In any inflection, and no word of a phrase that somebody chose."""
    assert not {"invoice", "credit note", "credit", "note"} & set(words(known=("invoices", "credit note")))


def test_inflections_count_as_one_word():
    """Under the most frequent form."""
    rules = {"A": ("Deploy at noon.", "A deploy is announced.", "Deploys are logged.")}
    found = {one.word: one.count for one in suggest_keywords("A", rules, ())}
    assert found["deploy"] == 3
    assert "deploys" not in found


def test_words_without_a_subject_are_left_out_in_five_languages():
    """As are short ones and numbers."""
    rules = {
        "A": (
            "Nunca grave segredos no registro.",
            "Los secretos no van en el registro.",
            "Le secret ne va jamais dans le journal des erreurs.",
            "Das Geheimnis darf nicht in die Datei 42 ab.",
        )
    }
    found = {fold(word) for word in words("A", rules=rules)}
    assert not found & STOP_WORDS
    assert not {"42", "va", "ab"} & found
    assert "geheimnis" in found


def test_words_keep_their_accents():
    """They match without them as well, but people read them."""
    assert "cobrança" in words("A", rules={"A": ("Toda cobrança é registrada.",)})


def test_agents_and_workflows_are_no_subject():
    """The prefix of a name is not proposed."""
    assert "agent" not in words("AGENT_DEV", rules={"AGENT_DEV": ("Build it.",)})


def test_a_domain_without_rules_has_its_name_only():
    """And an unknown one no more."""
    assert words("HTTP_API", rules={}) == ["http api"]


@QUICK
@given(
    st.dictionaries(
        st.sampled_from(("A", "B", "C")), st.lists(hostile | st.sampled_from(RULES["PAYMENTS"]), max_size=4)
    )
)
def test_any_rules_give_words_that_stand_in_them(rules):
    """Ranked, few, and none that says nothing."""
    found = suggest_keywords("A", rules, ())
    assert len(found) <= 10
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    said = {stem(word) for rule in (*rules.get("A", ()), "a") for word in split_words(fold(rule))}
    assert all(stem(word) in said for one in found for word in split_words(fold(one.word)))
