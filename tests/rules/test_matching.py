"""Keywords against a prompt (decision 16)."""

import pytest
from hypothesis import given

from limpet.ground.text.folding import fold
from limpet.rules import matching
from limpet.rules.check.manifest import check_list
from limpet.rules.format.manifest import read_manifest
from limpet.rules.matching import EVERYWHERE, EXCLUDE, RECALL, build_index, find_matches, keywords_of

from ..strategies import QUICK, SCRIPTS, any_text, prompts, st

WAYS = st.sampled_from(["words", "word", "substring"])
keywords = st.one_of(st.sampled_from((*SCRIPTS, "pull request", "c++", "f#", "node.js", "=exact", "a")), any_text)


def found(keyword, prompt, way="words"):
    """Whether the keyword is found."""
    recall, _ = find_matches(build_index([(0, RECALL, keyword, way)]), prompt)
    return bool(recall)


@pytest.mark.parametrize(("keyword", "prompt"), [
    ("test", "TESTS!"), ("pull request", "Pull\n\trequests"), ("pull\trequest", "pull request"),
    ("node.js", "use Node.js here"), ("c++", "modern C++."), ("f#", "(F#)"), ("função", "as FUNCOES"),
    ("funcoes", "Função"), ("測試", "請測試一下"), ("テスト", "自動テストを書く"), ("ทดสอบ", "โปรดทดสอบระบบ"),
    ("परीक्षण", "एक परीक्षण लिखो"), ("اختبار", "اكتب اختبار"), ("=test", "a test"),
    ("user-facing", "user facing text"), ("invoice", "stop invoicing them"), ("deploy", "the deployment failed"),
    ("configuration", "a configuração"), ("migración", "a migração"), ("accessibility", "acessibilidade"),
    ("pr", "open PRs"), ("=pull request", "the Pull  Request"),
])  # fmt: skip
def test_a_keyword_is_found(keyword, prompt):
    """Across cases, accents, white space, scripts and inflections."""
    assert found(keyword, prompt)


@pytest.mark.parametrize(("keyword", "prompt"), [
    ("test", "the latest contest"), ("=test", "tests"), ("pull request", "pull the request"),
    ("=pull request", "pull requests"), ("=pull request", "pulls request"), ("locale", "a local file"),
    ("rest", "o resto da lista"), ("production", "the products table"), ("container", "what it contains"),
    ("requirement", "it requires a token"), ("c++", "c"), ("c+", "c++"), ("c++", "libc++"),
    ("परीक्षण", "परीक्षणशाला"), ("", "anything"), ("=", "anything ="), (" ", "any thing"),
])  # fmt: skip
def test_a_keyword_is_not_found(keyword, prompt):
    """Parts of words, torn phrases, and nothing at all."""
    assert not found(keyword, prompt)


@pytest.mark.parametrize(
    ("keyword", "prompt", "heard"),
    [
        *(("^add", "Add a button", True), ("^add", "Good. Adding it", True), ("^add", "- add it", True)),
        *(("^add", "we add it", False), ("^=add", "adds it", False), ("^=add", "add it", True)),
        *(("^set up", "Set up the server", True), ("^set up", "set it up", False), ("^", "anything", False)),
        *(("^ajoute", "D'accord : ajoute-le", True), ("^add ... page", "Now. Add the new page", True)),
        *(("add ... page", "add page", True), ("add ... page", "we added a very new settings page", True)),
        *(("add ... page", "add one to three of the pages", False), ("=add ... page", "added a page", False)),
        *(("a ... b ... c", "a x b y y c", True), ("a ... b ... c", "a x b", False), ("... page ...", "a page", True)),
        *(("add...page", "add the page", True), ("^+1", "+1", True)),
    ],
)
def test_a_keyword_may_open_a_sentence_and_have_a_gap(keyword, prompt, heard):
    """``^`` in front, ``...`` for up to four words; both with ``=`` too."""
    assert found(keyword, prompt) == heard


def test_many_gaps_cost_no_more_than_their_words():
    """Not every way to part them is tried."""
    assert not found(" ... ".join(["a"] * 40 + ["b"]), "a " * 400)


