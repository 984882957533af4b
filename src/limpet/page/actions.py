"""What the forms of the page do: each is one function of ``operations``, and what is said of it afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value
from limpet.memory.looked_at import look_at
from limpet.memory.model.ids import short_id
from limpet.operations.approval import Obtain
from limpet.operations.front import keep_memory
from limpet.operations.guard_rights import allow_once
from limpet.operations.learning.deciding import approve_proposal, reject, withdraw
from limpet.operations.learning.proposals import find_proposal
from limpet.operations.memory import change
from limpet.operations.memory.review import settle_unkept
from limpet.operations.memory.waiting import list_unkept
from limpet.operations.project import Project
from limpet.operations.rules.edit import DomainPatch, edit_domain, switch_domain
from limpet.operations.rules.transaction import Edit

# What names something: no path is one.
_ID = re.compile(r"(?!\.{1,2}$)[\w.:@~-]{1,120}")
WHY = "by the page"


class Done(Value):
    """``lines``: more of it; ``undo``: the memory that a button brings back; ``next``: the page to go to, "" for the
    one that the form was on."""

    says: str
    lines: tuple[str, ...] = ()
    undo: str = ""
    next: str = ""
    is_wrong: bool = False


class Form:
    def __init__(self, fields: Mapping[str, str]) -> None:
        self._fields = fields
        self.has_sane_ids = all(_ID.fullmatch(fields[name]) for name in ("id", "domain") if name in fields)

    def get(self, name: str) -> str:
        return self._fields.get(name, "").replace("\r\n", "\n").strip()

    def need(self, name: str) -> str:
        if not (found := self.get(name)):
            raise LimpetError(f"The field {name} is empty", hint="Nothing was changed.")
        return found


def _keep(project: Project, form: Form, obtain: Obtain) -> Done:
    return Done(keep_memory(project, form.need("id"))[0])


def _edit(project: Project, form: Form, obtain: Obtain) -> Done:
    changes = {"title": form.need("title"), "body": form.get("body")}
    kept = change.edit_memory(project, form.need("id"), changes, why=WHY)
    look_at(project.workspace, [kept.stored.entry.id])
    return Done(f'Changed to "{kept.stored.entry.title}".', kept.notices)


def _pin(project: Project, form: Form, obtain: Obtain) -> Done:
    pinned = form.get("off") != "1"
    kept = change.pin_memory(project, form.need("id"), pinned, WHY)
    says = "Pinned: it does not fade" if pinned else "Unpinned"
    return Done(f'{says}: "{kept.stored.entry.title}".', kept.notices)


def _archive(project: Project, form: Form, obtain: Obtain) -> Done:
    away = change.archive_memory(project, form.need("id"), WHY)
    return Done(f'Archived "{away.title}": a search still finds it.', undo=away.id)


def _forget(project: Project, form: Form, obtain: Obtain) -> Done:
    away = change.forget_memory(project, form.need("id"), WHY)
    look_at(project.workspace, [away.id])
    return Done(f'Forgot "{away.title}". It can be brought back for {away.days or "all"} days.', undo=away.id)


def _undo(project: Project, form: Form, obtain: Obtain) -> Done:
    back = change.undo_change(project, form.need("id"), WHY)
    return Done(f'"{back.title}" is back.', next=f"/memories/{short_id(back.id)}")


def _settle(project: Project, form: Form, obtain: Obtain) -> Done:
    found = next((one for one in list_unkept(project.workspace) if one.id == form.need("id")), None)
    if found is None:
        raise LimpetError("It does not wait any more", form.get("id"))
    title = settle_unkept(project, found, is_kept=form.get("keep") == "1")
    return Done(f'Kept "{title}".' if title else "Dropped.")


def _approve(project: Project, form: Form, obtain: Obtain) -> Done:
    done = approve_proposal(project, find_proposal(project, form.need("id")), obtain)
    return _said(done.note, *map(str, done.findings))


def _reject(project: Project, form: Form, obtain: Obtain) -> Done:
    return _said(reject(project, find_proposal(project, form.need("id")), obtain))


def _withdraw(project: Project, form: Form, obtain: Obtain) -> Done:
    return _said(withdraw(project, form.need("id"), obtain))


def _write_rule(project: Project, form: Form, obtain: Obtain) -> Done:
    """With ``check`` it is shown what would change, and nothing is written."""
    domain, number, is_trial = form.need("domain"), form.get("number"), form.get("check") == "1"
    if form.get("remove") == "1":
        patch = DomainPatch(remove_rules=(form.need("number"),))
    elif number:
        patch = DomainPatch(rules=((number, form.need("text")),))
    else:
        patch = DomainPatch(add_rules=(form.need("text"),))
    says = "Nothing is written yet. It would read:" if is_trial else f"Changed {domain}."
    return _edited(edit_domain(project.workspace, domain, patch, is_trial), says)


def _switch(project: Project, form: Form, obtain: Obtain) -> Done:
    is_on, domain = form.get("on") == "1", form.need("domain")
    done = switch_domain(project.workspace, domain, is_on)
    return _edited(done, f"{domain} is {'on' if is_on else 'off'} for the whole project.")


def _allow(project: Project, form: Form, obtain: Obtain) -> Done:
    id, reason = form.need("id"), form.need("reason")
    found = allow_once(project.workspace, obtain, id, reason, project.caller.now, "limpet dashboard")
    return Done(f"Allowed once, within an hour: {found.act or found.tool}.")


def _edited(done: Edit, says: str) -> Done:
    return Done(says, (*done.lines(), *map(str, done.findings))) if done.changes else Done("Nothing to change.")


def _said(text: str, *more: str) -> Done:
    first, *lines = text.splitlines()
    return Done(first, (*lines, *more))


ACTIONS: dict[str, Callable[[Project, Form, Obtain], Done]] = {
    "keep": _keep,
    "edit": _edit,
    "pin": _pin,
    "archive": _archive,
    "forget": _forget,
    "undo": _undo,
    "settle": _settle,
    "approve": _approve,
    "reject": _reject,
    "withdraw": _withdraw,
    "write-rule": _write_rule,
    "switch": _switch,
    "allow": _allow,
}
