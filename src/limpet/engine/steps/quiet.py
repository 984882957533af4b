"""Lets reading calls that nothing concerns pass without an interpreter. A reading call is judged by its path alone, and
brings the rules and memories that name its file (``guard``, ``files``). So what is said of one in this project fits
into some lines of shell, which the hook's line runs before it starts anything. They are written with a prompt, and void
as soon as a file that they are made of is newer: nobody has to withdraw them.
"""

from __future__ import annotations

import os

from limpet import __version__
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.confinement import lies_in
from limpet.ground.storage.files import read_text, remove_file, stamp, write_atomic
from limpet.ground.storage.user_folders import (
    PERSONAL,
    approvals_folder,
    cache_folder,
    data_folder,
    quiet_path,
    state_folder,
)
from limpet.ground.text.globs import FOLDED
from limpet.ground.workspace import FOLDER
from limpet.memory.index.names import ANYWHERE, LARGEST, PRACTICE, names_path
from limpet.rules.plan.plan import plan_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.engine.event_context import EventContext
    from limpet.ground.workspace import Workspace
    from limpet.rules.plan.plan import RulePlan

# The most files that it is made of, and names and globs that it holds: the shell asks about each at every call.
MOST_SOURCES, MOST_NAMES = 40, 600
# So long ago the newest of them was written: some shells compare whole seconds.
SETTLED_NS = 2_000_000_000
HEADING = f"# Limpet {__version__}: the reading calls of which it says nothing here.\n"
FORGED = "Limpet: a file that lets reading calls pass was not as Limpet wrote it, and was written anew: {}"
# Signs that JSON writes otherwise, and the quote of the shell.
_ESCAPED = "\"\\'"
# What stands between the words of a glob.
_WILD = str.maketrans("/*?", "\0\0\0")

SCRIPT = r"""limpet_call=
while IFS= read -r limpet_line || [ -n "$limpet_line" ]; do
limpet_call="$limpet_call$limpet_line
"
done
# No link leads there.
limpet_is() { cd -P "$1" && [ "$PWD" = "$1" ]; }
# Nor to the folder with which a glob begins.
limpet_begins() {
limpet_glob=${limpet_in#*"\"$1\":\""}
[ "$limpet_glob" = "$limpet_in" ] && return 0
limpet_glob=${limpet_glob%%'"'*}
case $limpet_glob in *\\) return 1 ;; esac
limpet_glob=${limpet_glob%%'*'*}
limpet_glob=${limpet_glob%%'?'*}
limpet_glob=${limpet_glob%%'['*}
limpet_glob=${limpet_glob%%'{'*}
case $limpet_glob in ..*) return 1 ;; */*) limpet_is "$limpet_at/${limpet_glob%/*}" ;; esac
}
limpet_passes() {
for limpet_source in @SOURCES@; do
[ "$limpet_source" -nt @MARK@ ]
[ $? = 1 ] || return 1
done
[ -d @APPROVALS@ ] && return 1
limpet_at=${limpet_call#*'"cwd":"'}
limpet_at=${limpet_at%%'"'*}
case $limpet_at in @ROOT@ | @ROOT@/*) ;; *) return 1 ;; esac
limpet_is "$limpet_at" || return 1
limpet_in=${limpet_call#*'"tool_input":'}
limpet_rest=${limpet_in#*'"'@ROOT@}
case ${limpet_in%%'"'@ROOT@*}=$limpet_rest in *'"/'* | *'"~'* | *'path":"'[!/]*) return 1 ;; esac
limpet_file=
case $limpet_rest in
"$limpet_in") ;;
/* | '"'*) limpet_file=${limpet_rest%%'"'*} limpet_at=@ROOT@${limpet_rest%%'"'*} ;;
*) return 1 ;;
esac
case $limpet_file in
*\\* | *//* | */. | */./* | */.. | */../* | */) return 1 ;;
@NAMES@) return 1 ;;
?*) [ ! -h "$limpet_at" ] && limpet_is "${limpet_at%/*}" || return 1 ;;
esac
limpet_begins pattern && limpet_begins glob
}
limpet_here=$PWD
limpet_passes 2>/dev/null && exit 0
cd "$limpet_here" 2>/dev/null
exec <<LIMPET
$limpet_call
LIMPET
"""


