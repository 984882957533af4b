"""Signatures: real tools' errors in different files, lines and days are one, and different errors are not."""

import pytest
from hypothesis import given

from limpet.memory.signatures import find_error, without_place

from .cards import QUICK, texts

PYTEST = """Exit code 1
============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-8.3.4, pluggy-1.5.0
rootdir: {root}
collected 0 items / 1 error

==================================== ERRORS ====================================
_________________ ERROR collecting {file} _________________
ImportError while importing test module '{root}/{file}'.
E   ModuleNotFoundError: No module named 'requests'
=========================== short test summary info ============================
ERROR {file}
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
"""
ESLINT = "{root}/src/a.js\n  {line}:10  error  'x' is never used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)"
TRACE = """Traceback (most recent call last):
  File "{root}/{file}", line {line}, in <module>
    raise ValueError("bad input")
ValueError: bad input
"""


def sign(text):
    """The signature of the error that a text tells of."""
    return find_error(text)[1]


@pytest.mark.parametrize(
    ("form", "signature"),
    [
        (PYTEST, "modulenotfounderror: no module named <text>"),
        ("FAILED {file}::test_x - TypeError: got {line} arguments", "typeerror: got <n> arguments"),
        (TRACE, "valueerror: bad input"),
        (
            "src/a.c:3: error: unknown type name 'foo'\nmake: *** [Makefile:4: all] Error 1",
            "error: unknown type name <text>",
        ),
        ("npm ERR! code ERESOLVE\nnpm ERR! A complete log is in {root}/{line}-debug.log", "npm err! code eresolve"),
        (
            "> app@1.0.0 build\n> tsc\n\n{file}({line},5): error TS2322: Type 'a' is bad.",
            "error ts2322: type <text> is bad.",
        ),
        ("{file}:{line}:5 - error TS2322: Type 'a' is bad.", "error ts2322: type <text> is bad."),
        ("main.c: In function 'f':\nmain.c:{line}:3: error: ‘x’ undeclared", "error: <text> undeclared"),
        ("error[E0308]: mismatched types\n --> {file}:{line}:5", "error[e0308]: mismatched types"),
        ("thread 'main' panicked at {file}:{line}:5:\nindex {line} is out of bounds", "index <n> is out of bounds"),
        ("# example.com/x\n./{file}:{line}:2: undefined: foo", "undefined: foo"),
        (ESLINT, "error <text> is never used no-unused-vars"),
        ("Error: Cannot find module './x'\n    at f ({root}/{file}:{line}:3)", "error: cannot find module <text>"),
        ("C:\\work\\{line}\\a.cs({line},4): error CS1002: ; expected", "error cs1002: ; expected"),
        ("Exit code 127\n/bin/bash: line {line}: poetry: command not found", "line <n>: poetry: command not found"),
        ("cat: {root}/{file}: No such file or directory", "cat: <path>: no such file or directory"),
        ("cat: .github/{line}/{file}: No such file or directory", "cat: <path>: no such file or directory"),
        ("2026-01-{line}T03:04:05.12Z ERROR db 10.0.0.{line} refused (0x7f{line})", "error db <n> refused (<n>)"),
        ("\x1b[31mError:\x1b[0m commit 3f2a9c1{line} is gone", "error: commit <n> is gone"),
        ("fetch https://x.example/{line}?a=b failed: unauthorized", "fetch <url> failed: unauthorized"),
        (
            "<tool_use_error>String to replace not found in file.\nString: {line}</tool_use_error>",
            "string to replace not found in file.",
        ),
        ("FAIL {file}\n  ● adds numbers\n\n    expect(received).toBe(expected)\n\nTests:  1 failed", "adds numbers"),
    ],
    ids=lambda value: value[:20] if "{" not in value else None,
)
def test_the_same_error_elsewhere_has_the_same_signature(form, signature):
    here = form.format(root="/home/ana/app", file="src/a.py", line=12)
    there = form.format(root="/Users/bo/dev/app", file="tests/unit/b.py", line=31)
    assert {sign(here), sign(there)} == {signature}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n \n",
        "Exit code 1",
        "Command exited with code 2",
        "E       assert 3 == 4\nE        +  where 3 = add(1, 2)\n\ntests/test_a.py:5: AssertionError\n1 failed in 0.2s",
        "The user doesn't want to proceed with this tool use. The tool use was rejected.",
        "[Request interrupted by user for tool use]",
        "======\n------\n12 34",
        "Claude requested permissions to use Bash, but you haven't granted it yet.",
        "This command requires approval",
        "PreToolUse:Bash hook error: dev may not push. Hand it to @devops, or have the user do it.",
        "PreToolUse:Edit hook error: [python3 check.py]: src is not found\n",
        "Denied by preToolUse hook: dev may not push.",
        "Exit code 1\nlimpet: Only the user can decide this. Run it in your own terminal.",
        "info: syncing channel updates for 1.90\n[INFO] unable to use the cache",
        # Else all that make or a package manager runs would be one error.
        "make: *** [Makefile:4: test] Error 1",
        "make[2]: *** [all] Error 2",
        "\u2009ELIFECYCLE\u2009 Command failed with exit code 1.",
        "error Command failed with exit code 1.",
    ],
    ids=lambda text: text[:30].strip() or "nothing",
)
def test_what_says_nothing_has_no_signature(text):
    assert find_error(text) == ("", "")


