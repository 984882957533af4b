"""Checks all rules of a project, and how its prompts call them: pure functions to findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from limpet.ground.config.defaults import ALL_RULES_BYTES, MOST_DOMAINS
from limpet.ground.formats.schema import nearest
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.confinement import LEADS_OUT
from limpet.rules.check.domain import ERROR, WARNING, Finding, check_constitution, check_domain
from limpet.rules.check.manifest import check_manifest, check_squads, first_lines, squads_in
from limpet.rules.format.constitution import Constitution
from limpet.rules.format.domain import read_domain, read_lines
from limpet.rules.format.manifest import Domain, read_manifest
from limpet.rules.layout import CONSTITUTION_FILE, LIMPET, MANIFEST, SQUAD_FILE, most_bytes
from limpet.rules.plan.compiler import Unit
from limpet.rules.plan.places import plain_rule_name
from limpet.rules.plan.sources import declares_agent

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
UTF8_MARK = b"\xef\xbb\xbf"
HIDDEN_BREAKS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
CONFLICT_MARKS = ("<<<<<<< ", "||||||| ", ">>>>>>> ")
SAVE_AS_UTF8 = "save it as UTF-8"
WINDOW = 200
"""So many of the last prompts are looked at; a domain that fired in none of them never fires."""
FEWEST = 50
"""So many it takes to say that a domain fires too often."""
TOO_OFTEN = 0.6
NAMED = 3
"""So many of its keywords are named, those first that call it most."""


def check_rules(
    files: Mapping[str, bytes | None],
    shipped: Constitution,
    is_agent: Callable[[str], bool],
    secrets: Collection[str] = (),
    outside: Collection[str] = (),
    packaged: Mapping[str, Unit] | None = None,
) -> list[Finding]:
    """In the order of file and line.

    ``files``: path from the project's root -> bytes, None for an unreadable one; the domain files and manifests of the
    project and its squads, each ``squad.yaml``, and the project's constitution, as far as they exist.
    ``is_agent``: whether a name is an agent's id or alias.
    ``secrets``: known by value.
    ``outside``: paths that are links out of the project.
    ``packaged``: the shipped domains, by name.
    """
    texts, findings = {}, []
    for path, raw in files.items():
        texts[path], found = check_text(path, raw, most_bytes(path), path in outside)
        findings += found
        if not path.endswith(f"/{SQUAD_FILE}"):
            findings += check_secrets(path, texts[path], secrets)
    squads = squads_in(texts)
    places = [MANIFEST, *(f"{rules}/{LIMPET.manifest}" for rules in squads)]
    manifests = [texts.get(path, "") for path in places]
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


def check_text(path: str, raw: bytes | None, most: int, is_outside: bool = False) -> tuple[str, list[Finding]]:
    """The text for the checks that follow, without what is reported here, line numbers kept. A file of more than
    ``most`` bytes is not read, nor one that a link out of the project leads to (``is_outside``)."""
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
    if redact(text, known=known) == text:
        return
    hint = "write where the secret is stored instead; if the file is in git, revoke the secret"
    lines = [number for number, line in enumerate(text.splitlines(), 1) if redact(line, known=known) != line]
    for number in lines or (0,):
        yield Finding(ERROR, path, number, "looks like a secret; it is redacted before it is sent", hint)


def check_usage(path: str, text: str, prompts: Sequence[Mapping[str, Sequence[str]]]) -> Iterator[Finding]:
    """``prompts``: each prompt since manifest and domains last changed, the newest last, as the keywords that matched
    by the domain that they called."""
    seen = prompts[-WINDOW:]
    lines = {key: number for number, key, _ in read_lines(text)}
    for domain in read_manifest(text).domains:
        if domain.kind == "keyword" and domain.active and (domain.recall or domain.hints):
            place = lines.get(f"{domain.name}_RECALL", 0)
            calls = [called[domain.name] for called in seen if domain.name in called]
            yield from _check_domain(path, place, domain, calls, len(seen))


def _with_paths(own: Mapping[str, str], manifest: str, beneath: Mapping[str, Unit]) -> list[str]:
    files = {plain_rule_name(path.rpartition("/")[2]): text for path, text in own.items()}
    found = read_manifest(manifest)
    own_texts = {one.name: read_domain(one.name, files.get(plain_rule_name(one.name), "")) for one in found.domains}
    named = [name for name, one in own_texts.items() if one.paths or one.checks]
    return [*named, *(name for name in found.switched if name in beneath)]


def _check_domains(manifest: str, text: str, own: Mapping[str, str], beneath: Mapping[str, Unit]) -> Iterator[Finding]:
    declared = {plain_rule_name(domain.name): domain for domain in read_manifest(text).domains}
    shipped = {plain_rule_name(name): unit.domain for name, unit in beneath.items()}
    domains = {**shipped, **declared}
    chosen: dict[str, str] = {}
    for path in sorted(own):
        plain = plain_rule_name(path.rpartition("/")[2])
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


def _check_domain(
    path: str, line: int, domain: Domain, calls: Sequence[Sequence[str]], prompts: int
) -> Iterator[Finding]:
    fired = len(calls)
    if prompts >= FEWEST and fired > TOO_OFTEN * prompts:
        counted = Counter[str]()
        for called in calls:
            counted.update(called)
        words = [f"{word} in {count}" for word, count in counted.most_common(NAMED)]
        by = f" ({', '.join(words)})" if words else ""
        what = f"{domain.name} fires too often: in {fired} of the last {prompts} prompts{by}"
        yield Finding(WARNING, path, line, what, f"narrow its keywords, or write {domain.name}_ALWAYS_ON=true")
    if prompts >= WINDOW and not fired:
        what = f"{domain.name} never fired in the last {prompts} prompts"
        hint = f"widen its keywords (`limpet rules show --suggest {domain.name}`), or switch it off"
        yield Finding(WARNING, path, line, what, hint)
