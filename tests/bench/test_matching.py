"""The matching bench: its loader, its splits and its arithmetic, on examples that can be counted by hand."""

from collections import Counter

import pytest

from limpet.ground.text.words import LANGUAGES
from limpet.rules.format.manifest import Domain, read_manifest

from .bench_module import BENCH, bench_module


@pytest.fixture(scope="module")
def matching():
    with bench_module("matching") as module:
        yield module


@pytest.fixture(scope="module")
def prompts(matching):
    return matching.read_prompts((BENCH / "matching" / "prompts.tsv").read_text(encoding="utf-8"))


def test_a_row_is_read_with_its_labels_and_line_breaks(matching):
    table = "id\tlanguage\tsplit\tlabels\tprompt\nen-1\ten\tdev\tA,B\tfirst\\nsecond\nfr-1\tfr\theld\t-\tok vas-y\n"
    first, second = matching.read_prompts(table)
    assert (first.language, first.split, first.labels, first.text) == ("en", "dev", {"A", "B"}, "first\nsecond")
    assert second.labels == frozenset()


def test_the_splits_divide_the_prompts(matching, prompts):
    dev, held = matching.select(prompts, "dev"), matching.select(prompts, "held")
    assert abs(len(dev) - len(held)) <= 1
    assert {prompt.id for prompt in dev}.isdisjoint(prompt.id for prompt in held)
    assert matching.select(prompts, "all") == prompts


def test_the_shipped_prompts_are_many_distinct_and_labelled_with_known_domains(prompts):
    names = {domain.name for domain in read_manifest((BENCH / "matching" / "manifest").read_text("utf-8")).domains}
    assert len(names) >= 25 and len(prompts) >= 320
    assert len({prompt.id for prompt in prompts}) == len(prompts)
    assert set().union(*(prompt.labels for prompt in prompts)) == names
    assert set(LANGUAGES) == set(Counter(prompt.language for prompt in prompts))


def test_precision_recall_and_f1_are_counted_over_pairs(matching):
    """Nothing found and nothing wanted scores zero instead of failing."""
    pairs = [
        (frozenset("A"), frozenset("A")),
        (frozenset("AB"), frozenset("BC")),
        (frozenset(), frozenset()),
        (frozenset("A"), frozenset()),
    ]
    score = matching.score(pairs)
    assert (score.right, score.wrong, score.missed) == (2, 1, 2)
    assert score.precision == pytest.approx(2 / 3)
    assert score.recall == pytest.approx(1 / 2)
    assert score.f1 == pytest.approx(4 / 7)
    assert matching.score([(frozenset(), frozenset())]).f1 == 0


def test_a_matcher_is_measured_by_language_and_by_domain(matching):
    domains = [Domain("A"), Domain("B"), Domain("UNHEARD")]
    prompts = [
        matching.Prompt("1", "en", "dev", frozenset("A"), "one"),
        matching.Prompt("2", "pt", "dev", frozenset("B"), "dois"),
    ]
    result = matching.measure(lambda prompt: {"A": ["one"]}, prompts, domains)
    assert result["all"] == {"precision": 0.5, "recall": 0.5, "f1": 0.5, "macro_f1": pytest.approx(1 / 3, abs=1e-4)}
    assert (result["en"]["f1"], result["pt"]["f1"]) == (1.0, 0.0)


def test_carl_finds_a_keyword_inside_another_word_unless_an_exclude_is_there_too(matching):
    domains = [Domain("T", recall=("Test",)), Domain("U", recall=("ui",), exclude=("latest",))]
    assert matching.match_as_carl(domains, "The LATEST build") == {"T": ["Test"]}


def test_the_default_matcher_knows_inflections_and_the_exact_one_does_not(matching):
    matchers = matching.make_matchers([Domain("T", recall=("test",))])
    assert matchers["default"]("the tests fail") == {"T": ["test"]}
    assert matchers["word"]("the tests fail") == {}


def test_the_check_names_the_rival_that_is_not_beaten_and_a_fall_in_precision(matching):
    def row(f1, precision):
        return {"all": {"f1": f1, "precision": precision}}

    near = {"default": row(0.70, 0.80), "word": row(0.60, 0.90), "CARL": row(0.68, 0.60)}
    good = {"precision": 0.83, "f1": 0.77}
    assert len(matching.check(near, good)) == 2
    assert matching.check(near | {"default": row(0.75, 0.88)}, good) == []


@pytest.mark.parametrize("low", [{"precision": 0.82, "f1": 0.80}, {"precision": 0.90, "f1": 0.76}])
def test_the_check_names_a_figure_over_all_prompts_that_is_too_low(matching, low):
    same = {"all": {"f1": 0.80, "precision": 0.85}}
    rival = {"all": {"f1": 0.60, "precision": 0.85}}
    assert len(matching.check({"default": same, "word": rival, "CARL": rival}, low)) == 1


def test_the_default_keeps_its_promises_on_the_shipped_prompts(matching, prompts):
    """Over all of them; the set was written in this project, and its splits differ by chance."""
    domains = read_manifest((BENCH / "matching" / "manifest").read_text("utf-8")).domains
    whole = matching.measure(matching.make_matchers(domains)["default"], prompts, domains)["all"]
    assert whole["precision"] >= matching.LEAST_PRECISION
    assert whole["f1"] >= matching.LEAST_F1
