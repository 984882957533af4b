"""Checks squads as a whole: their ids, their modes, and rules that lie where nothing reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import nearest
from limpet.rules.check.finding import ERROR, WARNING, Finding
from limpet.rules.format.key_value import read_lines
from limpet.rules.format.manifest import split_key
from limpet.rules.layout import LIMPET, SQUAD_FILE
from limpet.rules.plan.squads import EXTEND, MODES, squad_id

# The key in one line with others, or in quotes; in the hook, where this runs too, there is no YAML reader.
SHARED_LINE = re.compile(r"""^[^#]*(?:[{,]\s*["']?|^\s*["'])extends["']?\s*:""")


def squads_in(texts: Mapping[str, str]) -> list[str]:
    """Return the rules folders of the squads that are read, in the order of their squads' folders."""
    return [found[0] for squad in _folders(texts) if (found := _with_manifest(squad, texts))]


def check_squads(texts: Mapping[str, str]) -> Iterator[Finding]:
    """Yield the findings in the squads' files, except in their manifests and domain files."""
    first: dict[str, str] = {}
    for squad in _folders(texts):
        own = squad_id(squad.rpartition("/")[2])
        if own in first:
            same = f"same squad name as {first[own]} ({own})"
            what = f"{same}; only the first can be active, and older domains keep their names"
            yield Finding(ERROR, squad, 0, what, "rename one of the folders")
        first.setdefault(own, squad)
        yield from _check_folders(squad, texts)
        yield from _check_yaml(f"{squad}/{SQUAD_FILE}", texts)
        yield from _check_mode(f"{squad}/{SQUAD_FILE}", texts)
    for rules in (LIMPET.folder, *squads_in(texts)):
        yield from _check_extends(f"{rules}/{LIMPET.manifest}", texts, is_squad=rules != LIMPET.folder)


def _folders(texts: Mapping[str, str]) -> list[str]:
    """Return the squads' folders of which any file was read."""
    inside = [path.split("/") for path in texts if path.startswith(f"{LIMPET.squads}/")]
    return sorted({"/".join(parts[:2]) for parts in inside})


def _with_manifest(squad: str, texts: Mapping[str, str]) -> list[str]:
    rules = [f"{squad}/{each}" for each in LIMPET.squad_rules]
    return [each for each in rules if f"{each}/{LIMPET.manifest}" in texts]


def _check_folders(squad: str, texts: Mapping[str, str]) -> Iterator[Finding]:
    """Yield rules that lie where nothing looks for them: beside a manifest that comes first, or without one."""
    found = _with_manifest(squad, texts)
    for rules in (f"{squad}/{each}" for each in LIMPET.squad_rules):
        if rules in found[1:]:
            what = f"ignored: {found[0]} is this squad's rules folder"
            yield Finding(WARNING, rules, 0, what, "merge the two folders")
        elif not found and any(path.startswith(f"{rules}/") for path in texts):
            what = "no manifest, so this squad's rules are not loaded"
            yield Finding(ERROR, rules, 0, what, f"create {rules}/{LIMPET.manifest}")


def _check_yaml(path: str, texts: Mapping[str, str]) -> Iterator[Finding]:
    """Yield the error in a ``squad.yaml`` that is not valid YAML, where there is a YAML reader: the hook has none."""
    try:
        from limpet.ground.formats.yaml_text import load_yaml
    except ImportError:
        return
    try:
        found = load_yaml(texts.get(path, ""), path)
    except LimpetError as error:
        line = error.where.rpartition(":")[2]
        number = int(line) if line.isdecimal() else 0
        yield Finding(ERROR, path, number, f"is not valid YAML: {error.what}", "correct the line")
        return
    if found is not None and not isinstance(found, dict):
        yield Finding(ERROR, path, 0, "is not a mapping of keys to values", "write `name: ...` and `extends: ...`")


def _check_mode(path: str, texts: Mapping[str, str]) -> Iterator[Finding]:
    """Yield the findings in the ``extends:`` line of a ``squad.yaml``, which is found as the prompt hook finds it."""
    found = False
    for number, line in enumerate(texts.get(path, "").splitlines(), 1):
        key, divider, value = line.strip().partition(":")
        if divider and key == "extends":
            found = True
            yield from _check_word(path, number, value.partition("#")[0].strip(" '\""))
    for number, line in enumerate(texts.get(path, "").splitlines(), 1):
        if not found and SHARED_LINE.search(line):
            what = f"extends must be on its own line; using {EXTEND}"
            yield Finding(ERROR, path, number, what, "write extends: MODE on its own line")


def _check_extends(manifest: str, texts: Mapping[str, str], is_squad: bool) -> Iterator[Finding]:
    for number, key, value in read_lines(texts.get(manifest, "")):
        if value is None or split_key(key)[1] != "_EXTENDS":
            continue
        if is_squad:
            yield from _check_word(manifest, number, value)
        else:
            what = f"{key} has no effect here: only a squad extends or overrides"
            yield Finding(WARNING, manifest, number, what, "move it to the squad's manifest, or remove it")


def _check_word(path: str, number: int, word: str) -> Iterator[Finding]:
    if word.lower() not in MODES:
        what = f"unknown mode of extends: {word!r}{nearest(word.lower(), MODES)}; using {EXTEND}"
        yield Finding(ERROR, path, number, what, f"write {', '.join(MODES[:2])} or {MODES[2]}")
