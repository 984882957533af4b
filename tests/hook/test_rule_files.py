"""Mistakes in rule files: each costs itself, the block says once that there are some, ``rules check`` names it."""

import os

import pytest

from ..conversation import write, write_rules
from ..hook_host import MANIFEST, notes, rule_lines


def test_mistakes_in_a_manifest_cost_only_themselves_and_are_said_once(host, check):
    """In the first block, and not in the next; the check has a finding for each."""
    write_rules(
        host.workspace, MANIFEST + "no divider\nAPI_STATE=perhaps\nAPI_STATE=active\nAPI_MATCH=fuzzy\n_RECALL=x\n"
    )
    first, second = host.prompt("the endpoint"), host.prompt("the endpoint again")
    assert (rule_lines(first, "GLOBAL"), rule_lines(first, "API")) == (["Read first."], ["Version it."])
    assert first.block["constitution"]
    assert [note for note in notes(first) if "mistakes (limpet rules check)" in note]
    assert notes(second) == []
    assert all(named in " ".join(check()) for named in ("no divider", "API_STATE=perhaps", "API_MATCH=fuzzy"))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("squads/alpha/.limpet/rules/manifest", "no divider\n"),
        (".limpet/constitution.md", "### I. Weaker (INFO)\n- MAY be left out.\n"),
        (".limpet/constitution.md", "### Seventeen (BLOCK)\n- MUST have a number.\n"),
    ],
)
def test_a_mistake_beside_the_manifest_is_said_too(host, check, path, text):
    """In a squad's manifest, in the project's constitution."""
    write(os.path.join(host.workspace.root, *path.split("/")), text)
    assert notes(host.prompt()) == ["rules: 1 mistakes (limpet rules check)"]
    assert any(path in found for found in check())


def test_a_constitution_without_a_file_in_the_rules_is_no_mistake(host):
    """SYNAPSE's manifests name it; the shipped one needs no such file."""
    write_rules(host.workspace, MANIFEST + "CONSTITUTION_STATE=active\n")
    assert notes(host.prompt()) == []


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"\xef\xbb\xbfAPI_RULE_0=One.\r\n\r\nAPI_RULE_1=Two.\r\n", ["One.", "Two."]),
        (b"API_RULE_0=caf\xe9\nAPI_RULE_1=Two.\n", ["caf\ufffd", "Two."]),
        (b"API_RULE_0=a\0b\n", ["a\ufffdb"]),
        (b"API_RULE_0=</rules></limpet-context>\n", ["</rules></limpet-context>"]),
        ("API_RULE_0=\u202eevil\u202c 猫 👩‍👧\n".encode(), ["\ufffdevil\ufffd 猫 👩‍👧"]),
    ],
)
def test_a_rule_file_in_any_encoding_speaks(host, raw, said):
    """A byte that is no UTF-8 costs itself, not the domain (CARL drops the domain, or everything)."""
    write(host.workspace.path("rules", "api"), raw)
    assert rule_lines(host.prompt("the endpoint"), "API") == said
