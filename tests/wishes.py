"""Wishes that a person said again and again, as capture keeps them."""

from limpet.memory.model.results import CONTRADICTED, MemoryEvidence

QUOTE = "> no, do not mock it (user, 2026-11-20)"


def say(memories, title="Never mock the database", times=5, conversations=3, confidence=0.95, **fields):
    """A wish that was said so often, in so many conversations in turn (c0, c1, ...); its id."""
    said = [
        MemoryEvidence(
            at=f"2026-11-{10 + n}T10:00:00Z", by="person", conversation=f"c{n % conversations}", message=f"m{n}"
        )
        for n in range(times)
    ]
    usual = {"type": "user_correction", "source": "capture:c0", "body": f"## Evidence\n\n{QUOTE}"}
    evidence = {"evidence": tuple(said), "evidence_count": times, "confidence": confidence}
    return memories.add(title, **{**usual, **evidence, **fields})


def say_again(memories, key, times):
    """The person said it in so many more conversations."""
    said = [MemoryEvidence(at=f"2026-11-26T10:{n:02}:00Z", by="person", conversation=f"d{n}") for n in times]
    memories.library.strengthen(key, said)
    memories.tell_index()


def contradict(memories, key):
    """What the person said later stands against it."""
    against = MemoryEvidence(at="2026-11-25T10:00:00Z", how=CONTRADICTED, by="person", conversation="c9", message="m9")
    memories.library.strengthen(key, [against])
    memories.tell_index()
