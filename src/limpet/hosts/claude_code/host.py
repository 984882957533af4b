"""Claude Code as a ``Host``, for installing, examining and spawning."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

from limpet.ground.workspace import FOLDER
from limpet.hosts import base
from limpet.hosts.checks import FAIL, INFO, INIT, OK, WARN, Check
from limpet.hosts.claude_code import HOST, deny_rules, events, install, settings, tools
from limpet.hosts.claude_code.install import KEPT_OUT, why_kept_out
from limpet.hosts.claude_code.settings import PLUGIN, find_plugin, read_status_line, settings_in_force
from limpet.hosts.commands.lines import STATUS_LINE, read_command, status_line_command
from limpet.hosts.file_changes import ChangePlan
from limpet.hosts.hook_checks import check_lines
from limpet.hosts.hook_files import Lines, find_hooks, read_settings
from limpet.hosts.hook_host import HookHost
from limpet.hosts.records import USER
from limpet.hosts.skills import Skills, check_skill, plan_skill, plan_skill_removal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.claude_code import asking, status_line

    drawn: base.StatusLine = status_line
    asked: base.Asking = asking


class ClaudeCode(HookHost):
    NAME, TITLE = HOST, "Claude Code"
    SCOPES = settings.SCOPES
    SUB_AGENTS = ".claude/agents"
    CAN = frozenset(base.CAPABILITIES)
    SKILLS = Skills(".claude", settings.user_settings_folder)
    HEADLESS = base.Headless(
        program="claude",
        variable="LIMPET_CLAUDE",
        words=("-p", "{prompt}", "--session-id", "{session}"),
        join="claude --resume {session}",
    )
    SIGNS = (".claude", "CLAUDE.md")
    INSERTING = ("UserPromptSubmit", "SessionStart")

    place, files_in_force = staticmethod(settings.settings_place), staticmethod(settings_in_force)
    registrations, make_fields = staticmethod(install.registrations), staticmethod(install.make_fields)
    find_deny_rules, plan_writing = staticmethod(deny_rules.find_deny_rules), staticmethod(deny_rules.plan_writing)
    plan_deny_rules = staticmethod(deny_rules.plan_deny_rules)

    def in_force(self, folder: str) -> tuple[base.Registered, ...]:
        """Those of the plugin stand in no settings file, but one says that it is on."""
        found, plugin = super().in_force(folder), find_plugin(folder)
        is_more = plugin and all(each.path != plugin for each in found)
        return (*found, base.Registered(USER, plugin, self.EVENTS)) if is_more else found

    def plan_install(self, home: str, scope: str) -> ChangePlan:
        return install.plan_install(home, scope) + plan_skill(home, scope, self.SKILLS)

    def plan_removal(self, home: str, scopes: tuple[str, ...]) -> ChangePlan:
        return plan_skill_removal(home, scopes, self.SKILLS) + install.plan_removal(home, scopes)

    def check(self, project: str) -> Iterator[Check]:
        yield from self.check_registration(project)
        if find_plugin(project):
            yield from _check_plugin(project)
        if _is_by_plugin(project):
            yield _check_deny_rules(project)
            return
        yield _check_status_line(project)
        yield from check_lines(self, project)
        yield _check_deny_rules(project)
        yield from check_skill(os.path.join(project, FOLDER), self.SKILLS)

    def check_registration(self, project: str) -> Iterator[Check]:
        for path in settings_in_force(project):
            data = read_settings(path)
            if "disableAllHooks" in data:
                if data["disableAllHooks"]:
                    yield Check(FAIL, f"All hooks are disabled in {path}", "set disableAllHooks to false there")
                break  # the strongest file that says it decides
        if not _is_by_plugin(project):
            yield from super().check_registration(project)

    def drawn(self, path: str) -> Lines:
        drawn = read_status_line(read_settings(path))
        line = read_command(drawn["command"]) if drawn else None
        return [(STATUS_LINE, line, 10.0)] if line else []


CLIENT = ClaudeCode(events, tools)


def _is_by_plugin(project: str) -> bool:
    """The plugin alone brings hooks, skill and server."""
    has_lines = any(find_hooks(read_settings(path), HOST) for path in settings_in_force(project))
    return bool(find_plugin(project)) and not has_lines


def _check_plugin(project: str) -> Iterator[Check]:
    if shutil.which("limpet") is None:
        yield Check(WARN, "Limpet's plugin does nothing: `limpet` is not on PATH", "put it on PATH")
    if _is_by_plugin(project):
        yield Check(OK, f"{CLIENT.TITLE}: hooks, skill and server by the plugin, on in {find_plugin(project)}")
    else:
        what = f"{CLIENT.TITLE} has Limpet by its plugin and by init: /limpet and the server may be there twice"
        yield Check(WARN, what, f"run `limpet uninstall`, or `claude plugin uninstall {PLUGIN}`")


def _check_status_line(project: str) -> Check:
    path, line = "", {}
    for each in settings_in_force(project):
        if found := read_status_line(read_settings(each)):
            path, line = each, found
            break
    ours = read_command(line.get("command"))
    if ours is None:
        what = f"Your status line in {path} is shown alone" if path else "Limpet's status line is not installed"
        hint = KEPT_OUT.get(why_kept_out(path, project), INIT) if path else INIT
        return Check(WARN, f"{what}: the window size is estimated by model", hint)
    if line["command"] != status_line_command(HOST, ours.own):
        return Check(WARN, f"The status line in {path} is an older version's", INIT)
    alone = "to see yours alone, run `limpet config set hosts.status_line false`"
    return Check(OK, f"Status line in {path}{f', which runs yours too; {alone}' if ours.own else ''}")


def _check_deny_rules(project: str) -> Check:
    found, what, on = (
        deny_rules.find_deny_rules(project),
        "Claude Code's own deny rules",
        "limpet guard install deny-rules",
    )
    if found.state == "partly":
        return Check(WARN, f"{what} hold in part. Missing: {', '.join(found.missing)}", f"run `{on}`")
    if found.state == "on":
        return Check(OK, f"{what} are on")
    return Check(INFO, f"{what} are off: it may read .env files and private keys", f"run `{on}`")
