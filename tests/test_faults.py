"""Whatever is broken, full, strange or moving: the hook ends well, the rest of the rules is there, and the block says
once what is wrong; ``rules check`` names it. Beside ``test_hook``, which holds the common cases."""

import json
import os
import shutil
import subprocess
import sys
import time
import unicodedata
from itertools import groupby
from pathlib import Path

import pytest

from holdfast.context.reader import read_block
from holdfast.engine.preview import preview
from holdfast.ground.clock import Clock
from holdfast.rules.store import plan_state

from .conversation import remove, write, write_rules
from .test_hook import BOOTSTRAP, SCHEMA, SOURCE, Answer, Host, rule_lines, spawn, state

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")
MANIFEST = "GLOBAL_ALWAYS_ON=true\nAPI_RECALL=endpoint\nCOMMANDS_STATE=active\n"
NOTES = {
    "manifest": "there are no rules: the manifest is missing or empty (holdfast rules check)",
    "api": "no rules file for API (holdfast rules check)",
}
SECONDS_AHEAD = 400_000_000


@pytest.fixture
def host(workspace):
    """A host whose project has a global rule, a keyword domain and a star-command."""
    write_rules(
        workspace,
        MANIFEST,
        **{
            "global": "GLOBAL_RULE_0=Read first.\n",
            "api": "API_RULE_0=Version it.\n",
            "commands": "BRIEF_RULE_0=Short.\n",
        },
    )
    return Host(workspace)


@pytest.fixture
def check(run):
    """Runs ``holdfast rules check``, which must end well whatever it finds: its findings as ``where: what``."""

    def run_check():
        done = run("rules", "check", "--json")
        assert (done.returncode in (0, 1), done.stderr) == (True, "")
        return [f"{one['where']}: {one['what']}" for one in json.loads(done.stdout)["findings"]]

    return run_check


def notes(answer):
    return (answer.block or {"notes": []})["notes"]


def put(kind, path):
    """Put something that is no readable file at a path."""
    remove(path)
    if kind == "folder":
        os.mkdir(path)
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "loop":
        os.symlink(path, path)
    elif kind == "nowhere":
        os.symlink("/no/such/file", path)
    elif kind == "device":
        os.symlink("/dev/zero", path)


# The manifest

MISTAKES = """\
no divider
=nothing
UNKNOWN_THING=5
API_RECALLL=typo
API_STATE=perhaps
API_STATE=active
API_RECALL=endpoint,,
API_EXCLUDE=***,
API_MATCH=fuzzy
AGENT_NOBODY_AGENT_TRIGGER=nobody
DOMAIN_ORDER=NOWHERE,API
CONSTITUTION_STATE=inactive
LOST_RECALL=lost
EMPTY_STATE=active
DEVMODE=perhaps
_RECALL=endpoint
<<<<<<< ours
=======
>>>>>>> theirs
"""


def test_a_manifest_with_every_kind_of_mistake_costs_only_the_mistakes(host, check):
    """One note in the first block, none in the next, and a finding for each."""
    write_rules(host.workspace, MANIFEST + MISTAKES)
    first, second = host.prompt("the endpoint"), host.prompt("the endpoint again")
    assert (rule_lines(first, "GLOBAL"), rule_lines(first, "API")) == (["Read first."], ["Version it."])
    assert first.block["constitution"]
    assert [note for note in notes(first) if "mistakes (holdfast rules check)" in note]
    assert notes(second) == []
    found = " ".join(check())
    for named in ("no divider", "UNKNOWN_THING", "API_RECALLL", "API_STATE=perhaps", "API_MATCH=fuzzy", "nobody"):
        assert named in found
    for named in ("NOWHERE", "constitution cannot be switched off", "LOST", "EMPTY", "DEVMODE", "merge conflict"):
        assert named in found


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("squads/alpha/.holdfast/rules/manifest", "no divider\n"),
        (".holdfast/constitution.md", "### I. Weaker (INFO)\n- MAY be left out.\n"),
        (".holdfast/constitution.md", "### Seventeen (BLOCK)\n- MUST have a number.\n"),
    ],
)
def test_a_mistake_beside_the_manifest_is_said_too(host, check, path, text):
    """In a squad's manifest, in the project's constitution."""
    write(os.path.join(host.workspace.root, *path.split("/")), text)
    assert notes(host.prompt()) == ["rules: 1 mistakes (holdfast rules check)"]
    assert any(path in found for found in check())


