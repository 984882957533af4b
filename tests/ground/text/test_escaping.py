"""Text that is made safe for the block."""

import pytest

from limpet.ground.text.escaping import clip, clip_words, escape, escape_attribute, on_one_line, visible

HIDDEN = ["\0", "\x1b", "\x7f", "\x9b", "\u202e", "\u2067", "\U000e0041", "\uffff", "\ud800"]


@pytest.mark.parametrize("sign", HIDDEN)
@pytest.mark.parametrize("make", [escape, escape_attribute])
def test_signs_that_are_forbidden_or_hidden_are_replaced(make, sign):
    """By a sign that is seen; the text around them stays."""
    safe = make(f"a{sign}b")
    assert sign not in safe
    assert (safe[0], safe[-1], len(safe)) == ("a", "b", 3)


def test_what_people_write_stays():
    """Accents, other scripts, joined emoji, tabs and line breaks; marks of markup are escaped, and a cut is seen."""
    text = "ação שלום مرحبا 👩‍💻 名前\tx\ny\u0085z"
    assert escape(text) == text
    assert escape('<a b="c"> & d') == '&lt;a b="c"&gt; &amp; d'
    assert escape_attribute('"a"\n<b>') == "&quot;a&quot; &lt;b&gt;"
    assert (clip("abcdefgh", 6), clip("abc", 3)) == ("abc...", "abc")
    assert on_one_line("a\nb\u2028c</x>\x1b[0m") == "a b c< /x>\ufffd[0m"


@pytest.mark.parametrize("command", ["`limpet resume --spawn`", "(limpet rules show QA)"])
def test_a_command_at_the_end_stays_whole_or_goes_wholly(command):
    """Half a command is none; the words before it are shortened first."""
    text = f"a new conversation would work better: {command}"
    assert clip_words(text, len(text)) == text
    assert clip_words(text, 40).endswith(f" {command}") and len(clip_words(text, 40)) <= 40
    assert command[:5] not in clip_words(text, 20) and len(clip_words(text, 20)) <= 20
    assert clip_words("words alone that are cut", 12) == "words..."


@pytest.mark.parametrize("sign", ["\u200b", "\u200c", "\u200d", "\u2062", "\u180e", "\ufff9", "\u00ad", "\u034f"])
@pytest.mark.parametrize("make", [escape, escape_attribute, visible, on_one_line])
def test_letters_that_nobody_sees_go(make, sign):
    """Where they join nothing."""
    assert make(f"a{sign}b") == "ab"
