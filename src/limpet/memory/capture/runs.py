"""Commands that were run: whether two are the same, and whether one only reads, or is our own."""

from __future__ import annotations

import re

from limpet.ground.text.escaping import clip

LONGEST_COMMAND = 120
_MOST_PARTS = 5
_CHANGE_OF_FOLDER = re.compile(r"^\s*cd \S{1,300} *(?:&&|;)\s*")
_SHOWING_LESS = re.compile(r"\s*(?:2>&1|2>/dev/null|\|\s*(?:tail|head|tee|cat|less|grep)\b[^|]{0,200})\s*$")
_VARIABLE = re.compile(r"^(?:\w{1,60}=\S{0,200}\s+)+")
_LOOKING = re.compile(
    r"^(?:(?:\S{0,200}/)?(?:python[\d.]{0,5} -m )?limpet"
    r"|ls|cat|bat|grep|rg|ag|find|fd|head|tail|test|\[|cd|which|type|file|stat|wc|diff|sed|awk|echo|printf|ps|kill|pkill"
    r"|tree|pwd|env|sleep|jq|less|xxd|true|false|exit|git (?:status|diff|log|show|grep|blame|branch|ls-files))\b"
)


def same_command(command: str) -> str:
    """Return the command without what changes only where it runs and how much of its output is seen."""
    bare = " ".join(command[:2000].split())
    for _ in range(_MOST_PARTS):
        bare = _SHOWING_LESS.sub("", _CHANGE_OF_FOLDER.sub("", bare))
    return clip(bare, LONGEST_COMMAND)


def only_looks(command: str) -> bool:
    """Return whether it reads and searches, or is Limpet's own: that it finds nothing, or refuses, is no error."""
    return _LOOKING.match(_VARIABLE.sub("", command)) is not None