def test_different_errors_stay_different():
    """Quoted text stays where nothing else tells the error."""
    texts = [
        "error TS2322: no overload",
        "error TS2345: no overload",
        "NameError: name 'x' is not defined",
        "foo: not found",
    ]
    assert len({sign(text) for text in texts}) == len(texts)
    assert sign("KeyError: 'user'") == "keyerror: 'user'"


def test_the_line_is_told_as_it_stands():
    line = "src/a.ts(12,5): error TS2322: Type 'a' is bad."
    assert find_error(f"> tsc\n\n{line}\nFound 1 error.")[0] == line


@QUICK
@given(texts)
def test_any_text_has_a_signature_of_one_line_or_none(text):
    signature = sign(text)
    assert len(signature) <= 200
    assert "\n" not in signature


@pytest.mark.parametrize(
    "piece",
    ["'", '"`', "a.", "a/", "-a", "0-", "f0", "a1.", "E  ", "Error\n", "Traceback (most recent call last):\n \n"],
)
def test_no_text_is_searched_for_ever(piece):
    assert len(sign("Error: " + "word " * 500)) == 200
    """Nor does it make a signature that is longer than others."""
    assert len(sign(piece * (500_000 // len(piece)))) <= 200


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("src/b.ts(7,5): error TS2322: Type 'y' is bad.", "error TS2322: Type 'y' is bad."),
        ("main.go:12:2: undefined: Foo", "undefined: Foo"),
        ("SyntaxError: invalid syntax (foo.py, line 3)", "SyntaxError: invalid syntax (foo.py)"),
        ("ReferenceError: y is not defined (line 12)", "ReferenceError: y is not defined"),
        ("JSONDecodeError: Expecting value: line 1 column 1 (char 0)", "JSONDecodeError: Expecting value"),
        ("SyntaxError: Unexpected token } in JSON at position 42", "SyntaxError: Unexpected token } in JSON"),
        ("YAMLException: bad indentation at line 3, column 5:", "YAMLException: bad indentation"),
        ("TypeError: x is undefined at foo.js:3:5", "TypeError: x is undefined at foo.js"),
        ("./run.sh: line 12: syntax error: unexpected end of file", "./run.sh: syntax error: unexpected end of file"),
        ("Error: connect ECONNREFUSED 127.0.0.1:5432", "Error: connect ECONNREFUSED 127.0.0.1:5432"),
        ("E501 Line too long (81 > 79)", "E501 Line too long (81 > 79)"),
        ("ERROR: column 3 does not exist", "ERROR: column 3 does not exist"),
        ("Error at line 3", "Error at line 3"),
    ],
)
def test_where_it_happened_this_time_is_no_part_of_the_error(line, bare):
    assert without_place(line) == bare


@QUICK
@given(texts)
def test_any_line_but_an_empty_one_leaves_something(line):
    assert bool(without_place(line)) is bool(line.split())
