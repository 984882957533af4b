"""Regular expressions that are compiled once a text needs them: most processes look at few texts, and compiling all of
them takes longer than what such a process does."""

from __future__ import annotations

import re
from functools import cache, partial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile(pattern, flags)


def later(pattern: str, flags: int = 0) -> Callable[[], re.Pattern[str]]:
    return partial(compiled, pattern, flags)
