"""Which client's process serves which conversation, as its hooks told: a command below that process is of one of these,
whatever its variables name. A file for each conversation lies in the user's state folder, apart from all projects."""

from __future__ import annotations

import os
import sys

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import safe_name
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import names_in, read_text, remove_file, write_atomic, write_if_possible
from limpet.ground.storage.user_folders import state_folder
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ENDING = ".json"
# Conversations that are known at once; beyond them the oldest go.
MOST = 500
# Where a conversation begins: in a window of its own, or in the one that the client has; "" where that is not known.
NEW_WINDOW, SAME_WINDOW = "new", "same"


class Served(Value):
    """A conversation and its client's process: ``started`` as in ``Process``, 0 where that could not be looked up;
    ``began``, ``ended``: in seconds since 1970, 0 for one that goes on."""

    id: str
    host: str
    pid: int
    started: float
    began: float
    ended: float = 0.0

    @property
    def client(self) -> tuple[int, float]:
        return self.pid, self.started


def is_served(session: str) -> bool:
    return os.path.exists(serving_path(session))


def has_client(session: str) -> bool:
    """The client that served it last is still there."""
    found = read_served(session)
    return found is not None and not found.ended and _lives(found.pid)


def read_served(session: str) -> Served | None:
    return _read(serving_path(session)) if session else None


def all_served() -> tuple[Served, ...]:
    """The newest first."""
    paths = [os.path.join(_folder(), name) for name in names_in(_folder()) if name.endswith(ENDING)]
    return tuple(sorted(filter(None, map(_read, paths)), key=lambda one: one.began, reverse=True))


def live_of(served: Sequence[Served]) -> list[Served]:
    """Those that go on; where all have ended, all: a command may outlive its conversation."""
    return [one for one in served if not one.ended] or [*served]


def begin_serving(new: Served, window: str) -> str:
    """Note that the client serves this conversation now. Return the one that it takes the place of in its window, ""
    for none, and where nobody knows which. What clients that are gone served is forgotten. Raise OSError."""
    known = all_served()
    old = read_served(new.id)
    if old and old.client == new.client and not old.ended:
        return ""
    write_atomic(serving_path(new.id), dumps(new.__dict__), follow=False)
    is_of_window = window != NEW_WINDOW
    mine = [one for one in known if is_of_window and one.client == new.client and one.id != new.id]
    over = sorted((one for one in mine if one.ended), key=lambda one: one.ended)
    live = [one for one in mine if not one.ended]
    before = over[-1:] or (live[:1] if window == SAME_WINDOW or len(live) == 1 else [])
    gone = [one for one in known if one.client != new.client and not _lives(one.pid)]
    for one in (*over, *before, *gone, *known[MOST:]):
        remove_file(serving_path(one.id))
    return before[0].id if before else ""


def end_serving(session: str, now: float) -> None:
    found = read_served(session)
    if found:
        write_if_possible(serving_path(session), dumps(found.replace(ended=now).__dict__))


def serving_path(session: str) -> str:
    return os.path.join(_folder(), f"{safe_name(session)}{ENDING}")


def _read(path: str) -> Served | None:
    fields = read_object(read_text(path, STATE_BYTES))
    if set(fields) != set(Served.fields):
        return None
    known = Served(**fields)
    texts, numbers = (known.id, known.host), (known.pid, known.started, known.began, known.ended)
    is_sound = all(isinstance(one, str) for one in texts) and all(isinstance(one, (int, float)) for one in numbers)
    return known if is_sound and known.pid > 0 and serving_path(known.id) == path else None


def _folder() -> str:
    return os.path.join(state_folder(), "serving")


def _lives(pid: int) -> bool:
    """Of another user's, and where no signal can ask, it counts as there."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError, TypeError):
        return True
    return True
