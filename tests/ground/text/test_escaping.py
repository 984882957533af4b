"""Text that is made safe for the block."""

import pytest

from limpet.ground.text.escaping import clip, clip_words, escape, escape_attribute, on_one_line, visible
from limpet.ground.text.unseen import RANGES

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


UNSEEN = (
    "\u200b\u200c\u200d\u2062\u180e\ufff9\u00ad\u034f\ufe00\ufe0f\U000e0100\U000e01ef\u3164\u1160\uffa0\u2800\u17b4\u180b\U0001d173"
    "\U0001bca0\u2065\ufff0\u061c\ufeff"
)


@pytest.mark.parametrize("sign", UNSEEN)
@pytest.mark.parametrize("make", [escape, escape_attribute, visible, on_one_line])
def test_letters_that_nobody_sees_go(make, sign):
    """Where they join nothing."""
    assert make(f"a{sign}b") == "ab"


def test_all_that_unicode_calls_ignorable_goes_or_is_seen():
    """But the tags, which are replaced; of what carries bytes nothing is left."""
    hidden = "".join(chr(code) for first, last in RANGES for code in range(first, last + 1))
    assert escape("".join(f"a{letter}" for letter in hidden)) == "a" * len(hidden)


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم کتاب\u200cها را ببینم",
        "क्\u200dष और क्\u200cष, श्री",
        "ന്\u200d",
        "👩\u200d💻 👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈 ☀\ufe0f ✔\ufe0e 1\ufe0f\u20e3 ©\ufe0f",
        "ᠮᠣᠩᠭᠣᠯ\u180b",
        "\u115fᅡ",
    ],
    ids=["Persian", "Hindi", "Malayalam", "emoji", "Mongolian", "Hangul"],
)
def test_what_scripts_and_emoji_need_stays(text):
    assert escape(text) == visible(text) == text


@pytest.mark.parametrize(  # noqa: E501
    "text", ["да\u200dнет", "été\u200cs", "👩\ufe0f\ufe0f\ufe00", "名\U000e0101前", "می\u200c\u200dx"]
)
def test_joiners_that_join_nothing_go(text):
    """One look is enough for a sign."""
    kept = "👩\ufe0f" if text[0] == "👩" else "".join(c for c in text if c.isprintable() and c != "\U000e0101")
    assert escape(text) == kept
