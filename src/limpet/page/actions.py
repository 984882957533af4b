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

_ID = re.compile(r"(?!\.{1,2}$)[\w.:@~-]{1,120}")
# Fields that name something: no path is one.
_NAMING = ("id", "domain")
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

    @property
    def has_sane_ids(self) -> bool:
        return all(_ID.fullmatch(self._fields[name]) for name in _NAMING if name in self._fields)

    def get(self, name: str) -> str:
        return self._fields.get(name, "").replace("\r\n", "\n").strip()

    def need(self, name: str, what: str) -> str:
        if not (found := self.get(name)):
            raise LimpetError(f"{what} is missing", hint="Nothing was changed.")
        return found


def keep(project: Project, form: Form, obtain: Obtain) -> Done:
    return Done(keep_memory(project, form.need("id", "A memory"))[0])


def edit(project: Project, form: Form, obtain: Obtain) -> Done:
    changes = {"title": form.need("title", "What it says"), "body": form.get("body")}
    kept = change.edit_memory(project, form.need("id", "A memory"), changes, why=WHY)
    look_at(project.workspace, [kept.stored.entry.id])
    return Done(f'Changed to "{kept.stored.entry.title}".', kept.notices)


def pin(project: Project, form: Form, obtain: Obtain) -> Done:
    pinned = form.get("off") != "1"
    kept = change.pin_memory(project, form.need("id", "A memory"), pinned, WHY)
    says = "Pinned: it does not fade" if pinned else "Unpinned"
    return Done(f'{says}: "{kept.stored.entry.title}".', kept.notices)


def archive(project: Project, form: Form, obtain: Obtain) -> Done:
    away = change.archive_memory(project, form.need("id", "A memory"), WHY)
    return Done(f'Archived "{away.title}": a search still finds it.', undo=away.id)


def forget(project: Project, form: Form, obtain: Obtain) -> Done:
    away = change.forget_memory(project, form.need("id", "A memory"), WHY)
    look_at(project.workspace, [away.id])
    until = f" for {away.days} days" if away.days else ""
    return Done(f'Forgot "{away.title}". It can be brought back{until}.', undo=away.id)


def undo(project: Project, form: Form, obtain: Obtain) -> Done:
    back = change.undo_change(project, form.need("id", "A memory"), WHY)
    return Done(f'"{back.title}" is back.', next=f"/memories/{short_id(back.id)}")


def settle(project: Project, form: Form, obtain: Obtain) -> Done:
    id, is_kept = form.need("id", "A sentence"), form.get("keep") == "1"
    found = next((one for one in list_unkept(project.workspace) if one.id == id), None)
    if found is None:
        raise LimpetError("It does not wait any more", id)
    title = settle_unkept(project, found, is_kept)
    return Done(f'Kept "{title}".' if is_kept else "Dropped.")


def approve(project: Project, form: Form, obtain: Obtain) -> Done:
    proposal = find_proposal(project, form.need("id", "A proposal"))
    done = approve_proposal(project, proposal, obtain, form.get("text"), form.get("domain"))
    first, *more = done.note.splitlines()
    return Done(first, (*more, *map(str, done.findings)))


def decline(project: Project, form: Form, obtain: Obtain) -> Done:
    first, *more = reject(project, find_proposal(project, form.need("id", "A proposal")), obtain).splitlines()
    return Done(first, tuple(more))


def take_back(project: Project, form: Form, obtain: Obtain) -> Done:
    return Done(withdraw(project, form.need("id", "A decision"), obtain))


def write_rule(project: Project, form: Form, obtain: Obtain) -> Done:
    """With ``check`` it is shown what would change, and nothing is written."""
    domain, number, text = form.need("domain", "A domain"), form.get("number"), form.get("text")
    if form.get("remove") == "1":
        patch = DomainPatch(remove_rules=(form.need("number", "A rule"),))
    elif number:
        patch = DomainPatch(rules=((number, form.need("text", "The rule's text")),))
    else:
        patch = DomainPatch(add_rules=(form.need("text", "The rule's text"),))
    is_trial = form.get("check") == "1"
    done = edit_domain(project.workspace, domain, patch, is_trial)
    return _edited(done, "Nothing is written yet. It would read:" if is_trial else f"Changed {domain}.", text)


def switch(project: Project, form: Form, obtain: Obtain) -> Done:
    is_on, domain = form.get("on") == "1", form.need("domain", "A domain")
    done = switch_domain(project.workspace, domain, is_on)
    return _edited(done, f"{domain} is {'on' if is_on else 'off'} for the whole project.")


def allow(project: Project, form: Form, obtain: Obtain) -> Done:
    id, reason = form.need("id", "A decision"), form.need("reason", "A reason")
    found = allow_once(project.workspace, obtain, id, reason, project.caller.now, "limpet dashboard")
    return Done(f"Allowed once, within an hour: {found.act or found.tool}.")


def _edited(done: Edit, says: str, text: str = "") -> Done:
    if not done.changes:
        return Done("Nothing to change.")
    return Done(says, (*done.lines(), *map(str, done.findings)))


ACTIONS: dict[str, Callable[[Project, Form, Obtain], Done]] = {
    "keep": keep,
    "edit": edit,
    "pin": pin,
    "archive": archive,
    "forget": forget,
    "undo": undo,
    "settle": settle,
    "approve": approve,
    "reject": decline,
    "withdraw": take_back,
    "write-rule": write_rule,
    "switch": switch,
    "allow": allow,
}
