"""The user's own folders for what must not come with a checkout: state that is believed, caches that are run. Where
they lie is what each platform prescribes; a test holds this against ``platformdirs``, which the prompt hook cannot
afford to import."""

from __future__ import annotations

import os
import sys

from limpet.ground.digest import digest, safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.workspace import Workspace

NAME = "limpet"
PROJECTS = "projects"
CONFIG = "config.yaml"
LOCAL_CONFIG = "config.local.yaml"
# The file in a project's cache folder that says where the project lies.
ROOT = "root"
# The file there of the names by which tool calls find memories (``memory/index/names``).
NAMED = "named"
# The file in a worktree's private folder with the code that a scan found (``registry/symbols/table``).
SYMBOLS = "symbols"
# The folder of a person's own memories, in the data folder.
PERSONAL = "personal"
# In the state folder the folder of what lets reading calls pass, and the name of a file there.
QUIET, QUIET_FILE = "quiet", "quiet.sh"
# Characters of a project's own name in its folder's, which is there for people only.
LONGEST = 40
# A place below a file: nothing can be there, and nothing can be made.
NOWHERE = os.path.join(os.path.abspath(os.devnull), NAME)
_WRITABLE_BY_OTHERS = 0o022
_KIND, _REGULAR = 0o170000, 0o100000


def state_folder() -> str:
    """Of what this machine is told and believes: the launcher, the key, what waits for a person's word."""
    return _folder("LIMPET_STATE", "XDG_STATE_HOME", ".local/state", "Library/Application Support", "")


def data_folder() -> str:
    """Of what is the user's own and private. Where a variable moved it is on record, so that a client without the
    variable reads the same folder."""
    if os.path.isabs(os.environ.get("LIMPET_DATA", "")):
        return os.environ["LIMPET_DATA"]
    path = data_record()
    recorded = ""
    if is_own_file(path):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            recorded = file.read().strip()
    return recorded if os.path.isabs(recorded) else default_data_folder()


def default_data_folder() -> str:
    return _folder("", "XDG_DATA_HOME", ".local/share", "Library/Application Support", "Data")


def data_record() -> str:
    return os.path.join(state_folder(), "data-folder")


def projects_folder() -> str:
    return os.path.join(data_folder(), PROJECTS)


def cache_folder() -> str:
    """Of what is made of other files, and costs a rebuild when it is lost."""
    return _folder("LIMPET_CACHE", "XDG_CACHE_HOME", ".cache", "Library/Caches", "Cache")


def strangers_folder() -> str:
    """Of the empty projects that stand in for those that are not trusted."""
    return os.path.join(cache_folder(), "strangers")


def user_config_path() -> str:
    """In ``XDG_CONFIG_HOME``, else ``APPDATA`` (Windows), else ``~/.config``."""
    folders = [os.environ.get("XDG_CONFIG_HOME", "")]
    if sys.platform == "win32":
        folders.append(os.environ.get("APPDATA", ""))
    absolute = [folder for folder in folders if os.path.isabs(folder)]
    folder = absolute[0] if absolute else os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(folder, "limpet", CONFIG)


def settings_files(workspace: Workspace | None) -> tuple[str, ...]:
    """The strongest last; outside a project the user's only."""
    own = () if workspace is None else (workspace.path(CONFIG), os.path.join(workspace.data, LOCAL_CONFIG))
    return (user_config_path(), *own)


def untyped_path() -> str:
    """Of the texts that nobody types (``work.untyped``)."""
    return os.path.join(state_folder(), "untyped")


def approvals_folder() -> str:
    """Of what waits for a person's word, or is to be told them; it is there only while there is."""
    return os.path.join(state_folder(), "approvals")


def quiet_path(project: str) -> str:
    """Of what lets a client's reading calls pass (``engine.steps.quiet``), by the folder that it names to its hooks:
    hook lines have the path, so that a shell finds it."""
    return f"{state_folder()}/{QUIET}{project}/{QUIET_FILE}"


def project_cache(home: str) -> str:
    """NOWHERE where others than the user may write that folder: what is there is believed and run."""
    folder = os.path.join(cache_folder(), PROJECTS, project_key(os.path.dirname(home)))
    return folder if is_own(folder) else NOWHERE


def is_own(folder: str) -> bool:
    """Nobody but the user may write the folder, or nothing is there."""
    try:
        found = os.stat(folder)
    except OSError:
        return True
    return _is_users(found) and (sys.platform == "win32" or not found.st_mode & _WRITABLE_BY_OTHERS)


def is_own_file(path: str) -> bool:
    """A regular file of the user's is there, and no link."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return found.st_mode & _KIND == _REGULAR and _is_users(found)


def project_key(root: str) -> str:
    """One for each folder, whichever links lead to it."""
    path = os.path.normcase(os.path.realpath(root))
    return f"{safe_name(os.path.basename(path))[:LONGEST]}-{digest(path)}"


def _is_users(found: os.stat_result) -> bool:
    return sys.platform == "win32" or found.st_uid in (os.geteuid(), 0)


def _folder(own: str, variable: str, elsewhere: str, on_macos: str, on_windows: str) -> str:
    """The launcher sets ``own``: a host that was started from a desktop lacks what the user's shell sets."""
    told = os.environ.get(own, "") if own else ""
    if os.path.isabs(told):
        return told
    chosen = os.environ.get(variable, "")
    if os.path.isabs(chosen):
        return os.path.join(chosen, NAME)
    user = os.path.expanduser("~")
    if not os.path.isabs(user):  # a user without a home: a folder of this name may lie in the project
        return NOWHERE
    if sys.platform == "darwin":
        return os.path.join(user, on_macos, NAME)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or os.path.join(user, "AppData", "Local")
        return os.path.join(local, NAME, on_windows) if on_windows else os.path.join(local, NAME)
    return os.path.join(user, elsewhere, NAME)
