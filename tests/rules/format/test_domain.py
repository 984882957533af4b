"""A domain's file, in every accepted spelling (decision 15)."""

import pytest
from hypothesis import given

from limpet.rules.format.domain import BRACKETS, StarCommand, find_commands, read_domain

from ...strategies import QUICK, hostile, prompts, st


@pytest.mark.parametrize("prefix", ["DEV", "AGENT_DEV"])
@pytest.mark.parametrize(
    ("key", "authority"), [("RULE_0", False), ("RULE_AUTH_0", True), ("AUTH_0", True), ("RULE_last", False)]
)
def test_each_spelling_of_an_agents_rule_is_read(prefix, key, authority):
    """SYNAPSE ships AGENT_DEV_AUTH_n, ADR-001 writes DEV_RULE_AUTH_n."""
    text = read_domain("AGENT_DEV", f"{prefix}_{key}=say so\n")
    assert (text.authority, text.rules) == ((("say so",), ()) if authority else ((), ("say so",)))
    assert text.foreign == ()


@pytest.mark.parametrize("key", ["FRESH_RULE_0", "CONTEXT_RULE_FRESH_0", "FRESH_RULE_9"])
def test_a_bracket_has_rules_and_a_flag(key):
    """In CARL's and SYNAPSE's spelling; SYNAPSE takes the flag for a rule that reads "true"."""
    assert read_domain("CONTEXT", f"{key}=x\n").brackets == {"FRESH": ["x"]}
    text = read_domain("CONTEXT", "FRESH_RULES=true\nMODERATE_RULES=no\nFRESH_RULE_0=x\n")
    assert (text.brackets, text.disabled, text.rules) == ({"FRESH": ["x"]}, ("MODERATE",), ())


@pytest.mark.parametrize(
    "text",
    [
        "BRIEF_RULE_0=x\nBRIEF_RULE_1=y\n",
        "COMMANDS_RULE_BRIEF_0=x\nCOMMANDS_RULE_BRIEF_1=y\n",
        "COMMANDS_CMD_BRIEF_0=x\nCOMMANDS_CMD_BRIEF_1=y\n",
        "[*brief] COMMAND:\nCOMMANDS_CMD_BRIEF_0=x\nCOMMANDS_CMD_BRIEF_1=y\n",
        "[*brief] Be brief\nx\ny\n",
        "[*brief]\nCOMMANDS_RULE_0=x\nCOMMANDS_RULE_1=y\n",
        "COMMANDS_RULE_0=[*brief] x\nCOMMANDS_RULE_1=y\n",
        "BRIEF_RULE_0=[*brief] x\nBRIEF_RULE_1=y\n",
    ],
)
def test_each_spelling_of_a_commands_rules_is_read(text):
    """CARL's keys, SYNAPSE's keys, and headers on a line or in a rule."""
    assert read_domain("COMMANDS", text).commands == {"brief": ["x", "y"]}


def test_a_header_inside_a_rule_takes_no_other_commands_rules():
    """CARL's first rule repeats the trigger; the next group's rules are the next group's."""
    text = "BRIEF_RULE_0=[*brief] x\nBRIEF_RULE_1=y\nDEV_RULE_0=z\n"
    assert read_domain("COMMANDS", text).commands == {"brief": ["x", "y"], "dev": ["z"]}


@pytest.mark.parametrize("key", ["RULE_0_PRIORITY", "RULE_0_FILE", "AUTH_2_READS"])
def test_what_is_said_of_a_rule_is_none(key):
    """CARL sends it as one."""
    text = read_domain("SAFETY", f"SAFETY_RULE_0=Ask first.\nSAFETY_{key}=CRITICAL\nSAFETY_RULE_1_2=Then act.\n")
    assert (text.rules, text.authority) == (("Ask first.", "Then act."), ())
    assert text.foreign == ((2, f"SAFETY_{key}"),)


