"""Random histories of three machines: whatever happened, they agree in the end, and nothing is lost or there twice."""

import random
import subprocess

import pytest

from limpet.operations.sharing import local

from ...homes import Home, bare_repository
from ...soak.scale import amount

DAY = 86_400.0
STEPS = 30


class Killed(BaseException):
    """Where a process would have ended."""


class History:
    """``owed``: word that was written -> the entry. ``pardoned``: words that somebody forgot or erased; ``erased``:
    entries that are gone for good, with what others wrote there."""

    def __init__(self, folder, seed, monkeypatch):
        self.random, self.remote = random.Random(seed), bare_repository(folder / "remote.git")
        skews = (0.0, DAY, -DAY)
        self.homes = [Home(folder / name, self.remote, skew) for name, skew in zip("abc", skews, strict=True)]
        self.owed, self.words, self.old = {}, 0, []
        self.pardoned, self.erased = set(), set()
        self.monkeypatch = monkeypatch

    def play(self):
        for _ in range(STEPS):
            acts = (
                self.write,
                self.edit,
                self.edit,
                self.delete,
                self.sync,
                self.sync,
                self.kill,
                self.force,
                self.anew,
            )
            act = self.random.choice(acts)
            act(self.random.choice(self.homes))
        for home in (*self.homes, *self.homes, *self.homes):
            self.sync(home)

    def word(self):
        self.words += 1
        return f"word{self.words}x"

    def write(self, home):
        word = self.word()
        self.owed[word] = home.write(f"Title {word}", f"Body {word}.", self.random.choice(("durable", "daily")))

    def edit(self, home):
        found = home.texts()
        if found:
            entry, word = self.random.choice(sorted(found)), self.word()
            if self.random.random() < 0.5:
                home.edit(entry, body=f"{found[entry][1].partition('# ')[2].partition(chr(10))[2].strip()}\n{word}")
            else:
                home.edit(entry, paths=(f"src/{word}.py", *self._paths(found[entry][1])))
            self.owed[word] = entry

    def _paths(self, text):
        line = next((line for line in text.splitlines() if line.startswith("paths:")), "")
        return tuple(part.strip(" []") for part in line.partition(":")[2].split(",") if part.strip(" []"))

    def delete(self, home):
        """What was forgotten may come back by another's edit; what was erased takes with it what others wrote there."""
        found = home.texts()
        if found and self.random.random() < 0.5:
            entry, for_good = self.random.choice(sorted(found)), self.random.random() < 0.5
            home.forget(entry, for_good)
            self.pardoned |= {word for word in self.owed if word in found[entry][1]}
            if for_good:
                self.erased.add(entry)

    def sync(self, home):
        home.sync()
        self.old.append(self.tip())

    def kill(self, home):
        """At one of the moments at which git or a file is written."""
        left = [self.random.randrange(12)]

        def count(words):
            left[0] -= 1
            if left[0] == 0:
                raise Killed

        write_here = local.write_here

        def watched(*given):
            count(())
            done = write_here(*given)
            count(())
            return done

        home.hook = count
        with self.monkeypatch.context() as patch:
            patch.setattr("limpet.operations.sharing.sync.write_here", watched)
            try:
                home.sync()
            except Killed:
                pass
            finally:
                home.hook = lambda words: None

    def anew(self, home):
        """Rarely the whole history begins anew."""
        if self.random.random() < 0.3:
            home.sync(anew=True)

    def force(self, home):
        """Somebody puts an older state of the branch back."""
        known = [tip for tip in self.old if tip]
        if known and self.random.random() < 0.3:
            old = self.random.choice(known)
            subprocess.run(["git", "-C", self.remote, "update-ref", "refs/heads/main", old], check=True)

    def tip(self):
        done = subprocess.run(["git", "-C", self.remote, "rev-parse", "--verify", "-q", "main"], capture_output=True)
        return done.stdout.decode().strip()


@pytest.mark.parametrize("seed", range(amount(10, 300)))
def test_all_agree_and_nothing_is_lost(tmp_path, monkeypatch, seed):
    history = History(tmp_path, seed, monkeypatch)
    history.play()
    texts = [home.texts() for home in history.homes]
    assert texts[0] == texts[1] == texts[2]
    for home in history.homes:
        assert len(home.files()) == len(home.texts()), "an entry is there twice"
    said = " ".join(text for _, text in texts[0].values())
    lost = {word for word, entry in history.owed.items() if word not in said and entry not in history.erased}
    assert not lost - history.pardoned
