"""What is known of each command: its words, its folder, what it reads and writes, how it is reached."""

from __future__ import annotations

import pytest

from limpet.ground.errors import LimpetError
from limpet.guard.shell.command import UNKNOWN, Understood, join, program
from limpet.guard.shell.understand import LONGEST, understand

from .commands import read, words


def last(text):
    """The last command of a text."""
    return read(text).commands[-1]


FOLDERS = {
    "cd src && ls": "src", "cd src; cd ../docs; ls": "docs", "cd /etc && ls": "/etc", "cd && ls": "~",
    "cd src && cd - && ls": "", "pushd src; popd; ls": "", "pushd src > /dev/null && ls": "src", "(cd src); ls": "",
    "cd src | cat; ls": "", "cd $WHERE && ls": UNKNOWN, "if true; then cd a; else cd b; fi; ls": UNKNOWN,
    "cd a || exit 1; ls": "a", "git -C sub status": "sub", "cd a && git -C ../b log": "b", "git commit -C HEAD": "",
    "make -C lib test": "lib", "env -C sub ls": "sub", "npm --prefix web test": "web",
    "terraform -chdir=infra plan": "infra", "ssh host ls": UNKNOWN, "docker exec box ls": UNKNOWN,
    "f() { cd a; }; f; ls": "a",
}  # fmt: skip
WORDS = {
    "echo a\\ b": ("echo", "a b"), 'echo "a  b"': ("echo", "a  b"), "echo 'a$b'": ("echo", "a$b"),
    'echo "a\\"b\\$c\\d"': ("echo", 'a"b$c\\d'), "echo $'a\\tb\\x41\\101\\u0041'": ("echo", "a\tbAAA"),
    "echo {a,b}{c,d}": ("echo", "ac", "ad", "bc", "bd"), "echo {1..2}": ("echo", UNKNOWN),
    "echo {a,{b,c}}x": ("echo", "ax", "bx", "cx"), "echo '{a,b}' {} {a}": ("echo", "{a,b}", "{}", "{a}"),
    "echo $HOME/x ~/y $PWD/z": ("echo", "~/x", "~/y", "./z"), "x='a b'; echo $x": ("echo", "a", "b"),
    "x='a b'; echo \"$x\"": ("echo", "a b"), 'x=; echo $x "$x" end': ("echo", "", "end"),
    "x=(a b c); echo ${x[1]} ${x[@]} ${#x}": ("echo", "b", "a", "b", "c", UNKNOWN),
    "x=hello; echo ${x%.*} ${x:1:3} ${x/l/L} ${#x}": ("echo", UNKNOWN, UNKNOWN, UNKNOWN, "5"),
    "bash -c 'echo $0 $1' git push": ("echo", "git", "push"), "rm $(mktemp)": ("rm", "/tmp/mktemp"),
    "find . -name '*.pyc' -exec rm {} +": ("rm", "*.pyc"), "xargs -a list rm": ("rm", UNKNOWN),
    "x=a; x+=b; echo $x": ("echo", "ab"), "y=a; x=y; echo ${!x}": ("echo", "a"),
    "echo $(printf '%s-%s' a b) `echo c`": ("echo", "a-b", "c"), "printf -v x push; echo $x": ("echo", "push"),
    "set -- a b; shift; echo $1 $#": ("echo", "b", UNKNOWN), "echo $UNSET/x": ("echo", f"{UNKNOWN}/x"),
    "read a b <<< 'one two'; echo $b": ("echo", "two"),
    "while read -r x; do echo $x; done <<< last": ("echo", "last"), "echo a\\\nb": ("echo", "ab"),
    "echo *.py": ("echo", "*.py"),
}  # fmt: skip


@pytest.mark.parametrize("text", FOLDERS)
def test_the_folder_is_followed(text):
    """What counts is where a path is, not where the text began (decision 42)."""
    assert last(text).folder == FOLDERS[text]


@pytest.mark.parametrize("text", WORDS)
def test_words_are_what_the_program_would_get(text):
    """Quotes are gone, what is known is filled in, the rest is UNKNOWN."""
    wanted = WORDS[text]
    found = words(text)
    assert found[-1] == wanted or wanted in found


def test_redirections_tell_what_is_read_and_written_and_what_is_fed_is_kept():
    """Also those of a block, and those with nothing to run; a here-document or a pipe of known text is kept."""
    found = read("cat < a > b 2>> c; { ls; } &> d; > e; ls 2>&1 >&- 3<> f")
    assert [path for command in found.commands for path in command.writes] == ["b", "c", "d", "e", "f"]
    assert found.commands[0].reads == ("a",)
    assert last("psql <<< 'select 1'").fed == "select 1\n"
    assert last("echo a | cat").fed == "a\n"


def test_every_part_that_may_run_counts():
    """Each value of a loop, both sides of a condition, a function where it is called; nothing without end."""
    assert words("for i in a b; do ls $i; done") == [("ls", "a"), ("ls", "b")]
    assert ("git", "push") in words("c=ls; for i in 1 2; do $c; c='git push'; done")
    assert words("if a; then b; elif c; then d; else e; fi") == [("a",), ("b",), ("c",), ("d",), ("e",)]
    assert words("f() { git push; }; ls") == [("ls",)]
    assert set(words("f() { ls; f; }; f")) == {("ls",)}
    text = "".join(f"for v{n} in a b; do " for n in range(25)) + "v0=$v1x; echo $v0" + "; done" * 25
    assert ("echo", UNKNOWN) in words(text)


def fails(error):
    """A parser that raises this."""

    def parse(text):
        raise error

    return parse


