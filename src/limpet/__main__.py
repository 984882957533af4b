"""The entry point of the ``limpet`` command. A hook call goes past the command line's imports, which cost time."""

from __future__ import annotations

import gc
import sys

# New objects after which garbage in cycles is looked for: Python's 700 cost a short command more than its own work.
_UNTIL_LOOKED = 100_000


def main(*words: str) -> None:
    """Run the command of these words, else the one that the process was started with."""
    if words:
        sys.argv[1:] = words
    if sys.argv[1:2] == ["hook"]:
        from limpet.hook import main as answer

        answer(sys.argv[2:])
        return
    gc.set_threshold(_UNTIL_LOOKED)
    from limpet.cli import run

    run()


if __name__ == "__main__":
    main()
