"""Checks all rules of a project: a pure function from the files' bytes to findings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from holdfast.ground.config.defaults import ALL_RULES_BYTES, MOST_DOMAINS
from holdfast.ground.formats.schema import nearest
from holdfast.rules.check.constitution import check_constitution
from holdfast.rules.check.domain import check_domain
from holdfast.rules.check.finding import ERROR, WARNING, Finding
from holdfast.rules.check.manifest import check_manifest, first_lines
from holdfast.rules.check.secrets import check_secrets
from holdfast.rules.check.squads import check_squads, squads_in
from holdfast.rules.check.text import check_text
from holdfast.rules.format.constitution import Constitution
from holdfast.rules.format.domain import read_domain
from holdfast.rules.format.manifest import Domain, read_manifest
from holdfast.rules.layout import CONSTITUTION_FILE, HOLDFAST, SQUAD_FILE, Layout, most_bytes
from holdfast.rules.plan.sources import declares_agent, plain_name


def check_rules(
    files: Mapping[str, bytes | None],
    shipped: Constitution,
    is_agent: Callable[[str], bool],
    layout: Layout = HOLDFAST,
    secrets: Collection[str] = (),
    outside: Collection[str] = (),
) -> list[Finding]:
    """Return the findings in the order of file and line.

    ``files``: path from the project's root -> bytes, None for an unreadable one; the domain files and manifests of the
    project and its squads, each ``squad.yaml``, and the project's constitution, as far as they exist.
    ``is_agent``: returns whether a name is an agent's id or alias.
    ``secrets``: known by value.
    ``outside``: paths that are links out of the project.
    """
    texts, findings = {}, []
    for path, raw in files.items():
        texts[path], found = check_text(path, raw, most_bytes(path, layout), path in outside)
        findings += [*found, *(() if path.endswith(f"/{SQUAD_FILE}") else check_secrets(path, texts[path], secrets))]
    manifest = f"{layout.folder}/{layout.manifest}"
    if sum(len(raw) for raw in files.values() if raw) > ALL_RULES_BYTES:
        what = f"rule files are larger than {ALL_RULES_BYTES // 2**20} MB in total; the last ones are ignored"
        findings.append(Finding(ERROR, manifest, 0, what, "shorten them"))
    if _count_domains(texts, manifest, layout) > MOST_DOMAINS:
        what = f"more than {MOST_DOMAINS:,} domains in all manifests; the last ones are ignored"
        findings.append(Finding(ERROR, manifest, 0, what, "merge domains that fire together"))
    if manifest not in files:
        findings.append(Finding(ERROR, manifest, 0, "no manifest, so no rules are loaded", "run `holdfast init`"))
    findings += check_constitution(CONSTITUTION_FILE, texts.get(CONSTITUTION_FILE, ""), shipped)
    findings += check_manifest(manifest, texts.get(manifest, ""), is_agent, with_paths=_with_paths(texts, layout))
    findings += _check_domains(texts, layout)
    findings += check_squads(texts, layout)
    for rules in squads_in(texts, layout):
        findings += check_manifest(
            f"{rules}/{layout.manifest}", texts[f"{rules}/{layout.manifest}"], is_agent, squad=True
        )
        findings += _check_domains(texts, layout.replace(folder=rules))
    return sorted(findings, key=lambda finding: (finding.file, finding.line))


def _with_paths(texts: Mapping[str, str], layout: Layout) -> list[str]:
    """Return the domains of the project whose own files name files that call them."""
    start = f"{layout.folder}/"
    own = {path.removeprefix(start): text for path, text in texts.items() if path.startswith(start)}
    files = {plain_name(name, layout): text for name, text in own.items()}
    names = [domain.name for domain in read_manifest(texts.get(f"{layout.folder}/{layout.manifest}", "")).domains]
    return [name for name in names if read_domain(name, files.get(plain_name(name, layout), "")).paths]


def _count_domains(texts: Mapping[str, str], manifest: str, layout: Layout) -> int:
    manifests = [manifest, *(f"{rules}/{layout.manifest}" for rules in squads_in(texts, layout))]
    return sum(len(read_manifest(texts.get(path, "")).domains) for path in manifests)


def _check_domains(texts: Mapping[str, str], layout: Layout) -> Iterator[Finding]:
    """Yield the findings in the domain files of a rules folder, then files and domains without a partner."""
    manifest = f"{layout.folder}/{layout.manifest}"
    text = texts.get(manifest, "")
    domains = {plain_name(domain.name, layout): domain for domain in read_manifest(text).domains}
    chosen: dict[str, str] = {}
    for path in sorted(path for path in texts if path.startswith(f"{layout.folder}/") and path != manifest):
        plain = plain_name(path.rpartition("/")[2], layout)
        if plain in chosen:
            yield _shadowed(path, chosen[plain])
        elif plain not in domains:
            yield _unnamed(path, plain, domains, manifest)
        else:
            yield from check_domain(path, domains[plain].name, texts[path])
        chosen.setdefault(plain, path)
    lines = first_lines(text)
    for plain, domain in domains.items():
        if plain not in chosen and domain.name != "CONSTITUTION" and not declares_agent(domain):
            free = [each for each in chosen if each not in domains]
            yield _without_file(domain, plain, free, manifest, lines[domain.name])


def _shadowed(path: str, winner: str) -> Finding:
    what = f"ignored: {winner.rpartition('/')[2]} belongs to the same domain"
    return Finding(ERROR, path, 0, what, "merge the two files")


def _unnamed(path: str, plain: str, domains: Mapping[str, Domain], manifest: str) -> Finding:
    name = plain.upper().replace("-", "_")
    what = f"the manifest has no domain {name}{nearest(plain, domains)}"
    return Finding(WARNING, path, 0, what, f"add {name}_STATE=active to {manifest}, or remove the file")


def _without_file(domain: Domain, plain: str, files: list[str], manifest: str, line: int) -> Finding:
    severity = ERROR if domain.active else WARNING
    what = f"domain {domain.name} has no file{nearest(plain, files)}"
    return Finding(severity, manifest, line, what, f"create {manifest.rpartition('/')[0]}/{plain}, or remove the entry")
