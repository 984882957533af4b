"""The shipped texts: the constitution, the rule files and the page that accounts for every duty."""

import re
from pathlib import Path

import pytest

import limpet.framework
from limpet.roles.roster import AGENTS

FRAMEWORK = Path(limpet.framework.__file__).parent
RULES = FRAMEWORK / "rules"
PAGE = Path(__file__).parents[2] / "docs" / "constitution.md"
NUMERALS = [
    "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI",
]  # fmt: skip
SUMMARIES = ["## In short with a registry", "## In short before any work"]
VERBS = r"(?:MUST NOT|MUST|SHOULD NOT|SHOULD|MAY) [a-z]"
DOMAINS = [
    "GLOBAL", "CONTEXT", "COMMANDS", "STORY", "QA", "AGENT_ORCHESTRATOR", "AGENT_GREENFIELD_WU", "AGENT_BROWNFIELD_WU",
    "AGENT_BRIEF", "AGENT_DETAIL", "AGENT_ARCHITECT", "AGENT_UX", "AGENT_PHASES", "AGENT_TASKS", "AGENT_QA_PLANNING",
    "AGENT_DEV", "AGENT_QA_IMPLEMENTATION", "AGENT_DEVOPS",
]  # fmt: skip
KEY_DUTIES = [
    "criteria before", "validate yourself", "loop until", "numbered options", "persist state",
    "two-layer handoff", "language", "deviation", "planning/build/deploy", "bracket", "memory",
    "session lock", "no invention", "cli first", "story first", "destructive", "secrets",
]  # fmt: skip
PREFIXES = {"CONTEXT": "FRESH|MODERATE|DEPLETED|CRITICAL", "COMMANDS": "BRIEF|DEV|REVIEW|PLAN|DISCUSS|DEBUG|EXPLAIN"}


def constitution() -> str:
    return (FRAMEWORK / "constitution.md").read_text(encoding="utf-8")


def articles() -> dict[str, tuple[str, str, list[str]]]:
    """Numeral to (title, severity, duties), read by the grammar that docs/constitution.md states."""
    found = {}
    for part in constitution().partition("\n## Articles\n")[2].split("\n### ")[1:]:
        heading, _, body = part.partition("\n")
        match = re.fullmatch(r"([IVX]+)\. (.+) \((BLOCK|WARN|INFO)\)", heading)
        assert match, heading
        found[match[1]] = (match[2], match[3], re.sub(r"\n  (?=\S)", " ", body).strip().split("\n"))
    return found


def summary() -> str:
    return constitution().partition("\n## In short\n")[2].partition("\n\n")[0]


