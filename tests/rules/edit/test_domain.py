"""Rule files changed by programs: what was meant changes, every other byte stays."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.rules.edit.domain import (
    add_rule,
    change_list,
    declare,
    find_domain,
    remove_domain,
    remove_rule_lines,
    rename_domain,
    rename_prefix,
    replace_rule,
    rule_lines,
    set_value,
    switch,
    with_own_numbers,
)
from limpet.rules.format.domain import read_domain, split_rule
from limpet.rules.format.lines import key_of
from limpet.rules.format.manifest import PLAIN_KEYS, Domain, read_manifest, split_key
from limpet.rules.naming import accept_keywords, accept_name, accept_rule

from ...strategies import QUICK, hostile

NAMES = ("QA", "API", "AGENT_DEV", "WORKFLOW_SHIP", "HTTP_API", "GLOBAL", "DEV")
SUFFIXES = ("_STATE", "_ALWAYS_ON", "_RECALL", "_EXCLUDE", "_AGENT_TRIGGER", "_WORKFLOW_TRIGGER", "_MATCH")
VALUES = ("active", "inactive", "true", "no", "test, lint", " a,b ,, c", "dev", "=exact", "", "x = y # z", "prüfen")
ENDS = ("\n", "\r\n")

keys = st.builds("{}{}".format, st.sampled_from(NAMES), st.sampled_from(SUFFIXES)) | st.sampled_from(PLAIN_KEYS)
entries = st.builds(
    "{}{}{}={}{}".format,
    st.sampled_from(("", "  ", "\t")),
    keys,
    st.sampled_from(("", " ")),
    st.sampled_from(("", " ")),
    st.sampled_from(VALUES),
)
others = st.sampled_from(("", "# a comment", "   ", "no divider", "UNKNOWN=1", "# QA_STATE=off", "ein Wort ü"))


@st.composite
def manifests(draw):
    """A manifest as people leave them: comments, junk, repeated keys, either line end, with or without the last one."""
    lines, end = draw(st.lists(entries | others, max_size=14)), draw(st.sampled_from(ENDS))
    return end.join(lines) + (end if lines and draw(st.booleans()) else "")


@st.composite
def rule_files(draw, name="AGENT_DEV"):
    """A domain file in any of its spellings."""
    prefixes = st.sampled_from((name, "DEV", "OTHER", "DEV_X"))
    keyed = st.builds(
        "{}_{}_{}{}{}".format,
        prefixes,
        st.sampled_from(("RULE", "AUTH", "RULE_AUTH")),
        st.integers(0, 12),
        st.sampled_from(("=", " = ")),
        st.sampled_from(("Do it.", "", "a = b", "Größe")),
    )
    plain = st.sampled_from(("Prefer a == b.", "Test first.", "# note", "", "  indented  "))
    lines, end = draw(st.lists(keyed | plain, max_size=10) | st.lists(plain, max_size=6)), draw(st.sampled_from(ENDS))
    return end.join(lines) + (end if draw(st.booleans()) else "")


def untouched(text, is_meant):
    """The lines that an edit must leave alone, without their ends, which only a missing last one may get."""
    return [line for line in text.splitlines() if not (key_of(line) and is_meant(key_of(line)))]


def is_same_but_a_gap(edited, text):
    """Whether these lines are those, one blank one aside that sets a new paragraph off."""
    return edited == text or any(edited[:n] + edited[n + 1 :] == text for n, line in enumerate(edited) if not line)


def is_of(name):
    return lambda key: split_key(key)[0] == name and bool(split_key(key)[1]) and key not in PLAIN_KEYS


def without(domains, *names):
    return [domain for domain in domains if domain.name not in names]


@QUICK
@given(manifests(), st.sampled_from(NAMES), st.sampled_from(("_RECALL", "_STATE", "_MATCH")), st.sampled_from(VALUES))
def test_a_set_key_reads_back_and_touches_no_other_line(text, name, suffix, value):
    """In its own line, or in a new one beside its domain's others."""
    edited = set_value(text, name, suffix, value.strip())
    meant = f"{name}{suffix}".__eq__
    assert is_same_but_a_gap(untouched(edited, meant), untouched(text, meant))
    before, after = read_manifest(text).domains, read_manifest(edited).domains
    assert without(after, name) == without(before, name)
    wanted = read_manifest(f"{name}{suffix}={value.strip()}").domains[0]
    field = {"_RECALL": "recall", "_STATE": "active", "_MATCH": "match"}[suffix]
    assert getattr(find_domain(edited, name), field) == getattr(wanted, field)


