"""Random histories of three machines, through a repository and through a server: whatever happened, they agree in the
end, and nothing is lost or there twice."""

import random
import subprocess
from uuid import uuid4

import psycopg
import pytest

from limpet.memory.model.layout import CURRENT
from limpet.operations.sharing import local
from limpet.sharing.revision import ERASED, decode

from ...homes import Home, ServersHome, bare_repository
from ...soak.scale import amount
from ...team_servers import database, postgres, server  # noqa: F401

DAY = 86_400.0
STEPS = 30
TABLES = ("project", "revision", "head")


class Killed(BaseException):
    """Where a process would have ended."""


class History:
    """``owed``: word that was written -> the entry. ``pardoned``: words that somebody forgot or erased; ``erased``:
    entries that are gone for good, with what others wrote there."""

    def __init__(self, store, folder, seed, monkeypatch):
        self.random, self.store = random.Random(seed), store
        self.homes = [store.home(folder / name, skew) for name, skew in (("a", 0.0), ("b", DAY), ("c", -DAY))]
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

    def go_on_in_turn(self):
        """Everybody has everything before the next one edits, so that no two edits clash. The others are killed first
        before they write the file, then behind it."""
        for at, home in enumerate(self.homes[:2], 1):
            self.edit(home)
            self.sync(home)
            for each in self.homes:
                if each is not home:
                    self.kill(each, at)
                self.sync(each)

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
        self.old.append(self.store.state())

    def kill(self, home, at=0):
        """At one of the moments at which git or a file is written; each other time at a file's, which are fewer."""
        at_files = bool(at) or self.random.random() < 0.5
        left = [at or (self.random.randrange(1, 5) if at_files else self.random.randrange(12))]

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

        if not at_files:
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
        if self.random.random() < 0.3 and self.store.can_begin_anew:
            home.sync(anew=True)

    def force(self, home):
        """Somebody puts an older state of the store back."""
        known = [state for state in self.old if state]
        if known and self.random.random() < 0.3:
            self.store.put_back(self.random.choice(known))


class Repository:
    can_begin_anew = True

    def __init__(self, folder):
        self.remote = bare_repository(folder / "remote.git")

    def home(self, folder, skew):
        return Home(folder, self.remote, skew)

    def state(self):
        done = subprocess.run(["git", "-C", self.remote, "rev-parse", "--verify", "-q", "main"], capture_output=True)
        return done.stdout.decode().strip()

    def put_back(self, tip):
        subprocess.run(["git", "-C", self.remote, "update-ref", "refs/heads/main", tip], check=True)

    def check(self):
        """All that it holds was looked at as the homes' entries."""


class Server:
    """``at``: a process, whose database an operator can put back to an older state."""

    can_begin_anew = False

    def __init__(self, at):
        self.at, self.project, self.kept = at, uuid4().hex, 0

    def home(self, folder, skew):
        home = ServersHome(folder, (self.at.url, self.at.token("acme", folder.name), self.project), skew)
        home.transport().ask("POST", "/v1/projects")
        return home

    def state(self):
        """Its number, of those that are kept as a backup keeps them."""
        self.kept += 1
        with psycopg.connect(self.at.database) as connection:
            for table in TABLES:
                connection.execute(f"CREATE TABLE IF NOT EXISTS kept_{table} (state integer, line {table})")
                asked = f"INSERT INTO kept_{table} SELECT %s, t FROM {table} AS t WHERE project = %s"
                connection.execute(asked, (self.kept, self.project))
        return self.kept

    def put_back(self, state):
        with psycopg.connect(self.at.database) as connection:
            for table in TABLES:
                connection.execute(f"DELETE FROM {table} WHERE project = %s", (self.project,))
                asked = f"INSERT INTO {table} SELECT (line).* FROM kept_{table} WHERE state = %s"
                asked += " AND (line).project = %s"
                connection.execute(asked, (state, self.project))

    def check(self):
        """The search goes by what nothing stands for, and no word of an erased entry is left."""
        with psycopg.connect(self.at.database) as connection:
            rows = connection.execute("SELECT body FROM revision WHERE project = %s", (self.project,)).fetchall()
            asked = "SELECT entry, id FROM head WHERE project = %s"
            searched = set(connection.execute(asked, (self.project,)).fetchall())
        known = [decode(bytes(body)) for (body,) in rows]
        replaced = {parent for one in known for parent in one.parents}
        erased = {one.entry for one in known if one.said.state == ERASED}
        heads = [one for one in known if one.id not in replaced and one.said.state == CURRENT and one.said.text]
        assert searched == {(one.entry, one.id) for one in heads}
        assert not [one.name for one in known if one.entry in erased - {one.entry for one in heads} and one.said.text]


@pytest.mark.parametrize("seed", range(amount(10, 300)))
def test_all_agree_and_nothing_is_lost(tmp_path, monkeypatch, seed):
    agree(Repository(tmp_path), tmp_path, monkeypatch, seed)


def test_all_agree_and_nothing_is_lost_through_a_server(tmp_path, monkeypatch, server):  # noqa: F811
    for seed in range(amount(5, 300)):
        agree(Server(server), tmp_path / str(seed), monkeypatch, seed)


def agree(store, folder, monkeypatch, seed):
    history = History(store, folder, seed, monkeypatch)
    history.play()
    texts = [home.texts() for home in history.homes]
    assert texts[0] == texts[1] == texts[2]
    for home in history.homes:
        assert len(home.files()) == len(home.texts()), "an entry is there twice"
    said = " ".join(text for _, text in texts[0].values())
    lost = {word for word, entry in history.owed.items() if word not in said and entry not in history.erased}
    assert not lost - history.pardoned
    history.go_on_in_turn()
    after = [home.texts() for home in history.homes]
    assert len(after[0]) == len(texts[0]), "an edit became an entry of its own"
    assert after[0] == after[1] == after[2]
    store.check()
