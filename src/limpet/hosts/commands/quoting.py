"""Puts text into the words of a shell, so that nothing in it speaks to the shell, and takes it out again."""

from __future__ import annotations

import re

DOUBLE = r'"((?:[^"\\]|\\.)*)"'
"""A word in double quotes, as ``double_quoted`` writes it."""
SINGLE = r"'((?:[^']|'\\'')*)'"
"""A word in single quotes, as ``single_quoted`` writes it."""
POWERSHELL = r"'((?:[^']|'')*)'"
"""A word of PowerShell, as ``powershell_quoted`` writes it."""


def double_quoted(text: str) -> str:
    """Return a word for POSIX shells, Git Bash and, for a path of Windows, cmd.exe."""
    return '"' + re.sub(r'([$`"\\])', r"\\\1", text) + '"'


def out_of_double(inside: str) -> str:
    """Return the text of what stands between double quotes."""
    return re.sub(r"\\(.)", r"\1", inside, flags=re.DOTALL)


def single_quoted(text: str) -> str:
    """Return a word for POSIX shells and Git Bash that may hold any text."""
    return "'" + text.replace("'", r"'\''") + "'"


def out_of_single(inside: str) -> str:
    """Return the text of what stands between single quotes."""
    return inside.replace(r"'\''", "'")


def powershell_quoted(text: str) -> str:
    """Return a word for PowerShell that may hold any text; it takes four more characters for a single quote."""
    return "'" + re.sub(r"(['\u2018\u2019\u201a\u201b])", r"\1\1", text) + "'"


def out_of_powershell(inside: str) -> str:
    """Return the text of what stands between PowerShell's single quotes."""
    return re.sub(r"(['\u2018\u2019\u201a\u201b])\1", r"\1", inside)
