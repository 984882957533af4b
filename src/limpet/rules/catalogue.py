"""The catalogue of rules: every domain with its file and the rules in it, for people who look them up.

Separate from the plan, which holds only what the prompt hook needs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.rules.edit.domain import rule_lines
from limpet.rules.format.domain import DomainText, read_domain
from limpet.rules.format.manifest import Domain
from limpet.rules.layout import LIMPET, MANIFEST
from limpet.rules.matching import keywords_of
from limpet.rules.plan.compiler import PROJECT
from limpet.rules.plan.sources import read_sources


class Entry(Value):
    """A domain and what its file says.

    ``kind``: as ``Domain.kind``, or that of a squad's domain.
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
        """Its path from the project's root; without one the manifest that tells of it, or that it is shipped."""
        if not self.file:
            return MANIFEST if self.origin == PROJECT else self.origin
        return self.file if "/" in self.file else f"{LIMPET.folder}/{self.file}"

    @property
    def count(self) -> int:
        """The number of rules, of whatever sort."""
        groups = (self.text.brackets, self.text.commands, self.text.articles)
        grouped = sum(len(rules) for group in groups for rules in group.values())
        return len(self.text.rules) + len(self.text.authority) + grouped


def read_catalogue(workspace: Workspace, wanted: Callable[[Domain], bool] = lambda domain: True) -> list[Entry]:
    """Return the manifest's domains in its order, then those that are shipped and the squads', those that are wanted,
    with secrets taken out of their keywords and rules."""
    entries, secrets = [], read_secrets(workspace.root)
    for unit in read_sources(workspace).units:
        if not wanted(unit.domain):
            continue
        text = redact(unit.read() or "", known=secrets)
        file = unit.path.removeprefix(f"{LIMPET.folder}/")
        said = read_domain(unit.plain, text)
        lines = tuple((rule.key or str(place), rule.text) for place, rule in enumerate(rule_lines(unit.plain, text)))
        entries.append(Entry(_safe(unit.domain, secrets), unit.kind, unit.origin, file, said, lines))
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
