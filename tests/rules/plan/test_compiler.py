"""Manifest and domain files to a plan: numbers that meet, records that are taken over, and no secret."""

import pytest

from limpet.rules.format.constitution import Article, Constitution
from limpet.rules.format.manifest import RulesManifest, read_manifest
from limpet.rules.matching import EVERYWHERE, find_matches
from limpet.rules.plan.compiler import SQUAD, Unit, compile_plan, make_charter
from limpet.rules.plan.plan import Squad

SECRET = "blue-heron-meadow-77"
MARK = (1, 2, 3)
CHARTER = make_charter(Constitution())


class File:
    """A domain's file, which counts how often it is read."""

    def __init__(self, text):
        self.text = text
        self.reads = 0

    def read(self):
        self.reads += 1
        return self.text


def unit(domain, text="", kind="", mark=MARK, plain=""):
    file = text if isinstance(text, File) else File(text)
    name = plain or domain.name
    path = f".limpet/rules/{name.lower()}"
    return Unit(domain=domain, plain=name, kind=kind or domain.kind, path=path, files=((path, mark),), read=file.read)


def compiled(manifest, units, squads=(), watched=(), known=None, secrets=(), way="words"):
    return compile_plan(manifest, units, list(squads), CHARTER, list(watched), way, known or {}, 0, secrets)


def from_text(text, *files):
    """The manifest, and a unit for each of its domains."""
    manifest = read_manifest(text)
    return manifest, [unit(domain, file) for domain, file in zip(manifest.domains, files, strict=True)]


def test_a_domain_has_one_number_in_all_tables():
    """Names, switches, kinds, triggers and keywords are told apart by it."""
    manifest, units = from_text(
        "GLOBAL_ALWAYS_ON=true\nAPI_RECALL=endpoint\nAPI_STATE=inactive\nAGENT_DEV_STATE=active\n"
        "STORY_WORKFLOW_TRIGGER=greenfield\n",
        *("GLOBAL_RULE_0=a\n", "API_RULE_0=b\n", "DEV_RULE_0=c\n", "STORY_RULE_0=d\n"),
    )
    matcher, records = compiled(manifest, units)
    assert matcher["names"] == [record["name"] for record in records] == ["GLOBAL", "API", "AGENT_DEV", "STORY"]
    assert matcher["active"] == [True, False, True, True]
    assert matcher["kinds"] == {"global": [0], "keyword": [1], "agent": [2], "workflow": [3]}
    assert (matcher["agents"], matcher["workflows"]) == ({"dev": [2]}, {"greenfield": [3]})
    assert find_matches(matcher["index"], "add an endpoint")[0] == {1: ["endpoint"]}


def test_keywords_call_or_exclude_in_a_way_of_their_own():
    """Exclusions are a domain's own or everybody's, found in one pass; a domain may match in a way of its own."""
    manifest, units = from_text("GLOBAL_EXCLUDE=chat\nAPI_RECALL=endpoint\nAPI_EXCLUDE=mock\n", "API_RULE_0=b\n")
    matcher, _ = compiled(manifest, units)
    called, excluded = find_matches(matcher["index"], "a mock endpoint, let us chat")
    assert (called, excluded) == ({0: ["endpoint"]}, {0: ["mock"], EVERYWHERE: ["chat"]})
    manifest, units = from_text("API_RECALL=point\nDB_RECALL=point\nDB_MATCH=substring\n", "", "")
    matcher, _ = compiled(manifest, units, way="word")
    assert find_matches(matcher["index"], "an endpoint")[0] == {1: ["point"]}


def test_a_squads_triggers_are_not_everybodys():
    """Its domains come with the squad, behind the border of all others."""
    domain = read_manifest("ETL_AGENT_TRIGGER=dev\nETL_RECALL=load\n").domains[0]
    units = [unit(read_manifest("API_RECALL=endpoint\n").domains[0]), unit(domain, kind=SQUAD)]
    matcher, _ = compiled(RulesManifest(), units, [Squad(id="ETL_SQUAD", mode="extend", numbers=range(1, 2))])
    assert (matcher["agents"], matcher["squads_from"]) == ({}, 1)
    manifest, units = from_text("API_RECALL=endpoint\n", "API_RULE_0=b\n")
    assert compiled(manifest, units)[0]["squads_from"] == 1