def test_a_constitution_without_a_file_in_the_rules_is_no_mistake(host):
    """SYNAPSE's manifests name it; the shipped one needs no such file."""
    write_rules(host.workspace, MANIFEST + "CONSTITUTION_STATE=active\n")
    assert notes(host.prompt()) == []


@POSIX
@pytest.mark.parametrize("kind", ["folder", "fifo", "loop", "nowhere", "device", "gone"])
@pytest.mark.parametrize("name", ["manifest", "api"])
def test_what_is_no_file_costs_its_own_rules_and_is_said_once(host, check, name, kind):
    """A FIFO and a device are not waited for; the constitution, and other domains, are there."""
    put(kind, host.workspace.path("rules", name))
    first, second = host.prompt("the endpoint"), host.prompt("the endpoint")
    assert first.block["constitution"]
    assert rule_lines(first, "GLOBAL") == (None if name == "manifest" else ["Read first."])
    assert (notes(first), second.out) == ([NOTES[name]], b"")
    assert check()


@POSIX
@pytest.mark.parametrize("kind", ["folder", "fifo", "loop", "nowhere", "device"])
@pytest.mark.parametrize(
    "path",
    [
        *("constitution.md", "config.yaml", "session.yaml", "sessions/s.json", "cache/plan", "cache/mirror.json"),
        *("metrics/hook.jsonl", "events/s.jsonl", "cache/locks/s.lock", "cache/status/s.json", "rules/stray"),
    ],
)
def test_what_is_no_file_elsewhere_costs_no_rule(host, path, kind):
    """Whatever stands in the place of settings, state, cache and records."""
    full = host.workspace.path(*path.split("/"))
    os.makedirs(os.path.dirname(full), exist_ok=True)
    put(kind, full)
    answer = host.prompt("the endpoint *brief")
    assert (rule_lines(answer, "GLOBAL"), rule_lines(answer, "API")) == (["Read first."], ["Version it."])
    assert answer.block["commands"] == [{"name": "brief", "lines": ["Short."]}]


WITHOUT_PRIVILEGE = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


@pytest.fixture
def bound(host):
    """Types into the project with rights that count, also where root runs the tests."""
    if sys.platform == "win32":
        pytest.skip("POSIX rights")
    prefix = [] if os.geteuid() else WITHOUT_PRIVILEGE
    if prefix and not shutil.which(prefix[0]):
        pytest.skip("root may read and write anything, and cannot give that up here")

    def type_text(text, **payload):
        given = {"session_id": "s", "cwd": host.workspace.root, "prompt": text, "prompt_id": text, **payload}
        command = [*prefix, sys.executable, "-I", "-S", "-c", BOOTSTRAP, SOURCE, "claude-code", "UserPromptSubmit"]
        answer = Answer(subprocess.run(command, input=json.dumps(given).encode(), capture_output=True))
        assert (answer.code, answer.err) == (0, b"")
        return answer

    yield type_text
    for path in (host.workspace.home, *Path(host.workspace.home).rglob("*")):
        os.chmod(path, 0o700)


@pytest.mark.parametrize("name", ["api", "manifest", "../constitution.md"])
def test_a_file_without_rights_is_missed_and_seen_once_it_has_them(host, bound, name):
    """Rights change no stamp: a file that could not be read is looked at again."""
    write(host.workspace.path("constitution.md"), "### XVII. Licences (BLOCK)\n- MUST keep headers.\n")
    path = host.workspace.path("rules", *name.split("/"))
    os.utime(path, (1_600_000_000, 1_600_000_000))
    whole = bound("the endpoint", session_id="before").text
    os.chmod(path, 0)
    os.utime(path, (1_500_000_000, 1_500_000_000))
    missed = bound("the endpoint", session_id="during")
    assert len(missed.text) < len(whole)
    os.chmod(path, 0o600)
    assert bound("the endpoint", session_id="after").text == whole


def test_a_read_only_project_speaks_and_says_that_it_cannot_remember(host, bound):
    """Nothing can be written: the rules come with every prompt, and so does the reason."""
    for path in (host.workspace.root, host.workspace.home, *Path(host.workspace.home).rglob("*")):
        os.chmod(path, 0o500 if os.path.isdir(path) else 0o400)
    for text in ("the endpoint", "an endpoint"):
        answer = bound(text)
        assert rule_lines(answer, "API") == ["Version it."]
        assert notes(answer) == ["the conversation's state cannot be saved: rules may come twice"]
    os.chmod(host.workspace.root, 0o700)


