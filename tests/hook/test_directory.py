"""The stable part names the domains that no word called, once an epoch, and nothing gives way to them."""

import pytest

from limpet.context.pipeline import build_block
from limpet.ground.text.tokens import estimate_tokens

from ..context.test_pipeline import CONTEXT, STILL, build, domain, make
from ..conversation import write, write_rules

NAMES = ("API", "CACHE", "DATES", "MAIL", "PAYMENT", "SEARCH")
WORDS = {name: f"{name.lower()}s, {name.lower()}word" for name in NAMES}


def write_domains(workspace, names=NAMES):
    manifest = "GLOBAL_ALWAYS_ON=true\n" + "".join(f"{name}_RECALL={WORDS[name]}\n" for name in names)
    rules = {name.lower(): f"{name}_RULE_0=Mind the {name.lower()} at all times.\n" for name in names}
    write_rules(workspace, manifest, **{"global": "GLOBAL_RULE_0=Read first.\n"}, **rules)


def named(answer):
    """The names in the block's directory."""
    return [line.partition(":")[0] for line in answer.block["directory"]] if answer.block else []


def test_the_first_block_names_what_no_word_called(host):
    """With the command that opens one, and the domain that the prompt calls is none of them."""
    write_domains(host.workspace)
    answer = host.prompt("look at the payments")
    assert 'open="limpet rules show NAME"' in answer.text
    assert named(answer) and "PAYMENT" not in named(answer)
    assert set(named(answer)) <= set(NAMES)


def test_later_prompts_carry_no_directory(host):
    """What is sent on them is what it was without one."""
    write_domains(host.workspace)
    host.prompt("hello")
    later = host.prompt("look at the payments", prompt_id="p2")
    assert named(later) == []
    assert [rules["domain"] for rules in later.block["rules"]] == ["PAYMENT"]
    assert later.block["in_force"] == []


@pytest.mark.parametrize(("names", "tokens"), [(NAMES[:4], 100), (NAMES, 0)])
def test_few_domains_and_a_setting_of_no_tokens_have_no_directory(host, names, tokens):
    write_domains(host.workspace, names)
    write(host.workspace.path("config.yaml"), f"context:\n  directory:\n    tokens: {tokens}\n")
    assert named(host.prompt("hello")) == []


def test_a_domain_that_is_switched_off_is_not_named(host):
    write_domains(host.workspace)
    assert "MAIL" in named(host.prompt("hello"))
    assert "MAIL" not in named(host.prompt("*limpet off MAIL", session_id="other"))


def test_a_domain_without_keywords_shows_the_words_of_its_first_rule(host):
    write_domains(host.workspace)
    manifest = "MUTE_STATE=active\n" + "".join(f"{name}_RECALL={WORDS[name]}\n" for name in NAMES[:4])
    write_rules(host.workspace, manifest, mute="MUTE_RULE_0=Round the sums of every bill up.\n")
    line = next(line for line in host.prompt("hello").block["directory"] if line.startswith("MUTE: "))
    assert "Round the sums of every bill up.".startswith(line.removeprefix("MUTE: "))


def test_keywords_of_one_family_count_once(host):
    write_domains(host.workspace)
    manifest = "".join(f"{name}_RECALL={WORDS[name]}\n" for name in NAMES[:4])
    write_rules(host.workspace, f"RUN_RECALL=test, tests, testing, coverage\n{manifest}", run="RUN_RULE_0=Run it.\n")
    assert "RUN: test coverage" in host.prompt("hello").block["directory"]


def test_no_secret_is_named(host):
    write_domains(host.workspace)
    manifest = "".join(f"{name}_RECALL={WORDS[name]}\n" for name in NAMES[:4])
    write_rules(host.workspace, f"KEY_RECALL=ghp_{'a1B2c3' * 6}, vault\n{manifest}", key="KEY_RULE_0=Keep it.\n")
    assert "ghp_" not in host.prompt("hello").text


@pytest.mark.parametrize("count", [5, 12, 40])
def test_it_takes_its_tokens_and_whole_domains_only(count):
    """As few words each as name the most, and never half of one."""
    directory = tuple((f"DOMAIN{n}", ("first", "second", "third", "fourth", "fifth")) for n in range(count))
    result = build_block(make(directory=directory, listed=count), STILL)
    start, end = result.block.index("<directory"), result.block.index("</directory>")
    assert estimate_tokens(result.block[start:end] + "</directory>\n") <= CONTEXT["directory"]["tokens"]
    lines = build(make(directory=directory, listed=count))["directory"]
    assert lines and len({len(line.split()) for line in lines}) == 1
    assert 3 <= len(lines[0].split()) <= 6


@pytest.mark.parametrize("length", range(2200, 2700, 25))
def test_no_rule_gives_way_to_it(length):
    """Whatever the size of the rules: the block is the one without a directory, and what is left of the room."""
    rules = tuple(domain(f"G{n}", *(f"{'word ' * 30}{n}{m}." for m in range(5))) for n in range(4))
    settings = {**CONTEXT, "budgets": {**CONTEXT["budgets"], "FRESH": length - 1200}}
    directory = tuple((name, (name.lower(),)) for name in NAMES)
    plain = make(settings=settings, standing=rules)
    with_it = build(plain.replace(rules=plain.rules.replace(directory=directory, listed=6)))
    without = build(plain)
    assert [each["lines"] for each in with_it["rules"]] == [each["lines"] for each in without["rules"]]
    assert with_it["left_out"] == without["left_out"]


@pytest.mark.parametrize("bracket", ["DEPLETED", "CRITICAL"])
def test_it_is_silent_where_keywords_are(bracket):
    """Nobody is told to open what the bracket leaves out."""
    directory = tuple((name, (name.lower(),)) for name in NAMES)
    assert build(make(bracket, directory=directory, listed=6))["directory"] == []