@pytest.mark.parametrize("error", [LimpetError("shfmt is missing"), OSError("x"), ValueError("x")])
def test_a_parser_that_cannot_is_not_clear(error):
    """Its words stay at hand for those who look for a forbidden one (decision 42)."""
    found = understand("ls; git push", fails(error))
    assert not found.clear and found.why and "push" in found.texts


def test_without_a_parser_it_is_not_clear():
    """Nothing is guessed."""
    assert understand("ls; ls") == Understood((), False, "no parser is at hand", ("ls",))


@pytest.mark.parametrize(
    "tree", [{"Stmts": [{"Cmd": {"Type": "CallExpr", "Args": [{"Parts": [{}]}]}}]}, {"Stmts": [1]}]
)
def test_a_tree_of_another_form_is_not_clear(tree):
    """A later version of the parser may name things otherwise."""
    assert not understand("ls; ls", lambda text: tree).clear


def test_what_is_too_long_or_too_deep_is_not_clear():
    """A megabyte is not even read; of too many commands the first hundreds are known."""
    found = understand("echo " + "x" * LONGEST)
    assert not found.clear and found.why == "it is too long"
    assert read("eval " * 12 + "ls").why == "it is nested too deeply"
    found = read("; ".join(f"echo {number}; true {number}" for number in range(500)))
    assert not found.clear and len(found.commands) > 300
    text = "".join(f"f{n}() {{ f{n + 1}; f{n + 1}; }}; " for n in range(30)) + "f0"
    assert not read(text).clear


@pytest.mark.parametrize(
    ("folder", "path", "found"),
    [
        *(("", "a", "a"), ("a", "b", "a/b"), ("a", "../b", "b")),
        *(("a", "/b/../c", "/c"), ("a", "~/b", "~/b"), ("", "..", "..")),
    ],
)
def test_a_path_is_seen_from_the_start(folder, path, found):
    """With what cancels out taken away, without asking the disk."""
    assert join(folder, path) == found


@pytest.mark.parametrize(
    ("command", "name"),
    [
        *(("/usr/bin/git", "git"), ("./git", "git"), ("git.exe", "git"), ("C:\\x\\Git.EXE", "git")),
        *((f"{UNKNOWN}/git", "git"), (UNKNOWN, ""), (f"g{UNKNOWN}", "")),
    ],
)
def test_a_program_has_a_name_wherever_it_lies(command, name):
    """ "" where a part of the name is not known."""
    assert program(command) == name


def test_braces_without_end_are_cut():
    """Forty pairs would be a million million words; what is left out is not known."""
    found = last("echo " + "{a,b}" * 40).words
    assert len(found) < 70 and found[-1] == UNKNOWN


@pytest.mark.parametrize(
    "text", ["a[$(ls)]=1", "a=([$(ls)]=1)", "echo ${a[$(ls)]}", "echo ${x/$(ls)/}", "echo ${x:$(ls)}"]
)
def test_what_stands_in_an_index_is_run(text):
    """As in every other part of an expansion."""
    assert ("ls",) in words(text)


CODE = {
    "python3 -c 'import os'": ("import", "os"),
    "python3 - <<'E'\nx = open('a/b.md')\nE": ("x", "open", "a/b.md"),
    "node -e 'f(1)'": ("f", "1"),
    "perl -pi -e 's/a/b/' f": ("s/a/b/", "f"),
    "pwsh -c 'gc .limpet\\a.md'": ("-c", "gc", ".limpet/a.md"),
    "cmd.exe /C dir": ("/C", "dir"),
    "parallel ls ::: a": ("ls", ":::", "a"),
    "echo ls | at now": ("now", "ls"),
    "cat > a.py <<'E'\nprint(1)\nE\npython3 a.py": ("print", "1"),
    "awk '{ print > \"f\" }' a": ("print", "f", "a"),
    "sed 's/a/b/w c' d": ("s", "a", "b", "w", "c"),
    "python3 -m timeit 'x = 1'": ("x", "1"),
}
NO_CODE = (
    "python3 a.py -c x",
    "python3 -m pytest -c x",
    "awk -F: '$3 > 100 { print $1 \"|\" $2 }' f",
    "awk '/a|b/ { print }' f",
    "awk -f a.awk f",
    "sed -e 's/new/old/g' -e '/w/d' f",
    "sed -n '1,5p' web/new",
    "vim a.py",
    "node a.js",
    "jq -e .x f",
)


@pytest.mark.parametrize("text", CODE)
def test_code_is_not_read_and_its_words_are_kept(text):
    """Of code for an interpreter, and of what another shell would run."""
    found = read(text)
    assert (found.clear, found.texts) == (False, CODE[text]) and found.why.endswith("is not read")


@pytest.mark.parametrize("text", NO_CODE)
def test_what_only_looks_like_code_is_clear(text):
    """A file, a module, a script that prints or edits."""
    assert read(text).clear


@pytest.mark.parametrize("shell", ["powershell", "cmd"])
def test_another_shells_text_is_not_read_unless_it_is_plain(shell):
    """Plain words mean the same in every shell; all others are kept as words, with the separators of paths as ours."""
    assert words("git push origin", shell) == [("git", "push", "origin")]
    for text in ("git status; git push", "gc .limpet\\a.md", "git pu%X%sh", "git pu^sh", "rm a,b", "git push @args"):
        found = read(text, shell)
        assert not found.clear and found.commands == ()
    assert ".limpet/a.md" in read("gc .limpet\\a.md", shell).texts


def test_a_parser_that_fails_is_asked_twice_at_most():
    """Each question may take as long as the parser is waited for."""
    asked = []

    def parse(text):
        asked.append(text)
        raise LimpetError("shfmt takes too long")

    from limpet.guard.shell.walk import ShellWalk

    walk = ShellWalk(parse)
    for number in range(5):
        walk.text(f"ls; ls {number}")
    assert len(asked) == 2 and walk.why