# The disk

FULL_DISK = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), int(sys.argv[3])))
sys.path.append(sys.argv[1])
from holdfast.hook import main
main(["claude-code", sys.argv[2]])
"""


def on_a_full_disk(host, room, number, event="UserPromptSubmit"):
    """A prompt whose process may not make any file larger than ``room`` bytes."""
    payload = {"session_id": "s", "cwd": host.workspace.root, "prompt": "the endpoint", "prompt_id": f"p{number}"}
    command = [sys.executable, "-I", "-S", "-c", FULL_DISK, SOURCE, event, str(room)]
    done = subprocess.run(command, input=json.dumps(payload).encode(), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    return read_block(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]) if done.stdout else None


@POSIX
@pytest.mark.parametrize("room", [0, 1, 100, 700])
def test_a_full_disk_costs_no_rule_and_leaves_no_torn_file(host, room):
    """What cannot be written whole is not there at all; drafts are taken away again."""
    for number in range(3):
        block = on_a_full_disk(host, room, number)
        assert rule_lines_of(block, "API") == ["Version it."]
        assert block["notes"] == ["the conversation's state cannot be saved: rules may come twice"]
    files = [path for path in Path(host.workspace.home).rglob("*") if path.is_file()]
    assert [path.name for path in files if path.suffix == ".tmp"] == []
    for path in files:
        if path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
    assert rule_lines(host.prompt("the endpoint", prompt_id="later"), "API") == ["Version it."]


def rule_lines_of(block, domain):
    return next((rules["lines"] for rules in block["rules"] if rules["domain"] == domain), None)


@POSIX
@pytest.mark.parametrize("path", ["cache/plan", "cache/mirror.json", "sessions/s.json", "metrics/hook.jsonl"])
def test_a_link_that_a_clone_brings_leads_no_write_out_of_the_project(host, path):
    """Our own state takes the link's place, or is not kept: a repository must not name files for us to write."""
    victim = os.path.join(os.path.dirname(host.workspace.root), "victim")
    write(victim, "mine")
    write(host.workspace.path("config.yaml"), "rules: {}\n")
    full = host.workspace.path(*path.split("/"))
    os.makedirs(os.path.dirname(full), exist_ok=True)
    os.symlink(victim, full)
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]
    assert Path(victim).read_text() == "mine"


# The clock


def test_files_from_the_future_are_compiled_once_and_their_edits_are_seen(host):
    """A clock that was ahead left its times in the files: today's edits have others."""
    ahead = time.time() + SECONDS_AHEAD
    for folder, _, names in os.walk(host.workspace.path("rules")):
        for path in (*(os.path.join(folder, name) for name in names), folder):
            os.utime(path, (ahead, ahead))
    host.prompt("the endpoint")
    assert plan_state(host.workspace, "words")[1]
    write(host.workspace.path("rules", "api"), "API_RULE_0=Revisit it\n")
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Revisit it"]


@pytest.mark.parametrize("when", [0.0, -5e9, 9e9, 1e300])
def test_claims_and_times_of_another_age_count_every_prompt_once(host, when):
    """What a wrong clock wrote into a conversation keeps no prompt from its rules."""
    claims = [["prompt p0 x", when], ["session_start  x 0", when]]
    old = {"schema_version": 1, "claims": claims, "last_activity": "9999-99-99T99:99:99Z", "started": ""}
    write(host.workspace.path("sessions", "s.json"), json.dumps(old))
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]
    for _ in range(2):
        host.prompt("again", prompt_id=...)
    assert state(host.workspace)["prompt_count"] == 2


# Files that move

WRITER = """
import os, sys, time
from itertools import count
rules = sys.argv[1]
def put(name, text, whole):
    path = os.path.join(rules, name)
    if whole:
        with open(path + ".new", "w") as file:
            file.write(text)
        os.replace(path + ".new", path)
    else:
        with open(path, "w") as file:
            file.write(text)
for number in count():
    word = "old" if number % 2 else "new"
    put("manifest", f"GLOBAL_ALWAYS_ON=true\\nAPI_RECALL=endpoint, {word}\\n", True)
    put("global", "GLOBAL_RULE_0=Read first.\\n", True)
    put("api", f"API_RULE_0=The {word} text.\\n" * 40, number % 3)
    if number == 20:
        print("running", flush=True)
"""


