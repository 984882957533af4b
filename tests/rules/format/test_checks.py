"""How a rule says that it is checked (decision 52)."""

import pytest

from limpet.rules.format.domain import read_domain, rule_number_of
from limpet.rules.format.lines import RuleCheck, fault_in, fault_of_expression, read_check


@pytest.mark.parametrize(
    ("text", "check"),
    [
        (r"absent: console\.log in *.ts, src/**", RuleCheck("absent", r"console\.log", ("*.ts", "src/**"))),
        ("present: Copyright", RuleCheck("present", "Copyright")),
        ("run: make lint", RuleCheck("run", "make lint")),
        ("run: lint in *.py", RuleCheck("run", "lint", ("*.py",))),
        ("absent: built in bad places in **", RuleCheck("absent", "built in bad places", ("**",))),
    ],
)
def test_a_check_is_read(text, check):
    """The last `` in `` divides."""
    assert read_check(text) == check


@pytest.mark.parametrize("text", ["", "absent:", "never: x", "absent", "absent:  in *.ts"])
def test_what_is_no_check_is_none(text):
    assert read_check(text) is None


@pytest.mark.parametrize(
    "expression", ["(a+)+", "(a*b)*", "(?:a|b+)*c", "(a{1,})+", "((a+)b)+", r"(\w+\s?)*$", "(a+){2,}"]
)
def test_a_repetition_of_a_repetition_is_refused(expression):
    assert "can take forever" in fault_of_expression(expression)


@pytest.mark.parametrize(
    "expression", ["(a+)?", "(ab)+c+", "[(a+)+]", r"\(a+\)+", "(a{2})+", r"console\.log", "[]+]+a+"]
)
def test_what_only_looks_like_one_is_not(expression):
    assert fault_of_expression(expression) == ""


@pytest.mark.parametrize("text", ["absent: (((", "absent: x in ../y", "absent: x in *.{a,b}", f"absent: {'x' * 600}"])
def test_a_faulty_check_says_what_is_wrong(text):
    assert fault_in(text)


def test_a_domains_file_holds_paths_and_checks_beside_its_rules():
    text = "DEV_PATHS=*.py\nDEV_RULE_3=x\nDEV_CHECK_3=absent: y\nDEV_CHECK_TELL=yes\nDEV_CHECK_12=run: z\n"
    found = read_domain("AGENT_DEV", text)
    assert (found.rules, found.paths, found.tells, found.foreign) == (("x",), ("*.py",), True, ())
    assert found.checks == ((3, "3", "absent: y"), (5, "12", "run: z"))


def test_another_domains_checks_do_not_count():
    found = read_domain("API", "QA_CHECK_0=absent: y\nQA_PATHS=*\nAPI_RULE_0=x\n")
    assert (found.checks, found.paths, [key for _, key in found.foreign]) == ((), (), ["QA_CHECK_0", "QA_PATHS"])


@pytest.mark.parametrize(
    ("key", "number"),
    [("X_RULE_3", "3"), ("X_RULE_AUTH_0", ""), ("X_AUTH_0", ""), ("X_CHECK_3", ""), ("X_PATHS", "")],
)
def test_a_check_names_a_rule_by_its_number(key, number):
    assert rule_number_of(key) == number
