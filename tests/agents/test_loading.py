"""Loading in tiers: how long each part may take, and what is made of what came (ADR-001 C1, C2)."""

from limpet.agents.loading import FAILED, FALLBACK, FULL, LATE, LOADED, PARTIAL, Loader, load_all
from limpet.ground.clock import Clock

BUDGETS = {"critical": 0.08, "high": 0.12, "best_effort": 0.18, "optional": 0.5, "floor": 0.02, "total": 0.5}
NAMES = {"agent": "critical", "branch": "high", "git": "best_effort", "memories": "optional"}
NEVER = 1000.0


class Simulated:
    """A clock that only loading moves, and parts that need so many seconds; git, which waits for another process, gives
    up at its deadline."""

    def __init__(self, needs):
        self.now, self.needs = 0.0, needs

    def timer(self):
        return self.now

    def loader(self, name):
        def load(clock):
            if name == "git" and self.needs[name] > clock.left():
                self.now += clock.left()
                raise TimeoutError
            self.now += self.needs[name]
            return name.upper()

        return Loader(name, NAMES[name], load)


def load(**needs):
    """What is loaded where the parts need these seconds, and when that is known."""
    simulated = Simulated({**dict.fromkeys(NAMES, 0.01), **needs})
    loading = load_all([simulated.loader(name) for name in NAMES], BUDGETS, Clock(timer=simulated.timer))
    return loading, round(simulated.now, 3)


def statuses(loading):
    return {name: one.status for name, one in loading.results.items()}


def test_all_that_comes_is_full():
    """The answer is there with the last of them, and each part's time is known."""
    loading, when = load(git=0.05)
    assert (loading.quality, loading.missing, when) == (FULL, (), 0.08)
    assert loading.value("git") == "GIT" and round(loading.results["git"].ms) == 50
    assert set(statuses(loading).values()) == {LOADED}


def test_what_waits_for_others_gives_up_when_its_tiers_time_is_over():
    """Where git hangs it is given up 180 ms after the start, and what comes after it is loaded all the same."""
    loading, when = load(git=NEVER)
    assert (loading.quality, loading.missing, when) == (PARTIAL, ("git",), 0.19)
    assert statuses(loading) == {"agent": LOADED, "branch": LOADED, "git": LATE, "memories": LOADED}


def test_a_tier_whose_time_the_earlier_ones_took_gets_the_floor():
    """The agent took 200 ms: git has 20 more."""
    assert load(agent=0.2, git=0.015)[0].quality == FULL
    loading, when = load(agent=0.2, git=0.025)
    assert (loading.missing, when) == (("git",), 0.24)


def test_what_came_late_counts():
    """An agent that took longer than its 80 ms is late, and there."""
    loading, _ = load(agent=0.1)
    assert (loading.quality, statuses(loading)["agent"], loading.value("agent")) == (FULL, LATE, "AGENT")


def test_nothing_is_begun_after_the_total():
    """Half a second in all, and what did not come is named."""
    loading, when = load(branch=0.6)
    assert (loading.quality, loading.missing, when) == (PARTIAL, ("git", "memories"), 0.61)


def test_what_is_critical_is_loaded_in_any_case():
    """Without it there is little to say, however little time there is."""
    simulated = Simulated(dict.fromkeys(NAMES, 0.01))
    loaders = [simulated.loader(name) for name in NAMES]
    loading = load_all(loaders, dict.fromkeys(BUDGETS, 0.0), Clock(timer=simulated.timer))
    assert (loading.quality, loading.missing) == (PARTIAL, ("branch", "git", "memories"))


def test_a_loader_that_raises_costs_itself_only():
    """Of what is critical there is a fallback to be made."""

    def fail(clock):
        raise OSError("disk gone")

    simulated = Simulated(dict.fromkeys(NAMES, 0.01))
    for name, quality in (("branch", PARTIAL), ("agent", FALLBACK)):
        loaders = [Loader(each, NAMES[each], fail) if each == name else simulated.loader(each) for each in NAMES]
        loading = load_all(loaders, BUDGETS, Clock(timer=simulated.timer))
        assert (loading.quality, loading.missing, statuses(loading)[name]) == (quality, (name,), FAILED)