def test_rules_that_are_written_all_the_while_are_old_or_new(host):
    """Two hundred prompts beside an editor that never rests: whole lines, of one version or the other."""
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, host.workspace.path("rules")], stdout=subprocess.PIPE, text=True
    )
    try:
        writer.stdout.readline()
        answers = [host.prompt("the endpoint", session_id=f"s{number}") for number in range(200)]
    finally:
        writer.kill()
        writer.communicate()
    allowed = {"The old text.", "The new text."}
    for answer in answers:
        SCHEMA.validate(answer.block)
        assert rule_lines(answer, "GLOBAL") == ["Read first."]
        assert set(rule_lines(answer, "API") or allowed) <= allowed
    assert not any("could be given" in note for answer in answers for note in notes(answer))


# Size


def test_ten_thousand_domains(host):
    """All of them compiled, two of them called."""
    manifest = "".join(f"D{n}_RECALL=word{n}, {'x' * (n % 7)}phrase number{n}\n" for n in range(10_000))
    write_rules(host.workspace, MANIFEST + manifest, **{f"d{n}": f"D{n}_RULE_0=Rule {n}.\n" for n in (7, 9_999)})
    answer = host.prompt("the word9999 of word7 and the endpoint")
    assert [rule_lines(answer, name) for name in ("API", "D7", "D9999")] == [
        ["Version it."],
        ["Rule 7."],
        ["Rule 9999."],
    ]
    assert rule_lines(host.prompt("xxxphrase number3", session_id="t"), "D3") is None


def test_a_domain_file_of_ten_megabytes_shows_what_fits(host):
    """Its first rules, and a pointer to the others."""
    line = "API_RULE_{}=Some rule with a number of its own, {}.\n"
    write(host.workspace.path("rules", "api"), "".join(line.format(n, n) for n in range(200_000)))
    answer = host.prompt("the endpoint")
    assert rule_lines(answer, "API")[0] == "Some rule with a number of its own, 0."
    assert len(answer.text) < 9500
    assert "holdfast rules show API" in " ".join(answer.block["left_out"])


@pytest.mark.parametrize("unit", ["x", "x ", "-----BEGIN PRIVATE KEY-----", "://a:b@", "eyJ.", "sk ", "é", "\u0301"])
def test_one_rule_of_a_megabyte_is_left_out_in_time(host, unit):
    """Also of what the redaction looks at closely; the others are there."""
    rule = unit * (1_000_000 // len(unit))
    write(host.workspace.path("rules", "api"), f"API_RULE_0=Version it.\nAPI_RULE_1={rule}\n")
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]


def test_a_manifest_line_of_ten_megabytes_is_searched_to_its_end(host):
    """A keyword list nobody would write; the domain still comes by its last word."""
    write_rules(
        host.workspace, MANIFEST + "API_RECALL=" + ", ".join(f"k{n}" for n in range(1_250_000)) + ", endpoint\n"
    )
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]


def test_a_prompt_of_five_megabytes_with_a_thousand_commands(host):
    """Each command acts once, whatever follows."""
    stars = " ".join(f"*command{n}" for n in range(990)) + " *brief" * 10
    answer = host.prompt(f"the endpoint {stars} " + "lorem ipsum " * 430_000)
    assert answer.block["commands"] == [{"name": "brief", "lines": ["Short."]}]
    assert rule_lines(answer, "API") == ["Version it."]


def test_a_thousand_known_commands_in_a_prompt_fit(host):
    """Typed commands are never dropped, and cut at a rule's end with a pointer."""
    names = [f"cmd{n:03}" for n in range(1000)]
    write(host.workspace.path("rules", "commands"), "".join(f"{name.upper()}_RULE_0=Do {name}.\n" for name in names))
    answer = host.prompt(" ".join(f"*{name}" for name in names))
    SCHEMA.validate(answer.block)
    assert len(answer.text) < 9500
    shown = [command["name"] for command in answer.block["commands"]]
    assert shown == names[: len(shown)] and len(shown) > 20
    assert "holdfast rules show COMMANDS" in " ".join(answer.block["left_out"])


# Words