def keep_quiet(context: EventContext) -> EventContext:
    """Write the lines for the folder that the client names to its hooks, or take away those that are there."""
    workspace, named = context.workspace, context.client.project
    if not (named and context.is_real) or context.plan is None:
        return context
    path = quiet_path(named)
    found, mark = read_text(path, STATE_BYTES), stamp(path)
    sources = _sources(workspace, context.plan)
    newest = max((there[0] for there in map(stamp, sources) if there), default=0)
    text = _lines(workspace, context.plan, sources) if named == workspace.root else ""
    if found is not None and mark and (found, mark[0]) == (text, newest):
        return context
    try:
        if text and newest + SETTLED_NS < context.clock.now() * 1e9:
            write_atomic(path, text, follow=False, settle=lambda handle: os.utime(handle, ns=(newest, newest)))
        elif found is not None:
            remove_file(path)
    except OSError:
        return context
    was_forged = found is not None and mark and mark[0] >= newest and found.startswith(HEADING)
    return context.replace(told=(*context.told, FORGED.format(path))) if was_forged else context


def _sources(workspace: Workspace, plan: RulePlan) -> tuple[str, ...]:
    """The compiled rules, the names in the project's memories and in the person's own, and what rules are made of."""
    watched = (f"{workspace.root}/{name}" for name, _ in plan.matcher["watched"])
    personal = os.path.join(data_folder(), PERSONAL, FOLDER)
    return (plan_path(workspace), names_path(workspace.shared), names_path(personal), *watched)


def _lines(workspace: Workspace, plan: RulePlan, sources: tuple[str, ...]) -> str:
    """Return "" where some calls cannot be told from others by these means."""
    root, kept = workspace.root, map(os.path.realpath, (data_folder(), state_folder(), cache_folder()))
    is_plain = root == os.path.realpath(root) and not {*_ESCAPED}.intersection(root) and root.isprintable()
    around = any(lies_in(root, folder) or lies_in(folder, root) for folder in kept)
    if not is_plain or around or len(sources) > MOST_SOURCES:
        return ""
    patterns: list[str] = []
    for path in sources[1:3]:
        patterns += _names(read_text(path, 2 * LARGEST) or "")
    for _, globs in plan.matcher["paths"]:
        patterns += map(_pattern, globs)
    if len(patterns) > MOST_NAMES or "*" in patterns:
        return ""
    parts = {
        "@SOURCES@": " ".join(map(_quoted, sources)),
        "@MARK@": _quoted(quiet_path(root)),
        "@APPROVALS@": _quoted(approvals_folder()),
        "@ROOT@": _quoted(root),
        "@NAMES@": " | ".join(dict.fromkeys(patterns)) or "''/",
    }
    text = SCRIPT
    for name, value in parts.items():
        text = text.replace(name, value)
    return HEADING + text


def _names(text: str) -> Iterable[str]:
    """The names of files as ``limpet_file`` has them: a call that reads has no other names of memories."""
    names = (line.partition("\t")[0] for line in text.split("\n"))
    return [
        _quoted(f"/{name}")
        for name in names
        if name and not name.startswith((ANYWHERE, PRACTICE)) and name[-1] != "(" and name.isprintable()
    ]


def _pattern(glob: str) -> str:
    """What takes all that the glob takes, and perhaps more."""
    pieces = filter(None, glob.removeprefix("./").translate(_WILD).split("\0"))
    quoted = "*".join(map(_either_case if FOLDED else _quoted, pieces))
    return f"*{quoted}*" if quoted else "*"


def _either_case(text: str) -> str:
    letters = []
    for letter in text:
        is_cased = letter.isascii() and letter.isalpha()
        plain = _quoted(letter) if letter.isascii() else "*"
        letters.append(f"[{letter.lower()}{letter.upper()}]" if is_cased else plain)
    return "".join(letters)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
