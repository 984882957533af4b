"""Article XIV in the block."""

import pytest

from ..conversation import write


@pytest.mark.parametrize("place", ["map", "scan"])
def test_a_block_speaks_of_the_registry_once_the_project_uses_it(host, place):
    """Its map was written, or its code scanned; also in a conversation that was told of the rest before."""
    said = host.prompt("Build the thing").block["constitution"]
    assert said and "limpet decide" not in " ".join(said)
    workspace = host.workspace
    write(workspace.path("registry.yaml") if place == "map" else workspace.kept("symbols"), "entities: {}\n")
    assert "limpet decide" in " ".join(host.prompt("Build the thing").block["constitution"])
