"""Make src/limpet/framework/prompt_path.json: python tools/prompt_path.py

Plays the sample events of ``tests/hook_samples.py`` in a project of its own and writes down the modules that they
import, which the hook's bundles are made of. Run it whenever the prompt path imports something else; a test compares.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
OUT = ROOT / "src" / "limpet" / "framework" / "prompt_path.json"


def main() -> None:
    """Write the file."""
    sys.path.insert(0, str(ROOT))
    from tests.hook_samples import module_lists, play_all

    with tempfile.TemporaryDirectory() as folder:
        lists = module_lists(play_all(folder))
    OUT.write_text(json.dumps(lists, indent=1) + "\n", encoding="utf-8")
    counts = (f"{way}: {len(each['every'])} and {len(each['some'])}" for way, each in lists.items())
    print(f"{OUT.relative_to(ROOT)}: {', '.join(counts)} modules")


if __name__ == "__main__":
    main()
