"""The manifest (decision 15)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.rules.format.manifest import SUFFIXES, read_manifest

from ...strategies import QUICK, hostile


def only(text):
    """The one domain of a manifest."""
    (domain,) = read_manifest(text).domains
    return domain


def test_a_domain_has_what_its_keys_say():
    """All of CARL's and SYNAPSE's suffixes, and ours."""
    domain = only(
        "AGENT_X_STATE=active\nAGENT_X_ALWAYS_ON=yes\nAGENT_X_RECALL=a, b c\nAGENT_X_EXCLUDE=d\n"
        "AGENT_X_AGENT_TRIGGER=@Some_One\n"
        "AGENT_X_WORKFLOW_TRIGGER=wf\nAGENT_X_NON_NEGOTIABLE=true\nAGENT_X_MATCH=Substring\n"
    )
    assert (domain.name, domain.active, domain.always_on) == ("AGENT_X", True, True)
    assert (domain.recall, domain.exclude, domain.match) == (("a", "b c"), ("d",), "substring")
    assert (domain.agent, domain.workflow, domain.kind, domain.firm) == ("some-one", "wf", "agent", True)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("CONSTITUTION_STATE=active", "constitution"),
        ("GLOBAL_STATE=active", "global"),
        ("CONTEXT_STATE=active", "context"),
        ("COMMANDS_RECALL=x", "commands"),
        ("AGENT_DEV_STATE=active", "agent"),
        ("WORKFLOW_X_STATE=active", "workflow"),
        ("HOUSE_ALWAYS_ON=true", "always"),
        ("API_RECALL=x", "keyword"),
        ("AGENT_DEV_AGENT_TRIGGER=\nAGENT_DEV_RECALL=x", "keyword"),
    ],
)
def test_a_domain_is_of_one_kind(text, kind):
    """By its name first, then by what triggers it."""
    assert only(text).kind == kind


def test_a_keyword_list_may_have_further_lines():
    """In the file's order; lines of one name, as git leaves them of two branches, count together. Hints and doubts
    count by line."""
    assert only("A_RECALL=x, z\nA_RECALL=y, z\nA_STATE=active\nA_STATE=inactive\n").recall == ("x", "z", "y")
    assert not only("A_RECALL=x\nA_STATE=active\nA_STATE=inactive\n").active
    domain = only("A_RECALL_PT=erro\nA_RECALL=error\nA_RECALL_FR=x\nA_RECALL_FR=erreur, bogue\nA_EXCLUDE_2=chat\n")
    assert (domain.name, domain.recall, domain.exclude) == ("A", ("erro", "error", "x", "erreur", "bogue"), ("chat",))
    assert read_manifest("GLOBAL_EXCLUDE=a\nGLOBAL_EXCLUDE_PT=b\n").global_exclude == ("a", "b")
    assert read_manifest("A_RECALL_=x\n").problems == ((1, "unknown key 'A_RECALL_'"),)
    domain = only("A_HINTS_B=x, y\nA_HINTS=z\nA_DOUBTS_C_D=v\n")
    assert (domain.name, domain.hints, domain.doubts) == ("A", (("x", "y"), ("z",)), (("v",),))


def test_special_domains_have_no_keywords():
    """GLOBAL_EXCLUDE is the exclusion for all, never the GLOBAL domain's own."""
    manifest = read_manifest("GLOBAL_EXCLUDE=chat, , talk\nGLOBAL_RECALL=x\n")
    assert manifest.global_exclude == ("chat", "talk")
    assert [(domain.name, domain.recall, domain.exclude) for domain in manifest.domains] == [("GLOBAL", (), ())]


@pytest.mark.parametrize(
    ("text", "on"), [("true", True), ("YES", True), ("1", True), ("on", True), ("", False), ("x", False)]
)
def test_dev_mode_is_a_switch(text, on):
    """SYNAPSE accepts one word only."""
    assert read_manifest(f"DEVMODE={text}\n").devmode == on


def test_the_order_can_be_given():
    """Unknown names in it are passed over, unnamed domains follow in order of appearance."""
    manifest = read_manifest("A_RECALL=x\nB_RECALL=x\nC_RECALL=x\nDOMAIN_ORDER=C, NONE, A\n")
    assert [domain.name for domain in manifest.domains] == ["C", "A", "B"]


def test_the_constitution_stays_active_and_the_attempt_is_a_problem():
    """Decision 15."""
    manifest = read_manifest("CONSTITUTION_STATE=inactive\n")
    assert manifest.domains[0].active
    assert manifest.problems == ((0, "CONSTITUTION cannot be switched off: it stays active"),)


def test_mistakes_are_named_by_line():
    """A line without a divider and a key that nobody knows."""
    problems = read_manifest("A_RECALL=x\njust words\nA_RECAL=y\n_STATE=active\n").problems
    assert [number for number, _ in problems] == [2, 3, 4]


@QUICK
@given(st.lists(st.one_of(hostile, st.tuples(hostile, st.sampled_from(SUFFIXES), hostile).map("".join))).map("\n".join))
def test_any_text_gives_a_manifest_with_each_domain_once(text):
    """Nothing raises, names are unique and never empty, keywords never empty."""
    manifest = read_manifest(text)
    names = [domain.name for domain in manifest.domains]
    assert len(names) == len(set(names)) and all(names)
    assert all(word.strip() for domain in manifest.domains for word in (*domain.recall, *domain.exclude))
