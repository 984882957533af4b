"""Reads the manifest: which domains there are, when each one applies, and what excludes it."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from limpet.ground.values import Value
from limpet.roles.roster import plain_id
from limpet.rules.format.domain import is_true, read_lines, read_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SPECIAL = {"CONSTITUTION": "constitution", "GLOBAL": "global", "CONTEXT": "context", "COMMANDS": "commands"}
PLAIN_KEYS = ("DEVMODE", "GLOBAL_EXCLUDE", "DOMAIN_ORDER")
SUFFIXES = tuple(
    "_NON_NEGOTIABLE _WORKFLOW_TRIGGER _AGENT_TRIGGER _COMES_WITH _ALWAYS_ON _EXCLUDE _EXTENDS _DOUBTS _RECALL _HINTS"
    " _PATHS _STATE _MATCH _WHEN".split()
)
# The keys that hold keyword lists; X_RECALL_PT and the like are further lines of one.
KEYWORD_LISTS = ("_RECALL", "_EXCLUDE", "_HINTS", "_DOUBTS")
LISTED = ("GLOBAL_EXCLUDE", "DOMAIN_ORDER", "_PATHS", "_COMES_WITH")
# The state of a domain that waits for work to be under way, and of one that no keyword calls.
AT_WORK, ON_DEMAND = "work", "on-demand"


class Domain(Value):
    """``at_work``: it is on only while an agent, a workflow, a story or the lock is in force (``_STATE=work``).
    ``on_demand``: its keywords do not call it (``_STATE=on-demand``); what it comes with, a file, or the agent does.
    ``comes_with``: what it comes with, once an epoch: ``failed-check``, ``story``.
    ``when``: the end of "Before you ...", when the agent is to read its rules; "" where the block does not say.
    ``hints``, ``doubts``: lines of words that speak for it and against it, a little each.
    ``paths``: globs of the files that call it, beside those in its own file.
    ``agent``, ``workflow``: the ids that trigger it, "" for none.
    ``match``: its way of matching keywords, "" for the configured one.
    ``firm``: its rules get their room before all others', and no conversation switches it off (``_NON_NEGOTIABLE``).
    """

    name: str
    active: bool = True
    at_work: bool = False
    on_demand: bool = False
    comes_with: tuple[str, ...] = ()
    when: str = ""
    always_on: bool = False
    recall: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    hints: tuple[tuple[str, ...], ...] = ()
    doubts: tuple[tuple[str, ...], ...] = ()
    paths: tuple[str, ...] = ()
    agent: str = ""
    workflow: str = ""
    match: str = ""
    firm: bool = False

    @property
    def declares(self) -> str:
        """The id of the agent for which the domain is named (``AGENT_MARKETING``), "" for none."""
        implied = plain_id(self.name.removeprefix("AGENT_")) if self.name.startswith("AGENT_") else ""
        return implied if implied == self.agent else ""

    @property
    def kind(self) -> str:
        """constitution, global, context, commands, agent, workflow, always or keyword."""
        if self.name in SPECIAL:
            return SPECIAL[self.name]
        if self.agent:
            return "agent"
        if self.workflow:
            return "workflow"
        return "always" if self.always_on else "keyword"


class RulesManifest(Value):
    """``domains``: in the order in which they apply; ``switched``: those of which nothing but the state is said.
    ``extends``: how a squad's domains relate to the global ones, "" where it does not say.
    ``global_exclude``: keywords that keep every domain out.
    ``problems``: (line, what is wrong).
    """

    domains: tuple[Domain, ...] = ()
    switched: frozenset[str] = frozenset()
    extends: str = ""
    global_exclude: tuple[str, ...] = ()
    devmode: bool = False
    problems: tuple[tuple[int, str], ...] = ()


@lru_cache(8)
def read_manifest(text: str) -> RulesManifest:
    """Of two lines of one key, as git leaves them of two branches, lists count together, else the later line."""
    fields: dict[str, dict[str, str]] = {}
    plain: dict[str, str] = {}
    problems: list[tuple[int, str]] = []
    for number, key, value in read_lines(text):
        if value is None:
            problems.append((number, f"no = in {key!r}"))
        elif key in PLAIN_KEYS:
            plain[key] = _joined(plain.get(key, ""), value) if key in LISTED else value
        elif split_key(key)[1]:
            name, suffix = split_key(key)
            given = fields.setdefault(name, {})
            given[suffix] = _joined(given.get(suffix, ""), value) if is_listed(suffix) else value
        elif named := name_of_file(key, value):
            fields.setdefault(named, {}).setdefault("_STATE", "active")
        else:
            problems.append((number, f"unknown key {key!r}"))
    extends = [given.pop("_EXTENDS") for given in fields.values() if "_EXTENDS" in given]
    domains = {name: _domain(name, given) for name, given in fields.items() if given}
    if not domains.get("CONSTITUTION", Domain("CONSTITUTION")).active:
        problems.append((0, "CONSTITUTION cannot be switched off: it stays active"))
        domains["CONSTITUTION"] = domains["CONSTITUTION"].replace(active=True)
    order = read_list(plain.get("DOMAIN_ORDER", ""))
    first = [domains[name] for name in order if name in domains]
    return RulesManifest(
        domains=(*first, *(domain for name, domain in domains.items() if name not in order)),
        switched=frozenset(name for name, given in fields.items() if [*given] == ["_STATE"]),
        extends=extends[-1].lower() if extends else "",
        global_exclude=read_list(plain.get("GLOBAL_EXCLUDE", "")) + _keywords(fields.get("GLOBAL", {}), "_EXCLUDE"),
        devmode=is_true(plain.get("DEVMODE", "")),
        problems=tuple(problems),
    )


def split_key(key: str) -> tuple[str, str]:
    """Return (domain, suffix) of a domain's key; the suffix is empty when it is none that we know."""
    for suffix in SUFFIXES:
        if key.endswith(suffix) and len(key) > len(suffix):
            return key[: -len(suffix)], suffix
    for suffix in KEYWORD_LISTS:
        name, found, line = key.partition(f"{suffix}_")
        if name and line:
            return name, f"{found}{line}"
    return key, ""


