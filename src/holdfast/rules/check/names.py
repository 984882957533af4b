"""Checks the names of domains: two that are one, and names that no command accepts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from holdfast.rules.check.finding import ERROR, WARNING, Finding
from holdfast.rules.format.manifest import Domain
from holdfast.rules.naming import spell
from holdfast.rules.plan.sources import plain_name


def check_names(path: str, domains: tuple[Domain, ...], lines: Mapping[str, int]) -> Iterator[Finding]:
    """Yield the findings on the domains of a manifest; ``path`` stands for it in them, ``lines`` says where each
    begins."""
    first: dict[str, str] = {}
    for domain in sorted(domains, key=lambda one: lines[one.name]):
        line, known = lines[domain.name], first.setdefault(plain_name(domain.name), domain.name)
        proper = "_".join(spell(domain.name).split())
        if known != domain.name:
            what = f"{domain.name} is another spelling of {known} in line {lines[known]}; the file is sent twice"
            yield Finding(ERROR, path, line, what, f"write {proper} in every key")
        elif proper != domain.name:
            what = f"commands cannot address {domain.name}: they read it as {proper}"
            yield Finding(WARNING, path, line, what, f"write {proper} in every key")
