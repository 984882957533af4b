"""Keywords of any script and any characters."""

import unicodedata
from itertools import groupby

import pytest

from holdfast.engine.explain.preview import preview
from holdfast.ground.clock import Clock

from ..conversation import write_rules
from ..hook_host import MANIFEST, rule_lines


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


def test_keywords_of_every_script_are_found_in_running_text(host, every_script):
    """One domain a script, called between words of its own, whatever the case."""
    missed = []
    for number, (name, word) in enumerate(every_script.items()):
        for text in (f"a {word} b", f"({word.upper()}).", f"{word}, {word}!"):
            chosen = preview(host.workspace, text, clock=Clock()).chosen
            names = [chosen.plan.matcher["names"][each] for each in chosen.matched]
            missed += [(name, word, text)] if f"S{number}" not in names else []
    assert missed == []


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


SPELLINGS = [
    ("[a-z]+", "what does [a-z]+ do", True),
    ("[a-z]+", "any word", False),
    ("a.b", "the a.b file", True),
    ("a.b", "the axb file", False),
    ("(x|y)", "match (x|y) here", True),
    ("(x|y)", "match x here", False),
    ("$^", "the $^ sign", True),
    ("$^", "no sign", False),
    ("\\d{2}", "use \\d{2} there", True),
    ("c++", "some C++ code", True),
    ("c++", "some c code", False),
    ("c#", "C# it is", True),
    (".net", "a .NET service", True),
    ("node.js", "Node.js here", True),
    ("😀", "well 😀 then", True),
    ("👩\u200d👩\u200d👧", "the 👩\u200d👩\u200d👧 emoji", True),
    ("größe", "die GRÖSSE", True),
    ("ação", "AÇAO rápida", True),
    ("café", "cafe\u0301 ole", True),
    ("ﬁle", "the file", True),
    ("İstanbul", "istanbul", True),
    ("٣٤", "number ٣٤ here", True),
    ("a\u2028b", "see a b", True),
    ("-", "a - b", True),
    ("-", "a-b", False),
]


@pytest.mark.parametrize(("keyword", "prompt", "found"), SPELLINGS)
def test_keywords_of_any_characters_mean_themselves(host, keyword, prompt, found):
    """No keyword is a pattern; symbols, emoji, accents, ligatures and digits of other scripts match as they read."""
    write_rules(host.workspace, f"API_RECALL={keyword}\n")
    assert (rule_lines(host.prompt(prompt), "API") is not None) == found


@pytest.mark.parametrize("keyword", sorted({keyword for keyword, _, found in SPELLINGS if found} - {"a\u2028b"}))
def test_keywords_of_any_characters_are_no_mistakes(host, check, keyword):
    """What can match is not called impossible, be it a regular expression by its looks."""
    write_rules(host.workspace, f"GLOBAL_STATE=active\nCOMMANDS_STATE=active\nAPI_RECALL={keyword}\n")
    assert check() == []
