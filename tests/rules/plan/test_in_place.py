"""The texts of another tool's folder, and how they are joined with ours."""

import json

import pytest

from limpet.rules.format.domain import read_domain
from limpet.rules.format.manifest import read_manifest
from limpet.rules.plan.in_place import join_manifests, join_rules, read_folder, texts_of_carl


@pytest.mark.parametrize(
    ("own", "other", "joined"),
    [
        (None, "# Theirs\r\nQA_RULE_3=a\r\n", "# Theirs\r\nQA_RULE_3=a\r\n"),
        ("QA_RULE_0=a", "QA_RULE_0=b\nQA_AUTH_0=c\n", "QA_RULE_0=a\nQA_RULE_2=b\nQA_AUTH_3=c\n"),
        ("QA_RULE_0=a\n", "QA_RULE_5=a\n", "QA_RULE_0=a\n"),
        ("QA_RULE_0=a\n", "b = c\nd\n", "QA_RULE_0=a\nQA_RULE_2=b = c\nQA_RULE_3=d\n"),
        ("a\nb\n", "QA_RULE_0=b\nQA_RULE_1=c\n", "a\nb\nc\n"),
        ("", "QA_RULE_0=a\n", "a\n"),
    ],
)
def test_their_rules_come_behind_ours(own, other, joined):
    """Each once, in the form of our file, under numbers that nobody has."""
    assert join_rules("QA", own, other) == joined
    theirs = read_domain("QA", other)
    said = read_domain("QA", joined)
    assert {*theirs.rules, *theirs.authority} <= {*said.rules, *said.authority}


def test_what_our_manifest_says_holds():
    """Lists of keywords of both count, of domains and of all."""
    own = "GLOBAL_EXCLUDE=x\nQA_STATE=inactive\nQA_RECALL=test\n"
    other = "GLOBAL_EXCLUDE=y, z\nQA_STATE=active\nQA_RECALL=check, proof\nQA_ALWAYS_ON=true\nAPI_RECALL=route\n"
    found = read_manifest(join_manifests(own, other, ".carl"))
    assert found.global_exclude == ("x", "y", "z")
    domains = {domain.name: domain for domain in found.domains}
    assert (domains["QA"].active, domains["QA"].recall) == (False, ("test", "check", "proof"))
    assert domains["QA"].always_on and domains["API"].recall == ("route",)
    assert found.problems == ()


def test_a_manifest_of_names_and_paths_is_read():
    """A path elsewhere counts for nothing."""
    texts = {"s/manifest": "agent-dev=s/agent-dev\nowner=.business/OWNER.md\nQA_STATE=active\n", "s/agent-dev": "x"}
    manifest, files = read_folder("s", ["manifest", "agent-dev"], texts.get)
    assert manifest == "AGENT_DEV_STATE=active\n# Not in this folder: owner=.business/OWNER.md\nQA_STATE=active\n"
    assert files["agent-dev"][0] == "s/agent-dev" and files["agent-dev"][1]() == "x"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"domains": []}', '{"domains": {"A": null}, "config": 3}'])
def test_a_carl_json_of_another_shape_says_nothing(text):
    texts = texts_of_carl(text)
    assert not any(texts[name] for name in texts if name != "manifest")


def test_a_rule_of_carl_json_stays_one_line():
    told = {"domains": {"A": {"rules": [{"text": "one\ntwo"}, {"text": ""}, "plain"]}}}
    assert texts_of_carl(json.dumps(told))["a"] == "A_RULE_0=one two\nA_RULE_2=plain\n"
