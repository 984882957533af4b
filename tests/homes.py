"""Machines of one person, as homes of their own, that share through a bare repository."""

import os
import random
import subprocess
from contextlib import contextmanager

from limpet.memory.files import store
from limpet.memory.model.layout import SHARED, WHOLE_STORE
from limpet.operations.caller import Caller
from limpet.operations.memory.library import personal_workspace
from limpet.operations.project import open_as
from limpet.operations.sharing.sync import Syncing
from limpet.sharing.git_remote import GitRemote
from limpet.sharing.http_remote import HttpRemote
from limpet.sharing.ledger import Ledger
from limpet.sharing.merge import id_in, without_counts

NOW = 1_800_000_000.0
KEY = bytes(range(32))


def bare_repository(path):
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", str(path)], check=True)
    return str(path)


class Home:
    """``skew``: seconds that its clock is off. ``asks``: what of the transport speaks with the store."""

    asks = "_run"

    def __init__(self, folder, remote, skew=0.0, key=KEY):
        self.folder, self.remote, self.skew, self.key = str(folder), remote, skew, key
        self.hook = lambda words: None
        self.random = random.Random(os.path.basename(self.folder))  # the same wherever it lies

    @contextmanager
    def entered(self):
        names = {"LIMPET_DATA": "data", "LIMPET_STATE": "state", "LIMPET_CACHE": "cache"}
        before = {name: os.environ.get(name) for name in names}
        os.environ.update({name: os.path.join(self.folder, part) for name, part in names.items()})
        try:
            yield open_as(personal_workspace(), Caller(reader=WHOLE_STORE, now=NOW + self.skew, by="person"))
        finally:
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value

    def write(self, title, body="", storage="durable"):
        """The new entry's id."""
        fields = {"id": self._id(), "type": "decision", "title": title, "body": body, "storage": storage}
        fields["created_at"] = "2026-11-21T12:00:00Z"
        with self.entered() as home:
            added = store.add_file(home.workspace.shared, fields, lambda _: (SHARED, "warm"), home.actor)
            return added.entry.id

    def edit(self, entry, **changes):
        with self.entered() as home:
            store.change(home.workspace.shared, self.path(entry), changes, home.actor)

    def forget(self, entry, for_good=False):
        with self.entered() as home:
            path = store.forget_file(home.workspace.shared, self.path(entry), home.actor)
            if for_good:
                store.purge(home.workspace.shared, path, home.actor)

    def path(self, entry):
        return next(path for path, text in self.files() if id_in(text) == entry)

    def full(self, entry):
        with self.entered() as home:
            return os.path.join(home.workspace.shared, "memories", self.path(entry))

    def files(self):
        """(Path, text) of all that is not forgotten."""
        with self.entered() as home:
            shared = home.workspace.shared
            paths = [path for path, _ in store.scan_files(shared) if not path.startswith("forgotten/")]
            return [(path, store.read_raw(shared, path).decode()) for path in paths]

    def texts(self):
        """Id -> (folder, text), without what each machine counts by itself."""
        return {id_in(text): (path.rpartition("/")[0], without_counts(text)) for path, text in self.files()}

    def transport(self):
        return GitRemote(os.path.join(self.folder, "data", "sync", "copy.git"), self.remote)

    def sync(self, anew=False):
        with self.entered() as home:
            ledger = Ledger(os.path.join(self.folder, "data", "sync", "ledger.db"))
            try:
                transport = self.transport()
                asks, hook = getattr(transport, self.asks), self.hook

                def watched(*words, **given):
                    hook((*words, "before"))
                    answer = asks(*words, **given)
                    hook((*words, "after"))
                    return answer

                setattr(transport, self.asks, watched)
                syncing = Syncing(ledger, transport, self.key, {"": home})
                return syncing.begin_anew() if anew else syncing.run()
            finally:
                ledger.close()

    def _id(self):
        return "mem-2026-11-21-" + "".join(self.random.choices("0123456789abcdefghjkmnpqrstvwxyz", k=8))


class ServersHome(Home):
    """Shares through a team's server. ``remote``: (its address, a token, the project's name there)."""

    asks = "ask"

    def __init__(self, folder, remote, skew=0.0):
        super().__init__(folder, remote, skew, key=None)

    def transport(self):
        return HttpRemote(*self.remote, os.path.join(self.folder, "data", "sync", "listed"))
