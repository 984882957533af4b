"""Make the table of letters that nobody sees: python tools/unseen_letters.py DerivedCoreProperties.txt

The file is the Unicode Character Database's (https://www.unicode.org/Public/UCD/latest/ucd/), of which the property
Default_Ignorable_Code_Point is read. ``--check`` writes nothing and exits 1 where the table is another one. What
Unicode calls visible and fonts draw as nothing stands here.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

TABLE = Path(__file__).parents[1] / "src" / "limpet" / "ground" / "text" / "unseen.py"
PROPERTY = re.compile(r"^([0-9A-F]+)(?:\.\.([0-9A-F]+))? *; Default_Ignorable_Code_Point", re.MULTILINE)
VERSION = re.compile(r"DerivedCoreProperties-([0-9.]+)\.txt")
# Blanks that are no white space to a program: a Braille pattern without dots, a null notehead; annotations between
# lines; Egyptian signs that only join; an old Mongolian blank.
DRAWN_AS_NOTHING = ((0x2800, 0x2800), (0x1D159, 0x1D159), (0xFFF9, 0xFFFB), (0x13430, 0x1343F), (0x180E, 0x180E))
# Controls of the direction, which are replaced by a sign that is seen, as are the tags in E0000..E007F.
SEEN = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xE0000, 0xE0080)}
TEXT = '''"""Letters that are drawn as nothing, made by tools/unseen_letters.py from Unicode {version}."""

RANGES = (
{rows}
)  # fmt: skip
'''


def make_table(text: str) -> str:
    version = VERSION.search(text)
    pairs = [(int(first, 16), int(last or first, 16)) for first, last in PROPERTY.findall(text)]
    if version is None or not pairs:
        raise SystemExit("No DerivedCoreProperties.txt of Unicode")
    codes: set[int] = set()
    for first, last in (*pairs, *DRAWN_AS_NOTHING):
        codes.update(range(first, last + 1))
    return TEXT.format(version=version[1], rows="\n".join(_rows(sorted(codes - SEEN))))


def _rows(codes: list[int]) -> list[str]:
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and code == ranges[-1][1] + 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    cells = [f"(0x{first:X}, 0x{last:X})" for first, last in ranges]
    return [f"    {', '.join(cells[at : at + 5])}," for at in range(0, len(cells), 5)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    table = make_table(given.file.read_text(encoding="utf-8"))
    if given.check:
        return int(TABLE.read_text(encoding="utf-8") != table)
    TABLE.write_text(table, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
