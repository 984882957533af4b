"""What is known of each command: its words, its folder, what it reads and writes, how it is reached."""

from __future__ import annotations

import pytest

from holdfast.ground.errors import HoldfastError
from holdfast.guard.shell.command import UNKNOWN, Understood, join, program
from holdfast.guard.shell.understand import LONGEST, understand

from .commands import read, words


def last(text):
    """The last command of a text."""
    return read(text).commands[-1]


FOLDERS = {
    "cd src && ls": "src",
    "cd src; cd ../docs; ls": "docs",
    "cd /etc && ls": "/etc",
    "cd && ls": "~",
    "cd src && cd - && ls": "",
    "pushd src; popd; ls": "",
    "pushd src > /dev/null && ls": "src",
    "(cd src); ls": "",
    "cd src | cat; ls": "",
    "cd $WHERE && ls": UNKNOWN,
    "if true; then cd a; else cd b; fi; ls": UNKNOWN,
    "cd a || exit 1; ls": "a",
    "git -C sub status": "sub",
    "cd a && git -C ../b log": "b",
    "git commit -C HEAD": "",
    "make -C lib test": "lib",
    "env -C sub ls": "sub",
    "npm --prefix web test": "web",
    "terraform -chdir=infra plan": "infra",
    "ssh host ls": UNKNOWN,
    "docker exec box ls": UNKNOWN,
    "f() { cd a; }; f; ls": "a",
}
WORDS = {
    "echo a\\ b": ("echo", "a b"),
    'echo "a  b"': ("echo", "a  b"),
    "echo 'a$b'": ("echo", "a$b"),
    'echo "a\\"b\\$c\\d"': ("echo", 'a"b$c\\d'),
    "echo $'a\\tb\\x41\\101\\u0041'": ("echo", "a\tbAAA"),
    "echo {a,b}{1..2}": ("echo", "a1", "a2", "b1", "b2"),
    "echo {a,{b,c}}x": ("echo", "ax", "bx", "cx"),
    "echo '{a,b}' {} {a}": ("echo", "{a,b}", "{}", "{a}"),
    "echo $HOME/x ~/y $PWD/z": ("echo", "~/x", "~/y", "./z"),
    "x='a b'; echo $x": ("echo", "a", "b"),
    "x='a b'; echo \"$x\"": ("echo", "a b"),
    'x=; echo $x "$x" end': ("echo", "", "end"),
    "x=(a b c); echo ${x[1]} ${x[@]} ${#x}": ("echo", "b", "a", "b", "c", UNKNOWN),
    "x=archive.tar.gz; echo ${x%.*} ${x%%.*} ${x#*.} ${x##*.}": ("echo", "archive.tar", "archive", "tar.gz", "gz"),
    "x=hello; echo ${x:1:3} ${x^^} ${x/l/L} ${x//l/L} ${#x}": ("echo", "ell", "HELLO", "heLlo", "heLLo", "5"),
    "x=a; x+=b; echo $x": ("echo", "ab"),
    "y=a; x=y; echo ${!x}": ("echo", "a"),
    "echo $(printf '%s-%s' a b) `echo c`": ("echo", "a-b", "c"),
    "printf -v x push; echo $x": ("echo", "push"),
    "set -- a b; shift; echo $1 $#": ("echo", "b", UNKNOWN),
    "echo $UNSET/x": ("echo", f"{UNKNOWN}/x"),
    "read a b <<< 'one two'; echo $b": ("echo", "two"),
    "while read -r x; do echo $x; done <<< last": ("echo", "last"),
    "echo a\\\nb": ("echo", "ab"),
    "echo *.py": ("echo", "*.py"),
}
WITHIN = {
    "echo $(ls)": ("substitution",),
    "bash -c ls": ("bash -c",),
    "eval ls": ("eval",),
    "f() { ls; }; f": ("function f",),
    "alias l=ls\nl": ("alias l",),
    "find . -exec ls {} +": ("find -exec",),
    "xargs ls < x": ("xargs",),
    "sudo ls": ("sudo",),
    "bash <<< ls": ("bash fed",),
    "sudo bash -c 'eval ls'": ("sudo", "bash -c", "eval"),
    "python3 -c 'import os; os.system(\"ls\")'": ("python3 -c",),
    "docker compose exec web ls": ("docker compose exec",),
}


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


