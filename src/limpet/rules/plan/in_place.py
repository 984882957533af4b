"""The rules of another tool's folder as texts of ours: by domain, and joined with what the project says itself. What is
read in place and what an import writes is made here, so that both say the same."""

from __future__ import annotations

from functools import partial

from limpet.ground.formats.json_text import read_object
from limpet.ground.trust.in_place import CARL, CARL_2
from limpet.rules.format.domain import BRACKETS, has_keys, is_true, read_lines, split_rule
from limpet.rules.format.manifest import PLAIN_KEYS, SPECIAL, list_of, read_manifest, split_key
from limpet.rules.layout import LIMPET
from limpet.rules.plan.places import plain_rule_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Read = Callable[[], "str | None"]
    Files = dict[str, tuple[str, Read]]

# A comment in the project's manifest behind which the folder's name says that its rules are there already.
IMPORTED = "# Imported from"
# What a line of the manifest becomes that names a file elsewhere.
OUTSIDE = "# Not in this folder: "


def is_imported(manifest: str | None, folder: str) -> bool:
    return f"{IMPORTED} {folder}/" in (manifest or "").splitlines()


def read_folder(folder: str, names: Iterable[str], read: Callable[[str], str | None]) -> tuple[str, Files]:
    """(The manifest, path and reader of each domain's text), of CARL's or SYNAPSE's form; a folder of CARL 2 is one
    file of JSON."""
    paths = {plain_rule_name(name): f"{folder}/{name}" for name in sorted(names, reverse=True) if name[0] != "."}
    if CARL_2 in paths:
        texts = texts_of_carl(read(paths[CARL_2]) or "")
        return texts[LIMPET.manifest], {name: (paths[CARL_2], partial(texts.get, name)) for name in texts}
    files: Files = {name: (path, partial(read, path)) for name, path in paths.items()}
    lines = []
    for line in (read(paths[LIMPET.manifest]) or "" if LIMPET.manifest in paths else "").splitlines(keepends=True):
        key, _, path = map(str.strip, line.partition("="))
        plain = plain_rule_name(path.rpartition("/")[2])
        if key[:1] in ("", "#") or key in PLAIN_KEYS or split_key(key)[1] or "/" not in path:
            lines.append(line)
        elif paths.get(plain) != path:
            lines.append(f"{OUTSIDE}{line}")
        else:  # name=path, as some write it for SYNAPSE
            files[plain_rule_name(key)] = files[plain]
            lines.append(f"{key.upper().replace('-', '_')}_STATE=active\n")
    text = "".join(lines)
    return (_behind(text, _off_in_carl(text)) if folder.endswith(CARL) else text), files


def left_off(own: str, other: str) -> frozenset[str]:
    """Domains that are off in theirs and on in ours: nothing of theirs counts, or it would be switched on."""
    domains = {one.name for one in read_manifest(own).domains if one.active}
    return frozenset(one.name for one in read_manifest(other).domains if not one.active and one.name in domains)


def join_manifests(own: str, other: str, folder: str) -> str:
    """Ours, which holds, and behind it what it leaves open; lists of keywords of both count."""
    domains, keys = {one.name for one in read_manifest(own).domains}, {key for _, key, _ in read_lines(own)}
    new, off = list[str](), left_off(own, other)
    for _, key, value in read_lines(other):
        name, suffix = split_key(key)
        if value is None or name in off or f"{key}={value}" in own.splitlines():
            continue
        if suffix and list_of(suffix) and key in keys:
            key = f"{key}_{folder.lstrip('.').upper()}"
        if key not in keys and (name not in domains or list_of(suffix) or suffix == "_ALWAYS_ON"):
            new.append(f"{key}={value}")
    return _behind(own, new)


