"""Makes rules of what the project's instruction files hold and the host does not act on by itself: rules about paths,
commands that are to be run, and lines that a person had to say again."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import MADE_HERE
from limpet.ground.formats.yaml_edit import set_yaml_value
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.instructions import flags_of
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.confinement import leads_out
from limpet.ground.storage.files import read_text
from limpet.ground.storage.text_file import read_strictly, refuse_link
from limpet.ground.storage.walking import files_below
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.candidates import USER, read_candidate_files
from limpet.memory.catalogue import EVERYTHING
from limpet.memory.index.terms import is_stop, terms
from limpet.memory.model.entry import Query
from limpet.memory.model.layout import has_entries
from limpet.operations.approval import Obtain
from limpet.operations.memory.library import open_library
from limpet.operations.mirror import refresh_mirror
from limpet.operations.project import Project
from limpet.operations.rules.edit import CHECKS, CONFIG_FILE
from limpet.operations.rules.transaction import Edit, carry_out_edit, new_place, read_rule_file
from limpet.operations.rules.view import paths_of
from limpet.operations.trust_record import agree_to
from limpet.rules.edit.difference import RuleFileChange
from limpet.rules.edit.domain import add_deeds, add_rule, declare, find_domain, rule_lines
from limpet.rules.format.lines import newline_of
from limpet.rules.layout import fault_of
from limpet.rules.naming import LONGEST as LONGEST_NAME
from limpet.rules.naming import accept_name, accept_rule, read_catalogue
from limpet.rules.passages import LONGEST, Passage, Prose, forbids, instruction_sentences, read_commands, read_prose

# Files about the whole project; a host reads its own of them at the start.
FILES = ("CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md", ".github/copilot-instructions.md", ".cursorrules")
# Folders of files about paths: how these end, and who brings them itself.
FOLDERS = {
    ".cursor/rules": (".mdc", ("cursor",)),
    ".github/instructions": (".instructions.md", ("copilot-cli", "vscode")),
    ".claude/rules": (".md", ("claude-code",)),
}
MOST_FILES, MOST_RULES = 50, 100
CHECKED, REPEATED = "CHECKS", "WISHES"
# A line was said again where so many of its words were, and so large a share of them; one in code counts twice.
LEAST_WORDS, LEAST_SHARE = 3, 0.5


class AdoptionOffer(Value):
    """A domain, or rules of one, that can be made.

    ``file``, ``line``: where it stands, "" for no file.
    ``globs``: of the files that bring it; () for one that comes with every conversation.
    ``command``: what is run when the agent stops, "" for none.
    ``said``: the words with which a person said it again, "" for none.
    ``deeds``: practices of work at whose beginning the rules are said again.
    """

    file: str
    line: int
    domain: str
    rules: tuple[str, ...]
    globs: tuple[str, ...] = ()
    command: str = ""
    said: str = ""
    deeds: tuple[str, ...] = ()

    @property
    def setting(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", self.command.lower()).strip("-")


class Adoptable(Value):
    """``files``: those that were read; ``withheld``: (file, line, why) of what is not offered."""

    offers: tuple[AdoptionOffer, ...]
    files: tuple[str, ...]
    withheld: tuple[tuple[str, int, str], ...]


def find_adoptable(project: Project, files: Sequence[str] = (), clients: Sequence[str] = ("claude-code",)) -> Adoptable:
    """``files``: in place of the known ones, from the root. ``clients``: those of the project, of which one at least
    does not bring what is offered. Raise LimpetError for a file that cannot be read or lies outside."""
    root = project.workspace.root
    texts = {name: _read(root, name) for name in files} if files else _instruction_files(root, clients)
    entries = read_catalogue(project.workspace)
    known: set[tuple[str, ...]] = set()
    for entry in entries:
        known |= {(*paths_of(entry), same_form(rule)) for rule in entry.text.rules}
    taken = {entry.domain.name: paths_of(entry) for entry in entries}
    again = _said_by_people(project)
    offers: list[AdoptionOffer] = []
    withheld: list[tuple[str, int, str]] = []
    for file, text in texts.items():
        if "\ufffd" in text or "\0" in text:
            withheld.append((file, 1, "It is not UTF-8; save it so"))
            continue
        prose = read_prose(text, file.rpartition("/")[2].partition(".")[0])
        if prose.globs:
            withheld += ((file, line, why) for line, why in _staying(prose))
        new = _about_paths(file, prose, taken) if prose.globs else _of_lines(file, prose.passages, again)
        lines = {one.whole: one.line for one in prose.passages}
        for offer in new:
            rules = tuple(rule for rule in offer.rules if (*offer.globs, same_form(rule)) not in known)
            faults = {rule: _fault_in(rule, project.secrets) for rule in rules} if offer.globs else {}
            withheld += ((file, lines.get(rule, offer.line), fault) for rule, fault in faults.items() if fault)
            rules = tuple(rule for rule in rules if not faults.get(rule))
            problem = _problem(offer.replace(rules=rules), project.secrets) if rules else ""
            if problem:
                withheld.append((offer.file, offer.line, problem))
            elif rules:
                offers.append(offer.replace(rules=rules))
                taken.setdefault(offer.domain, offer.globs)
                known.update((*offer.globs, same_form(rule)) for rule in rules)
    return Adoptable(tuple(offers), tuple(texts), tuple(withheld))


def adopt_lines(workspace: Workspace, offer: AdoptionOffer, now: float, obtain: Obtain | None = None) -> Edit:
    """Also the command, which takes a person's word, into the configuration; without ``obtain`` nothing is written."""
    secrets = read_secrets(workspace.root)
    if offer.command and obtain:
        obtain(f"Run `{offer.command}` in {workspace.root} whenever an agent stops after it wrote files")
    rules = [accept_rule(rule, secrets) for rule in offer.rules]

    def plan() -> tuple[RuleFileChange, ...]:
        place = new_place(workspace, offer.domain, "")
        manifest, file = read_rule_file(workspace, place.manifest), read_rule_file(workspace, place.own_file)
        trigger = {"_PATHS": ", ".join(offer.globs)} if offer.globs else {}
        trigger = trigger if offer.globs or offer.command else {"_ALWAYS_ON": "true"}
        text = manifest.before or ""
        text = text if find_domain(text, offer.domain) else declare(text, offer.domain, trigger)
        changes = (file.replace(after=_with_rules(offer, rules, file.before or "")), manifest.replace(after=text))
        if not offer.command:
            return changes
        config = read_rule_file(workspace, CONFIG_FILE)
        text = set_yaml_value(config.before or "", (*CHECKS, offer.setting), offer.command, CONFIG_FILE)
        return (*changes, config.replace(after=text))

    edit = carry_out_edit(workspace, plan, dry_run=obtain is None)
    if offer.command and obtain:
        agree_to(workspace, ".".join((*CHECKS, offer.setting)), offer.command, now)
        refresh_mirror(workspace)
    return edit


