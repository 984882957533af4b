"""The tree of a text, walked as the shell would run it: every branch, so that all that could run is found."""

from __future__ import annotations

from limpet.guard.shell.command import UNKNOWN, ShellCommand, Understood, listed, split, words_of
from limpet.guard.shell.expansion import Expansion, crossed, is_pattern
from limpet.guard.shell.running import DEEPEST, run_words, set_for
from limpet.guard.shell.state import MOST_VALUES, ShellState, Streams, streams_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.guard.shell.state import Item, Tree

    Parse = Callable[[str], Tree]

# How many texts may be parsed, how often the parser may fail, how many statements may be walked and how many commands
# may be found before it is not clear.
MOST_PARSED, MOST_FAILED, MOST_WALKED, MOST_COMMANDS = 12, 2, 3000, 400
# In a text for another shell an unknown part stands as this variable, which nothing sets.
_BLANK = "${LIMPET_UNKNOWN}"
_MOST_CHOICES = 48
_SCOPED = frozenset(("Subshell", "CmdSubst", "ProcSubst"))
_NO_STREAMS = Streams()


class ShellWalk:
    def __init__(self, parse: Parse | None, start: str = "", top: str = "") -> None:
        self.parse = parse
        self.state = ShellState(start, top)
        self.expansion = Expansion(self.state, self.substitution, self.search)
        self.commands: list[ShellCommand] = []
        self.within: tuple[str, ...] = ()
        self.why = self.unread = ""
        self.texts: dict[str, None] = {}
        self.code: dict[str, None] = {}
        self.starts = False
        self.parsed = self.failed = self.walked = 0

    def unclear(self, why: str) -> str | None:
        """The first reason counts."""
        self.why = self.why or why
        return None

    def leave_code(self, name: str, text: str, starts: bool) -> None:
        """Code is not read; it may start other programs where it looks so, or ``starts`` says it."""
        self.unread = self.unread or f"code for {name} is not read"
        self.code.update(dict.fromkeys(words_of(text)))
        bare = text.lower().replace(" ", "")
        self.starts = self.starts or starts or any(part in bare for part in listed("starts"))

    def found(self) -> Understood:
        """Of code alone its own words count."""
        why, texts = (self.why, self.texts) if self.why else (self.unread, self.code)
        return Understood(
            tuple(self.commands), not why, why, tuple(texts) if why else (), bool(self.why) or self.starts
        )

    def text(self, text: str, reached: str = "", fed: str | None = "") -> str | None:
        before = self.within
        self.within = (*before, reached) if reached else before
        printed = self._text(text, fed)
        self.within = before
        return printed

    def run(
        self, words: tuple[str, ...], reached: str, streams: Streams = _NO_STREAMS, is_program: bool = False
    ) -> str | None:
        """What the words print, None where that is not known (``running.run_words``)."""
        before = self.within
        self.within = (*before, reached)
        printed = run_words(self, words, streams, is_program) if words else ""
        self.within = before
        return printed

    def _text(self, text: str, fed: str | None) -> str | None:
        self.texts.update(dict.fromkeys(words_of(text)))
        if len(self.within) > DEEPEST or len(self.commands) > MOST_COMMANDS:
            return self.unclear("it is nested too deeply")
        plain = split(text)
        if plain is not None:
            return run_words(self, plain, Streams(fed))
        if not text.strip():
            return ""
        self.parsed += 1
        if self.parse is None or self.parsed > MOST_PARSED or self.failed >= MOST_FAILED:
            return self.unclear("no parser is at hand" if self.parse is None else "too many texts are within it")
        from limpet.ground.errors import LimpetError

        try:
            tree = self.parse(text.replace(UNKNOWN, _BLANK))
        except (LimpetError, OSError, ValueError) as error:
            self.failed += 1
            return self.unclear(error.what if isinstance(error, LimpetError) else "it cannot be parsed")
        return self.statements(tree.get("Stmts", ()), fed)

    def statements(self, trees: list[Tree], fed: str | None = "") -> str | None:
        return _together([self.statement(each, fed) for each in trees])

    def statement(self, tree: Tree, fed: str | None = "") -> str | None:
        self.walked += 1
        if self.walked > MOST_WALKED:
            return self.unclear("it runs too many commands")
        streams = streams_of(self, tree.get("Redirs", ()), fed)
        command = tree.get("Cmd")
        if command is None:
            return self.record((), streams)
        if command["Type"] == "CallExpr":
            printed = self._call(command, streams)
        else:
            if streams.writes or streams.reads:
                self.record((), streams)
            printed = _HANDLERS.get(command["Type"], ShellWalk._other)(self, command, streams.fed)
        return streams.catch(self.state, printed)

    def record(self, words: tuple[str, ...], streams: Streams, folder: str | None = None) -> str:
        where = self.state.folder if folder is None else folder
        found = ShellCommand(words, where, streams.writes, streams.reads, streams.fed or "")
        if len(self.commands) > MOST_COMMANDS:
            self.unclear("it runs too many commands")
        elif found not in self.commands:
            self.commands.append(found)
        return ""

    def substitution(self, part: Tree) -> str | None:
        if part["Type"] not in _SCOPED:
            self.search(part)
            return None
        printed = self._scoped(part.get("Stmts", []), "substitution")
        if part["Type"] == "ProcSubst":
            path = f"/dev/fd/{len(self.state.contents) + 63}"
            self.state.contents[path] = printed
            return path
        return printed

    def search(self, tree: object) -> None:
        if isinstance(tree, list):
            for each in tree:
                self.search(each)
        elif isinstance(tree, dict):
            if tree.get("Type") in ("CmdSubst", "ProcSubst"):
                self.substitution(tree)
            else:
                self.search(list(tree.values()))

    def _scoped(self, trees: list[Tree], reached: str = "", fed: str | None = "") -> str | None:
        kept, before = self.state.fork(), self.within
        self.within = (*before, reached) if reached else before
        printed = self.statements(trees, fed)
        self.state.join(kept)
        self.within = before
        return printed

    def _call(self, tree: Tree, streams: Streams) -> str | None:
        arguments = tree.get("Args", [])
        assigned = [(each, self._assigned(each)) for each in tree.get("Assigns", ())]
        if not arguments:
            for each, values in assigned:
                self.set(each, values)
            return self.record((), streams) if streams.writes or streams.reads else ""
        for each, values in assigned:
            set_for(self, each["Name"]["Value"], values)
        choices = self._choices(arguments)
        printed = [run_words(self, words, streams) for words in choices if words]
        return printed[0] if len(printed) == 1 else None

    def _choices(self, arguments: list[Tree]) -> list[tuple[str, ...]]:
        found: list[tuple[str, ...]] = [()]
        for argument in arguments:
            fields = self.expansion.fields(argument)
            if found == [()] and is_pattern(argument) and fields[0] not in (("[",), ("[[",)):
                fields = [(UNKNOWN, *each[1:]) for each in fields]
            found = list(dict.fromkeys(crossed(found, fields)))
            if len(found) > _MOST_CHOICES:
                self.unclear("its words have too many possible values")
                found = found[:_MOST_CHOICES]
        return found

    def _assigned(self, tree: Tree) -> tuple[Item, ...]:
        if "Array" in tree:
            found: list[tuple[str, ...]] = [()]
            for element in tree["Array"].get("Elems", ()):
                self.search(element.get("Index"))
                each = element.get("Value", {})
                found = crossed(found, self.expansion.fields(each))
                found = found if len(found) <= MOST_VALUES else [(UNKNOWN,)]
            return tuple(found)
        return tuple(self.expansion.texts(tree["Value"])) if tree.get("Value") else ("",)

    def set(self, tree: Tree, values: tuple[Item, ...]) -> None:
        name = tree["Name"]["Value"]
        if "Index" in tree:
            self.search(tree["Index"])
            lists = [each for each in self.state.values(name) if isinstance(each, tuple)]
            items = [item for item in values if isinstance(item, str)]
            values = tuple(crossed(lists, [(item,) for item in items])) or (UNKNOWN,)
        self.state.set(name, values, bool(tree.get("Append")))
        set_for(self, name, values)

    def _other(self, tree: Tree, fed: str | None) -> str | None:
        self.search(tree)
        return ""

    def _block(self, tree: Tree, fed: str | None) -> str | None:
        return self.statements(tree.get("Stmts", []), fed)

    def _subshell(self, tree: Tree, fed: str | None) -> str | None:
        return self._scoped(tree.get("Stmts", []), "", fed)

    def _if(self, tree: Tree, fed: str | None) -> str | None:
        printed = [self.statements(tree.get("Cond", []), fed)]
        before = self.state.folder
        self.state.maybe += 1
        printed.append(self.statements(tree.get("Then", []), fed))
        after, self.state.folder = self.state.folder, before
        printed.append(self._if(tree["Else"], fed) if tree.get("Else") else "")
        self.state.maybe -= 1
        self.state.folder = after if after == self.state.folder else UNKNOWN
        return "" if set(printed) <= {""} else None

    def _loop(self, tree: Tree, fed: str | None) -> str | None:
        loop = tree.get("Loop") or {}
        names = loop.get("Name")
        if names:
            items: list[str] = []
            for each in loop.get("Items", ()):
                for fields in self.expansion.fields(each):
                    items += fields
            self.state.set(names["Value"], tuple(items) or (UNKNOWN,))
        else:
            self.search(loop)
        self.state.maybe += 1
        printed: list[str | None] = []
        for _ in range(2):
            before = dict(self.state.variables)
            printed += [self.statements(tree.get("Cond", []), fed), self.statements(tree.get("Do", []), fed)]
            if self.state.variables == before:
                break
        self.state.maybe -= 1
        return "" if set(printed) <= {""} else None

    def _case(self, tree: Tree, fed: str | None) -> str | None:
        self.expansion.texts(tree["Word"])
        self.state.maybe += 1
        printed = [self.statements(each.get("Stmts", []), fed) for each in tree.get("Items", ())]
        self.state.maybe -= 1
        return "" if set(printed) <= {""} else None

    def _function(self, tree: Tree, fed: str | None) -> str | None:
        self.state.functions[tree["Name"]["Value"]] = tree["Body"]
        return ""

    def _binary(self, tree: Tree, fed: str | None) -> str | None:
        if tree["Op"] in ("|", "|&"):
            kept = self.state.fork()
            printed = self.statement(tree["X"], fed)
            self.state.join(kept)
            printed = self.statement(tree["Y"], printed)
            self.state.join(kept)
            return printed
        first = self.statement(tree["X"], fed)
        folder = self.state.folder
        second = self.statement(tree["Y"], fed)
        if tree["Op"] == "||":
            self.state.folder = folder
            return first if second == "" else None
        return _together([first, second])

    def _declaration(self, tree: Tree, fed: str | None) -> str | None:
        for each in tree.get("Args", ()):
            if each.get("Name"):
                self.set(each, self._assigned(each))
            elif each.get("Value"):
                self.expansion.texts(each["Value"])
        return ""

    def _nested(self, tree: Tree, fed: str | None) -> str | None:
        return self.statement(tree["Stmt"], fed) if tree.get("Stmt") else ""


def _together(printed: list[str | None]) -> str | None:
    known = [each for each in printed if each is not None]
    return "".join(known) if len(known) == len(printed) else None


_HANDLERS: dict[str, Callable[[ShellWalk, Tree, str | None], str | None]] = {
    "Block": ShellWalk._block,
    "Subshell": ShellWalk._subshell,
    "IfClause": ShellWalk._if,
    "WhileClause": ShellWalk._loop,
    "ForClause": ShellWalk._loop,
    "CaseClause": ShellWalk._case,
    "FuncDecl": ShellWalk._function,
    "BinaryCmd": ShellWalk._binary,
    "DeclClause": ShellWalk._declaration,
    "TimeClause": ShellWalk._nested,
    "CoprocClause": ShellWalk._nested,
}
