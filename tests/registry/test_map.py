"""The project's map of artifacts, the seed's too."""

from pathlib import Path

import pytest
import yaml

from limpet.ground.errors import LimpetError
from limpet.registry.decision import ADAPT, decide
from limpet.registry.map import RegistryMap, read_map, render_map

SEED = Path(__file__).with_name("seed_registry.yaml").read_text(encoding="utf-8")
EXAMPLE = "I need a template for documenting API endpoints"


def test_the_seeds_own_registry_is_read_and_its_header_reported():
    """chati.dev V7.1 5.1 lists 28 entries under a header that says 48."""
    found = read_map(SEED, "entity-registry.yaml")
    assert len(found.artifacts) == 28
    assert found.problems == ("metadata.entity_count says 48, but 28 are listed",)
    task = next(one for one in found.artifacts if one.id == "template/task")
    assert (task.adaptability, task.keywords) == (0.7, ("task", "acceptance-criteria", "given-when-then"))
    assert {one.checksum for one in found.artifacts} == {""}


def test_its_example_is_adapt_of_the_task_template():
    """Decision 40, on the seed's own entries."""
    advice = decide(EXAMPLE, read_map(SEED, "entity-registry.yaml").artifacts)
    assert (advice.decision, advice.matches[0].artifact.id) == (ADAPT, "template/task")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("metadata: {}\n", "has no mapping `entities`"),
        ("entities: {agents: [a]}\n", "agents is no mapping from names to entries"),
        ("entities: {agents: {a: text}}\n", "agents.a is no mapping"),
    ],
)
def test_what_cannot_be_used_is_named(text, problem):
    assert read_map(text, "registry.yaml").problems == (problem,)


def test_no_yaml_is_an_error():
    with pytest.raises(LimpetError, match="registry.yaml:"):
        read_map("a: [", "registry.yaml")


def test_what_is_written_is_read_again_with_keys_that_are_not_ours():
    found = read_map("owner: me\nentities: {services: {mail: {path: src/mail, purpose: Sends, since: 2}}}\n", "r.yaml")
    text = render_map(found.artifacts, found, "2026-11-29T00:00:00Z")
    again = read_map(text, "r.yaml")
    assert (again.artifacts, again.problems) == (found.artifacts, ())
    data = yaml.safe_load(text)
    assert (data["owner"], data["metadata"]["entity_count"], data["entities"]["services"]["mail"]["since"]) == (
        "me",
        1,
        2,
    )


def test_an_empty_map_has_its_header():
    assert yaml.safe_load(render_map((), RegistryMap(), "now"))["metadata"]["entity_count"] == 0
