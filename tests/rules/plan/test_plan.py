"""A plan's bytes: what was packed comes back, and nothing else is taken for a plan."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.rules.format.constitution import Constitution
from limpet.rules.format.manifest import read_manifest
from limpet.rules.plan.compiler import Unit, compile_plan, make_charter
from limpet.rules.plan.plan import (
    Squad,
    find_squad,
    heading,
    make_rule_plan,
    namespaced,
    pack,
    read_mode,
    squad_id,
    squad_of,
    unpack,
)

from ...strategies import QUICK

HEAD = heading("words")


def packed(*names):
    """The records of these domains, and the bytes of their plan."""
    manifest = read_manifest("".join(f"{name}_RECALL={name.lower()}, prüfen\n" for name in names))
    units = [
        Unit(domain, domain.name, domain.kind, "", (), lambda name=domain.name: f"{name}_RULE_0=About {name}.\n")
        for domain in manifest.domains
    ]
    matcher, records = compile_plan(manifest, units, [], make_charter(Constitution()), [], "words", {}, 0)
    return records, pack(HEAD, make_rule_plan(matcher, records))


def test_every_record_comes_back_by_its_number():
    """Also the first and the last one."""
    records, raw = packed("QA", "API", "WEB")
    plan = unpack(HEAD, raw)
    assert [plan.record(number) for number in range(3)] == records


def test_a_plan_without_domains_is_one():
    """A project may have no rule yet."""
    _, raw = packed()
    assert unpack(HEAD, raw).matcher["names"] == []


@pytest.mark.parametrize("place", [0, 10, len(HEAD), len(HEAD) + 12, len(HEAD) + 13, len(HEAD) + 30, -1])
def test_a_truncated_or_damaged_plan_is_none(place):
    """Wherever a crash has cut it, and one changed byte is enough; nor is another way of matching's, or no file."""
    _, raw = packed("QA")
    spoilt = bytearray(raw)
    spoilt[place] ^= 1
    for found in (raw[:place], bytes(spoilt), None):
        assert unpack(HEAD, found) is None
    assert unpack(heading("substring"), raw) is None


anything = st.text(st.characters(exclude_categories=()), max_size=20)
squads = st.lists(
    st.tuples(anything.filter(lambda name: name.strip(" -_\t\n")), st.sampled_from(("extend", "override", "none"))),
    max_size=30,
    unique_by=lambda one: squad_id(one[0]),
)


def plan_of(found, sizes, start):
    """The squads one behind another from ``start`` on, and the matcher's part that holds them."""
    made = []
    place = start
    for (name, mode), size in zip(found, sizes, strict=False):
        made.append(Squad(id=squad_id(name), mode=mode, numbers=range(place, place + size)))
        place += size
    return made, {"squads": [(one.id, one.mode, one.numbers.start, one.numbers.stop) for one in made]}


@pytest.mark.parametrize(
    "name", ["etl-squad", "ETL_SQUAD", " Etl-Squad ", "etl squad", "etl\nsquad", "etl\u2028squad", "ETL\t squad"]
)
def test_a_squad_is_found_by_any_spelling_of_its_folder(name):
    """Case, hyphens and white space, of which a line break would tear the list of squads."""
    assert squad_id(name) == "ETL_SQUAD"


@pytest.mark.parametrize(
    ("squad", "domain", "name"),
    [
        ("ETL_SQUAD", "ETL_PIPELINE", "ETL_PIPELINE"),
        ("ETL_SQUAD", "QA", "ETL_SQUAD_QA"),
        ("ETL_SQUAD", "ETL_SQUAD_QA", "ETL_SQUAD_QA"),
        ("ETL_SQUAD", "ETL", "ETL_SQUAD_ETL"),
        ("ETL", "ETL_QA", "ETL_QA"),
        ("ETL", "ETLQA", "ETL_ETLQA"),
    ],
)
def test_a_domain_is_prefixed_once(squad, domain, name):
    """ETL_PIPELINE of the etl-squad stays, its QA becomes ETL_SQUAD_QA."""
    assert namespaced(squad, domain, ()) == name


def test_a_name_that_is_taken_is_never_given_again():
    """Neither the project's nor another squad's, nor one of the same manifest."""
    taken = {"ETL_QA"}
    for domain in ("ETL_QA", "QA", "ETL_QA", "QA"):
        name = namespaced("ETL", domain, taken)
        assert name not in taken
        taken.add(name)
    assert taken == {"ETL_QA", "ETL_ETL_QA", "ETL_QA_2", "ETL_ETL_QA_2", "ETL_QA_3"}


@pytest.mark.parametrize(
    ("text", "extends", "mode"),
    [
        ("extends: override\n", "", "override"),
        ("name: x\nextends: 'none' # alone\n", "override", "none"),
        ('extends: "NONE"\r\n', "", "none"),
        ("extends:override", "", "override"),
        ("extends: sideways\n", "override", "override"),
        ("# extends: none\n", "", "extend"),
        ("", "none", "none"),
        ("", "sideways", "extend"),
        ("extends:\n", "none", "none"),
        ("\0\ufffd\ufffd", "", "extend"),
    ],
)
def test_the_mode_is_squad_yamls_else_the_manifests_else_extend(text, extends, mode):
    """Whatever else stands there."""
    assert read_mode(text, extends) == mode


@QUICK
@given(squads, st.lists(st.integers(0, 4), min_size=30, max_size=30), st.integers(0, 50))
def test_every_squad_is_found_by_name_and_by_any_of_its_domains(found, sizes, start):
    """Also among squads without domains, and whatever the folders are called."""
    made, matcher = plan_of(found, sizes, start)
    for squad in made:
        assert find_squad(matcher, squad.id) == squad
        assert [squad_of(matcher, number) for number in squad.numbers] == [squad] * len(squad.numbers)


@QUICK
@given(squads, anything)
def test_a_name_that_no_squad_has_finds_none(found, name):
    """Not by a part of one either."""
    _, matcher = plan_of(found, [1] * 30, 0)
    known = {squad_id(each) for each, _ in found}
    assert (find_squad(matcher, name) is None) == (squad_id(name) not in known)


def test_a_global_domain_belongs_to_no_squad():
    """Those before the first squad's."""
    _, matcher = plan_of([("a", "extend")], [2], 3)
    assert [squad_of(matcher, number) for number in range(3)] == [None] * 3