def _with_rules(offer: AdoptionOffer, rules: Sequence[str], text: str) -> str:
    end = newline_of(text)
    known = {(line.key, line.text) for line in rule_lines(offer.domain, text)}
    for rule in rules:
        text = add_rule(offer.domain, text, rule)
        text = add_deeds(offer.domain, text, rule, offer.deeds) if offer.deeds else text
    first = next(line for line in rule_lines(offer.domain, text) if (line.key, line.text) not in known)
    lines = text.splitlines(keepends=True)
    if offer.command:
        key = first.key.replace("_RULE_", "_CHECK_")
        lines.insert(first.place, f"{key}=run: {offer.setting}{end}")
        if f"{offer.domain}_CHECK_TELL=" not in text:
            lines.insert(first.place, f"{offer.domain}_CHECK_TELL=yes{end}")
    if offer.file:
        lines.insert(first.place, f"# {offer.file}:{offer.line}{end}")
    return "".join(lines)


def _about_paths(file: str, prose: Prose, taken: Mapping[str, tuple[str, ...]]) -> Iterator[AdoptionOffer]:
    """``taken``: the globs of the domains that there are."""
    rules = [one.whole for one in prose.passages if len(one.whole) <= LONGEST][:MOST_RULES]
    if any(True for _ in _staying(prose)) or not prose.is_whole:
        rules.append(f"There is more about these files in {file}: read it before you change one.")
    stem = _name_of(file)
    names = [stem, *(f"{stem}_{number}" for number in range(2, MOST_FILES))]
    name = next((each for each in names if {*prose.globs} <= {*taken.get(each, prose.globs)}), "")
    if name and rules:
        yield AdoptionOffer(file, 1, name, tuple(rules), prose.globs)


