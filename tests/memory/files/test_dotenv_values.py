"""What ``.env`` holds is in no memory, however it is written (decision 24)."""

import os
from pathlib import Path

from ...conversation import write


def test_a_value_of_dotenv_is_written_nowhere(workspace, run):
    """Neither the files nor the index hold it: their bytes are searched."""
    value = "correct-horse-battery-" + "staple"
    write(os.path.join(workspace.root, ".env"), f"QUEUE_PASSPHRASE={value}\n")
    added = run("memory", "add", f"The queue opens with {value}, said the user", "--tag", value)
    assert added.returncode == 0, added.stderr
    run("memory", "search", "queue")
    files = [path for path in Path(workspace.home).rglob("*") if path.is_file()]
    assert [path for path in files if value.encode() in path.read_bytes()] == []


def test_no_door_lets_a_packages_secret_or_a_line_of_one_through(workspace, run):
    """Words, a title, a tag, a reason, an edit, a gotcha and an import: the bytes of all files are searched."""
    package, line = "marble-kettle-sparrow-" + "twine", "MIIEvQIBADANBg" + "kqhkiG9w0"
    write(os.path.join(workspace.root, "packages", "api", ".env"), f"API_PASSPHRASE='{package}'\n")
    write(os.path.join(workspace.root, ".env.local"), f'export TLS_KEY="{line}\n{line[::-1]}"\n')
    said = f"It opens with {package} and {line}"
    added = run("memory", "add", said, "--tag", package, "--path", f"docs/{package}.md", "--why", said)
    key = added.stdout.strip()
    write(os.path.join(workspace.root, "old.md"), f"---\nid: mem-2026-01-01-abcd2345\n---\n\n# {package}\n\n{said}\n")
    for arguments in (
        ["memory", "edit", key, "--body", f"{said}, still"],
        ["memory", "forget", key],
        ["gotcha", "add", f"It breaks: {said}", "--workaround", said],
        ["memory", "import", os.path.join(workspace.root, "old.md")],
        ["memory", "export", os.path.join(workspace.home, "export.json")],
    ):
        assert run(*arguments).returncode in (0, 1), arguments
    told = [path for path in Path(workspace.home).rglob("*") if path.is_file()]
    assert told
    for secret in (package, line):
        assert [path for path in told if secret.encode() in path.read_bytes()] == []
