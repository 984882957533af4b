"""Loading in tiers: what is waited for how long, and what is made of what came (ADR-001 C1, C2)."""

from holdfast.agents.loading import FALLBACK, FULL, LATE, PARTIAL, Loaded, Loader, load_all, run
from holdfast.ground.clock import Clock

BUDGETS = {"critical": 0.08, "high": 0.12, "best_effort": 0.18, "optional": 0.5, "floor": 0.02}
NAMES = {"agent": "critical", "branch": "high", "git": "best_effort", "memories": "optional"}


class Simulated:
    """Loaders that end at given times of a clock that only waiting moves; those of no time never end."""

    def __init__(self, ends):
        self.now, self.ends, self.waits = 0.0, dict(ends), []

    def timer(self):
        return self.now

    def start(self, loaders):
        self.names = [one.name for one in loaders]

    def collect(self, seconds):
        self.waits.append(seconds)
        due = sorted((end, name) for name, end in self.ends.items() if end <= self.now + seconds)
        if not due:
            self.now += seconds
            return None
        end, name = due[0]
        self.now = max(self.now, end)
        del self.ends[name]
        return Loaded(name, "loaded", value=name.upper(), ms=end * 1000)


def load(**ends):
    """What is loaded where the loaders end at these seconds, and when that is known."""
    simulated = Simulated(ends)
    loaders = [Loader(name, tier, lambda: None) for name, tier in NAMES.items()]
    loading = load_all(loaders, BUDGETS, Clock(timer=simulated.timer, deadline=0.5), simulated)
    return loading, round(simulated.now, 3)


def test_all_that_comes_is_full():
    """The answer is there with the last of them."""
    loading, when = load(agent=0.01, branch=0.02, git=0.05, memories=0.03)
    assert (loading.quality, loading.missing, when) == (FULL, (), 0.05)
    assert loading.value("git") == "GIT"


def test_loaders_that_never_end_are_waited_for_until_the_deadline():
    """Half a second in all, and what did not come is named."""
    loading, when = load()
    assert (loading.quality, when) == (FALLBACK, 0.5)
    assert loading.missing == ("agent", "branch", "git", "memories")
    assert {one.status for one in loading.results.values()} == {LATE}


def test_a_tier_is_waited_for_until_its_time_is_over():
    """Where only git hangs the answer is there after its tier's 180 ms."""
    loading, when = load(agent=0.01, branch=0.02, memories=0.03)
    assert (loading.quality, loading.missing, when) == (PARTIAL, ("git",), 0.18)


def test_a_tier_whose_time_the_earlier_ones_took_gets_the_floor():
    """The agent came at 79 ms and the branch hangs until 120: both later tiers still have their own ends."""
    loading, when = load(agent=0.079, git=0.13, memories=0.135)
    assert (loading.missing, when) == (("branch",), 0.135)


def test_what_comes_while_another_tier_is_waited_for_counts():
    """The agent at 150 ms is late for its own tier, and there all the same."""
    loading, when = load(agent=0.15, branch=0.01, git=0.16, memories=0.01)
    assert (loading.quality, when) == (FULL, 0.16)


def test_a_late_agent_is_waited_for_longer_than_anything_else():
    """Without it there is little to say."""
    loading, when = load(agent=0.4, branch=0.01, git=0.01, memories=0.01)
    assert (loading.quality, when) == (FULL, 0.4)


def test_a_loader_that_raises_costs_itself_only():
    """Its failure is a result with a reason."""

    def fail():
        raise OSError("disk gone")

    found = run(Loader("git", "high", fail), iter([1.0, 1.5]).__next__)
    assert (found.status, found.why, found.ms) == ("failed", "disk gone", 500.0)