def _staying(prose: Prose) -> Iterator[tuple[int, str]]:
    """(Line, why) of what no rule is made of."""
    yield from prose.stays
    count = 0
    for each in prose.passages:
        count += len(each.whole) <= LONGEST
        if len(each.whole) > LONGEST:
            yield each.line, f"With what leads to it, it is longer than {LONGEST} characters"
        elif count == MOST_RULES + 1:
            yield each.line, f"From here on it stays in the file, which has more than {MOST_RULES} rules"


def _of_lines(file: str, passages: Sequence[Passage], again: Sequence[str]) -> Iterator[AdoptionOffer]:
    for passage in passages:
        for sentence in instruction_sentences(passage):
            commands = [] if forbids(passage.lead) else read_commands(sentence)
            for each in commands:
                rule = sentence if len(commands) == 1 else f"Run `{each}` before the work counts as done."
                yield AdoptionOffer(file, passage.line, CHECKED, (rule,), command=each)
            said = "" if commands else next((each for each in again if _repeats(sentence, each)), "")
            rule = passage.replace(text=sentence).whole
            if said and len(rule) <= LONGEST:
                yield AdoptionOffer(file, passage.line, REPEATED, (rule,), said=said)


def _said_by_people(project: Project) -> list[str]:
    heard = [each.quote for each in read_candidate_files(project.workspace.shared) if each.role == USER and each.quote]
    if not has_entries(project.workspace):  # a new project: no index is made for nothing
        return heard
    library = open_library(project)
    cards = library.list(Query(type="user_correction", limit=EVERYTHING, now=project.caller.now)).cards
    return [*(card.title for card in cards), *heard]


def _repeats(sentence: str, said: str) -> bool:
    own = {term for term in terms(sentence) if not is_stop(term)}
    code = set(terms("\n".join(re.findall(r"`([^`]+)`", sentence))))
    shared = own & set(terms(said))
    return len(shared) + len(shared & code) >= LEAST_WORDS and len(shared) >= LEAST_SHARE * len(own)


def _problem(offer: AdoptionOffer, secrets: frozenset[str]) -> str:
    for glob in offer.globs:
        if fault_of(glob):
            return f"Cannot read the glob {glob}"
    if fault := next(filter(None, (_fault_in(text, secrets) for text in (*offer.rules, offer.command))), ""):
        return fault
    try:
        accept_name(offer.domain)
        for rule in offer.rules:
            accept_rule(rule, secrets)
    except LimpetError as error:
        return str(error)
    return ""


def _fault_in(text: str, secrets: frozenset[str]) -> str:
    if redact(text, known=secrets) != text:
        return "It holds a secret"
    return "It reads like an order that overrides the agent's instructions" if flags_of(text) else ""


def _name_of(file: str) -> str:
    stem = re.sub(r"[^A-Z0-9]+", "_", file.rpartition("/")[2].partition(".")[0].upper())
    name = stem.lstrip("_0123456789")[: LONGEST_NAME - len("_00")].strip("_")
    try:
        return accept_name(name)
    except LimpetError:
        return f"PATHS_{name}".strip("_")


def same_form(text: str) -> str:
    """Return what two spellings of one rule have in common."""
    return " ".join(terms(text))


def _instruction_files(root: str, clients: Sequence[str]) -> dict[str, str]:
    names = [*FILES]
    for folder, (ending, readers) in FOLDERS.items():
        if not {*clients} <= {*readers}:
            names += [name for name in files_below(root, folder) if name.endswith(ending)][:MOST_FILES]
    found: dict[str, str] = {}
    seen = set()
    for name in names:
        path = os.path.join(root, *name.split("/"))
        text = None if leads_out(path, root) else read_text(path, STATE_BYTES)
        if text and MADE_HERE not in text and os.path.realpath(path) not in seen:
            seen.add(os.path.realpath(path))
            found[name] = text
    return found


def _read(root: str, name: str) -> str:
    path = os.path.normpath(os.path.join(root, name))
    if not path.startswith(root + os.sep):
        raise LimpetError("lies outside the project", name, "name a file of this project")
    refuse_link(path, name, root)
    if not os.path.isfile(path):
        raise LimpetError("does not exist", name, "name a text file")
    return read_strictly(path, name)
