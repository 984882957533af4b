"""Makes rules of lines in the project's instruction files: finds what can be offered, and writes what was taken."""

from __future__ import annotations

import os
from collections.abc import Sequence

from holdfast.ground.config.defaults import STATE_BYTES
from holdfast.ground.errors import HoldfastError
from holdfast.ground.safety.dotenv import read_secrets
from holdfast.ground.safety.instructions.find import flags_of
from holdfast.ground.safety.redaction import redact
from holdfast.ground.storage.confinement import LEADS_OUT, leads_out
from holdfast.ground.storage.files import names_in, read_text
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.rules.places import new_place
from holdfast.operations.rules.transaction import Edit, carry_out, read_file
from holdfast.rules.adoption.offers import Offer, find_offers, same_form
from holdfast.rules.adoption.passages import read_passages
from holdfast.rules.catalogue import read_catalogue
from holdfast.rules.edit.difference import Change
from holdfast.rules.edit.domain import add_rule, rule_lines
from holdfast.rules.edit.manifest import change_list, declare, find_domain
from holdfast.rules.format.lines import newline_of
from holdfast.rules.naming import accept_keywords, accept_rule

# The instruction files of a project, by the agents that read them.
FILES = ("CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md", ".github/copilot-instructions.md", ".cursorrules")
CURSOR_RULES, CURSOR_SUFFIX = ".cursor/rules", ".mdc"
# The most lines that are offered at once, and the most files of Cursor's that are read.
MOST_OFFERED = 15
MOST_FILES = 50


class Adoptable(Value):
    """What the instruction files offer.

    ``offers``: the lines that can become rules, the most specific first.
    ``files``: the files that were read.
    ``withheld``: (file, line) of lines that are not offered: they hold a secret, or try to override the agent's
    instructions.
    """

    offers: tuple[Offer, ...]
    files: tuple[str, ...]
    withheld: tuple[tuple[str, int], ...]

    @property
    def best(self) -> tuple[Offer, ...]:
        """Return those that are offered at once."""
        return self.offers[:MOST_OFFERED]


def find_adoptable(workspace: Workspace, files: Sequence[str] = ()) -> Adoptable:
    """Return what the project's instruction files offer, or ``files`` (paths from the project's root).

    Raise HoldfastError for a named file that cannot be read or lies outside the project.
    """
    texts = {name: _read(workspace.root, name) for name in files} if files else _instruction_files(workspace.root)
    passages = [passage for name, text in texts.items() for passage in read_passages(name, text)]
    rules = [rule for entry in read_catalogue(workspace) for rule in entry.text.rules]
    found = find_offers(passages, rules)
    secrets = read_secrets(workspace.root)
    safe = [offer for offer in found if not flags_of(offer.text) and redact(offer.text, known=secrets) == offer.text]
    withheld = tuple((offer.file, offer.line) for offer in found if offer not in safe)
    return Adoptable(tuple(safe), tuple(texts), withheld)


def adopt(workspace: Workspace, offers: Sequence[Offer], dry_run: bool = False) -> Edit:
    """Write the offers as rules, each below a comment that says where it came from. The instruction files stay as they
    are.

    Raise HoldfastError, with nothing written.
    """
    secrets = read_secrets(workspace.root)
    rules = [offer.replace(text=accept_rule(offer.text, secrets)) for offer in offers]

    def plan() -> tuple[Change, ...]:
        places = {domain: new_place(workspace, domain, "") for domain in dict.fromkeys(one.domain for one in rules)}
        if not places:
            return ()
        manifest = read_file(workspace, next(iter(places.values())).manifest)
        text, changes = manifest.before or "", []
        for domain, place in places.items():
            own = [offer for offer in rules if offer.domain == domain]
            file = read_file(workspace, place.own_file)
            changes.append(file.replace(after=_with_offers(domain, file.before or "", own)))
            text = text if find_domain(text, domain) else declare(text, domain, {})
            keywords = accept_keywords(word for offer in own for word in offer.keywords)
            text = change_list(text, domain, "_RECALL", keywords, ())
        return (*changes, manifest.replace(after=text))

    return carry_out(workspace, plan, dry_run)


def _with_offers(domain: str, text: str, offers: Sequence[Offer]) -> str:
    """Return the domain's file with the rules that it lacks."""
    known = {same_form(line.text) for line in rule_lines(domain, text)}
    text = text or f"# From the project's instruction files, by `holdfast rules adopt`.{newline_of(text)}"
    for offer in offers:
        if same_form(offer.text) not in known:
            text = _with_source(add_rule(domain, text, offer.text), domain, offer)
    return text


def _with_source(text: str, domain: str, offer: Offer) -> str:
    """Return the text with the offer's place in a comment above its rule."""
    place = max(line.place for line in rule_lines(domain, text) if line.text == offer.text)
    lines = text.splitlines(keepends=True)
    return "".join((*lines[:place], f"# {offer.file}:{offer.line}{newline_of(text)}", *lines[place:]))


def _instruction_files(root: str) -> dict[str, str]:
    """Return name -> text of the instruction files that there are; of several names of one file the first."""
    found: dict[str, str] = {}
    seen = set()
    for name in (*FILES, *_cursor_files(root)):
        path = os.path.join(root, *name.split("/"))
        text = None if leads_out(path, root) else read_text(path, STATE_BYTES)
        if text and os.path.realpath(path) not in seen:
            seen.add(os.path.realpath(path))
            found[name] = text
    return found


def _cursor_files(root: str) -> list[str]:
    folder = os.path.join(root, *CURSOR_RULES.split("/"))
    names = [] if leads_out(folder, root) else names_in(folder)
    return [f"{CURSOR_RULES}/{name}" for name in names if name.endswith(CURSOR_SUFFIX)][:MOST_FILES]


def _read(root: str, name: str) -> str:
    path = os.path.normpath(os.path.join(root, name))
    if not path.startswith(root + os.sep):
        raise HoldfastError("lies outside the project", name, "name a file of this project")
    if leads_out(path, root):
        raise HoldfastError(LEADS_OUT, name, "name the file itself")
    text = read_text(path, STATE_BYTES)
    if text is None:
        what = "cannot be read" if os.path.lexists(path) else "does not exist"
        raise HoldfastError(what, name, f"name a text file of at most {STATE_BYTES // 1024} KB")
    return text