def test_the_ways_word_and_substring():
    """CARL finds it in any place, multi-word across white space; ``word`` is as an equals sign before the keyword."""
    assert found("ui", "build it", "substring")
    assert found("ull\treq", "pull request", "substring")
    assert not found("ui", "construct", "substring")
    assert found("test", "a test", "word") and not found("test", "tests", "word")


@pytest.mark.parametrize(
    ("prompt", "heard"),
    [
        *(("The CI is red.", True), ("is it (ci)?", True), ("see `ci`, please", True), ("ci/cd", False)),
        *(("open ci.yml", False), ("run it --ci", False), ("see https://a.example/ci", False), ("ask @ci", False)),
        *(("tests/ci", False), ("test_ci", False), ("It works.CI", False), ("re-ci", True), ("on ci. Now", True)),
    ],
)
def test_a_word_meant_exactly_stands_on_its_own(prompt, heard):
    """Not in a path, a file name, an address or an option; an inflected one may."""
    assert found("=ci", prompt) == found("ci", prompt, "word") == heard
    assert found("ci", prompt)


def test_a_path_meant_exactly_is_found_as_it_is_written():
    """A keyword that is one itself."""
    assert found("=ci.yml", "open ci.yml, please") and not found("=ci.yml", "ci yml")
    assert found("=src/ui", "all of src/ui") and not found("=src/ui", "src ui")


def test_what_is_found_is_told_by_owner_and_role():
    """Exclusions for all have an owner of their own; each keyword is told as it was written."""
    index = build_index(
        [
            (EVERYWHERE, EXCLUDE, "chat", "words"),
            (0, RECALL, "API", "words"),
            (0, RECALL, "Route", "words"),
            (1, EXCLUDE, "mock", "words"),
        ]
    )
    assert find_matches(index, "chat of mock api routes") == (
        {0: ["API", "Route"]},
        {EVERYWHERE: ["chat"], 1: ["mock"]},
    )


def test_a_keyword_is_named_for_its_family_where_its_domain_has_no_better_one():
    """A domain with its keyword in three languages is called once, by the one that was typed."""
    index = build_index([(0, RECALL, word, "words") for word in ("erro", "error", "erreur")])
    assert find_matches(index, "an error")[0] == {0: ["error"]}
    index = build_index([(0, RECALL, "erreur", "words"), (1, RECALL, "error", "words")])
    assert find_matches(index, "an error")[0] == {0: ["erreur"], 1: ["error"]}


PAYMENTS = """\
PAYMENTS_RECALL=invoice
PAYMENTS_HINTS_MONEY=amount, price, =EUR
PAYMENTS_HINTS_CUSTOMER=customer, ^buy, pay ... back
PAYMENTS_HINTS_LAW=tax
PAYMENTS_DOUBTS_LAYOUT=font, margin
PAYMENTS_DOUBTS_TEXT=typo
PAYMENTS_EXCLUDE=mock
"""


def called_by(prompt):
    """The words by which the domain PAYMENTS is called, none where it stays silent."""
    (domain,) = read_manifest(PAYMENTS).domains
    called, excluded = find_matches(
        build_index((0, role, keyword, "words") for role, keyword in keywords_of(domain)), prompt
    )
    return called.get(0, []) if 0 not in excluded else []


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("which price does the customer see?", ["price", "customer"]),
        ("Prices: what CUSTOMERS get", ["price", "customer"]),
        ("ok. buy it for 3 EUR", ["=EUR", "^buy"]),
        ("can they pay all of it back, with tax?", ["pay ... back", "tax"]),
        ("a typo: the customer's price, tax included", ["price", "customer", "tax"]),
        # One line of hints, or as many doubts, do not; nor any number of lines where a word excludes the domain.
        *(("what does it cost?", []), ("amounts and prices in EUR", []), ("the customer's customer", [])),
        *(("we buy it, at what price?", []), ("a font for the customer's price", [])),
        *(("a typo in the font: the customer's price and tax", []), ("mock the price of a customer", [])),
        # A keyword is enough, and is named alone.
        *(("the font and a typo of the invoice", ["invoice"]), ("the customer's price on the invoice", ["invoice"])),
    ],
)
def test_words_of_two_lines_of_hints_call_their_domain(prompt, words):
    """Each written as keywords are; a line of doubts is offset by a third."""
    assert called_by(prompt) == words


