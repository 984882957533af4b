"""What an edit changed, by line and as a unified diff."""

from limpet.rules.edit.difference import RuleFileChange, changed_lines, unified

EDIT = RuleFileChange(".limpet/rules/qa", "one\ntwo\nthree\n", "one\n2\nthree\nfour\n")


def test_lines_are_numbered_on_their_own_side():
    """A removed line as it was before, an added one as it is afterwards."""
    assert [str(line) for line in changed_lines(EDIT)] == [
        ".limpet/rules/qa:2: - two",
        ".limpet/rules/qa:2: + 2",
        ".limpet/rules/qa:4: + four",
    ]


def test_line_ends_alone_are_no_change():
    """The lines say the same."""
    assert list(changed_lines(RuleFileChange("qa", "one\r\ntwo\r\n", "one\ntwo"))) == []


def test_a_new_and_a_removed_file_face_nothing():
    """As git writes them."""
    assert list(unified(RuleFileChange("qa", None, "one\n")))[:2] == ["--- /dev/null", "+++ qa"]
    assert list(unified(RuleFileChange("qa", "one\n", None)))[:2] == ["--- qa", "+++ /dev/null"]


def test_a_renamed_file_has_both_paths():
    """Its old one in front."""
    assert list(unified(RuleFileChange("new", "one\n", "two\n", source="old")))[:2] == ["--- old", "+++ new"]
