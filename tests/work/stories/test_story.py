"""Stories as text: what is read in which form, and what a change leaves as it was."""

import difflib

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import split_frontmatter
from limpet.ground.formats.schema import load_schema
from limpet.ground.formats.yaml_text import load_yaml
from limpet.work.stories.edit import append_record, set_fields, tick_box, write_story_text
from limpet.work.stories.evidence import task_lines
from limpet.work.stories.story import Story, current_task, progress
from limpet.work.stories.text import read_story_text, read_story_yaml

from .story_texts import AS_YAML, IN_MARKDOWN, IN_PORTUGUESE, SEED

EXAMPLE = """\
[TASK CONTEXT]
Active Task: implement-user-auth
Story: STORY-42
Executor: @dev (Agente)

Pre-conditions:
  [x] Story validated by @po
  [x] Architecture approved by @architect
  [ ] Database schema created by @data-engineer

Acceptance Criteria:
  - [ ] Login endpoint returns JWT token
  - [ ] Refresh token rotation implemented
  - [ ] Rate limiting on auth endpoints

File List:
  - src/auth/login.ts (new)
  - src/auth/middleware.ts (modify)
  - tests/auth/login.test.ts (new)"""

FORMS = {
    "frontmatter": (read_story_text, SEED),
    "markdown": (read_story_text, IN_MARKDOWN),
    "portuguese": (read_story_text, IN_PORTUGUESE),
    "yaml": (read_story_yaml, AS_YAML),
}


def read(text):
    return read_story_text(text, "story.md")


def changed_lines(before, after):
    """(line before, line after) where exactly these differ."""
    pairs = zip(before.splitlines(keepends=True), after.splitlines(keepends=True), strict=True)
    return [(old, new) for old, new in pairs if old != new]


@pytest.mark.parametrize("form", FORMS)
def test_the_task_context_is_synapses(form):
    """ADR-001 SYNAPSE, Task Context Injection Format: these lines, from each form in which the story may be written."""
    reader, text = FORMS[form]
    assert "\n".join(task_lines(reader(text, "story"))) == EXAMPLE


@pytest.mark.parametrize(
    ("written", "executor", "agent"),
    [
        ("executor: agent", "agent", ""),
        ("executor: Agente", "agent", ""),
        ("executor: Worker", "worker", ""),
        ("executor: Humano", "human", ""),
        ("executor: human", "human", ""),
        ("executor: Clone", "clone", ""),
        ('executor: "@dev"', "agent", "@dev"),
        ('executor: "@qa (Worker)"', "worker", "@qa"),
        ("executor: clone\nagent: dev", "clone", "@dev"),
        ("title: a", "agent", ""),
    ],
)
def test_executor_names(written, executor, agent):
    """The four executors by their English and Portuguese names (ADR-001 SYNAPSE E7), with and without the agent."""
    story = read(f"---\n{written}\n---\n")
    assert (story.executor, story.agent, story.problems) == (executor, agent, ())


def test_progress_names_the_first_open_task():
    """Task 2 of 3, whatever its subtasks say."""
    story = read(SEED)
    assert current_task(story) == (2, "Rotate the tokens")
    assert progress(story) == "task 2 of 3: Rotate the tokens"
    assert progress(read(IN_MARKDOWN)) == "task 2 of 3: Rotate the tokens"
    assert progress(Story(id="a", title="a", tasks=((True, "x"), (True, "y")))) == "all 2 tasks done"
    assert progress(Story(id="a", title="a")) == ""


@pytest.mark.parametrize("text", [SEED, IN_MARKDOWN, IN_PORTUGUESE], ids=["frontmatter", "markdown", "portuguese"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "BOM"])
@pytest.mark.parametrize(
    ("field", "which", "item"),
    [("pre_conditions", "3", "Database"), ("acceptance", "rate", "Rate"), ("tasks", "3", "Limit")],
)
def test_a_tick_changes_one_mark(text, ends, mark, field, which, item):
    """Every other byte stays, line ends and byte order mark too; clearing it gives the old bytes back."""
    text = mark + text.replace("\n", ends)
    ticked = tick_box(text, field, which, True, "story.md")
    assert [(old.replace("[ ]", "[x]"), item in old) for old, _ in changed_lines(text, ticked)] == [
        (new, True) for _, new in changed_lines(text, ticked)
    ]
    assert len(changed_lines(text, ticked)) == 1
    assert tick_box(ticked, field, which, False, "story.md") == text
    assert tick_box(ticked, field, which, True, "story.md") == ticked


