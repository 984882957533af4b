"""Brings this machine's entries and a store in step. Every step is kept before the next and may be done twice: what a
kill leaves is taken up by the next run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import chain

from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import dumps, read_object
from limpet.memory.model.layout import SHARED, TEAM
from limpet.operations.project import Project
from limpet.operations.sharing.learned import find_learned
from limpet.operations.sharing.local import LocalChange, file_of, find_changes, to_send, without_secret, write_here
from limpet.operations.sharing.report import FORGED, GAP, NEWER, STRANGER, SyncReport
from limpet.sharing.knowledge import knowledge_store
from limpet.sharing.ledger import WRITER, Base, Ledger
from limpet.sharing.mark import MARK, read_mark, write_mark
from limpet.sharing.merge import merge
from limpet.sharing.revision import (
    Revision,
    Said,
    UnknownShape,
    ancestor_of,
    are_known,
    compare,
    decode,
    encode,
    heads_of,
    in_chain,
    name_of,
    read_name,
)
from limpet.sharing.sealing import seal, unseal
from limpet.sharing.transport import Moved, ReadOnly, Transport, Unreached

TRIES = 8
SOME, ANEW, LEFT = "some", "anew", "left"
TIP, EPOCH, UNAPPLIED, RAN = "tip", "epoch", "unapplied", "ran"
WRITERS, STORES, APART, REFUSED = "writers", "stores", "apart", "refused"
# Seconds until it is told again that the store takes nothing from here.
AGAIN = 86_400.0
Arrived = tuple[Revision, bytes, bytes]
"""With its bytes, opened and as they came."""


class Syncing:
    """One run. ``stores``: name -> the project whose memories it has. ``key``: None where nothing is encrypted.
    ``owner``: whose memories of these."""

    def __init__(
        self,
        ledger: Ledger,
        transport: Transport,
        key: bytes | None,
        stores: Mapping[str, Project],
        owner: str = SHARED,
    ) -> None:
        self.ledger, self.transport, self.key, self.stores, self.owner = ledger, transport, key, stores, owner
        self.report = SyncReport(apart=read_object(ledger.fact(APART)), told=(APART,))
        if not ledger.fact(WRITER):
            self._new_writer()
        self._now = max((project.caller.now for project in stores.values()), default=0.0)
        known = "\n".join(sorted(stores))
        if ledger.fact(STORES) != known:  # what came for one that was not there then
            ledger.note(STORES, known)
            ledger.note(UNAPPLIED, ledger.fact(UNAPPLIED) or SOME)

    def run(self) -> SyncReport:
        """Raise LimpetError where the store is another's, with nothing changed."""
        try:
            if not self.ledger.fact(TIP):
                self._look()
        except Unreached as error:
            self.report = self.report.replace(offline=str(error))
        looked = False
        for _ in range(TRIES):
            self._gather()
            if self.ledger.fact(UNAPPLIED):
                self._apply_all()
            try:
                if looked and not self.ledger.unsent():
                    break
                looked = not self._send()
                if not looked or not (self.ledger.fact(UNAPPLIED) or self.ledger.unsent()):
                    break
            except ReadOnly as error:
                self._receive_only(error)
                break
            except Unreached as error:
                self.report = self.report.replace(offline=str(error))
                break
        if not self.report.offline:
            self.ledger.note(RAN, str(self._now))
        if self.report.changed:
            from limpet.operations.memory.library import open_library, update_index  # with much that few runs need

            for project in self.stores.values():
                update_index(open_library(project))
        return self.report

    def _receive_only(self, refusal: ReadOnly) -> None:
        try:
            self._look()
        except Unreached as error:
            self.report = self.report.replace(offline=str(error))
        if self.ledger.fact(UNAPPLIED):
            self._apply_all()
        if 0 <= self._now - float(self.ledger.fact(REFUSED) or "-inf") < AGAIN:
            self.report = self.report.replace(told=(*self.report.told, REFUSED))
        else:
            self.ledger.note(REFUSED, str(self._now))
        self.report = self.report.replace(refused=str(refusal))

    def begin_anew(self) -> SyncReport:
        """A new history that has of each entry only what it says now, and of deleted ones that they are."""
        self.run()
        if self.report.offline:
            return self.report
        with self.ledger.at_once():
            kept = list[tuple[Revision, tuple[str, ...]]]()
            for store in self.ledger.stores():
                for parents in self.ledger.all_parents(store).values():
                    newest = self.ledger.revision(heads_of(parents)[0])
                    kept += [(newest, tuple(parents))] if newest else []
            self.ledger.clear()
            self._new_writer()
            self.ledger.note(EPOCH, str(self._epoch() + 1))
            for newest, before in kept:
                head = self._author(newest.store, newest.entry, newest.said, before, newest.file)
                self.ledger.move_heads(newest.store, newest.entry, head)
            unsent = self.ledger.unsent()  # where it cannot be sent, all stays as it was
            whole = {MARK: write_mark(self._epoch(), self.key), **unsent}
            tip = self.transport.put(whole, self.ledger.fact(TIP), anew=True)
            self.ledger.mark_sent(unsent, True)
            self.ledger.note(TIP, tip)
        return self.report.replace(sent=len(unsent))

    def _look(self) -> None:
        """Take in what the store has and this machine has not; what the store lost is sent again."""
        tip, known = self.transport.revision(), self.ledger.sums()
        epoch = read_mark(self.transport.get([MARK]).get(MARK, b""), self.key) if tip else self._epoch()
        if epoch < self._epoch():  # somebody put the old history back
            self._put({MARK: write_mark(self._epoch(), self.key), **self.ledger.contents()}, tip, anew=True)
            self._tell(restored=len(known))
            return
        if epoch > self._epoch():
            with self.ledger.at_once():
                if known:
                    self.ledger.clear()
                    self._new_writer()
                    self.ledger.note(UNAPPLIED, ANEW)
                self.ledger.note(EPOCH, str(epoch))
            known = {}
        listed = self.transport.list() if tip else {}
        gone, back, forked = compare(listed, known)
        new = [name for name in listed if name not in known and read_name(name)]
        mine = name_of(self.ledger.fact(WRITER), 0).partition("/0/")[0]
        with self.ledger.at_once():
            self.ledger.mark_sent(gone, False)
            self.ledger.mark_sent(back, True)
            self.ledger.note(TIP, tip)
            if any(name.startswith(f"{mine}/") for name in (*forked, *new)):
                self._fork(forked)  # a copy of this home wrote too
            arrived, apart = self._open([*new, *(name for name in forked if name.startswith(f"{mine}/"))])
            received = self._believe(arrived, apart)
        strange = sum(1 for name in listed if name != MARK and not read_name(name))
        apart |= {STRANGER: strange} if strange else {}
        self._tell(received=received, restored=len(gone))
        if apart != self.report.apart:
            self.ledger.note(APART, dumps(apart))
            told = tuple(name for name in self.report.told if name != APART)
            self.report = self.report.replace(apart=apart, told=told)

    def _open(self, names: Sequence[str]) -> tuple[dict[str, Arrived], dict[str, int]]:
        """Those that are what their names say; and the numbers of the others by why they are not."""
        accepted, every = self.ledger.fact(WRITERS).split(), self.key is not None or self.transport.vouches
        found, apart = dict[str, Arrived](), dict[str, int]()
        for name, sealed in self.transport.get(names).items():
            plain, why = unseal(self.key, name, sealed), FORGED
            try:
                revision = decode(plain or b"")
                if revision.name == name and (every or revision.writer in accepted):
                    found[name] = (revision, plain or b"", sealed)
                    continue
            except UnknownShape:
                why = NEWER
            except ValueError:
                pass
            apart[why] = apart.get(why, 0) + 1
        return found, apart

    def _believe(self, arrived: Mapping[str, Arrived], apart: dict[str, int]) -> int:
        """Take in what goes on from what is known of its writer."""
        writers: dict[str, list[Revision]] = {}
        for revision, _, _ in arrived.values():
            writers.setdefault(revision.writer, []).append(revision)
        count = 0
        for writer, revisions in writers.items():
            good, left = in_chain(self.ledger.last_of(writer), revisions)
            for each in good:
                _, plain, sealed = arrived[each.name]
                self.ledger.add(each, plain, sealed, self.transport.checksum(sealed), sent=True)
            count += len(good)
            if left:
                apart[GAP] = apart.get(GAP, 0) + left
        if count and not self.ledger.fact(UNAPPLIED):
            self.ledger.note(UNAPPLIED, SOME)
        return count

    def _fork(self, forked: Sequence[str]) -> None:
        """What this home wrote under numbers that another copy of it used, it writes again as a writer of its own."""
        writer = self.ledger.fact(WRITER)
        numbers = [place[1] for place in map(read_name, forked) if place and place[0] == writer]
        dropped = self.ledger.drop(writer, min(numbers)) if numbers else []
        parents = {each.id: each.parents for each in dropped}
        for each in dropped:
            base = self.ledger.base(each.store, each.entry)
            while any(head in parents for head in base.heads):
                before = dict.fromkeys(chain.from_iterable(parents.get(head, (head,)) for head in base.heads))
                base = base.replace(heads=tuple(before), mark="", stamp=(0, 0, 0))
            self.ledger.keep(each.store, base)
        self._new_writer()

    def _gather(self) -> None:
        """Write down what changed here."""
        for store, project in self.stores.items():
            with self.ledger.at_once():
                if self.ledger.fact(UNAPPLIED) == ANEW:  # what the new history does not stand for is said again
                    parents = self.ledger.all_parents(store)
                    for entry, heads in self.ledger.heads(store).items():
                        if not are_known(heads, parents.get(entry, {})):
                            base = self.ledger.base(store, entry)
                            self.ledger.keep(store, base.replace(mark="", stamp=(0, 0, 0)))
                for change in list(find_changes(project, self.ledger, store, self.owner)):
                    self._take(store, project, change)
                for change in list(find_learned(project, self.ledger, store) if self.owner == TEAM else ()):
                    self._take(knowledge_store(store), project, change)

    def _take(self, store: str, project: Project, change: LocalChange) -> None:
        base, said = change.base, change.said
        if said is None:
            self.ledger.note(UNAPPLIED, self.ledger.fact(UNAPPLIED) or SOME)
            self.ledger.keep(store, base.replace(heads=(), mark=""))
            return
        if said.mark == base.mark:
            self.ledger.keep(store, base)
            return
        sent = to_send(said, project)
        heads = heads_of(self.ledger.parents(store, base.entry))
        same = self.ledger.with_mark(store, base.entry, sent.mark)
        if heads and same.issuperset(heads):
            base = base.replace(heads=tuple(heads))
        elif same and not base.heads:
            base = base.replace(heads=(min(same),))
        else:
            written = self._author(store, base.entry, sent, base.heads, without_secret(file_of(base.path), project))
            if not sent.text:
                self._tell(deleted=1)
                kept = not self.transport.tombstone(self.ledger.names(store, base.entry))
                self.report = self.report.replace(in_history=self.report.in_history or kept)
            base = base.replace(heads=(written,))
        self.ledger.keep(store, base.replace(mark=said.mark))

    def _author(self, store: str, entry: str, said: Said, parents: Sequence[str], file: str) -> str:
        writer = self.ledger.fact(WRITER)
        number, previous = self.ledger.last_of(writer)
        revision = Revision(store, entry, said, writer, number + 1, file, previous, tuple(parents))
        plain = encode(revision)
        sealed = seal(self.key, revision.name, plain)
        self.ledger.add(revision, plain, sealed, self.transport.checksum(sealed), sent=False)
        return revision.id

    def _apply_all(self) -> None:
        """Make the files say what the revisions say."""
        problems, beside = list[str](), self.report.beside
        for store, project in self.stores.items():
            agreed = self.ledger.heads(store)
            for entry, parents in sorted(self.ledger.all_parents(store).items()):
                try:
                    if tuple(heads_of(parents)) != agreed.get(entry):
                        self._apply_entry(store, project, self.ledger.base(store, entry))
                except LimpetError as error:
                    problems.append(f"{error.what}: {entry}")
        self.report = self.report.replace(problems=tuple(problems))
        with self.ledger.at_once():
            self.ledger.note(UNAPPLIED, LEFT if problems else "")
        if self.report.beside != beside:  # versions that stay beside are entries of their own now
            self._apply_all()

    def _apply_entry(self, store: str, project: Project, base: Base) -> None:
        heads = self._settle(store, base.entry)
        newest = self.ledger.revision(heads[0])
        assert newest is not None
        said = newest.said
        is_new = said.mark != base.mark and bool(base.path or said.text)
        if is_new:
            base = write_here(project, newest, base, self.owner, self.key is not None)
        base = base.replace(mark=said.mark)
        self._tell(changed=is_new)
        with self.ledger.at_once():
            self.ledger.keep(store, base.replace(heads=tuple(heads)))

    def _settle(self, store: str, entry: str) -> list[str]:
        """Heads that all say the same; where they did not, after one that merges them."""
        parents = self.ledger.parents(store, entry)
        heads = heads_of(parents)
        versions = [each for each in map(self.ledger.revision, heads) if each]
        if len({each.said.mark for each in versions}) <= 1:
            return heads
        ancestor = self.ledger.revision(ancestor_of(heads, lambda name: parents.get(name, ())))
        merged = merge([each.said for each in versions], ancestor.said if ancestor else None)
        file = next((each.file for each in versions if each.file), "")
        with self.ledger.at_once():
            for name, said in merged.beside:
                if not self.ledger.parents(store, name):
                    self._author(store, name, said, (), file_of(file, entry, name))
                    self.report = self.report.replace(beside=(*self.report.beside, name))
            return [self._author(store, entry, merged.said, heads, file)]

    def _send(self) -> bool:
        """Return False where there was nothing to send, or others wrote meanwhile: what the store has was taken in."""
        unsent, tip = self.ledger.unsent(), self.ledger.fact(TIP)
        if unsent or not tip:
            try:
                self._put({**({} if tip else {MARK: write_mark(self._epoch(), self.key)}), **unsent}, tip)
                self._tell(sent=len(unsent))
                return True
            except Moved:
                pass
        self._look()
        return False

    def _put(self, contents: Mapping[str, bytes], upon: str, anew: bool = False) -> None:
        tip = self.transport.put(contents, upon, anew)
        with self.ledger.at_once():
            self.ledger.mark_sent([name for name in contents if name != MARK], True)
            self.ledger.note(TIP, tip)

    def _epoch(self) -> int:
        return int(self.ledger.fact(EPOCH) or 1)

    def _new_writer(self) -> None:
        writer = os.urandom(8).hex()
        self.ledger.note(WRITER, writer)
        self.ledger.note(WRITERS, f"{self.ledger.fact(WRITERS)} {writer}".strip())

    def _tell(self, **more: int) -> None:
        self.report = self.report.replace(**{name: getattr(self.report, name) + n for name, n in more.items()})
