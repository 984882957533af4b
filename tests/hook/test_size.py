"""Rules, prompts and lists of any size: the block stays within its limits, and what fits is there (decision 4)."""

from ..conversation import write, write_rules
from ..hook_host import MANIFEST, SCHEMA, rule_lines


def test_a_rule_of_100000_characters_is_left_out_with_a_pointer(host):
    """Decision 4: the block stays within its budget and says where to read what is missing."""
    write(host.workspace.path("rules", "api"), "API_RULE_0=" + "very long " * 10_000)
    answer = host.prompt("the endpoint")
    assert "API: over the token budget (limpet rules show API)" in answer.block["left_out"]
    assert len(answer.text) < 9500


def test_a_hundred_matching_domains_stay_under_the_hosts_cap(host):
    """Parity: CARL at 100 domains lists them all, and from 10,000 characters on the host cuts the block."""
    names = [f"D{n}" for n in range(100)]
    rules = {name: "".join(f"{name}_RULE_{n}=Some rule, number {n}.\n" for n in range(9)) for name in names}
    write_rules(host.workspace, "".join(f"{name}_RECALL=endpoint\n" for name in names), **rules)
    answer = host.prompt("the endpoint")
    SCHEMA.validate(answer.block)
    assert len(answer.text) < 9500
    assert len(answer.block["rules"]) > 5


def test_fifty_megabytes_are_read_and_answered(host):
    """A huge paste: its beginning is searched, and the block says so."""
    answer = host.prompt("endpoint " + "lorem ipsum * dolor " * 2_600_000)
    assert rule_lines(answer, "API") == ["Version it."]
    assert "long prompt: only its beginning was searched for keywords" in answer.block["notes"]


def test_ten_thousand_domains(host):
    """All of them compiled, two of them called."""
    manifest = "".join(f"D{n}_RECALL=word{n}, {'x' * (n % 7)}phrase number{n}\n" for n in range(10_000))
    write_rules(host.workspace, MANIFEST + manifest, **{f"d{n}": f"D{n}_RULE_0=Rule {n}.\n" for n in (7, 9_999)})
    answer = host.prompt("the word9999 of word7 and the endpoint")
    assert [rule_lines(answer, name) for name in ("API", "D7", "D9999")] == [
        ["Version it."],
        ["Rule 7."],
        ["Rule 9999."],
    ]
    assert rule_lines(host.prompt("xxxphrase number3", session_id="t"), "D3") is None


def test_a_manifest_line_of_a_megabyte_is_searched_to_its_end(host):
    """A keyword list nobody would write; the domain still comes by its last word."""
    write_rules(host.workspace, MANIFEST + "API_RECALL=" + ", ".join(f"k{n}" for n in range(125_000)) + ", endpoint\n")
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]


def test_a_thousand_known_commands_in_a_prompt_fit(host):
    """Typed commands are never dropped, and cut at a rule's end with a pointer."""
    names = [f"cmd{n:03}" for n in range(1000)]
    write(host.workspace.path("rules", "commands"), "".join(f"{name.upper()}_RULE_0=Do {name}.\n" for name in names))
    answer = host.prompt(" ".join(f"*{name}" for name in names))
    SCHEMA.validate(answer.block)
    assert len(answer.text) < 9500
    shown = [command["name"] for command in answer.block["commands"]]
    assert shown == names[: len(shown)] and len(shown) > 20
    assert "limpet rules show COMMANDS" in " ".join(answer.block["left_out"])