@pytest.mark.parametrize(
    ("item", "ticked"),
    [
        ('  - "[ ] b" # c', '  - "[x] b" # c'),
        ("  - '[ ] b'", "  - '[x] b'"),
        ("  - b # c", '  - "[x] b" # c'),
        ("  - {text: b, done: false} # c", "  - {text: b, done: true} # c"),
        ("  - {text: b}", "  - {done: true, text: b}"),
        ("  - text: b\n    done: no", "  - text: b\n    done: true"),
        ("  - text: b # c\n    by: me", "  - done: true\n    text: b # c\n    by: me"),
    ],
)
def test_every_way_to_write_an_item_can_be_ticked(item, ticked):
    """The frontmatter's item in the form that it has, its comments and neighbours kept."""
    text = f'---\nid: S-1\nacceptance:\n  - "[ ] a"\n  # between\n{item}\n  -\n  - z\nmine: [1, 2] # ours\n---\nText.\n'
    assert tick_box(text, "acceptance", "2", True, "f") == text.replace(item, ticked)
    assert read(tick_box(text, "acceptance", "2", True, "f")).acceptance == ((False, "a"), (True, "b"), (False, "z"))


def test_a_criterion_that_yaml_takes_apart_is_read_whole():
    """An unquoted colon makes a mapping of a text, and costs nothing."""
    text = "---\nacceptance:\n  - Given a user: when she logs in, then she is in\n---\n"
    criterion = "Given a user: when she logs in, then she is in"
    assert read(text).acceptance == ((False, criterion),)
    assert read(tick_box(text, "acceptance", "1", True, "f")).acceptance[0] == (True, criterion)


@pytest.mark.parametrize(
    ("which", "what"),
    [
        ("0", "has no item 0"),
        ("4", "has no item 4"),
        ("logout", "No item of acceptance contains 'logout'"),
        ("token", "2 items of acceptance contain 'token'"),
        ("  ", "No item"),
    ],
)
def test_an_item_that_is_not_there_or_not_one_is_refused(which, what):
    """The error says how many there are."""
    with pytest.raises(LimpetError) as told:
        tick_box(SEED, "acceptance", which, True, "story.md")
    assert what in str(told.value)


def test_a_status_is_set_in_place_or_added():
    """Only its own line changes."""
    added = set_fields(SEED, {"status": "in_progress"}, "f")
    assert list(difflib.unified_diff(SEED.splitlines(), added.splitlines(), n=0, lineterm=""))[3:] == [
        "+status: in_progress"
    ]
    assert changed_lines(added, set_fields(added, {"status": "done"}, "f")) == [
        ("status: in_progress\n", "status: done\n")
    ]


def test_a_story_without_frontmatter_is_read_and_gets_one():
    """Its title is its first heading; the text stays as it was."""
    text = "\ufeff# Add the export\r\n\r\n## Acceptance Criteria\r\n\r\n- [ ] A file\r\n"
    story = read_story_text(text, "f", "S-1")
    assert (story.id, story.title, story.acceptance) == ("S-1", "Add the export", ((False, "A file"),))
    changed = set_fields(text, {"status": "ready"}, "f")
    assert changed == "\ufeff---\r\nstatus: ready\r\n---\r\n\r\n" + text.removeprefix("\ufeff")
    assert read(changed).status == "ready"


def test_a_record_is_appended_to_its_section():
    """The rest of the story stays, and a heading inside the words ends no section."""
    words = "Rate limits: see limits.ts\n## Notes\nmore"
    changed = append_record(SEED, "dev_record", words, "f")
    assert changed == SEED.replace("Monday.\n", "Monday.\n\nRate limits: see limits.ts\n#### Notes\nmore\n")
    assert read(changed).dev_record == "Began on Monday.\n\nRate limits: see limits.ts\n#### Notes\nmore"
    again = append_record(changed, "qa_results", "PASS", "f")
    assert again == changed + "\nPASS\n"
    assert read(again).qa_results == "PASS"


def test_a_missing_section_is_made_at_the_end():
    """With the line ends of the file; seven equals signs below a heading are Markdown, and no conflict."""
    text = IN_PORTUGUESE.replace("\n", "\r\n")
    changed = append_record(text, "dev_record", "one\ntwo", "f")
    assert changed == text + "\r\n## Dev Agent Record\r\n\r\none\r\ntwo\r\n"
    assert read("---\nid: S-1\n---\n\nSummary\n=======\n\ntext\n").id == "S-1"


