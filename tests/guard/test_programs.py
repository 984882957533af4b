"""The file of programs: every line of it is read as it is meant."""

from __future__ import annotations

import pytest

from limpet.ground.errors import LimpetError
from limpet.guard import acts
from limpet.guard.acts import EMPTY_LINE, KINDS, find_program, read_programs


def test_every_line_about_programs_is_well_formed():
    """A slip of the pen would make a rule that never fits, or a program that nobody finds."""
    targets = {
        "",
        "all",
        "all.",
        "first",
        "rest",
        "rest.",
        "last",
        "but-last",
        "leading",
        ".",
        "@",
        "of=",
        "if=",
        "./.git",
    }
    blocks = [block.split("\n") for block in read_programs().strip("\n").split(EMPTY_LINE)]
    blocks = [lines for block in blocks if (lines := [line for line in block if line[0] != "#"])]
    assert [lines[0] for lines in blocks if not f"{lines[0]} ".partition(" = ")[1]] == []
    assert [line for lines in blocks for line in lines[1:] if line[:2] != "  "] == []
    names = [name for lines in blocks for name in f"{lines[0]} ".partition(" = ")[0].split()]
    assert len(names) == len(set(names)) > 400, [name for name in names if names.count(name) > 1]
    assert {line.split()[1] for lines in blocks for line in lines if line.split()[0] == "like:"} <= set(names)
    for name in names:
        values, rules = find_program(name)
        assert "$" not in f"{values} {rules}", name
        if name[0] == "$":
            assert not any(other.startswith(name) for other in names if other != name), name
            assert values and not rules, name
            continue
        assert all(value.startswith("-") for value in values.split()), name
        for words, conditions, kind, target in rules:
            assert kind in KINDS, (name, kind)
            assert all(each in targets or each.startswith("-") for each in target.split()), (name, target)
            assert all(group.strip() for group in conditions.split("&")) or not conditions, (name, conditions)
            assert not words.startswith("?"), (name, words)


def test_a_name_is_found_only_where_it_names_a_program():
    """Not in a remark, in a rule or in options; no text of several words, and none of the shell's own signs."""
    words = ("", " ", "\n", "#", "=", "|", "What", "push:", "--hard", "cat tac", "$FORGES", "read", "nosuch")
    assert [word for word in words if find_program(word) is not None] == []


def test_a_list_that_several_share_stands_in_each():
    """Also one within another, and in what is taken from another program."""
    values, rules = find_program("goose")
    assert "--agents" in values.split() and rules == find_program("claude")[1] != []
    curl = [conditions for _words, conditions, kind, _target in find_program("curl")[1] if kind == "remote-api"]
    assert len(curl) == 1 and "--upload-file & !-G" in curl[0] and "& %api.github.com" in curl[0]


def test_without_the_file_nothing_is_believed_harmless(monkeypatch):
    """A broken installation must not look like one in which no program does anything."""
    monkeypatch.setattr(acts, "_texts", [])
    monkeypatch.setattr(acts, "read_text", lambda path: None)
    with pytest.raises(LimpetError, match="programs"):
        find_program("git")
