"""Keywords of any script and any characters."""

import unicodedata
from itertools import groupby

import pytest

from ..conversation import write_rules
from ..hook_host import MANIFEST


def scripts():
    """Script -> a keyword of its own letters, as Unicode names them; scripts have no other list in Python."""
    letters = (chr(code) for code in range(0x80, 0x2FA20) if unicodedata.category(chr(code)) in ("Ll", "Lo"))
    named = sorted((unicodedata.name(letter, "").split(" ")[0], letter) for letter in letters)
    found = {name: [letter for _, letter in group] for name, group in groupby(named, key=lambda pair: pair[0])}
    return {name: "".join(own[:6]) for name, own in found.items() if name and len(own) >= 6}


@pytest.fixture
def every_script(host):
    """Script -> its keyword, of the domains S0, S1 ... that the project has, one a script."""
    found = scripts()
    assert len(found) > 100
    lines = [f"S{n}_RECALL={word}\n" for n, word in enumerate(found.values())]
    rules = {f"s{n}": f"S{n}_RULE_0=Rule {n}.\n" for n in range(len(found))}
    write_rules(host.workspace, MANIFEST + "".join(lines), **rules)
    return found


@pytest.mark.parametrize("form", ["a {} b", "({})."])
def test_keywords_of_every_script_bring_their_rules(host, every_script, form):
    """Twenty scripts a prompt, so that all their rules fit into the block."""
    words = list(every_script.values())
    for start in range(0, len(words), 20):
        numbers = range(start, min(start + 20, len(words)))
        answer = host.prompt(" ".join(form.format(words[n]) for n in numbers), session_id=f"from-{start}")
        said = {rules["domain"]: rules["lines"] for rules in answer.block["rules"]}
        assert [n for n in numbers if said.get(f"S{n}") != [f"Rule {n}."]] == []


@pytest.mark.usefixtures("every_script")
def test_keywords_of_every_script_are_no_mistakes(check):
    """Each of them can match, and the files are sound."""
    assert check() == []