def name_of_file(key: str, value: str) -> str:
    """The domain of a SYNAPSE's line ``agent-dev=.synapse/agent-dev``, "" for another; its rules are read where those
    of every domain are."""
    is_name = key.islower() and key.replace("-", "").replace("_", "").isalnum()
    return key.upper().replace("-", "_") if is_name and "/" in value and " " not in value else ""


def list_of(suffix: str) -> str:
    """Return the suffix of the keyword list to which a key's belongs (``_RECALL`` for ``_RECALL_PT``), "" for none."""
    for known in KEYWORD_LISTS:
        if suffix == known or suffix.startswith(f"{known}_"):
            return known
    return ""


def is_listed(name: str) -> bool:
    """Whether a key, or a suffix of one, holds a list."""
    return name in LISTED or bool(list_of(name))


def keys_of_list(keys: Iterable[str], name: str, listed: str) -> list[str]:
    parts = ((key, *split_key(key)) for key in dict.fromkeys(keys))
    return [key for key, domain, suffix in parts if domain == name and list_of(suffix) == listed]


def _domain(name: str, given: dict[str, str]) -> Domain:
    special, state = name in SPECIAL, given.get("_STATE", "active").strip().lower()
    return Domain(
        name=name,
        active=is_true(state) or state in (AT_WORK, ON_DEMAND),
        at_work=state == AT_WORK,
        on_demand=state == ON_DEMAND,
        comes_with=() if special else read_list(given.get("_COMES_WITH", "").lower()),
        when="" if special else " ".join(given.get("_WHEN", "").split()),
        always_on=special or is_true(given.get("_ALWAYS_ON", "")),
        recall=() if special else _keywords(given, "_RECALL"),
        exclude=() if special else _keywords(given, "_EXCLUDE"),
        hints=() if special else _lines(given, "_HINTS"),
        doubts=() if special else _lines(given, "_DOUBTS"),
        paths=() if special else read_list(given.get("_PATHS", "")),
        agent=_trigger(name, given, "AGENT_", "_AGENT_TRIGGER"),
        workflow=_trigger(name, given, "WORKFLOW_", "_WORKFLOW_TRIGGER"),
        match=given.get("_MATCH", "").lower(),
        firm=is_true(given.get("_NON_NEGOTIABLE", "")),
    )


def _joined(before: str, more: str) -> str:
    return ", ".join(dict.fromkeys((*read_list(before), *read_list(more)))) if before else more


def _keywords(given: dict[str, str], suffix: str) -> tuple[str, ...]:
    return tuple(chain.from_iterable(_lines(given, suffix)))


def _lines(given: dict[str, str], suffix: str) -> tuple[tuple[str, ...], ...]:
    return tuple([read_list(value) for key, value in given.items() if list_of(key) == suffix])


def _trigger(name: str, given: dict[str, str], prefix: str, suffix: str) -> str:
    implied = name[len(prefix) :] if name.startswith(prefix) else ""
    return given.get(suffix, implied).strip().lower().lstrip("@").replace("_", "-")
