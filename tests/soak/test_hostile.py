"""The hostile checkouts of ``bench/hostile.py``."""

import sys

import pytest

from ..bench.bench_module import bench_module
from .scale import amount

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="POSIX files"),
    pytest.mark.usefixtures("nobodys_configuration"),
]
SAMPLE = ("everything_at_once",)


@pytest.fixture(scope="module")
def hostile(template):
    """The program, with a template that is made once."""
    with bench_module("hostile") as module:
        module.make_template = lambda folder: template
        yield module


def test_a_checkout_achieves_nothing(hostile):
    """As it came and trusted, through every event of the hook and some commands."""
    sample = [checkout for checkout in hostile.CHECKOUTS if checkout.name in SAMPLE]
    findings = hostile.play(amount(sample, hostile.CHECKOUTS), [hostile.UNTRUSTED, hostile.TRUSTED], few=True)
    assert len(findings) >= 2
    assert [(each.state, fault) for each in findings for fault in each.faults] == []
    assert all(finding.doors > 12 for finding in findings)


def test_there_are_enough_and_each_says_its_attack(hostile):
    names = [checkout.name for checkout in hostile.CHECKOUTS]
    assert len(names) == len(set(names)) >= 60
    assert all(checkout.attack.endswith(".") for checkout in hostile.CHECKOUTS)


@pytest.mark.parametrize(
    ("door", "kind"),
    [
        ("scene.command('x')", "ran"),
        ("f'echo >> {scene.documents}/letter.md'", "touched"),
        ("f'touch {scene.home}/new'", "touched"),
        ("f'cat {scene.documents}/letter.md'", "leaked"),
        ("f'cp {scene.documents}/letter.md {scene.root}/x'", "leaked"),
        ("'echo QUILLBACK-theirs'", "spoke"),
        ("'echo x >&2'", "hook"),
        ("'exit 2'", "hook"),
        ("'kill -9 $$'", "hook"),
    ],
)
def test_what_a_stranger_achieves_is_found(hostile, monkeypatch, tmp_path, door, kind):
    """The judge can find each kind: this shell command stands in for the product."""
    run = sys.modules[hostile.visit.__module__].run

    def visit(scene, few):
        return [run("a shell", ["sh", "-c", eval(door)], scene.environment, scene.root, b"", 10, is_hook=True)]

    monkeypatch.setattr(hostile, "visit", visit)
    (finding,) = hostile.play(hostile.choose(["rules_that_order"], None, 0), [hostile.UNTRUSTED])
    assert {fault.kind for fault in finding.faults} == {kind}


def test_the_same_sample_comes_again(hostile):
    drawn = [[checkout.name for checkout in hostile.choose([], 5, 7)] for _ in range(2)]
    assert drawn[0] == drawn[1] and len(drawn[0]) == 5
