"""A person's word for what the page is asked to do (decision 53): shown in the terminal that started the page, and
typed into the page. Who only has the page's token has never seen it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from limpet.ground.errors import LimpetError
from limpet.ground.trust.approvals import make_word
from limpet.ground.workspace import Workspace
from limpet.operations.approval import Obtain, PersonWord, Presence, obtain_word

ELSEWHERE = "Start the page in a terminal of your own, where a word to type can be shown."


class WordAsked(LimpetError):
    """``says``: what is to be agreed to; its word is on the terminal now."""

    def __init__(self, says: str) -> None:
        super().__init__(f"A person's word is needed: {says}")
        self.says = says


class ShownWords:
    """``show`` puts lines on the terminal, None where there is none. Each word counts for one try."""

    def __init__(self, workspace: Workspace, show: Callable[[Sequence[str]], None] | None) -> None:
        self._workspace, self._show = workspace, show
        self._shown: dict[str, str] = {}

    def obtain_for(self, typed: str, now: float) -> Obtain:
        """``typed``: into the page, "" where nobody was asked yet."""

        def obtain(says: str, shown: Sequence[str] | None = None) -> PersonWord:
            if self._show is None:
                raise LimpetError(f"A person's word is needed: {says}", hint=ELSEWHERE)
            word = self._shown.pop(says, "")
            if typed and word:
                return obtain_word(self._workspace, Presence(word=word, ask=lambda question: typed), says, now, shown)
            self._shown[says] = make_word()
            self._show(("", says, *(shown or ()), f"To agree, type {self._shown[says]} into the page."))
            raise WordAsked(says)

        return obtain