def join_rules(name: str, own: str | None, other: str) -> str:
    """Lines of theirs that ours does not have come behind it, with numbers of their own."""
    other = other.replace("COMMANDS_CMD_", "COMMANDS_RULE_") if name == "COMMANDS" else other
    if own is None:
        return other
    lines, content, new = read_lines(other), other.splitlines(), []
    is_keyed, next_number = has_keys(name, lines), len(read_lines(own))
    is_listed = not has_keys(name, read_lines(own))  # one rule a line, which a key would make unread
    is_grouped = is_keyed and not is_listed  # the same words may stand in two brackets or commands
    known = {(_group(key) if is_grouped else "", key if value is None else value) for _, key, value in read_lines(own)}
    keys = {key for _, key, _ in read_lines(own)}
    for number, key, value in lines:
        said = value if is_keyed and value is not None else content[number - 1].strip()
        prefix, infix, rest = split_rule(key) if is_keyed else (name, "RULE", "0")
        key = f"{prefix}_{infix}_{next_number + number}" if infix and rest.isdecimal() else key
        is_flag = is_grouped and not infix and key in keys
        if not is_flag and (_group(key) if is_grouped else "", said) not in known:
            new.append(said if is_listed or (is_keyed and value is None) else f"{key}={said}")
    return _behind(own, new)


def texts_of_carl(text: str) -> dict[str, str]:
    """By domain, and the manifest, of a ``carl.json``."""
    told = read_object(text)
    config, domains = _mapping(told.get("config")), _mapping(told.get("domains"))
    devmode = is_true(str(config.get("devmode")))
    lines = [f"GLOBAL_EXCLUDE={_joined(config.get('global_exclude'))}", f"DEVMODE={devmode}"]
    texts = {}
    for name, given in domains.items():
        about = _mapping(given)
        state = "inactive" if about.get("enabled") is False else about.get("state")
        lines.append(f"{name}_STATE={_line('active' if state is None else state).lower()}")
        lines += [f"{name}_ALWAYS_ON=true"] * is_true(str(about.get("always_on")))
        lines += [f"{name}_{key.upper()}={_joined(about[key])}" for key in ("recall", "exclude") if about.get(key)]
        texts[plain_rule_name(name)] = "".join(_rules(f"{name}_RULE", about.get("rules")))
    for name, key in (("context", "context_brackets"), ("commands", "commands")):
        for group, one in _mapping(config.get(key)).items():
            is_off = group in BRACKETS and _mapping(one).get("enabled") is False
            start = f"{group}_RULE" if group in BRACKETS else f"COMMANDS_RULE_{group.upper()}"
            rules = one if isinstance(one, list) else _mapping(one).get("rules")
            flag = f"{group}_RULES=false\n" if is_off else ""
            texts[name] = texts.get(name, "") + flag + "".join(_rules(start, rules))
        lines += [f"{name.upper()}_STATE=active"] * (name in texts and name.upper() not in domains)
    return {LIMPET.manifest: "".join(f"{line}\n" for line in lines), **texts}


def decisions_of_carl(text: str) -> Iterator[dict[str, object]]:
    """With the name of the domain as ``domain``."""
    for name, about in _mapping(read_object(text).get("domains")).items():
        rows = _mapping(about).get("decisions")
        yield from (
            {**row, "domain": name} for row in (rows if isinstance(rows, list) else ()) if isinstance(row, dict)
        )


def _off_in_carl(text: str) -> list[str]:
    """There a domain with keywords is off until its state is said."""
    told: dict[str, set[str]] = {}
    for _, key, _ in read_lines(text):
        name, suffix = split_key(key)
        told.setdefault(name, set()).add(suffix)
    unsaid = [name for name, keys in told.items() if "_RECALL" in keys and keys.isdisjoint(("_STATE", "_ALWAYS_ON"))]
    return [f"{name}_STATE=inactive" for name in unsaid if name not in SPECIAL]


def _group(key: str) -> str:
    prefix, infix, rest = split_rule(key)
    return f"{prefix} {infix} {rest.rstrip('0123456789')}"


def _behind(text: str, lines: list[str]) -> str:
    return text + "\n" * (bool(lines and text) and not text.endswith("\n")) + "".join(f"{line}\n" for line in lines)


def _rules(key: str, given: object) -> Iterator[str]:
    rows = [*given.values()] if isinstance(given, dict) else given
    for place, rule in enumerate(rows if isinstance(rows, list) else ()):
        about = rule if isinstance(rule, dict) else {"text": rule}
        text = about.get("text") or about.get("rule")
        yield f"{key}_{place}={_line(text)}\n" if text and about.get("enabled") is not False else ""


def _joined(words: object) -> str:
    return ", ".join(map(_line, words)) if isinstance(words, list) else _line(words or "")


def _line(value: object) -> str:
    return " ".join(str(value).split())


def _mapping(value: object) -> dict[str, object]:
    return {str(key): one for key, one in value.items()} if isinstance(value, dict) else {}