@pytest.mark.parametrize("text", WITHIN)
def test_how_a_command_is_reached_is_told(text):
    """So that a reason can say it."""
    found = next(command for command in read(text).commands if command.words[:1] == ("ls",))
    assert found.within == WITHIN[text]


def test_redirections_tell_what_is_read_and_written():
    """Also those of a block, and those with nothing to run."""
    found = read("cat < a > b 2>> c; { ls; } &> d; > e; ls 2>&1 >&- 3<> f")
    assert [path for command in found.commands for path in command.writes] == ["b", "c", "d", "e", "f"]
    assert found.commands[0].reads == ("a",)


def test_what_is_fed_to_a_program_is_kept():
    """A here-document or a pipe of known text, for those who look into it."""
    assert last("psql <<< 'select 1'").fed == "select 1\n"
    assert last("echo a | cat").fed == "a\n"


def test_each_value_of_a_loop_counts():
    """Also of one that is set later in the loop's body."""
    assert words("for i in a b; do ls $i; done") == [("ls", "a"), ("ls", "b")]
    assert ("git", "push") in words("c=ls; for i in 1 2; do $c; c='git push'; done")


def test_a_function_that_nobody_calls_runs_nothing():
    """Its body counts where it is called."""
    assert words("f() { git push; }; ls") == [("ls",)]


def test_both_sides_of_a_condition_count():
    """Nobody knows beforehand which one runs."""
    assert words("if a; then b; elif c; then d; else e; fi") == [("a",), ("b",), ("c",), ("d",), ("e",)]


def fails(error):
    """A parser that raises this."""

    def parse(text):
        raise error

    return parse


@pytest.mark.parametrize("error", [HoldfastError("shfmt is missing"), OSError("x"), ValueError("x")])
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


def test_a_text_of_a_megabyte_is_not_clear():
    """It is not even read."""
    found = understand("echo " + "x" * LONGEST)
    assert not found.clear and found.why == "it is too long"


def test_what_is_nested_too_deeply_is_not_clear():
    """A text may hold a text that holds a text."""
    assert read("eval " * 12 + "ls").why == "it is nested too deeply"


def test_a_function_that_calls_itself_ends():
    """Its body is read twice at most."""
    assert set(words("f() { ls; f; }; f")) == {("ls",)}


def test_more_commands_than_anybody_reads_are_not_clear():
    """The first hundreds are known."""
    found = read("; ".join(f"echo {number}; true {number}" for number in range(500)))
    assert not found.clear and len(found.commands) > 300


@pytest.mark.parametrize(
    ("folder", "path", "found"),
    [
        ("", "a", "a"),
        ("a", "b", "a/b"),
        ("a", "../b", "b"),
        ("a", "/b/../c", "/c"),
        ("a", "~/b", "~/b"),
        ("", "..", ".."),
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


def test_functions_that_call_each_other_without_end_are_not_clear():
    """Each of thirty calls the next one twice."""
    text = "".join(f"f{n}() {{ f{n + 1}; f{n + 1}; }}; " for n in range(30)) + "f0"
    assert not read(text).clear


def test_loops_within_loops_are_walked_so_often_and_no_more():
    """Where each changes what the others do."""
    text = "".join(f"for v{n} in a b; do " for n in range(25)) + "v0=$v1x; echo $v0" + "; done" * 25
    assert ("echo", UNKNOWN) in words(text)


def test_code_without_end_is_not_read():
    """A here-document may hold anything."""
    assert read("python3 - <<'E'\n" + "x = 1\n" * 20_000 + "E").why == "the code is too long"


def test_a_parser_that_fails_is_asked_twice_at_most():
    """Each question may take as long as the parser is waited for."""
    asked = []

    def parse(text):
        asked.append(text)
        raise HoldfastError("shfmt takes too long")

    from holdfast.guard.shell.walk import Walk

    walk = Walk(parse)
    for number in range(5):
        walk.text(f"ls; ls {number}")
    assert len(asked) == 2 and walk.why
