"""What code for an interpreter does with files, as far as its calls and its strings tell."""

from __future__ import annotations

from holdfast.guard.shell.code.languages import code_of
from holdfast.guard.shell.code.tokens import names_and_strings
from holdfast.guard.shell.command import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.guard.shell.code.languages import Language
    from holdfast.guard.shell.command import Command

_REMOVES = frozenset(
    "rmtree remove unlink unlinkSync rmSync rmdirSync rmdir removedirs rm_rf rm_r rm_f removeSync emptyDirSync "
    "delete_all file_delete".split()
)
_WRITES = frozenset(
    "write_text write_bytes writeFile writeFileSync appendFile appendFileSync createWriteStream file_put_contents "
    "copyfile copytree copy2 rename renameSync move replace symlink symlinkSync makedirs mkdir mkdirSync touch "
    "copyFile copyFileSync truncate truncateSync outputFile writeJson save to_csv to_json dump IO_write".split()
)
_MODES = frozenset(("w", "a", "x", "wb", "ab", "xb", "w+", "r+", "a+", "wt", "at", ">", ">>", "+<", "rb+", "r+b"))
# Of code that only reads nothing is said about strings that are no paths.
_LONGEST_PATH = 260


def acts_of_code(command: Command, language: Language) -> list[tuple[str, str]]:
    """Return kinds of act and paths; every string that looks like a path counts, since code may do anything with it."""
    found: list[tuple[str, str]] = []
    for text in code_of(command, language):
        names, strings = names_and_strings(text, language.name)
        paths = [each for each in strings if _is_path(each)]
        found += [("read", path) for path in paths]
        removes, writes = names & _REMOVES, names & _WRITES or ("open" in names and _MODES.intersection(strings))
        if removes:
            found.append(("destructive", ""))
        if writes or removes:
            found += [("write", path) for path in paths or [UNKNOWN]]
    return found


def _is_path(text: str) -> bool:
    is_short = 0 < len(text) < _LONGEST_PATH and not any(letter in text for letter in " \n\t\0*()<>|,:;\"'=")
    return is_short and ("/" in text or "." in text[:-1]) and not text.startswith("//") and any(map(str.isalnum, text))
