"""The layout of a rules folder as data: folder and file names."""

from limpet.ground.config.defaults import RULES_BYTES, STATE_BYTES
from limpet.ground.values import Value


class Layout(Value):
    """The names of a rules folder.

    ``folder``: the rules folder, relative to the project's root.
    ``suffixes``: those of domain files; the first one found counts.
    ``command``: the star-command that governs it; ``aliases``: what it was called elsewhere, by the folder there.
    ``squads``: the folder of the squads, relative to the project's root.
    ``squad_rules``: where in a squad's folder its rules may lie; the first one found counts.
    """

    folder: str
    manifest: str
    suffixes: tuple[str, ...]
    command: str
    aliases: dict[str, str]
    squads: str
    squad_rules: tuple[str, ...]


CONSTITUTION_FILE = ".limpet/constitution.md"
SQUAD_FILE = "squad.yaml"
LIMPET = Layout(
    folder=".limpet/rules",
    manifest="manifest",
    suffixes=("", ".env"),
    command="limpet",
    aliases={"synapse": ".synapse", "carl": ".carl"},
    squads="squads",
    squad_rules=(".limpet/rules", ".synapse"),
)
# The project's manifest, from its root.
MANIFEST = f"{LIMPET.folder}/{LIMPET.manifest}"


def most_bytes(path: str) -> int:
    """Return how large a file of the rules may be, to be read."""
    return STATE_BYTES if path.rpartition("/")[2] == LIMPET.manifest else RULES_BYTES