def test_articles_are_read_by_number():
    """SYNAPSE's constitution."""
    text = "CONSTITUTION_RULE_ART1_0=CLI First\nCONSTITUTION_RULE_ART1_1=MUST x\nCONSTITUTION_RULE_ART2_0=Agents\n"
    assert read_domain("CONSTITUTION", text).articles == {"1": ["CLI First", "MUST x"], "2": ["Agents"]}


def test_what_has_another_prefix_or_key_is_reported():
    """In CARL an old prefix is silent; a mistake in a key must not become a rule."""
    text = read_domain("API", "OLD_RULE_0=x\nAPI_RULE_0=y\n")
    assert (text.rules, text.foreign) == (("x", "y"), ((1, "OLD_RULE_0"),))
    text = read_domain("API", "API_RUEL_0=x\nAPI_RULE_0=y\nAPI_RULE_1=\n")
    assert (text.rules, text.foreign) == (("y",), ((1, "API_RUEL_0"),))


def test_rules_keep_the_order_of_the_file():
    """Numbers are no order, doubles survive; without keys each line is a rule, whatever it holds."""
    assert read_domain("API", "# note\nRead first.\n\n Set x = 1 before y.\n").rules == (
        "Read first.",
        "Set x = 1 before y.",
    )
    assert read_domain("A", "A_RULE_2=b\nA_RULE_1=a\nA_RULE_1=a\n").rules == ("b", "a", "a")


@QUICK
@given(st.sampled_from(["API", "COMMANDS", "CONTEXT", "CONSTITUTION", "AGENT_DEV"]), st.lists(hostile).map("\n".join))
def test_any_text_gives_rules_that_are_not_blank(name, text):
    """Nothing raises, and nothing blank is said."""
    found = read_domain(name, text)
    groups = (*found.brackets.values(), *found.commands.values(), *found.articles.values())
    rules = [*found.rules, *found.authority, *(rule for group in groups for rule in group)]
    assert all(rule.strip() for rule in rules)
    assert set(found.brackets) <= set(BRACKETS)


@QUICK
@given(st.lists(st.text("ab =#<é", min_size=1).map(str.strip).filter(bool), min_size=1))
def test_every_rule_that_was_written_is_read(rules):
    """In order, as it stands."""
    text = "".join(f"API_RULE_{number}={rule}\n" for number, rule in enumerate(rules))
    assert list(read_domain("API", text).rules) == rules


KNOWN = {"brief", "plan", "my-cmd", "limpet"}


def names(prompt):
    return [command.name for command in find_commands(prompt, KNOWN)]


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        *((text, ["brief"]) for text in ("*brief", " *brief", "x\n*brief", "do it *brief", "\t*brief.", "*BRIEF")),
        *((text, ["brief"]) for text in ("*brief, please", "*brief: x", "(x) *brief)", "\u3000*brief")),
        *((text, []) for text in ("**brief**", "*brief*", "a*brief", "x *briefly", "* brief", "*", "**", "*args")),
        *((text, []) for text in ("*9brief", "(*brief)", "`*brief`", "*brief/x", "*brief=1")),
        *(("*my_cmd *my-cmd", ["my-cmd"]), ("*plan *brief *plan", ["plan", "brief"])),
    ],
)
def test_a_star_at_the_start_or_after_white_space_commands(prompt, found):
    """In any case, with punctuation behind it, once each; not bold, products and globs (CARL takes them all)."""
    assert names(prompt) == found


def test_the_words_of_the_line_belong_to_the_command():
    """Up to the end of its line."""
    assert find_commands("*plan the  parser\nnot this *brief", KNOWN) == (
        StarCommand("plan", ("the", "parser")),
        StarCommand("brief", ()),
    )


@QUICK
@given(prompts, st.sampled_from(sorted(KNOWN)))
def test_any_prompt_is_searched_and_only_known_names_are_found(prompt, name):
    """Nothing raises; a command set behind any text on its own line is found."""
    assert set(names(prompt)) <= KNOWN
    assert name in names(f"{prompt}\n*{name}")
