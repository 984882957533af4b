"""Checks a rule file's bytes: encoding, control characters, an unsettled merge conflict; and its text for secrets,
which are redacted where rules are sent, but which git keeps."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from limpet.ground.safety.redaction import redact
from limpet.ground.storage.confinement import LEADS_OUT
from limpet.rules.check.finding import ERROR, WARNING, Finding

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
UTF8_MARK = b"\xef\xbb\xbf"
HIDDEN_BREAKS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
CONFLICT_MARKS = ("<<<<<<< ", "||||||| ", ">>>>>>> ")
SAVE_AS_UTF8 = "save it as UTF-8"


def check_text(path: str, raw: bytes | None, most: int, is_outside: bool = False) -> tuple[str, list[Finding]]:
    """Return the text for the checks that follow, without what is reported here, line numbers kept; and the findings.

    A file of more than ``most`` bytes is not read, nor one that a link out of the project leads to (``is_outside``).
    """
    if is_outside:
        return "", [Finding(ERROR, path, 0, LEADS_OUT, "replace it with a real file")]
    if raw is None:
        return "", [Finding(ERROR, path, 0, "cannot read the file", "check its permissions")]
    if len(raw) > most:
        what = f"larger than {most // 1024} KB; the file is ignored"
        return "", [Finding(ERROR, path, 0, what, "split or shorten it")]
    if raw.startswith(UTF16_MARKS):
        return "", [Finding(ERROR, path, 0, "file is UTF-16", SAVE_AS_UTF8)]
    findings = [*_bad_bytes(path, raw), *_hidden_breaks(path, raw.decode("utf-8", "replace"))]
    text = raw.decode("utf-8", "replace").removeprefix("\ufeff")
    conflict = _conflict_lines(text)
    if conflict:
        findings.append(Finding(ERROR, path, conflict[0], "unresolved merge conflict", "resolve it"))
        text = "\n".join("" if n in conflict else line for n, line in enumerate(text.splitlines(), 1))
    return text, findings


def check_secrets(path: str, text: str, known: Collection[str]) -> Iterator[Finding]:
    """Yield a finding for each line from which a secret, such as one of those ``known``, is taken out before it is
    sent."""
    if redact(text, known=known) == text:
        return
    hint = "write where the secret is stored instead; if the file is in git, revoke the secret"
    lines = [number for number, line in enumerate(text.splitlines(), 1) if redact(line, known=known) != line]
    for number in lines or (0,):
        yield Finding(ERROR, path, number, "looks like a secret; it is redacted before it is sent", hint)


def _bad_bytes(path: str, raw: bytes) -> Iterator[Finding]:
    if raw.startswith(UTF8_MARK):
        yield Finding(WARNING, path, 1, "file starts with a byte order mark", "save it as UTF-8 without BOM")
    for number, line in enumerate(raw.split(b"\n"), 1):
        if b"\0" in line:
            yield Finding(ERROR, path, number, "NUL byte", SAVE_AS_UTF8)
        try:
            line.decode()
        except UnicodeDecodeError as error:
            what = f"not UTF-8 at byte {error.start + 1} of the line: 0x{line[error.start]:02x}"
            yield Finding(ERROR, path, number, what, SAVE_AS_UTF8)


def _hidden_breaks(path: str, text: str) -> Iterator[Finding]:
    for number, line in enumerate(text.split("\n"), 1):
        found = next((c for c in line if c in HIDDEN_BREAKS), "")
        if found:
            what = f"invisible character U+{ord(found):04X} ends the line; the rest is not part of the rule"
            yield Finding(ERROR, path, number, what, "delete the character")


def _conflict_lines(text: str) -> list[int]:
    lines = text.splitlines()
    if not any(line.startswith(CONFLICT_MARKS[0]) for line in lines):
        return []
    return [n for n, line in enumerate(lines, 1) if line.startswith(CONFLICT_MARKS) or line == "======="]
