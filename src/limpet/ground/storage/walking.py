"""Lists the files below a folder of a project, wherever git does not."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator


def files_below(
    root: str, folder: str = "", enters: Callable[[str], bool] = lambda name: True, links: bool = False
) -> Iterator[str]:
    """From ``root``, with ``/``, each folder's files in order. ``enters``: whether folders of this name are looked
    into. ``links``: links to folders too, which are never followed."""
    for path, folders, names in os.walk(os.path.join(root, folder)):
        folders[:] = sorted(filter(enters, folders))
        linked = [name for name in folders if links and os.path.islink(os.path.join(path, name))]
        place = os.path.relpath(path, root).replace(os.sep, "/")
        for name in sorted((*names, *linked)):
            yield name if place == "." else f"{place}/{name}"
