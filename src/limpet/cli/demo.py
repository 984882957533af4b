"""``limpet demo``: a correction that comes back, played through the real hook in a scratch project."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import click

from limpet.cli.output import emit, json_option
from limpet.cli.screen import Line, show_progress, styled
from limpet.ground.errors import LimpetError
from limpet.ground.storage.project_caches import remove_caches
from limpet.ground.workspace import FOLDER
from limpet.hosts.commands.upkeep import compile_package
from limpet.hosts.demo import WINDOW, WISH, DemoBlock, DemoScene, play

# What a person sees of the story; the other events are shown with --blocks.
HEADINGS = {
    (1, "startup"): "Day 1. You correct your agent:",
    (2, "startup"): "Day 2. A new conversation. Before your first prompt the agent is told:",
    (2, "compact"): "Later the window is full and the client compacts. Then it is told again:",
}


@click.command()
@click.option("--blocks", is_flag=True, help="Show every event and the whole block that the model gets.")
@click.option("--keep", metavar="DIR", help="Use DIR, a new or empty folder, and keep the project.")
@json_option
def demo(blocks: bool, keep: str | None, as_json: bool) -> None:
    """Show how a correction comes back.

    It is played through the real hook in a scratch project. No model is called.

    \b
    Examples:
      limpet demo
      limpet demo --blocks
      limpet demo --keep ~/limpet-demo
    """
    lines = _whole_lines if blocks else _story_lines
    with _scratch(keep) as root:
        with show_progress("Preparing the hook"):
            compile_package()
        shown: list[DemoBlock] = []
        for one in play(os.path.abspath(root)):
            shown.append(one)
            emit(None, () if as_json else lines(one, len(shown)), False)
    if as_json:
        emit([_data(one) for one in shown], (), as_json)
    else:
        emit(None, _summary(shown) if blocks else _last_lines(), False)


@contextmanager
def _scratch(keep: str | None) -> Iterator[str]:
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="limpet-demo-", ignore_cleanup_errors=True) as root:
            try:
                yield root
            finally:
                remove_caches(os.path.join(root, FOLDER))
        return
    os.makedirs(keep, exist_ok=True)
    if os.listdir(keep):
        raise LimpetError("The folder is not empty", keep, "choose a new or empty folder")
    yield keep


def _story_lines(one: DemoBlock, number: int) -> Iterator[Line]:
    scene = one.scene
    heading = HEADINGS.get((scene.day, scene.source))
    if heading:
        yield styled((heading, "bold"))
    if scene.day == 1 and scene.prompt:
        if scene.said:
            yield f"  agent  {scene.said}"
        yield f"  you    {scene.prompt}"
    if scene.day == 2 and scene.event == "SessionStart":
        told = WISH.rstrip(".")
        yield from (f"  {line}" for line in one.block.splitlines() if told in line)


def _last_lines() -> Iterator[Line]:
    yield ""
    yield "Played through the real hook in a scratch project. No model was called."
    yield "Every event and what the model gets: limpet demo --blocks"


def _whole_lines(one: DemoBlock, number: int) -> Iterator[Line]:
    scene = one.scene
    yield styled((f"== {number}. {scene.title} ==", "bold"))
    event = f"{scene.event} ({scene.source})" if scene.source else scene.event
    yield f"   {event}, {_left(scene)} of the window left, {one.bracket}"
    if scene.prompt:
        yield f"   > {scene.prompt}"
    yield ""
    yield one.block or "(no block: nothing new to send)"
    yield ""
    yield f"   {one.tokens} tokens, {one.milliseconds:.0f} ms"
    yield ""


def _summary(shown: list[DemoBlock]) -> Iterator[Line]:
    yield styled(("== Summary ==", "bold"))
    yield f"{'':3}{'event':18}{'left':>6}  {'bracket':10}{'tokens':>7}{'ms':>7}  "
    for number, one in enumerate(shown, 1):
        facts = f"{one.scene.event:18}{_left(one.scene):>6}  {one.bracket:10}{one.tokens:7}{one.milliseconds:7.0f}"
        yield f"{number:2} {facts}  {one.scene.title}"
    total = sum(one.tokens for one in shown)
    yield f"{len(shown)} events, {total} tokens. Token counts are estimates. ms is the time from"
    yield "the start of the hook's shell to its exit. The first event also compiles the rules."


def _data(one: DemoBlock) -> dict[str, object]:
    scene = one.scene
    return {
        "title": scene.title,
        "day": scene.day,
        "event": scene.event,
        "source": scene.source,
        "prompt": scene.prompt,
        "used": scene.used,
        "window": WINDOW,
        "bracket": one.bracket,
        "block": one.block,
        "seen": one.seen,
        "tokens": one.tokens,
        "ms": one.milliseconds,
    }


def _left(scene: DemoScene) -> str:
    return f"{100 - 100 * scene.used / WINDOW:.0f}%"
