"""Whether a question of the hook's reaches the person, so that their answer can count as their word.

Observed on 2.1.329: in its terminal Claude Code puts the question in each of its modes, whatever the rules and other
hooks before the call allow; only a hook for PermissionRequest answers it in the person's place, and a plugin may bring
one. Without a terminal the call is refused.
"""

from __future__ import annotations

from limpet.hosts.claude_code.events import ATTENDED, is_headless
from limpet.hosts.claude_code.settings import settings_in_force
from limpet.hosts.hook_files import read_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.ground.event import Event


def asks_person(event: Event, environment: Mapping[str, str], project: str) -> bool:
    # In these modes the person said that nobody is to be asked.
    # Where nothing says that somebody sits there a question may reach nobody.
    is_attended = environment.get(ATTENDED) == "1" and not is_headless(environment)
    if event.host_mode in ("bypassPermissions", "dontAsk") or event.agent_id or not is_attended:
        return False
    for path in settings_in_force(project):
        settings = read_settings(path)
        hooks, plugins = settings.get("hooks"), settings.get("enabledPlugins")
        if isinstance(hooks, dict) and "PermissionRequest" in hooks:
            return False
        if isinstance(plugins, dict) and any(plugins.values()):
            return False
    return True