@pytest.mark.parametrize(
    ("text", "where", "mend"),
    [
        ("---\nid: S-1\ntitle: [a\n---\n", "story.md:4", "Fix the YAML"),
        ("---\nid: S-1\ntitle: a\n", "story.md:1", "Close it"),
        ("---\nid: S-1\nid: S-2\n---\n", "story.md:3", "Fix the YAML"),
        ("---\nacceptance:\n  - [x] done\n---\n", "story.md:3", 'Quote items with a box: - "[x] text"'),
        ("---\n- a\n---\n", "story.md:2", "Fix it by hand"),
        ("---\na: b\n---\n\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other\n", "story.md:5", "Resolve it"),
        ("---\n<<<<<<< HEAD\na: b\n---\n", "story.md:2", "Resolve it"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text, where, mend):
    """Half-written YAML, a key duplicate key, a conflict: no reader and no change gets past it."""
    for action in (read, lambda found: tick_box(found, "tasks", "1", True, "story.md")):
        with pytest.raises(LimpetError) as told:
            action(text)
        assert told.value.where.startswith(where)
        assert mend in told.value.hint


def test_bad_values_cost_their_own_key():
    """Each is told with its line, the rest counts."""
    story = read("---\nid: S-1\nacceptance: yes\nexecutor: robot\ntitle: {a: b}\nfiles: [a.py]\n---\n\n# Real title\n")
    assert (story.title, story.executor, story.acceptance, story.files) == ("Real title", "agent", (), (("a.py", ""),))
    wrong = ["story.md:3: acceptance", "story.md:5: title", "story.md:4: executor"]
    assert [problem.split(" must")[0] for problem in story.problems] == wrong


def test_unknown_fields_are_kept_by_every_change():
    """What this version does not know stands after a tick, a status and a note as before."""
    text = "---\nid: S-1\nsprint: {number: 3} # ours\nacceptance: ['[ ] a']\n---\n\n## Estimate\n\n3 days\n"
    changed = append_record(
        set_fields(tick_box(text, "acceptance", "a", True, "f"), {"status": "done"}, "f"), "qa_results", "ok", "f"
    )
    assert "sprint: {number: 3} # ours\n" in changed
    assert "## Estimate\n\n3 days\n" in changed


def test_a_story_of_a_newer_version_is_read_only():
    """It is read as far as it is known, says so, and is not written."""
    text = SEED.replace("id: STORY-42", "schema_version: 2\nid: STORY-42")
    assert read(text).acceptance == read(SEED).acceptance
    assert read(text).problems == (
        "story.md:2: schema_version is 2, newer than this Limpet supports: the file is read-only",
    )
    with pytest.raises(LimpetError, match="schema_version 2"):
        tick_box(text, "tasks", "2", True, "f")


def test_a_list_that_stands_twice_is_told():
    """The frontmatter's counts, and the other one is not passed over in silence."""
    text = SEED + "\n## Acceptance Criteria\n\n- [ ] Another\n"
    assert len(read(text).acceptance) == 3
    line = text.splitlines().index("## Acceptance Criteria") + 1
    assert read(text).problems == (
        f"story.md:{line}: Acceptance Criteria is ignored, because the frontmatter has acceptance",
    )


@pytest.mark.parametrize("hidden", ["```\n{0}\n```", "~~~md\n{0}\n~~~", "<!--\n{0}\n-->", "````\n```\n{0}\n````"])
def test_code_and_comments_are_no_structure(hidden):
    """A box or a heading in an example is none of the story's."""
    example = hidden.format("## Tasks\n- [ ] not this")
    story = read(f"---\nid: S-1\n---\n\n{example}\n\n## Tasks\n\n{example}\n- [ ] this\n")
    assert story.tasks == ((False, "this"),)


def test_a_written_story_reads_back_and_obeys_the_schema():
    """All fields, with texts that YAML would misread."""
    story = Story(
        id="S-1",
        title='yes: "no" # [x]',
        executor="human",
        executor_name="human",
        agent="@dev",
        pre_conditions=((True, "a: b"), (False, "- c")),
        acceptance=((False, "[link](x) # y"), (False, "yes")),
        files=(("app/(auth)/page [id].tsx", "modify"), ("b c.py", "")),
        workflow="greenfield",
        status="draft",
        tasks=((False, "one"), (True, "two")),
    )
    text = write_story_text(story)
    assert read(text) == story
    schema = load_schema("story")
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(load_yaml(split_frontmatter(text, "f").yaml, "f"))


WORDS = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=30)
PLAIN = WORDS.map(lambda text: " ".join(text.split())).filter(bool)
CHECKS = st.lists(st.tuples(st.booleans(), PLAIN.filter(lambda text: text[0] not in "[-*+")), max_size=4).map(tuple)


@given(checks=CHECKS.filter(bool), which=st.integers(0, 3), done=st.booleans())
def test_ticking_changes_that_item_only(checks, which, done):
    """Whatever the texts are, in the frontmatter the others keep their state and their words."""
    which %= len(checks)
    text = write_story_text(Story(id="S-1", title="t", acceptance=checks))
    before = read(text).acceptance
    after = read(tick_box(text, "acceptance", str(which + 1), done, "f")).acceptance
    assert after == tuple(
        (done, words) if place == which else (old, words) for place, (old, words) in enumerate(before)
    )


@given(st.text(max_size=200))
def test_no_text_makes_the_reader_fail_otherwise(text):
    """A story, or an error that says what is wrong."""
    for document in (text, f"---\n{text}\n---\n", f"---\na: b\n---\n{text}"):
        try:
            assert isinstance(read(document), Story)
        except LimpetError as error:
            assert error.what
