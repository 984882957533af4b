"""A plan's bytes: what was packed comes back, and nothing else is taken for a plan."""

import pytest

from limpet.rules.format.constitution import Constitution
from limpet.rules.format.manifest import read_manifest
from limpet.rules.plan.compiler import Unit, compile_plan, make_charter
from limpet.rules.plan.plan import heading, pack, pack_stamps, unpack

HEAD = heading("words")


def packed(*names):
    """The records of these domains, and the bytes of their plan."""
    manifest = read_manifest("".join(f"{name}_RECALL={name.lower()}, prüfen\n" for name in names))
    units = [
        Unit(domain, domain.name, domain.kind, "", (), lambda name=domain.name: f"{name}_RULE_0=About {name}.\n")
        for domain in manifest.domains
    ]
    matcher, records = compile_plan(manifest, units, [], make_charter(Constitution()), [], "words", {}, 0)
    return records, pack(HEAD, matcher, records)


def test_every_record_comes_back_by_its_number():
    """Also the first and the last one."""
    records, raw = packed("QA", "API", "WEB")
    plan = unpack(HEAD, raw)
    assert [plan.record(number) for number in range(3)] == records


def test_a_plan_without_domains_is_one():
    """A project may have no rule yet."""
    _, raw = packed()
    assert unpack(HEAD, raw).matcher["names"] == []


@pytest.mark.parametrize("size", [0, 10, len(HEAD) + 12, len(HEAD) + 30, -1])
def test_a_truncated_plan_is_none(size):
    """Wherever a crash has cut it."""
    _, raw = packed("QA")
    assert unpack(HEAD, raw[:size]) is None


def test_another_way_of_matching_is_another_plan():
    """And so is no file at all."""
    _, raw = packed("QA")
    assert unpack(heading("substring"), raw) is None
    assert unpack(HEAD, None) is None


def test_a_damaged_matcher_is_no_plan():
    """One changed byte is enough."""
    _, raw = packed("QA")
    place = len(HEAD) + 24 + 5
    assert unpack(HEAD, raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]) is None


def test_a_damaged_record_is_found_when_it_is_read():
    """The others can still be used."""
    records, raw = packed("QA", "API")
    spoilt = raw.replace(b"About QA.", b"About XX.")
    plan = unpack(HEAD, spoilt)
    with pytest.raises(ValueError, match="spoilt"):
        plan.record(0)
    assert plan.record(1) == records[1]


def test_equal_stamps_have_equal_bytes():
    """Even where one object stands for several of them."""
    mark = (1, 2, 3)
    other = (*mark,)
    assert mark is not other
    assert pack_stamps([mark, mark, None]) == pack_stamps([mark, other, None])
    assert pack_stamps([mark]) != pack_stamps([(1, 2, 4)])
