"""Checks all rules of a project: a pure function from the files' bytes to findings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from limpet.ground.config.defaults import ALL_RULES_BYTES, MOST_DOMAINS
from limpet.ground.formats.schema import nearest
from limpet.rules.check.constitution import check_constitution
from limpet.rules.check.domain import check_domain
from limpet.rules.check.finding import ERROR, WARNING, Finding
from limpet.rules.check.manifest import check_manifest, first_lines
from limpet.rules.check.squads import check_squads, squads_in
from limpet.rules.check.text import check_secrets, check_text
from limpet.rules.format.constitution import Constitution
from limpet.rules.format.domain import read_domain
from limpet.rules.format.manifest import read_manifest
from limpet.rules.layout import CONSTITUTION_FILE, LIMPET, MANIFEST, SQUAD_FILE, most_bytes
from limpet.rules.plan.compiler import Unit
from limpet.rules.plan.sources import declares_agent, plain_name


def check_rules(
    files: Mapping[str, bytes | None],
    shipped: Constitution,
    is_agent: Callable[[str], bool],
    secrets: Collection[str] = (),
    outside: Collection[str] = (),
    packaged: Mapping[str, Unit] | None = None,
) -> list[Finding]:
    """Return the findings in the order of file and line.

    ``files``: path from the project's root -> bytes, None for an unreadable one; the domain files and manifests of the
    project and its squads, each ``squad.yaml``, and the project's constitution, as far as they exist.
    ``is_agent``: returns whether a name is an agent's id or alias.
    ``secrets``: known by value.
    ``outside``: paths that are links out of the project.
    ``packaged``: the shipped domains, by name.
    """
    texts, findings = {}, []
    for path, raw in files.items():
        texts[path], found = check_text(path, raw, most_bytes(path), path in outside)
        findings += [*found, *(() if path.endswith(f"/{SQUAD_FILE}") else check_secrets(path, texts[path], secrets))]
    squads = squads_in(texts)
    manifests = [texts.get(path, "") for path in (MANIFEST, *(f"{rules}/{LIMPET.manifest}" for rules in squads))]
    if sum(len(raw) for raw in files.values() if raw) > ALL_RULES_BYTES:
        what = f"rule files are larger than {ALL_RULES_BYTES // 2**20} MB in total; the last ones are ignored"
        findings.append(Finding(ERROR, MANIFEST, 0, what, "shorten them"))
    if sum(len(read_manifest(text).domains) for text in manifests) > MOST_DOMAINS:
        what = f"more than {MOST_DOMAINS:,} domains in all manifests; the last ones are ignored"
        findings.append(Finding(ERROR, MANIFEST, 0, what, "merge domains that fire together"))
    findings += check_constitution(CONSTITUTION_FILE, texts.get(CONSTITUTION_FILE, ""), shipped)
    findings += check_squads(texts)
    for folder, text in zip((LIMPET.folder, *squads), manifests, strict=True):
        manifest = f"{folder}/{LIMPET.manifest}"
        own = {path: found for path, found in texts.items() if path.startswith(f"{folder}/") and path != manifest}
        is_squad = folder != LIMPET.folder
        beneath = packaged or {} if not is_squad else {}
        findings += check_manifest(
            manifest, text, is_agent, is_squad, () if is_squad else _with_paths(own, text, beneath)
        )
        findings += _check_domains(manifest, text, own, beneath)
    return sorted(findings, key=lambda finding: (finding.file, finding.line))


def _with_paths(own: Mapping[str, str], manifest: str, beneath: Mapping[str, Unit]) -> list[str]:
    """Return the domains of the manifest that load by what stands elsewhere: whose own files name files that call them,
    those whose checks are run without, and those ``beneath`` of which it says no more than the state."""
    files = {plain_name(path.rpartition("/")[2]): text for path, text in own.items()}
    found = read_manifest(manifest)
    own_texts = {one.name: read_domain(one.name, files.get(plain_name(one.name), "")) for one in found.domains}
    named = [name for name, one in own_texts.items() if one.paths or one.checks]
    return [*named, *(name for name in found.switched if name in beneath)]


def _check_domains(manifest: str, text: str, own: Mapping[str, str], beneath: Mapping[str, Unit]) -> Iterator[Finding]:
    """Yield the findings in the domain files beside a manifest, then files and domains without a partner, also among
    the shipped ones ``beneath``."""
    declared = {plain_name(domain.name): domain for domain in read_manifest(text).domains}
    shipped = {plain_name(name): unit.domain for name, unit in beneath.items()}
    domains = {**shipped, **declared}
    chosen: dict[str, str] = {}
    for path in sorted(own):
        plain = plain_name(path.rpartition("/")[2])
        if plain in chosen:
            what = f"ignored: {chosen[plain].rpartition('/')[2]} belongs to the same domain"
            yield Finding(ERROR, path, 0, what, "merge the two files")
        elif plain not in domains:
            name = plain.upper().replace("-", "_")
            what = f"the manifest has no domain {name}{nearest(plain, domains)}"
            yield Finding(WARNING, path, 0, what, f"add {name}_STATE=active to {manifest}, or remove the file")
        else:
            yield from check_domain(path, domains[plain].name, own[path])
        chosen.setdefault(plain, path)
    lines = first_lines(text)
    free = [plain for plain in chosen if plain not in domains]
    for plain, domain in declared.items():
        if plain not in {*chosen, *shipped} and domain.name != "CONSTITUTION" and not declares_agent(domain):
            what = f"domain {domain.name} has no file{nearest(plain, free)}"
            hint = f"create {manifest.rpartition('/')[0]}/{plain}, or remove the entry"
            yield Finding(ERROR if domain.active else WARNING, manifest, lines[domain.name], what, hint)