@QUICK
@given(keywords, WAYS)
def test_every_keyword_finds_itself(keyword, way):
    """Whatever is written in a manifest can be typed in a prompt."""
    if fold(keyword).strip("= \t\r\n") and fold(" ".join(keyword.split()).lstrip("= ")).strip():
        assert found(keyword, keyword.lstrip("= \t\r\n"), way)


@QUICK
@given(st.lists(st.tuples(st.integers(-1, 3), st.sampled_from([RECALL, EXCLUDE]), keywords, WAYS)), prompts)
def test_keywords_do_not_disturb_one_another(entries, prompt):
    """One pass over the prompt finds what a search for each alone finds."""
    together = find_matches(build_index(entries), prompt)
    alone = ({}, {})
    for owner, role, keyword, way in entries:
        single = find_matches(build_index([(owner, role, keyword, way)]), prompt)
        if single[role]:
            alone[role].setdefault(owner, []).extend(single[role][owner])
    assert together == alone


@QUICK
@given(st.sampled_from(SCRIPTS), st.text(" \n\t", min_size=1, max_size=3))
def test_a_word_is_found_in_any_case_and_between_any_white_space(word, space):
    """Scripts without case among them."""
    assert found(word, f"{space}{word.upper()}{space}")
    assert found(word, f"x{space}{word.title()}{space}y")


def test_a_list_of_nothing_but_keywords_has_few_families(monkeypatch):
    """So many words have a family, each once; the others are found in their inflections."""
    monkeypatch.setattr(matching, "FAMILIES", 2)
    words = ("removal", "removal", "deploy", "erreur")
    index = build_index([(owner, RECALL, word, "words") for owner, word in enumerate(words)])
    assert find_matches(index, "remove the errors")[0] == {0: ["removal"], 1: ["removal"]}
    assert find_matches(index, "les erreurs")[0] == {3: ["erreur"]}


SPELLINGS = [
    ("[a-z]+", "what does [a-z]+ do", True), ("[a-z]+", "any word", False), ("a.b", "the a.b file", True),
    ("a.b", "the axb file", False), ("(x|y)", "match (x|y) here", True), ("(x|y)", "match x here", False),
    ("$^", "the $^ sign", True), ("$^", "no sign", False), ("\\d{2}", "use \\d{2} there", True),
    ("c++", "some C++ code", True), ("c++", "some c code", False), ("c#", "C# it is", True),
    (".net", "a .NET service", True), ("node.js", "Node.js here", True), ("😀", "well 😀 then", True),
    ("👩\u200d👩\u200d👧", "the 👩\u200d👩\u200d👧 emoji", True), ("größe", "die GRÖSSE", True),
    ("ação", "AÇAO rápida", True), ("café", "cafe\u0301 ole", True), ("ﬁle", "the file", True),
    ("İstanbul", "istanbul", True), ("٣٤", "number ٣٤ here", True), ("a\u2028b", "see a b", True),
    ("-", "a - b", True), ("-", "a-b", False),
]  # fmt: skip


@pytest.mark.parametrize(("keyword", "prompt", "said"), SPELLINGS)
def test_a_keyword_of_a_manifest_means_itself(keyword, prompt, said):
    """None is a pattern; symbols, emoji, accents, ligatures and digits of other scripts match as they read."""
    (domain,) = read_manifest(f"API_RECALL={keyword}\n").domains
    assert any(found(each, prompt) for _, each in keywords_of(domain)) == said


@pytest.mark.parametrize("keyword", sorted({keyword for keyword, _, said in SPELLINGS if said} - {"a\u2028b"}))
def test_a_keyword_of_any_characters_is_no_mistake(keyword):
    """What can match is not called impossible, be it a regular expression by its looks."""
    assert list(check_list(keyword)) == []
