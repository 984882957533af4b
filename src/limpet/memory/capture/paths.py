"""The files that a text names."""

from __future__ import annotations

import re

MOST_PATHS = 8
# With a folder, or a name with an ending; "v1.2", "e.g." and "Next.js" are neither.
_PATH = re.compile(r"(?<![\w/.:@-])(?:\.{0,2}/)?(?:[\w.-]{1,80}/){0,12}[\w.-]{0,80}\.[A-Za-z]\w{0,15}\b(?![/@])")
_TECHNOLOGIES = re.compile(
    r"(?i)^(?:next|node|vue|nuxt|three|express|d3|react|ember|backbone|asp|socket)\.(?:js|net|io)$"
)
_KNOWN_ENDINGS = """
    py js jsx ts tsx mjs cjs json jsonc yaml yml toml md mdx txt sql sh bash zsh ps1 rs go rb java kt kts swift c h cc
    cpp hpp cs php html htm css scss sass less vue svelte xml ini cfg conf env lock gradle proto graphql tf ex exs erl
    hs ml scala clj lua r jl dart ipynb csv tsv log pyi svg dockerfile
"""
_ENDINGS = frozenset(_KNOWN_ENDINGS.split())
_HIDDEN = re.compile(r"\.(?:[a-z]{2,12}(?:rc|ignore)|git(?:attributes|modules)|editorconfig|envrc)")


def paths_in(text: str) -> tuple[str, ...]:
    """Return the files that the text names, with ``/`` between folders."""
    found = (
        match[0].strip(".") if match[0].endswith(".") else match[0] for match in _PATH.finditer(text.replace("\\", "/"))
    )
    return tuple(dict.fromkeys(path for path in found if _is_path(path)))[:MOST_PATHS]


def _is_path(path: str) -> bool:
    if "/" not in path and _TECHNOLOGIES.match(path):
        return False
    return path.rpartition(".")[2].lower() in _ENDINGS or _HIDDEN.fullmatch(path.rpartition("/")[2]) is not None
