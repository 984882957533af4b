"""Inflections of a word, its plain derivations and its cognates meet in one stem (decision 16), and words that have
nothing to do with each other do not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.ground.text import stems
from limpet.ground.text.folding import fold
from limpet.ground.text.stems import stem

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = st.text(alphabet=LETTERS, min_size=1, max_size=14)
# Endings make more of the words that the tables are about than letters alone would.
ENDINGS = st.sampled_from((*stems._ENDINGS, "ing", "ed", "y", "e", "ific", "ect", "is", "duz"))
LIKELY_WORDS = st.builds(str.__add__, st.text(alphabet=LETTERS, min_size=1, max_size=7), ENDINGS)


@pytest.mark.parametrize("words", [
    "test tests testing tested", "run runs running ran", "cache caches cached caching cachear cachea",
    "hike hikes hiked hiking", "plan plans planned planning", "plane planes", "class classes",
    "close closed closing closes", "commit commits committed committing commitei", "box boxes boxing",
    "story stories", "retry retries retried retrying", "write writing written wrote",
    "require requires required requiring", "requirement requirements", "analysis analyses analyze analysing",
    "pr prs", "api apis", "menu menus", "validate validates validated validating validation",
    "authenticate authentication authenticated", "encrypt encryption encrypted", "select selection seleccion",
    "invoice invoicing invoices", "deploy deploys deployed deployment", "pay paid pays", "payment payments",
    "configure configured configuration configuracao configuracion configurar configurado configurando",
    "teste testes testar testando testa", "criar criando criado", "usar usando usado usa", "arquivo arquivos",
    "requisito requisitos", "função funções function funcion funciones", "decisao decisoes decision decisiones",
    "sessao sessoes session sesion sesiones", "migracao migracoes migration migracion", "servidor servidores",
    "prueba pruebas", "accessibility accesibilidad acessibilidade accessibilite",
    "directory directories directorio directorios", "animal animaux animais", "bouton boutons", "fichier fichiers",
    "valider validee validez validation", "charger charge chargee", "entscheidung entscheidungen entscheiden",
    "Konfiguration Konfigurationen", "Test TESTS",
])  # fmt: skip
def test_the_forms_of_a_word_have_one_stem(words):
    """In English, Portuguese, Spanish, French and German."""
    assert len({stem(fold(word)) for word in words.split()}) == 1


@pytest.mark.parametrize(
    "pair",
    ["test latest", "test contest", "ui build", "art start", "plan plane", "log login", "data date", "car care"]
    + ["list listen", "user use", "port portal", "set setting", "new news", "even evening", "committee commit"]
    + ["local locale", "rest resto", "form forma", "form format", "cert certo", "temp tempo", "cart carta"]
    + ["past paste", "said saida", "comma comme", "exit exito", "product production", "valid validate"]
    + ["container contain", "customer custom", "policy police", "factory factor", "director directory", "time item"]
    + ["aggregate agregar", "dessert desert", "para parar", "index indicar", "requirement require", "payment pay"]
    + ["operate opera", "react reaction"],
)
def test_words_of_their_own_keep_apart(pair):
    """Of one language or of two."""
    first, second = pair.split()
    assert stem(first) != stem(second)


@pytest.mark.parametrize(("first", "second", "one"), [
    ("test", "tester", False), ("server", "serve", False), ("container", "contains", False),
    ("local", "locale", False), ("settings", "set", False), ("rest", "reste", False), ("part", "parte", False),
    ("form", "forma", False), ("cert", "certo", False), ("port", "porta", False), ("lento", "lent", False),
    ("menu", "menus", True), ("api", "apis", True), ("add", "adding", True), ("embed", "embedded", True),
    ("label", "labelled", True), ("index", "indices", True), ("write", "written", True),
    ("validate", "validation", True), ("review", "reviewer", True), ("event", "eventos", True),
    ("processo", "process", True), ("branch", "branche", True),
])  # fmt: skip
def test_one_answer_where_there_were_three(first, second, one):
    """Keywords, memory search and the comparison of entries have all the same."""
    assert (stem(first) == stem(second)) == one


@pytest.mark.parametrize("word", ["", "a", "the", "sha256", "配置", "übung", "x1", "ß"])
def test_what_is_no_plain_word_stays_as_it_is(word):
    """Short words, scripts without endings, names with digits."""
    assert stem(word) == word


@settings(deadline=None, derandomize=True)
@given(st.one_of(WORDS, LIKELY_WORDS))
def test_a_stem_keeps_the_first_letter_and_three_in_all(word):
    """Exceptions apart; two letters of an acronym in the plural."""
    found = stem(word)
    assert found.isascii() and found.isalpha()
    if word not in stems._EXCEPTIONS and found not in stems._EXCEPTIONS.values():
        assert found[0] == ("f" if word.startswith("ph") and found[0] != "p" else word[0])
        assert len(found) >= min(3, len(word)) or (len(word) == 3 and word == f"{found}s")


@settings(deadline=None, derandomize=True)
@given(st.one_of(WORDS, LIKELY_WORDS))
def test_a_stem_has_the_case_and_accents_of_no_spelling(word):
    """Whatever way a word was typed, folding it first gives one stem."""
    accented = word.upper().replace("A", "Ã").replace("E", "É").replace("C", "Ç").replace("O", "Ô")
    assert stem(fold(accented)) == stem(word)


@settings(deadline=None, derandomize=True)
@given(LIKELY_WORDS)
def test_no_word_becomes_one_that_stands_alone(word):
    """A keyword "set" is not found in every "setting"."""
    assert stem(word) not in stems._ALONE or word in stems._ALONE or word.removesuffix("s") in stems._ALONE


@pytest.mark.parametrize(("word", "expected"), sorted(stems._EXCEPTIONS.items()))
def test_an_exception_is_needed_and_leads_to_a_stem(word, expected, monkeypatch):
    """Endings alone would say something else, and the stem of what it leads to is itself."""
    assert stem(expected) == expected or stem(f"{expected}e") == expected or stem(f"{expected}r") == expected
    monkeypatch.delitem(stems._EXCEPTIONS, word)
    assert stem(word) != expected
