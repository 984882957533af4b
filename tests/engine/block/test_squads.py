"""Squads: whose rules come when, and in whose place (decision 18; SYNAPSE never parses the modes)."""

import os

import pytest

from ...conversation import Conversation, write, write_rules

MANIFEST = "GLOBAL_ALWAYS_ON=true\nDB_RECALL=table\n"


@pytest.fixture
def talking(workspace):
    """A project with a global DB domain and a conversation in it."""
    write_rules(workspace, MANIFEST, **{"global": "GLOBAL_RULE_0=Read first.\n", "db": "DB_RULE_0=The project's.\n"})
    return Conversation(workspace)


def found_squad(
    workspace, extends="", rules=".limpet/rules", name="etl-squad", manifest="DB_RECALL=table\nLOAD_RECALL=batch\n"
):
    """A squad with a DB domain and one of its own."""
    folder = os.path.join(workspace.root, "squads", name)
    write(os.path.join(folder, "squad.yaml"), f"name: {name}\n{f'extends: {extends}' if extends else ''}\n")
    write(os.path.join(folder, *rules.split("/"), "manifest"), manifest)
    write(os.path.join(folder, *rules.split("/"), "db"), "DB_RULE_0=The squad's.\n")
    write(os.path.join(folder, *rules.split("/"), "load"), "LOAD_RULE_0=In batches.\n")


def said(block):
    """Domain -> its rules, of the domains beside GLOBAL."""
    return {each["domain"]: each["lines"] for each in (block or {"rules": []})["rules"] if each["domain"] != "GLOBAL"}


@pytest.mark.parametrize("rules", [".limpet/rules", ".synapse"])
def test_a_keyword_calls_a_squads_domain_beside_the_global_one(talking, workspace, rules):
    """Without an active squad and without a mode: extend, in either home, under a name of its own."""
    found_squad(workspace, rules=rules)
    block = talking.prompt("the table")
    assert said(block) == {"DB": ["The project's."], "ETL_SQUAD_DB": ["The squad's."]}
    assert [each["squad"] for each in block["rules"] if each["domain"] == "ETL_SQUAD_DB"] == ["ETL_SQUAD"]
    assert said(talking.prompt("in a batch")) == {"ETL_SQUAD_LOAD": ["In batches."]}


def test_the_active_squads_domains_come_without_a_keyword(talking, workspace):
    """All of them, in the very prompt that names the squad."""
    found_squad(workspace)
    assert said(talking.prompt("*work squad etl-squad")) == {
        "ETL_SQUAD_DB": ["The squad's."],
        "ETL_SQUAD_LOAD": ["In batches."],
    }


def test_override_replaces_the_global_domain_while_the_squad_is_active(talking, workspace):
    """Before, both speak; then the squad's alone."""
    found_squad(workspace, "override")
    assert said(talking.prompt("the table"))["DB"] == ["The project's."]
    block = talking.prompt("*work squad etl-squad\nthe table, *limpet reload")
    assert ["The project's."] not in said(block).values()
    assert ["The squad's."] in said(block).values()


def test_none_loads_only_while_the_squad_is_active(talking, workspace):
    """And stands outside the exclusions for all."""
    found_squad(workspace, "none")
    write(workspace.path("rules", "manifest"), MANIFEST + "GLOBAL_EXCLUDE=chat\n")
    assert said(talking.prompt("the table, in a batch")) == {"DB": ["The project's."]}
    block = talking.prompt("*work squad etl_squad\njust chat of the table")
    assert said(block) == {"ETL_SQUAD_DB": ["The squad's."], "ETL_SQUAD_LOAD": ["In batches."]}


def test_a_global_exclusion_stops_an_extending_squad(talking, workspace):
    """Its rules are keyword rules like others."""
    found_squad(workspace)
    write(workspace.path("rules", "manifest"), MANIFEST + "GLOBAL_EXCLUDE=chat\n")
    assert said(talking.prompt("just chat of the table")) == {}


def test_the_mode_may_stand_in_the_manifest(talking, workspace):
    """``<SQUAD>_EXTENDS``, where squad.yaml names none."""
    found_squad(workspace, manifest="ETL_SQUAD_EXTENDS=none\nDB_RECALL=table\n")
    assert said(talking.prompt("the table")) == {"DB": ["The project's."]}


@pytest.mark.parametrize(
    ("name", "domain", "full"),
    [("etl-squad", "ETL_LOAD", "ETL_LOAD"), ("etl", "ETL_LOAD", "ETL_LOAD"), ("etl", "LOAD", "ETL_LOAD")],
)
def test_a_name_that_begins_with_the_squads_is_not_prefixed_again(talking, workspace, name, domain, full):
    """ETL_LOAD of the etl-squad is ETL_LOAD."""
    found_squad(workspace, name=name, manifest=f"{domain}_RECALL=batch\n")
    write(os.path.join(workspace.root, "squads", name, ".limpet", "rules", "etl-load"), "ETL_LOAD_RULE_0=In batches.\n")
    assert said(talking.prompt("a batch")) == {full: ["In batches."]}


def test_an_inactive_domain_of_a_squad_never_loads(talking, workspace):
    """SYNAPSE loads every domain of every squad."""
    found_squad(workspace, manifest="DB_RECALL=table\nDB_STATE=inactive\n")
    assert said(talking.prompt("*work squad etl-squad\nthe table")) == {"DB": ["The project's."]}


def test_an_edit_in_a_squad_shows_at_the_very_next_prompt(talking, workspace):
    """Of a rule, of the mode, and a squad that appears or goes (decision 10)."""
    talking.prompt("the table")
    found_squad(workspace)
    assert said(talking.prompt("the table")) == {"ETL_SQUAD_DB": ["The squad's."]}
    write(os.path.join(workspace.root, "squads", "etl-squad", ".limpet", "rules", "db"), "DB_RULE_0=New.\n")
    assert said(talking.prompt("the table")) == {"ETL_SQUAD_DB": ["New."]}
    write(os.path.join(workspace.root, "squads", "etl-squad", "squad.yaml"), "extends: none\n")
    assert "ETL_SQUAD_DB" not in talking.prompt("the table")["in_force"]


def test_an_unknown_squad_changes_nothing(talking):
    """Its name stands in the session, and no rules come of it."""
    assert said(talking.prompt("*work squad nobody\nthe table")) == {"DB": ["The project's."]}
