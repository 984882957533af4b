"""Where rules lie and what they are called, as data: another product's folder is another row, not other code."""

from holdfast.ground.values import Value


class Layout(Value):
    """A rules folder relative to the project, its manifest, domain file suffixes and the star-command that
    governs it."""

    folder: str
    manifest: str
    suffixes: tuple[str, ...]
    command: str


CONSTITUTION_FILE = ".holdfast/constitution.md"
HOLDFAST = Layout(folder=".holdfast/rules", manifest="manifest", suffixes=("", ".env"), command="holdfast")