def scripts():
    """Script -> a keyword of its own letters, as Unicode names them; scripts have no other list in Python."""
    letters = (chr(code) for code in range(0x80, 0x2FA20) if unicodedata.category(chr(code)) in ("Ll", "Lo"))
    named = sorted((unicodedata.name(letter, "").split(" ")[0], letter) for letter in letters)
    found = {name: [letter for _, letter in group] for name, group in groupby(named, key=lambda pair: pair[0])}
    return {name: "".join(own[:6]) for name, own in found.items() if name and len(own) >= 6}


def test_keywords_of_every_script_are_found_in_running_text(host):
    """One domain a script, called between words of its own, whatever the case."""
    found = scripts()
    assert len(found) > 100
    lines = [f"S{n}_RECALL={word}\n" for n, word in enumerate(found.values())]
    rules = {f"s{n}": f"S{n}_RULE_0=Rule {n}.\n" for n in range(len(found))}
    write_rules(host.workspace, MANIFEST + "".join(lines), **rules)
    missed = []
    for number, (name, word) in enumerate(found.items()):
        for text in (f"a {word} b", f"({word.upper()}).", f"{word}, {word}!"):
            chosen = preview(host.workspace, text, clock=Clock()).chosen
            names = [chosen.plan.matcher["names"][each] for each in chosen.matched]
            missed += [(name, word, text)] if f"S{number}" not in names else []
    assert missed == []


@pytest.mark.parametrize(
    ("keyword", "prompt", "found"),
    [
        ("[a-z]+", "what does [a-z]+ do", True),
        ("[a-z]+", "any word", False),
        ("a.b", "the a.b file", True),
        ("a.b", "the axb file", False),
        ("(x|y)", "match (x|y) here", True),
        ("(x|y)", "match x here", False),
        ("$^", "the $^ sign", True),
        ("$^", "no sign", False),
        ("\\d{2}", "use \\d{2} there", True),
        ("c++", "some C++ code", True),
        ("c++", "some c code", False),
        ("c#", "C# it is", True),
        (".net", "a .NET service", True),
        ("node.js", "Node.js here", True),
        ("😀", "well 😀 then", True),
        ("👩\u200d👩\u200d👧", "the 👩\u200d👩\u200d👧 emoji", True),
        ("größe", "die GRÖSSE", True),
        ("ação", "AÇAO rápida", True),
        ("café", "cafe\u0301 ole", True),
        ("ﬁle", "the file", True),
        ("İstanbul", "istanbul", True),
        ("٣٤", "number ٣٤ here", True),
        ("a\u2028b", "see a b", True),
        ("-", "a - b", True),
        ("-", "a-b", False),
    ],
)
def test_keywords_of_any_characters_mean_themselves(host, keyword, prompt, found):
    """No keyword is a pattern; symbols, emoji, accents, ligatures and digits of other scripts match as they read."""
    write_rules(host.workspace, MANIFEST.replace("endpoint", keyword))
    assert (rule_lines(host.prompt(prompt), "API") is not None) == found


@pytest.mark.parametrize("raw", ["API_RULE_0=a\0b\n", "API_RULE_0=a\u2028API_RULE_1=b\n", "API_RULE_0=a\x85b\x0cc\n"])
def test_odd_characters_in_a_rule_leave_the_block_whole_and_are_named(host, check, raw):
    """NUL cannot stand in XML; U+2028 and its like end a line where no editor shows one."""
    write(host.workspace.path("rules", "api"), raw)
    answer = host.prompt("the endpoint")
    SCHEMA.validate(answer.block)
    assert rule_lines(answer, "API")
    assert any("api:1:" in found for found in check())


def test_links_that_run_in_circles_end(host):
    """A folder that holds itself, in the rules and among the squads."""
    for folder in (host.workspace.path("rules"), os.path.join(host.workspace.root, "squads", "round")):
        os.makedirs(folder, exist_ok=True)
        os.symlink(folder, os.path.join(folder, "circle"), target_is_directory=True)
    os.makedirs(os.path.join(host.workspace.root, "squads", "round", ".holdfast"))
    os.symlink("..", os.path.join(host.workspace.root, "squads", "round", ".holdfast", "rules"))
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]


