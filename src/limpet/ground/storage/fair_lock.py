"""A fair lock between processes: the holder cannot take it again before those that wait.

With ``files.Lock``, which asks every 2 ms, a process that writes without a pause would starve the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from limpet.ground.storage.files import Lock


@contextmanager
def fair_lock(path: str, patience: float) -> Iterator[bool]:
    """Hold the lock ``path`` for a ``with`` block. Yields False where it is not free within ``patience`` seconds.

    Only one process at a time, which holds ``path.next``, asks for the lock; the others ask for that.
    """
    queue, lock = Lock(f"{path}.next", patience), Lock(path, patience)
    with queue as first:
        held = first and lock.__enter__()
    try:
        yield held
    finally:
        lock.__exit__(None, None, None)