@QUICK
@given(manifests(), st.sampled_from(ENDS))
def test_a_declared_domain_is_as_meant_and_removing_it_gives_the_text_back(text, end):
    """To the byte, where the text ended with a line end."""
    edited = declare(text, "NEW", {"_RECALL": "a, b", "_ALWAYS_ON": "true"})
    assert find_domain(edited, "NEW") == Domain("NEW", always_on=True, recall=("a", "b"))
    assert without(read_manifest(edited).domains, "NEW") == list(read_manifest(text).domains)
    assert edited.startswith(text)
    if text.endswith("\n") and text.splitlines()[-1].strip() or not text:
        assert remove_domain(edited, "NEW") == text


@QUICK
@given(manifests(), st.sampled_from(NAMES))
def test_a_removed_domain_is_gone_and_the_others_are_as_before(text, name):
    """Comments and junk stay; only a blank line that set the domain off may go with it."""
    edited = remove_domain(text, name)
    assert [line for line in edited.splitlines() if line.strip() and not key_of(line)] == [
        line for line in text.splitlines() if line.strip() and not key_of(line)
    ]
    assert find_domain(edited, name) is None
    assert without(read_manifest(edited).domains, name) == without(read_manifest(text).domains, name)
    assert read_manifest(edited).global_exclude == read_manifest(text).global_exclude


@QUICK
@given(
    manifests(), st.sampled_from([name for name in NAMES if name != "GLOBAL"]), st.sampled_from(("NEW", "AGENT_NEW"))
)
def test_a_renamed_domain_is_the_same_in_all_else(text, old, new):
    """Also its triggers, that its name implied or the new one would; and its place in the order."""
    assume(find_domain(text, old))
    edited = rename_domain(text, old, new)
    touched = (is_of(old), is_of(new))
    assert untouched(edited, lambda key: any(f(key) for f in touched) or key == "DOMAIN_ORDER") == untouched(
        text, lambda key: is_of(old)(key) or key == "DOMAIN_ORDER"
    )
    assert [domain.replace(name=old) if domain.name == new else domain for domain in read_manifest(edited).domains] == (
        list(read_manifest(text).domains)
    )


@QUICK
@given(manifests(), st.sampled_from(NAMES), st.booleans())
def test_a_switched_domain_is_on_or_off_as_asked(text, name, on):
    """And nothing changes where it is so already."""
    assume(find_domain(text, name))
    was = find_domain(text, name).active
    edited = switch(text, name, on)
    assert find_domain(edited, name).active == on
    assert (edited == text) == (was == on)
    assert untouched(edited, f"{name}_STATE".__eq__) == untouched(text, f"{name}_STATE".__eq__)


@pytest.mark.parametrize(("old", "new"), [("true", "false"), ("active", "inactive"), ("1", "0"), ("yes", "no")])
def test_a_switch_keeps_the_manifests_own_words(old, new):
    """There and back."""
    assert switch(f"# c\nQA_STATE = {old}  \n", "QA", False) == f"# c\nQA_STATE = {new}  \n"
    assert switch(f"QA_STATE={new}\n", "QA", True) == f"QA_STATE={old}\n"


def test_a_keyword_list_keeps_its_own_spelling():
    """What is added comes last, what is there already does not come twice, what goes takes its comma along."""
    text = "QA_RECALL = test,Lint,  =ci\r\n# end\r\n"
    assert change_list(text, "QA", "_RECALL", ("bug", "LINT"), ()) == "QA_RECALL = test,Lint,  =ci, bug\r\n# end\r\n"
    assert change_list(text, "QA", "_RECALL", (), ("lint",)) == "QA_RECALL = test,  =ci\r\n# end\r\n"
    assert change_list("QA_STATE=on\n", "QA", "_EXCLUDE", ("a b",), ()) == "QA_STATE=on\nQA_EXCLUDE=a b\n"