@pytest.mark.parametrize("typed", ["", " *brief"])
def test_a_spoilt_mirror_heals_at_the_same_prompt(host, typed):
    """JSON that another program rewrote: settings are missing."""
    write(host.workspace.path("config.yaml"), "rules: {}\n")
    host.prompt("the endpoint", session_id="before")
    spoil_mirror(host, lambda settings: {section: {} for section in settings})
    assert rule_lines(host.prompt(f"the endpoint{typed}"), "API") == ["Version it."]


def test_a_mirror_of_senseless_values_heals_at_the_same_prompt(host):
    """What fails is tried once more without the cache."""
    write(host.workspace.path("config.yaml"), "rules: {}\n")
    host.prompt("the endpoint", session_id="before")
    spoil_mirror(host, lambda settings: {**settings, "rules": {**settings["rules"], "match_characters": 1.5}})
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]


def spoil_mirror(host, change):
    path = Path(host.workspace.path("cache", "mirror.json"))
    data = json.loads(path.read_text(encoding="utf-8"))
    write(str(path), json.dumps({**data, "settings": change(data["settings"])}))


@pytest.mark.parametrize("typed", ["", " *brief"])
@pytest.mark.parametrize("part", range(10))
def test_a_plan_with_any_byte_spoilt_heals_at_the_same_prompt(host, part, typed):
    """Each tenth of it in turn: head, matcher, records, keywords."""
    for path in (*Path(host.workspace.path("rules")).iterdir(), Path(host.workspace.path("rules"))):
        os.utime(path, (1_600_000_000, 1_600_000_000))
    host.prompt("the endpoint", session_id="before")
    assert plan_state(host.workspace, "words")[1]
    plan = Path(host.workspace.path("cache", "plan"))
    raw = bytearray(plan.read_bytes())
    for place in range(part * len(raw) // 10, (part + 1) * len(raw) // 10, 7):
        raw[place] ^= 0x55
    write(str(plan), bytes(raw))
    answer = host.prompt(f"the endpoint{typed}")
    assert (rule_lines(answer, "API"), rule_lines(answer, "GLOBAL")) == (["Version it."], ["Read first."])


# Numbers and depths


@pytest.mark.parametrize(
    "text",
    [
        '{"prompt_count": 1' + "0" * 400 + "}",
        '{"prompt_count": ' + "9" * 4300 + "}",
        '{"void_before": 1e400, "compactions": -1e400, "critical_streak": 1' + "0" * 300 + "}",
        '{"unknown": ' + "[" * 900 + "]" * 900 + "}",
        '{"unknown": ' + '{"a":' * 400 + "1" + "}" * 400 + "}",
        '{"stretch": {"began": 1' + "0" * 400 + ', "reminded": -1' + "0" * 400 + "}}",
    ],
    ids=["count", "digits", "infinite", "lists", "mappings", "stretch"],
)
def test_numbers_and_depths_beyond_all_sense_cost_no_rule(host, text):
    """In a session file that another program or a broken disk left."""
    write(host.workspace.path("sessions", "s.json"), text)
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]
    assert host.prompt("the endpoint").block["rules"] == []
    assert state(host.workspace)["prompt_count"] < 2**53 + 3


@pytest.mark.parametrize("tokens", [10**400, 10**18, -(10**400), 2**63])
def test_a_usage_beyond_all_sense_is_a_bracket_nonetheless(host, tmp_path, tokens):
    """Of a transcript and of the status line's figures."""
    usage = {"type": "assistant", "message": {"model": "m", "usage": {"input_tokens": tokens}}}
    write(str(tmp_path / "transcript.jsonl"), json.dumps(usage) + "\n")
    write(host.workspace.path("cache", "status", "s.json"), json.dumps({"used": tokens, "window": tokens}))
    answer = host.prompt("the endpoint", transcript_path=str(tmp_path / "transcript.jsonl"))
    SCHEMA.validate(answer.block)
    assert rule_lines(answer, "GLOBAL") == ["Read first."]


def test_a_hook_without_a_home_or_environment_speaks(host):
    """Nothing of the environment is needed."""
    payload = json.dumps({"session_id": "s", "cwd": host.workspace.root, "prompt": "the endpoint"}).encode()
    env = {"SYSTEMROOT": os.environ["SYSTEMROOT"]} if "SYSTEMROOT" in os.environ else {}
    answer = spawn(payload, "claude-code", "UserPromptSubmit", cwd=host.workspace.root, env=env)
    assert rule_lines(answer, "API") == ["Version it."]
