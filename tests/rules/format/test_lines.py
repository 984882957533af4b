"""KEY=VALUE text edited by line: other lines keep their bytes, line ends included."""

import pytest

from limpet.rules.format.domain import read_domain, rule_number_of
from limpet.rules.format.lines import (
    RuleCheck,
    fault_in,
    fault_of_expression,
    insert,
    read_check,
    remove_line,
    rename_key,
    set_key,
    value_of,
)

TEXT = "# rules\r\nA_STATE = on\r\nA_RECALL=x\r\n\r\nB_STATE=off"


def of_a(key):
    return key.startswith("A_")


def test_a_value_is_replaced_in_its_own_line_and_a_new_key_goes_behind_its_neighbours():
    """The space before it and the line ends stay; the last line of a key is read, and stays alone."""
    assert set_key(TEXT, "A_STATE", "off", of_a) == TEXT.replace("= on", "= off")
    text = "A=1\nA=2\n"
    assert value_of(text, "A") == "2"
    assert set_key(text, "A", "3", of_a) == "A=3\n"
    assert set_key(TEXT, "A_MATCH", "word", of_a) == TEXT.replace("=x\r\n", "=x\r\nA_MATCH=word\r\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", "N=1\n"), ("A=1", "A=1\n\nN=1\n"), ("A=1\n\n", "A=1\n\nN=1\n"), ("A=1\r\n", "A=1\r\n\r\nN=1\r\n")],
)
def test_without_a_neighbour_it_goes_to_the_end(text, expected):
    """Set off by one blank line; a last line without an end gets one."""
    assert insert(text, ["N=1"], lambda key: False) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X=1\n\nA_1=1\nA_2=2\n\nY=2\n", "X=1\n\nY=2\n"),
        ("X=1\n\nA_1=1\n", "X=1\n"),
        ("X=1\n\nA_1=1\nY=2\n", "X=1\n\nY=2\n"),
        ("X=1\n\n# about A\nA_1=1\n\nY=2\n", "X=1\n\n# about A\n\nY=2\n"),
    ],
)
def test_a_whole_paragraph_goes_with_its_blank_line(text, expected):
    """Comments stay, and so does the blank line before a part of a paragraph."""
    assert remove_line(text, of_a) == expected


def test_keys_are_renamed_and_nothing_else():
    """Neither comments nor values, whatever they hold."""
    text = "# A_STATE=on\n  A_STATE=A_STATE\nB=1\n"
    assert rename_key(text, lambda key: key.replace("A_", "Z_")) == "# A_STATE=on\n  Z_STATE=A_STATE\nB=1\n"


@pytest.mark.parametrize(
    ("text", "check"),
    [
        (r"absent: console\.log in *.ts, src/**", RuleCheck("absent", r"console\.log", ("*.ts", "src/**"))),
        ("present: Copyright", RuleCheck("present", "Copyright")),
        ("run: make lint", RuleCheck("run", "make lint")),
        ("run: lint in *.py", RuleCheck("run", "lint", ("*.py",))),
        ("absent: built in bad places in **", RuleCheck("absent", "built in bad places", ("**",))),
        *((text, None) for text in ("", "absent:", "never: x", "absent", "absent:  in *.ts")),
    ],
)
def test_a_check_is_read(text, check):
    """The last `` in `` divides."""
    assert read_check(text) == check


ENDLESS = ("(a+)+", "(a*b)*", "(?:a|b+)*c", "(a{1,})+", "((a+)b)+", r"(\w+\s?)*$", "(a+){2,}")


@pytest.mark.parametrize(
    "expression", [*ENDLESS, "(a+)?", "(ab)+c+", "[(a+)+]", r"\(a+\)+", "(a{2})+", r"console\.log", "[]+]+a+"]
)
def test_a_repetition_of_a_repetition_is_refused(expression):
    """And nothing that only looks like one."""
    fault = fault_of_expression(expression)
    assert "can take forever" in fault if expression in ENDLESS else fault == ""


@pytest.mark.parametrize("text", ["absent: (((", "absent: x in ../y", "absent: x in *.{a,b}", f"absent: {'x' * 600}"])
def test_a_faulty_check_says_what_is_wrong(text):
    assert fault_in(text)


def test_a_domains_file_holds_paths_and_checks_beside_its_rules():
    """Another domain's do not count."""
    text = "DEV_PATHS=*.py\nDEV_RULE_3=x\nDEV_CHECK_3=absent: y\nDEV_CHECK_TELL=yes\nDEV_CHECK_12=run: z\n"
    found = read_domain("AGENT_DEV", text)
    assert (found.rules, found.paths, found.tells, found.foreign) == (("x",), ("*.py",), True, ())
    assert found.checks == ((3, "3", "absent: y"), (5, "12", "run: z"))
    found = read_domain("API", "QA_CHECK_0=absent: y\nQA_PATHS=*\nAPI_RULE_0=x\n")
    assert (found.checks, found.paths, [key for _, key in found.foreign]) == ((), (), ["QA_CHECK_0", "QA_PATHS"])


@pytest.mark.parametrize(
    ("key", "number"), [("X_RULE_3", "3"), ("X_RULE_AUTH_0", ""), ("X_AUTH_0", ""), ("X_CHECK_3", ""), ("X_PATHS", "")]
)
def test_a_check_names_a_rule_by_its_number(key, number):
    assert rule_number_of(key) == number
