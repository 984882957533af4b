"""Any text comes back out of the quotes as it went in, from a real shell and from our own reading."""

import re
import shutil
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from limpet.hosts.commands.launcher import (
    DOUBLE,
    POWERSHELL,
    SINGLE,
    double_quoted,
    out_of_double,
    out_of_powershell,
    out_of_single,
    powershell_quoted,
    single_quoted,
)

TEXTS = st.text(st.characters(exclude_characters="\x00", codec="utf-8"))
NASTY = "it's \"a\" $(test) `x` \\ 'b' \\' ''' # end\nsecond line! %PATH% {0}"
FORMS = {
    DOUBLE: (double_quoted, out_of_double),
    SINGLE: (single_quoted, out_of_single),
    POWERSHELL: (powershell_quoted, out_of_powershell),
}


@pytest.mark.parametrize("form", FORMS)
@given(TEXTS)
@example(NASTY)
def test_what_is_quoted_reads_back(form, text):
    quote, unquote = FORMS[form]
    found = re.fullmatch(form, quote(text), re.DOTALL)
    assert found and unquote(found[1]) == text


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX shells")
@pytest.mark.parametrize("quote", [double_quoted, single_quoted])
@pytest.mark.parametrize("shell", [name for name in ("sh", "bash", "dash", "zsh", "ksh") if shutil.which(name)])
def test_a_shell_takes_it_for_one_word(shell, quote):
    done = subprocess.run([shell, "-c", f"printf '<%s>' {quote(NASTY)}"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"<{NASTY}>", "")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("C:\\Users\\Anna O'Neil\\hook.cmd", "'C:\\Users\\Anna O''Neil\\hook.cmd'"),
        ('$env:X `n "y"', "'$env:X `n \"y\"'"),
        ("a\u2019b\u2018c\u201ad\u201b", "'a\u2019\u2019b\u2018\u2018c\u201a\u201ad\u201b\u201b'"),
    ],
)
def test_powershell_takes_everything_but_a_quote_as_it_is(text, word):
    """And typographic quotes for quotes, so they are doubled like the plain one."""
    assert powershell_quoted(text) == word
