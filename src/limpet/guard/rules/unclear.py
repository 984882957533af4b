"""Shell commands that cannot be understood (decision 42)."""

from __future__ import annotations

from limpet.guard.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.guard.case import Case

RULE = "unclear"


def judge(case: Case) -> Iterator[Verdict]:
    """Ask where a person set ``explore`` or ``ask``; else only where a word of the command names what is forbidden."""
    understood, scene = case.understood, case.scene
    if understood is None or understood.clear:
        return
    answer, act = scene.settings.get("unclear", "ask"), case.call.command[:200]
    if scene.permission in case.table["permissions"]:
        reason = f"This command cannot be understood ({understood.why}). Write it plainly, or have the user run it."
        yield Verdict(answer, RULE, reason, act=act)
        return
    for word, what in _forbidden(case):
        why = f"This command cannot be understood ({understood.why})"
        reason = f"{why}, and {word!r} in it may mean {what}. Write it plainly."
        yield Verdict(answer, RULE, reason, act=act, target=word)
        return


def _forbidden(case: Case) -> Iterator[tuple[str, str]]:
    """Yield (word, what it may mean) of the command's words that name what the agent may not do."""
    assert case.understood is not None
    scene, words = case.scene, [word.lower() for word in case.understood.texts]
    if scene.agent and case.understood.starts:
        for kind, names in case.table["words"].items():
            if scene.agent not in case.owners(kind):
                yield from ((name, f"a {kind}") for name in names if name in words)
    folders = {
        folder: f"the private memory of {owner}" for folder, owner in scene.owners.items() if owner != scene.agent
    }
    for folder, what in (*folders.items(), *((folder, "the state of Limpet") for folder in scene.kept)):
        tail = "/".join(folder.replace("\\", "/").rstrip("/").split("/")[-2:]).lower()
        yield from ((word, what) for word in words if tail in word.replace("\\", "/"))
