"""Reading a block back."""

import jsonschema
import pytest

from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import load_schema

from .blocks import attributes, read_block

SCHEMA = load_schema("context-block")
# The block of chati.dev V7.1's Context Engine under our name, with the elements that the other layers add.
WHOLE = """<limpet-context bracket="MODERATE" remaining="52%">
<constitution>
Articles I-XVI governing agent behavior.
Registry governance.
</constitution>
<article title="XVII. Licences (BLOCK)">
MUST keep headers.
</article>
<mode permission="ask">planning</mode>
<lock>Session locked to the orchestrator.</lock>
<record>Keep decisions.</record>
<agent name="brief" mission="Extract user requirements in 5 structured phases">
<inputs>WU artifact, user access</inputs>
<outputs>Brief document</outputs>
<criteria>All 5 phases completed</criteria>
<commands>limpet work finish</commands>
<authority>NEVER choose a technology</authority>
<authority>ONLY write the brief</authority>
1. Let the user talk.
<check>Each need has a number.</check>
- Keep the user's own words.
- Ask for numbers.
</agent>
<directory of="10" open="limpet rules show NAME">
CACHE: cache redis
</directory>
<pipeline workflow="greenfield">
WU(100%) -> Brief(in_progress, 45%)
-> Detail(pending)
</pipeline>
<task story="1.2" executor="agent">Phase 2: Core Requirements Elicitation</task>
<handoff from="greenfield-wu" score="95">
Project: SaaS platform.
Stack: Next.js.
</handoff>
<continuation>
Open: which queue?
</continuation>
<spec>
architecture 3/5 current
</spec>
<next>brief needs a handoff and 95%: limpet work finish -</next>
<memory called-by="src/lock.py">3 HOT memories</memory>
<standing-wishes>
Never push without a review
</standing-wishes>
<contents note="titles" open="those that bear">
k7q2m9xa JWT for the API
</contents>
<candidates>
k7q2 person: "Amounts are cents"
</candidates>
<rules squad="etl" domain="ETL_LOAD">
- Load in batches.
</rules>
<rules domain="API" matched="endpoint, route">
- Version it.
</rules>
<command name="plan">
- Write no code.
</command>
<in-force>QA, STORY</in-force>
<left-out>DB: over the token budget (limpet rules show DB); +2 more</left-out>
<notes>rules: 1 mistakes</notes>
<debug>prompt 3</debug>
</limpet-context>"""


def read(inside="", root='bracket="FRESH" remaining="100%"'):
    return read_block(f"<limpet-context {root}>{inside}</limpet-context>")


def test_every_element_is_read():
    """The seed's example, and each element that the product adds to it, become data that obeys the schema."""
    block = read_block(WHOLE)
    jsonschema.Draft202012Validator(SCHEMA).validate(block)
    assert block == {
        "bracket": "MODERATE",
        "remaining": 52,
        "record": "Keep decisions.",
        "constitution": ["Articles I-XVI governing agent behavior.", "Registry governance."],
        "articles": [{"title": "XVII. Licences (BLOCK)", "lines": ["MUST keep headers."]}],
        "mode": "planning",
        "permission": "ask",
        "lock": "Session locked to the orchestrator.",
        "handoff_warning": None,
        "reminder": None,
        "agent": {
            "name": "brief",
            "mission": "Extract user requirements in 5 structured phases",
            "inputs": "WU artifact, user access",
            "outputs": "Brief document",
            "criteria": "All 5 phases completed",
            "commands": "limpet work finish",
            "authority": ["NEVER choose a technology", "ONLY write the brief"],
            "steps": ["Let the user talk."],
            "checklist": ["Each need has a number."],
            "rules": ["Keep the user's own words.", "Ask for numbers."],
        },
        "pipeline": {"workflow": "greenfield", "lines": ["WU(100%) -> Brief(in_progress, 45%)", "-> Detail(pending)"]},
        "task": {
            "story": "1.2",
            "executor": "agent",
            "agent": None,
            "lines": ["Phase 2: Core Requirements Elicitation"],
        },
        "handoff": {"from": "greenfield-wu", "score": "95", "lines": ["Project: SaaS platform.", "Stack: Next.js."]},
        "continuation": ["Open: which queue?"],
        "spec": ["architecture 3/5 current"],
        "next": "brief needs a handoff and 95%: limpet work finish -",
        "memory": {"called_by": "src/lock.py", "lines": ["3 HOT memories"]},
        "standing_wishes": ["Never push without a review"],
        "contents": ["k7q2m9xa JWT for the API"],
        "candidates": ['k7q2 person: "Amounts are cents"'],
        "existing": [],
        "rules": [
            {"domain": "ETL_LOAD", "matched": [], "squad": "etl", "lines": ["Load in batches."]},
            {"domain": "API", "matched": ["endpoint", "route"], "squad": None, "lines": ["Version it."]},
        ],
        "commands": [{"name": "plan", "lines": ["Write no code."]}],
        "in_force": ["QA", "STORY"],
        "left_out": ["DB: over the token budget (limpet rules show DB)", "+2 more"],
        "notes": ["rules: 1 mistakes"],
        "debug": ["prompt 3"],
        "directory": ["CACHE: cache redis"],
    }


def test_short_forms_are_read():
    """A block between two stable parts tells nothing else; in CRITICAL the mission is the element's text (2)."""
    block = read("<reminder>mode build</reminder><handoff-warning>Under 15%</handoff-warning>")
    jsonschema.Draft202012Validator(SCHEMA).validate(block)
    assert (block["reminder"], block["handoff_warning"]) == ("mode build", "Under 15%")
    assert (block["agent"], block["rules"], block["constitution"]) == (None, [], [])
    agent = read('<agent name="dev">Build it.</agent>')["agent"]
    assert (agent["name"], agent["mission"], agent["rules"]) == ("dev", "Build it.", [])


def test_the_schema_obeys_its_own_standard_and_refuses_what_no_block_says():
    """The shipped schema is valid, and strict enough to find a mistake in it."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    block = read_block(WHOLE)
    for change in ({"bracket": "EMPTY"}, {"remaining": 101}, {"surplus": 1}, {"rules": [{"domain": "X"}]}):
        assert not validator.is_valid({**block, **change}), change


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "no well-formed context block"),
        ("no block", "no well-formed context block"),
        (WHOLE[:300], "no well-formed context block"),
        (WHOLE + WHOLE, "no well-formed context block"),
        ("<carl-rules/>", "<carl-rules> is no context block"),
        ("<limpet-context bracket='FRESH' remaining='much'/>", "remaining='much' is no percentage"),
        ("<limpet-context remaining='1%'><surprise/></limpet-context>", "<surprise> is no element"),
        ("<limpet-context>\ud800</limpet-context>", "no context block"),
    ],
)
def test_what_is_no_block_is_refused_with_the_reason(text, what):
    """Text cut off, of another product, or of a later version is no block."""
    with pytest.raises(LimpetError) as caught:
        read_block(text)
    assert what in str(caught.value)


def test_attributes_beside_those_of_the_block_are_told():
    """Of an element that is there."""
    assert attributes(WHOLE, "handoff") == {"from": "greenfield-wu", "score": "95"}
    assert attributes(WHOLE, "lock-line") is None
