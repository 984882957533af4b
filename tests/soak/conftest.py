import pytest

from ..bench.bench_module import bench_module


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    """The honest project and the other one of the same user, which the cases copy."""
    with bench_module("hostile_scene") as module:
        return module.make_template(tmp_path_factory.mktemp("template"))


@pytest.fixture
def nobodys_configuration(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
