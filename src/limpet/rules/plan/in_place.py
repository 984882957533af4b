"""The rules of another tool's folder as texts of ours, by the names of our files. A folder of CARL 2 is one file of JSON.
Separate from ``sources``, which reads them, because importing makes files of the same texts."""

from __future__ import annotations

from limpet.ground.formats.json_text import read_object
from limpet.rules.format.domain import BRACKETS, has_keys, read_lines
from limpet.rules.format.manifest import Domain
from limpet.rules.layout import LIMPET
from limpet.rules.plan.compiler import Unit
from limpet.rules.plan.places import plain_rule_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# A comment in the project's manifest behind which the folder's name says that its rules are there already.
IMPORTED = "# Imported from"
# Lists of a domain that both may have.
LISTS = ("comes_with", "recall", "exclude", "hints", "doubts", "paths")


def is_imported(manifest: str | None, folder: str) -> bool:
    return f"{IMPORTED} {folder}/" in (manifest or "").splitlines()


def texts_of_carl(text: str) -> dict[str, str]:
    """File name -> text, of a ``carl.json``."""
    told = read_object(text)
    config, domains = _mapping(told.get("config")), _mapping(told.get("domains"))
    brackets, commands = _mapping(config.get("context_brackets")), _mapping(config.get("commands"))
    manifest = [f"GLOBAL_EXCLUDE={_joined(config.get('global_exclude'))}", f"DEVMODE={config.get('devmode') is True}"]
    texts = {}
    for name, domain in domains.items():
        about = _mapping(domain)
        manifest.append(f"{name}_STATE={_line(about.get('state') or 'active')}")
        manifest += [f"{name}_ALWAYS_ON=true"] * (about.get("always_on") is True)
        manifest += [f"{name}_{key.upper()}={_joined(about[key])}" for key in ("recall", "exclude") if about.get(key)]
        texts[plain_rule_name(name)] = _rules(f"{name}_RULE", about.get("rules"))
    for name, groups in (("CONTEXT", brackets), ("COMMANDS", commands)):
        lines = []
        for group, about in groups.items():
            is_bracket, given = group in BRACKETS, about if isinstance(about, list) else _mapping(about).get("rules")
            if is_bracket and _mapping(about).get("enabled") is False:
                lines.append(f"{group}_RULES=false\n")
            lines.append(_rules(f"{group}_RULE" if is_bracket else f"COMMANDS_RULE_{group.upper()}", given))
        if groups:
            manifest += [f"{name}_STATE=active"] * (name not in domains)
            texts[name.lower()] = texts.get(name.lower(), "") + "".join(lines)
    return {LIMPET.manifest: "".join(f"{line}\n" for line in manifest), **texts}


def decisions_of_carl(text: str) -> Iterable[dict[str, object]]:
    """With the name of the domain as ``domain``."""
    for name, domain in _mapping(read_object(text).get("domains")).items():
        for each in _mapping(domain).get("decisions") or ():
            if isinstance(each, dict):
                yield {**each, "domain": name}


def join_units(own: Unit, other: Unit) -> Unit:
    """Ours and, behind its rules, those that lie elsewhere under its name."""
    lists = {name: tuple(dict.fromkeys((*getattr(own.domain, name), *getattr(other.domain, name)))) for name in LISTS}
    either = {name: getattr(own.domain, name) or getattr(other.domain, name) for name in ("always_on", "firm")}
    domain = own.domain.replace(**lists, **either)
    if not own.path:
        return other.replace(domain=domain, kind=domain.kind)

    def read() -> str | None:
        return join_texts(domain, own.read(), other.read())

    return own.replace(domain=domain, kind=domain.kind, files=(*own.files, *other.files), read=read)


def join_texts(domain: Domain, *texts: str | None) -> str | None:
    """One of them may have its rules without keys."""
    keyed = [_with_keys(domain.name, text) for text in texts if text is not None]
    return "\n".join(text.rstrip("\n") for text in keyed) + "\n" if keyed else None


def _with_keys(name: str, text: str) -> str:
    lines = read_lines(text)
    if has_keys(name, lines):
        return text
    content = text.splitlines()
    return "".join(f"{name}_RULE_{place}={content[number - 1].strip()}\n" for place, (number, _, _) in enumerate(lines))


def _rules(key: str, given: object) -> str:
    rules = [each.get("text") if isinstance(each, dict) else each for each in given] if isinstance(given, list) else []
    return "".join(f"{key}_{place}={_line(rule)}\n" for place, rule in enumerate(rules) if rule)


def _joined(words: object) -> str:
    return ", ".join(map(_line, words)) if isinstance(words, list) else ""


def _line(value: object) -> str:
    return " ".join(str(value).split())


def _mapping(value: object) -> dict[str, object]:
    return {str(key): one for key, one in value.items()} if isinstance(value, dict) else {}
