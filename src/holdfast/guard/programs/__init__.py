"""What programs do, as data: for each a row of rules, read by ``guard.acts``.

A program has the options that take the next word as their value, and its rules. A rule is (words, conditions, kind,
target):

words: the first operands, such as ``pr create``, with ``|`` between those that are alike, "" for any.
conditions: groups separated by ``&``, of which one word each has to hold: an option (``-f``), an operand (``.``), an
operand that begins with a text (``^+``), any word or the input that contains a text (``%drop_table``), an option with a
value (``-X=POST``) or with one that is not GET (``-X!``); ``!`` before a word means that it must not hold.
target: ``all``, ``first``, ``rest``, ``last``, ``but-last`` operands, with ``.`` after it for the folder where there are
none; ``.`` the folder; ``leading`` the words before the first option; ``-o`` the value of that option; "" the program.
"""

from __future__ import annotations

from holdfast.guard.programs.files import FILES
from holdfast.guard.programs.network import NETWORK
from holdfast.guard.programs.packages import PACKAGES
from holdfast.guard.programs.repositories import REPOSITORIES
from holdfast.guard.programs.systems import SYSTEMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    Rule = tuple[str, str, str, str]
    Program = tuple[str, tuple[Rule, ...]]

PROGRAMS: dict[str, Program] = {**FILES, **NETWORK, **PACKAGES, **REPOSITORIES, **SYSTEMS}