@QUICK
@given(rule_files(), st.sampled_from(("Say = it.", "Ein Satz.", "x")))
def test_an_added_rule_is_read_last_of_its_sort_and_nothing_else_changes(text, rule):
    """Under a number that no other has; of two rules of one number the later one gets another."""
    before = read_domain("AGENT_DEV", text)
    edited = add_rule("AGENT_DEV", text, rule)
    after = read_domain("AGENT_DEV", edited)
    assert (after.authority, [key for _, key in after.foreign]) == (
        before.authority,
        [key for _, key in before.foreign],
    )
    added = edited.splitlines()
    for line in with_own_numbers("AGENT_DEV", text).splitlines():
        added.remove(line)
    assert len([line for line in added if line.strip()]) == 1
    keys = [line.key for line in rule_lines("AGENT_DEV", edited)]
    new = [line.key for line in rule_lines("AGENT_DEV", edited) if line.key and line.text == rule]
    assert all(keys.count(key) == 1 for key in new)


@QUICK
@given(rule_files())
def test_rules_keep_their_words_and_order_when_they_get_numbers_of_their_own(text):
    edited = with_own_numbers("AGENT_DEV", text)
    assert [line.text for line in rule_lines("AGENT_DEV", edited)] == [
        line.text for line in rule_lines("AGENT_DEV", text)
    ]
    assert with_own_numbers("AGENT_DEV", edited) == edited


@QUICK
@given(rule_files(), st.data())
def test_a_replaced_rule_says_the_new_text_and_no_other_line_changes(text, data):
    """Counted as `rules show` counts."""
    lines = rule_lines("AGENT_DEV", text)
    assume(lines)
    number = data.draw(st.integers(0, len(lines) - 1))
    assume(not lines[number].key or split_rule(lines[number].key)[1])
    edited = replace_rule("AGENT_DEV", text, str(number), "Changed.")
    assert [line.text for line in rule_lines("AGENT_DEV", edited)] == [
        "Changed." if place == number else line.text for place, line in enumerate(lines)
    ]
    place = lines[number].place
    assert [*edited.splitlines()[:place], *edited.splitlines()[place + 1 :]] == [
        *text.splitlines()[:place],
        *text.splitlines()[place + 1 :],
    ]


@QUICK
@given(rule_files(), st.data())
def test_removed_rules_are_counted_as_before_all_of_them(text, data):
    """Rules 0 and 1 are the first two, in whatever order they are named."""
    lines = rule_lines("AGENT_DEV", text)
    numbers = data.draw(st.lists(st.sampled_from(range(len(lines))), unique=True)) if lines else []
    assume(len(numbers) < len(lines))
    try:
        edited = remove_rule_lines("AGENT_DEV", text, map(str, numbers))
    except LimpetError:
        assert not any(split_rule(line.key)[1] for place, line in enumerate(lines) if place not in numbers)
        return
    kept = [line for place, line in enumerate(lines) if place not in numbers]
    gone = {lines[number].place for number in numbers}
    assert edited == "".join(line for n, line in enumerate(text.splitlines(keepends=True)) if n not in gone)
    assert [line.text for line in rule_lines("AGENT_DEV", edited)] == [line.text for line in kept]


@QUICK
@given(rule_files(), st.sampled_from(("AGENT_BUILDER", "BUILDER", "WORKFLOW_BUILD")))
def test_renamed_keys_say_the_same_under_the_new_name(text, new):
    """Both forms of the prefix are renamed; what was another domain's prefix stays."""
    before, after = read_domain("AGENT_DEV", text), read_domain(new, rename_prefix(text, "AGENT_DEV", new))
    assert (after.rules, after.authority) == (before.rules, before.authority)
    assert [number for number, _ in after.foreign] == [number for number, _ in before.foreign]


@pytest.mark.parametrize(
    ("before", "rule", "after"),
    [
        ("", "One.", "QA_RULE_0=One.\n"),
        ("# c", "One.", "# c\n\nQA_RULE_0=One.\n"),
        ("QA_RULE_7=a\r\nQA_AUTH_0=b\r\n", "c", "QA_RULE_7=a\r\nQA_RULE_8=c\r\nQA_AUTH_0=b\r\n"),
        ("QA_RULE_0=a", "b = c", "QA_RULE_0=a\nQA_RULE_1=b = c\n"),
        ("First.\n\n# end\n", "Second.", "First.\n\n# end\nSecond.\n"),
        ("QA_RULE_0=a\n", "QA_RULE_AUTH_3=Never.", "QA_RULE_0=a\nQA_RULE_AUTH_3=Never.\n"),
    ],
)
def test_a_rule_is_added_where_its_kin_are(before, rule, after):
    """With the file's own line ends; a key may be given."""
    assert add_rule("QA", before, rule) == after


