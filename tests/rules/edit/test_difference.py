"""What an edit changed, by line and as a unified diff."""

from limpet.rules.edit.difference import RuleFileChange, changed_lines, unified

EDIT = RuleFileChange(".limpet/rules/qa", "one\ntwo\nthree\n", "one\n2\nthree\nfour\n")


def test_lines_are_numbered_on_their_own_side():
    """A removed line as it was before, an added one as it is afterwards; line ends alone are no change."""
    assert [str(line) for line in changed_lines(EDIT)] == [
        ".limpet/rules/qa:2: - two",
        ".limpet/rules/qa:2: + 2",
        ".limpet/rules/qa:4: + four",
    ]
    assert list(changed_lines(RuleFileChange("qa", "one\r\ntwo\r\n", "one\ntwo"))) == []


def test_files_have_the_paths_that_git_writes():
    """A new and a removed file face nothing; a renamed one has its old path in front."""
    assert list(unified(RuleFileChange("qa", None, "one\n")))[:2] == ["--- /dev/null", "+++ qa"]
    assert list(unified(RuleFileChange("qa", "one\n", None)))[:2] == ["--- qa", "+++ /dev/null"]
    assert list(unified(RuleFileChange("new", "one\n", "two\n", source="old")))[:2] == ["--- old", "+++ new"]
