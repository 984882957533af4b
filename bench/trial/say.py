"""Runs `limpet` with the words of each line of standard input, a JSON list, in one process: six hundred take minutes.
Run by the Python in which Limpet is installed."""

from __future__ import annotations

import json
import sys

from limpet.__main__ import main

for line in sys.stdin:
    try:
        main(*json.loads(line))
    except SystemExit as end:
        if end.code:
            raise