def test_a_record_holds_what_the_file_says_by_its_sort():
    """Star-commands, brackets and authority apart from the rules."""
    manifest, units = from_text(
        "QA_RECALL=test\nCONTEXT_STATE=active\nCOMMANDS_STATE=active\n",
        "QA_RULE_0=Write tests.\nQA_RULE_1=Run them.\n",
        "FRESH_RULE_0=Quote.\n",
        "BRIEF_RULE_0=Short.\n",
    )
    matcher, (qa, context, commands) = compiled(manifest, units)
    assert (qa["rules"], context["brackets"]) == (["Write tests.", "Run them."], {"FRESH": ["Quote."]})
    assert (commands["commands"], matcher["commands"]) == ({"brief": ["Short."]}, ["brief"])
    assert qa["files"] == [(".limpet/rules/qa", MARK)]


def test_the_digest_of_a_record_is_that_of_what_it_says():
    """Comments and stamps are not in it; of a file that cannot be read there is none."""
    domain = read_manifest("QA_RECALL=test\n").domains[0]
    same, other = "QA_RULE_0=a\n", "QA_RULE_0=b\n"
    units = [unit(domain, same), unit(domain, f"# mine\n{same}", mark=(4, 5, 6)), unit(domain, other), unit(domain)]
    units[3] = units[3].replace(read=lambda: None)
    digests = [record["digest"] for record in compiled(RulesManifest(), units)[1]]
    assert digests[0] == digests[1] != digests[2]
    assert digests[3] == ""


@pytest.mark.parametrize(
    ("mark", "kind", "reads"),
    [(MARK, "keyword", 0), ((9, 9, 9), "keyword", 1), (MARK, "agent", 1), (None, "keyword", 1)],
)
def test_a_known_record_is_taken_over_while_its_files_are_the_same(mark, kind, reads):
    """With another stamp, or as another kind, it is read again."""
    domain = read_manifest("QA_RECALL=test\n").domains[0]
    _, (record,) = compiled(RulesManifest(), [unit(domain, "QA_RULE_0=a\n")])
    file = File("QA_RULE_0=b\n")
    _, (again,) = compiled(RulesManifest(), [unit(domain, file, kind, mark)], known={"QA": record})
    assert file.reads == reads
    assert again["rules"] == (["b"] if reads else ["a"])


def test_no_secret_comes_into_the_plan():
    """Neither in rules nor in the constitution's own articles."""
    manifest, units = from_text("QA_RECALL=test\n", f"QA_RULE_0=The password is {SECRET}.\n")
    _, (record,) = compiled(manifest, units, secrets=(SECRET,))
    article = Article(number=17, numeral="XVII", title=f"On {SECRET}", severity="WARN", duties=(f"MUST use {SECRET}.",))
    charter = make_charter(Constitution(articles=(article,), added=(article,)), (SECRET,))
    assert SECRET not in repr(record) and SECRET not in repr(charter)
    assert record["rules"][0].startswith("The password is ")


def test_a_charter_has_the_summary_and_the_projects_articles_whole():
    """Its digest changes with any of them."""
    shipped = Article(number=1, numeral="I", title="First", severity="BLOCK", duties=("MUST a.",))
    own = Article(number=17, numeral="XVII", title="Ours", severity="WARN", duties=("MUST b.",))
    constitution = Constitution(short=("Two articles.",), articles=(shipped, own), added=(own,))
    charter = make_charter(constitution)
    assert charter["short"] == ["Two articles."]
    assert charter["project"] == [("XVII. Ours (WARN)", ["MUST b."])]
    assert make_charter(constitution.replace(added=()))["digest"] != charter["digest"]
