"""Accepts or refuses names of domains, keywords and rules before anything is written; and the catalogue of those that
are there. Separate from the checks, which report what is in the files already."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from limpet.ground.errors import LimpetError
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.rules.edit.domain import rule_lines
from limpet.rules.format.domain import DomainText, read_domain, split_rule
from limpet.rules.format.manifest import PLAIN_KEYS, Domain
from limpet.rules.layout import LIMPET, MANIFEST
from limpet.rules.matching import RECALL, build_index, find_matches, keywords_of, split_signs
from limpet.rules.plan.compiler import PROJECT
from limpet.rules.plan.sources import read_sources

LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
CHARACTERS = LETTERS | frozenset("0123456789_")
LONGEST = 60
TAKEN = {"MANIFEST", *PLAIN_KEYS}
"""Names that are a file or a key of the manifest already."""
NO_FILES = {"CON", "PRN", "AUX", "NUL", *(f"COM{n}" for n in range(1, 10)), *(f"LPT{n}" for n in range(1, 10))}
"""What Windows takes for a device, whatever the folder."""


def spell(typed: str) -> str:
    return typed.strip().upper().replace("-", "_")


def accept_name(typed: str, secrets: Collection[str] = ()) -> str:
    refuse_secret("The name", typed, secrets)
    name = spell(typed)
    what = ""
    if not name or name[0] not in LETTERS or not CHARACTERS.issuperset(name):
        what = "is not a valid domain name (use A-Z, digits and _, starting with a letter)"
    elif len(name) > LONGEST:
        what = f"is too long for a domain name ({LONGEST} characters at most)"
    elif name in TAKEN or name in NO_FILES or split_rule(f"{name}_RULE_0")[0] != name:
        what = "is reserved and cannot name a domain"
    if what:
        raise LimpetError(f"{typed!r} {what}", hint="Choose another name.")
    return name


def domain_file_name(name: str) -> str:
    return name.lower().replace("_", "-")


def can_match(keyword: str) -> bool:
    if keyword.isascii() and keyword.replace(" ", "").isalnum():
        return True  # as nearly all of them do, so that the lists of a project are checked in a moment
    index = build_index([(0, RECALL, keyword, "words")])
    return bool(find_matches(index, split_signs(keyword)[1])[0])


def accept_keywords(typed: Iterable[str]) -> tuple[str, ...]:
    """Each once. Raises LimpetError for one that can never match."""
    found: dict[str, str] = {}
    for part in ",".join(typed).split(","):
        keyword = " ".join(part.split())
        if keyword and not can_match(keyword):
            raise LimpetError(f"Keyword {keyword!r} can never match", hint="It needs a letter or a digit.")
        if keyword:
            found.setdefault(keyword.lower(), keyword)
    return tuple(found.values())


def accept_rule(typed: str, secrets: Collection[str] = ()) -> str:
    """Raises LimpetError unless it is one line with text and without a secret."""
    text = typed.strip()
    if not text:
        raise LimpetError("A rule needs a text", hint="Write what the agent must do.")
    if len(text.splitlines()) > 1 or "\0" in text:
        raise LimpetError(f"A rule must be one line: {text[:40]!r}...", hint="Write one rule per line.")
    refuse_secret("The rule", text, secrets)
    return text


def refuse_secret(what: str, typed: str, secrets: Collection[str]) -> None:
    """The LimpetError does not repeat what may be a secret."""
    if redact(typed, known=secrets) != typed:
        raise LimpetError(
            f"{what} contains a secret and was not written", hint="Write where the secret is stored instead."
        )


class RuleDomain(Value):
    """``kind``: as ``Domain.kind``, or that of a squad's domain.
    ``origin``: project, inherited, shipped or squad.
    ``file``: its path in the rules folder, "" without one.
    ``lines``: (key or number, rule), as the file has them.
    """

    domain: Domain
    kind: str
    origin: str
    file: str
    text: DomainText
    lines: tuple[tuple[str, str], ...]

    @property
    def shown_file(self) -> str:
        if not self.file:
            return MANIFEST if self.origin == PROJECT else self.origin
        return self.file if "/" in self.file else f"{LIMPET.folder}/{self.file}"

    @property
    def count(self) -> int:
        count = len(self.text.rules) + len(self.text.authority)
        for groups in (self.text.brackets, self.text.commands, self.text.articles):
            count += sum(len(rules) for rules in groups.values())
        return count


def read_catalogue(workspace: Workspace, wanted: Callable[[Domain], bool] = lambda domain: True) -> list[RuleDomain]:
    """The manifest's in its order, then those that are shipped and the squads', with secrets taken out of their
    keywords and rules."""
    entries, secrets = [], read_secrets(workspace.root)
    for unit in read_sources(workspace).units:
        if not wanted(unit.domain):
            continue
        text = redact(unit.read() or "", known=secrets)
        file = unit.path.removeprefix(f"{LIMPET.folder}/")
        said = read_domain(unit.plain, text)
        lines = tuple((rule.key or str(place), rule.text) for place, rule in enumerate(rule_lines(unit.plain, text)))
        entries.append(RuleDomain(_safe(unit.domain, secrets), unit.kind, unit.origin, file, said, lines))
    return entries


def _safe(domain: Domain, secrets: Collection[str]) -> Domain:
    whole = "\n".join(keyword for _, keyword in keywords_of(domain))
    if redact(whole, known=secrets) == whole:
        return domain

    def safe(words: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(redact(word, known=secrets) for word in words)

    return domain.replace(
        recall=safe(domain.recall),
        exclude=safe(domain.exclude),
        hints=tuple(map(safe, domain.hints)),
        doubts=tuple(map(safe, domain.doubts)),
    )