def settings(name: str) -> list[tuple[str, str]]:
    """Keys and values of a rule file; a line that is neither blank, comment nor KEY=VALUE fails."""
    rows = []
    for line in (RULES / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            match = re.fullmatch(r"([A-Z][A-Z0-9_]*)=(.*)", line)
            assert match, f"{name}: {line!r}"
            rows.append((match[1], match[2]))
    return rows


def file_of(domain: str) -> str:
    return domain.lower().replace("_", "-")


def test_the_constitution_has_its_parts_and_sixteen_articles_in_order():
    """Title, both summaries and articles, I to XVI, stand in the order that the reader expects."""
    headings = re.findall(r"^(#{1,2} .*)$", constitution(), re.MULTILINE)
    assert headings == ["# The Limpet constitution", "## In short", *SUMMARIES, "## Articles"]
    assert list(articles()) == NUMERALS
    assert [line for line in constitution().splitlines() if len(line) > 112] == []


def test_the_severities_are_those_of_the_stricter_source():
    """Only V, IX, XIV and XVI inform and only VI warns; all others block."""
    severities = {numeral: severity for numeral, (_, severity, _) in articles().items()}
    softer = {"V": "INFO", "VI": "WARN", "IX": "INFO", "XIV": "INFO", "XVI": "INFO"}
    assert severities == dict.fromkeys(NUMERALS, "BLOCK") | softer


@pytest.mark.parametrize("numeral", NUMERALS)
def test_an_article_holds_three_to_nine_short_duties(numeral):
    """Each bullet starts with a verb of obligation, ends in a full stop and has at most 160 characters."""
    duties = articles()[numeral][2]
    assert 3 <= len(duties) <= 9
    assert [duty for duty in duties if not re.fullmatch(rf"- {VERBS}.*\.", duty) or len(duty) - 2 > 160] == []


def test_the_titles_fit_the_short_form_of_the_block():
    """No title exceeds 22 characters, and all sixteen with numerals stay below 420."""
    titles = {numeral: title for numeral, (title, _, _) in articles().items()}
    assert max(map(len, titles.values())) <= 22
    assert len("; ".join(f"{numeral}. {title}" for numeral, title in titles.items())) < 420


def test_the_summary_fits_every_block_and_names_every_key_duty():
    """Two to six lines of plain ASCII, at most 750 characters, no XML escapes but for >."""
    assert 2 <= len(summary().split("\n")) <= 6
    assert len(summary()) <= 750
    assert summary().isascii()
    assert not set(summary()) & set("<&")
    assert [duty for duty in KEY_DUTIES if duty not in summary().lower()] == []


def test_the_page_cites_only_duties_that_exist_and_leaves_none_out():
    """Every reference in the table of docs/constitution.md is a bullet, and every bullet is accounted for."""
    real = {f"{numeral}.{n}" for numeral, article in articles().items() for n, _ in enumerate(article[2], 1)}
    cited: set[str] = set()
    for here in column(2):
        for numeral, first, last in re.findall(r"\b([IVX]+)\.(\d+)(?:-(\d+))?", here):
            cited |= {f"{numeral}.{n}" for n in range(int(first), int(last or first) + 1)}
    assert cited == real


def test_the_page_has_a_row_for_every_source():
    """Each clause of XII-XV, each other article of chati.dev and each of ADR-001 has its row."""
    clauses = {"XII": 6, "XIII": 7, "XIV": 6, "XV": 7}
    wanted = {f"chati.dev V7.1 Art. {key}.{n + 1}" for key, count in clauses.items() for n in range(count)}
    wanted |= {f"chati.dev Art. {numeral}" for numeral in NUMERALS if numeral not in clauses}
    wanted |= {f"ADR-001 SYNAPSE Art. {numeral}" for numeral in NUMERALS[:6]}
    assert wanted - set(column(0)) == set()


def column(index: int) -> list[str]:
    """The cells of one column of all table rows on the page, those of the first with the document that the heading
    above names."""
    found, above = [], ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("### "):
            above = line.removeprefix("### ").partition(",")[0]
        if line.startswith("| ") and not line.startswith("| source"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            assert len(cells) == 3
            cells[0] = f"{above} {cells[0]}"
            found.append(cells[index])
    return found


def test_the_manifest_declares_every_shipped_domain_and_no_other_key():
    """Five and one for each agent, STORY and QA on demand, dev mode off; each has a file, no key is misspelt."""
    manifest = dict(settings("manifest"))
    assert sorted(key[:-6] for key in manifest if key.endswith("_STATE")) == sorted(DOMAINS)
    states = {key: value for key, value in manifest.items() if key.endswith("_STATE")}
    assert states.pop("STORY_STATE") == states.pop("QA_STATE") == "on-demand"
    assert set(states.values()) == {"active"}
    assert "DEVMODE" not in manifest and "GLOBAL_EXCLUDE" not in manifest
    known = "|".join(sorted(DOMAINS, key=len, reverse=True))
    suffixes = "STATE|ALWAYS_ON|(?:RECALL|EXCLUDE|HINTS|DOUBTS)(?:_[A-Z_]+)?|AGENT_TRIGGER|COMES_WITH|WHEN"
    keys = [key for key, _ in settings("manifest") if key != "DEVMODE"]
    assert [key for key in keys if not re.fullmatch(rf"(?:{known})_(?:{suffixes})", key)] == []
    assert len(keys) == len(set(keys))
    files = {path.name for path in RULES.iterdir()}
    assert files == {"manifest", "global.javascript", *map(file_of, DOMAINS)}


def test_each_domain_is_brought_in_by_one_thing():
    """GLOBAL and CONTEXT are always on, roles have their agent, STORY and QA have words."""
    manifest = dict(settings("manifest"))
    always_on = [key for key in manifest if key.endswith("_ALWAYS_ON")]
    assert always_on == ["GLOBAL_ALWAYS_ON", "CONTEXT_ALWAYS_ON"]
    triggers = {key: value for key, value in manifest.items() if key.endswith("_TRIGGER")}
    roles = [name for name in DOMAINS if name.startswith("AGENT_")]
    assert triggers == {f"{name}_AGENT_TRIGGER": file_of(name[6:]) for name in roles}
    assert set(triggers.values()) <= set(AGENTS)
    words = {key: value.split(",") for key, value in manifest.items() if key.endswith("_RECALL")}
    assert set(words) == {"STORY_RECALL", "QA_RECALL"}
    assert all(word.strip() for entries in words.values() for word in entries)


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_rule_is_short_and_bears_its_domains_prefix(domain):
    """Keys are <PREFIX>_RULE_n, numbered from 0 in each group, and values have 1 to 150 characters."""
    prefix = PREFIXES.get(domain, domain.removeprefix("AGENT_"))
    rules = [(key, value) for key, value in settings(file_of(domain)) if not key.endswith("_RULES")]
    counts: dict[str, int] = {}
    for key, value in rules:
        match = re.fullmatch(rf"((?:{prefix})_RULE_(?:AUTH_)?)(\d+)", key)
        assert match, key
        assert int(match[2]) == counts.get(match[1], 0), key
        counts[match[1]] = int(match[2]) + 1
        assert 0 < len(value) <= 150, key
    assert rules


@pytest.mark.parametrize(("domain", "low", "high"), [("CONTEXT", 2, 4), ("COMMANDS", 3, 5)])
def test_every_bracket_and_command_has_a_few_rules(domain, low, high):
    """No group is empty and none grows past what a prompt should carry."""
    keys = [key for key, _ in settings(file_of(domain))]
    groups = PREFIXES[domain].split("|")
    counts = {group: sum(key.startswith(f"{group}_RULE_") for key in keys) for group in groups}
    assert all(low <= count <= high for count in counts.values()), counts


def test_every_bracket_is_switched_on():
    """The context file says of each of its four brackets whether it speaks; FRESH has nothing to say unless asked."""
    flags = [row for row in settings("context") if row[0].endswith("_RULES")]
    assert flags == [
        (f"{bracket}_RULES", "false" if bracket == "FRESH" else "true") for bracket in PREFIXES["CONTEXT"].split("|")
    ]


@pytest.mark.parametrize("domain", [name for name in DOMAINS if name.startswith("AGENT_")])
def test_every_role_states_its_authority(domain):
    """A role's authority rules begin with NEVER, ONLY, EXCLUSIVE or MUST, and there are at least three."""
    authority = [value for key, value in settings(file_of(domain)) if "_AUTH_" in key]
    assert len(authority) >= 3
    assert [text for text in authority if not re.match(r"(?:NEVER|ONLY|EXCLUSIVE|MUST)\b", text)] == []


def test_the_javascript_rule_continues_the_numbering_of_global():
    """ADR-001 SYNAPSE, Article VI: a global rule, of projects in these languages alone."""
    following = len(settings("global"))
    assert [key for key, _ in settings("global.javascript")] == [f"GLOBAL_RULE_{following}"]
    assert all(len(value) <= 150 for _, value in settings("global.javascript"))
