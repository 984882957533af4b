"""What a request looks like to the router: its words, the groups they belong to, and its shape."""

from __future__ import annotations

from holdfast.agents.routing.cues import CUES, PAIRS
from holdfast.ground.text.stems import stem
from holdfast.ground.text.words import fold, split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# What decides stands near the beginning or near the end; between them lie pasted logs.
_BEGINNING, _END = 700, 200
_COURTESIES = """
    ok okay so now please and also hey hmm well oh yeah then mmk mmmk cool right
    entao agora por favor e tambem ai bueno entonces ahora y tambien bon alors maintenant et aussi s il te plait
"""
_OPENERS = frozenset(_COURTESIES.split())
_LENGTHS = (2, 5, 10, 20, 40, 80, 160)
_COMMAS = (1, 3, 5)
# How many distinct words of these groups make a request broad, and how many words join or oblige.
_BREADTH = {
    "things": (("part", "product", "scope", "parts_of_done"), (2, 3, 5)),
    "doings": (("make", "change", "overhaul", "leave"), (2, 4)),
    "faults": (("mend",), (2,)),
}
_COUNTED = {"joins": (2, 4, 7), "obliges": (2, 4)}
_WORDS = {
    "joins": "and also plus then as e tambem y tambien et aussi puis",
    "obliges": "should must needs shall can able allow deve devem pode debe debera puede doit doivent peut",
    "does": "implement execute apply finish continue proceed resume implementa aplica sigue",
    "plans": "plan stage step phase chunk milestone plano fase etapa etape",
}
_SETS = {name: frozenset(words.split()) for name, words in _WORDS.items()}
# Work that somebody has laid out already is only done: so many words from its beginning name the plan.
LAID_OUT = "s:laid out"
_NEAR = 6
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
    found.update(dict.fromkeys((*_breadth(words, stems), *_shape(prompt.strip(), len(words))), ""))
    if words[first] in _SETS["does"] and not _SETS["plans"].isdisjoint(words[first : first + _NEAR]):
        found[LAID_OUT] = words[first]
    return found


def _breadth(words: list[str], stems: list[str]) -> Iterator[str]:
    """Yield how many things and doings a request names, and how often it joins one to another."""
    distinct = [CUES[each] for each in set(stems) if each in CUES]
    for name, (groups, limits) in _BREADTH.items():
        count = sum(not set(groups).isdisjoint(of) for of in distinct)
        yield from (f"n:{name} {limit}" for limit in limits if count >= limit)
    for name, limits in _COUNTED.items():
        count = sum(word in _SETS[name] for word in words)
        yield from (f"n:{name} {limit}" for limit in limits if count >= limit)


def _shape(text: str, count: int) -> Iterator[str]:
    """Yield what can be seen without reading: length, sentences, lists, questions, paths, pasted text."""
    lines = [line.strip() for line in text.splitlines()]
    lower = text[:_BEGINNING].lower()
    items = sum(line[:2] in ("- ", "* ", "• ") or (line[:1].isdigit() and line[1:3] in (". ", ") ")) for line in lines)
    inline = sum(word in ("-", "•") or (word[:1].isdigit() and word[-1:] in ".):") for word in lower.split())
    seen = {
        **{f"s:longer than {length}": count > length for length in _LENGTHS},
        **{f"s:more than {commas} commas": text[:_BEGINNING].count(",") > commas for commas in _COMMAS},
        "s:asks at the end": text.endswith("?"),
        "s:asks": "?" in text,
        "s:sentences": sum(lower.count(stop) for stop in (". ", "? ", "! ", ".\n", "\n")) >= 2,
        "s:list": items >= 2,
        "s:items": inline >= 2,
        "s:many items": inline >= 4,
        "s:colon": ": " in text[:120],
        "s:code": "`" in text or "()" in text or "_" in text,
        "s:path": "/" in text or any(end in lower for end in (".py", ".ts", ".md", ".go", ".js", ".json", ".yml")),
        "s:paste": any(mark in lower for mark in _PASTE),
        "s:number first": text[:1].isdigit(),
        "s:numbers": any(character.isdigit() for character in lower),
        "s:lines": len(lines) > 5,
    }
    return (name for name, holds in seen.items() if holds)
