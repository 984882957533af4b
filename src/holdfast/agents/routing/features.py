"""What a request looks like to the router: its words, the groups they belong to, and its shape."""

from __future__ import annotations

from holdfast.agents.routing.cues import CUES, PAIRS
from holdfast.ground.text.stems import stem
from holdfast.ground.text.words import fold, split_words

# What decides stands near the beginning or near the end; between them lie pasted logs.
_BEGINNING, _END = 700, 200
_COURTESIES = """
    ok okay so now please and also hey hmm well oh yeah then mmk mmmk cool right
    entao agora por favor e tambem ai bueno entonces ahora y tambien bon alors maintenant et aussi s il te plait
"""
_OPENERS = frozenset(_COURTESIES.split())
_LENGTHS = (2, 5, 10, 20, 40, 80, 160)
_COMMAS = (1, 3, 5)
_PASTE = ("error:", "traceback", "err!", "exception", "failed", "$ ", "~/", "warning", "http://", "https://", "[image")


def find_features(prompt: str) -> dict[str, str]:
    """Return the features of a request, each with the words that show it; none for a text without words."""
    text = prompt.strip()
    if len(text) > _BEGINNING + _END:
        text = f"{text[:_BEGINNING]}\n{text[-_END:]}"
    words = split_words(fold(text))
    if not words:
        return {}
    stems = [stem(word) for word in words]
    found: dict[str, str] = {}
    for word, each in zip(reversed(words), reversed(stems), strict=True):
        found[f"w:{each}"] = word
        for name in CUES.get(each, ()):
            found[f"c:{name}"] = word
    for place in range(len(stems) - 1):
        found[f"b:{stems[place]} {stems[place + 1]}"] = f"{words[place]} {words[place + 1]}"
    first = next((place for place, word in enumerate(words) if word not in _OPENERS), 0)
    found[f"f:{stems[first]}"] = words[first]
    for name in CUES.get(stems[first], ()):
        found[f"fc:{name}"] = words[first]
    for one, other in PAIRS:
        if f"c:{one}" in found and f"c:{other}" in found:
            found[f"p:{one}+{other}"] = f"{found[f'c:{one}']} {found[f'c:{other}']}"
    found.update(_shape(prompt.strip(), len(words)))
    return found


def _shape(text: str, count: int) -> dict[str, str]:
    """Return what can be seen without reading: length, sentences, lists, questions, paths, pasted text."""
    lines = [line.strip() for line in text.splitlines()]
    lower = text[:_BEGINNING].lower()
    items = sum(line[:2] in ("- ", "* ", "• ") or (line[:1].isdigit() and line[1:3] in (". ", ") ")) for line in lines)
    seen = {
        **{f"s:longer than {length}": count > length for length in _LENGTHS},
        **{f"s:more than {commas} commas": text[:_BEGINNING].count(",") > commas for commas in _COMMAS},
        "s:asks at the end": text.endswith("?"),
        "s:asks": "?" in text,
        "s:sentences": sum(lower.count(stop) for stop in (". ", "? ", "! ", ".\n", "\n")) >= 2,
        "s:list": items >= 2,
        "s:colon": ": " in text[:120],
        "s:code": "`" in text or "()" in text or "_" in text,
        "s:path": "/" in text or any(end in lower for end in (".py", ".ts", ".md", ".go", ".js", ".json", ".yml")),
        "s:paste": any(mark in lower for mark in _PASTE),
        "s:number first": text[:1].isdigit(),
        "s:numbers": any(character.isdigit() for character in lower),
        "s:lines": len(lines) > 5,
    }
    return {name: "" for name, holds in seen.items() if holds}