def test_the_form_of_the_prefix_is_the_files_own():
    """DEV_RULE_n or AGENT_DEV_RULE_n; a new file has the short one."""
    assert add_rule("AGENT_DEV", "AGENT_DEV_RULE_0=a\n", "b") == "AGENT_DEV_RULE_0=a\nAGENT_DEV_RULE_1=b\n"
    assert add_rule("AGENT_DEV", "", "b") == "DEV_RULE_0=b\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("BRIEF_RULE_0=a\nPLAN_RULE_0=b\n", "BRIEF_RULE_0=a\nBRIEF_RULE_1=Short.\nPLAN_RULE_0=b\n"),
        ("COMMANDS_RULE_BRIEF_0=a\n", "COMMANDS_RULE_BRIEF_0=a\nCOMMANDS_RULE_BRIEF_1=Short.\n"),
        ("PLAN_RULE_0=b\n", "PLAN_RULE_0=b\n\nBRIEF_RULE_0=Short.\n"),
    ],
)
def test_a_rule_of_commands_names_its_command(before, after):
    """In the spelling of the file; a new command stands apart."""
    edited = add_rule("COMMANDS", before, "*brief Short.")
    assert edited == after
    assert read_domain("COMMANDS", edited).commands["brief"][-1] == "Short."


@pytest.mark.parametrize(
    ("name", "text", "rule"),
    [
        ("QA", "A rule.\n", "# no rule"),
        ("QA", "A rule.\n", "CI=true is a must"),
        ("QA", "QA_RULE_0=a\n", "QA_RULE_0=again"),
        ("COMMANDS", "", "Without a command."),
        ("COMMANDS", "", "*brief"),
        ("COMMANDS", "BRIEF_RULE_0=a\n", "*brief [*plan] Hm."),
    ],
)
def test_a_rule_that_would_be_read_as_something_else_is_refused(name, text, rule):
    """A comment, a key, another command, a second rule of the same key."""
    with pytest.raises(LimpetError):
        add_rule(name, text, rule)


@pytest.mark.parametrize("which", ["2", "-1", "x", "QA_RULE_9", ""])
def test_an_unknown_rule_is_refused_with_what_there_is(which):
    """By number or by key."""
    with pytest.raises(LimpetError, match="its rules are 0 to 1"):
        replace_rule("QA", "QA_RULE_0=a\nQA_RULE_1=b\n", which, "c")


def test_a_switch_among_the_rules_is_no_rule():
    """FRESH_RULES=true is counted by `show`, and not overwritten by mistake."""
    with pytest.raises(LimpetError, match="FRESH_RULES is not a rule"):
        replace_rule("CONTEXT", "FRESH_RULES=true\nFRESH_RULE_0=a\n", "0", "b")


@pytest.mark.parametrize(
    "typed", ["", "1A", "A B", "Ä", "A.B", "A/B", "..", "MANIFEST", "con", "devmode", "X_RULE_Y", "a" * 61]
)
def test_a_name_that_cannot_be_a_domains_is_refused(typed):
    """Nor one that is a file, a key or a device already."""
    with pytest.raises(LimpetError, match="domain"):
        accept_name(typed)


def test_a_name_is_upper_case_with_underscores():
    """In whatever spelling it came."""
    assert accept_name(" http-api2 ") == "HTTP_API2"


def test_keywords_are_listed_once_and_must_be_able_to_match():
    """Phrases keep their spaces, commas divide."""
    assert accept_keywords(["a  b, =c,", "A B", "d"]) == ("a b", "=c", "d")
    with pytest.raises(LimpetError, match="can never match"):
        accept_keywords(["ok, ="])


@pytest.mark.parametrize("typed", ["", "  ", "one\ntwo", "one\u2028two", f"use ghp_{'a' * 36}"])
def test_a_rule_is_one_line_without_a_secret(typed):
    """What cannot be kept is not written."""
    with pytest.raises(LimpetError):
        accept_rule(typed)


@QUICK
@given(hostile, st.sampled_from(NAMES))
def test_any_text_bears_an_edit(text, name):
    """Whatever stands in the file stays."""
    edited, meant = set_value(text, name, "_MATCH", "word"), f"{name}_MATCH".__eq__
    assert is_same_but_a_gap(untouched(edited, meant), untouched(text, meant))
