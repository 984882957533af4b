"""Where this installation came from (PEP 610), and the lines that install Limpet from there again: the one place in
which such a line is made. Its name alone would be whoever's package an index has under it."""

from __future__ import annotations

import json
import os
import shlex
from importlib.metadata import PackageNotFoundError, distribution
from urllib.parse import urlsplit
from urllib.request import url2pathname

from limpet.hosts.commands.launcher import PACKAGE_ROOT

NAME = "limpet"


def install_line(extra: str = "", program: str = "pip install") -> str:
    """``program``: ``pip install``, ``pipx install`` or ``uv tool install``, which take the same rest."""
    folder, url = _origin()
    wanted = f"{NAME}[{extra}]" if extra else NAME
    if not folder:
        return f"{program} {shlex.quote(f'{wanted} @ {url}' if url else wanted)}"
    info = (_direct_url() or {}).get("dir_info")
    is_editable = not isinstance(info, dict) or info.get("editable") is True
    return f"{program}{' -e' if is_editable else ''} {shlex.quote(folder + wanted.removeprefix(NAME))}"


def install_line_for_others(extra: str, program: str) -> str:
    """A folder of this machine is of no use to others."""
    if not _origin()[0]:
        return install_line(extra, program)
    return f"{program} {shlex.quote(f'{NAME}[{extra}] @ git+<address of the Limpet repository>')}"


def _origin() -> tuple[str, str]:
    """Return (the folder that it was installed from, the address of anything else); both "" for an index."""
    told = _direct_url()
    if told is None:
        checkout = os.path.dirname(PACKAGE_ROOT)
        return (checkout, "") if os.path.isfile(os.path.join(checkout, "pyproject.toml")) else ("", "")
    url, vcs = str(told.get("url", "")), told.get("vcs_info")
    if "dir_info" in told:
        return url2pathname(urlsplit(url).path), ""
    if isinstance(vcs, dict):
        reachable = url.replace("file:///", "file://localhost/", 1)  # pip reads no requirement without a host
        url = f"{vcs.get('vcs')}+{reachable}@{vcs.get('commit_id')}"
    return "", f"{url}#subdirectory={told['subdirectory']}" if told.get("subdirectory") else url


def _direct_url() -> dict[str, object] | None:
    """Return what the installer noted, an empty dict for an index, None where nothing was installed."""
    try:
        text = distribution(NAME).read_text("direct_url.json")
        found = json.loads(text or "{}")
    except (PackageNotFoundError, ValueError):
        return None
    return found if isinstance(found, dict) else {}
