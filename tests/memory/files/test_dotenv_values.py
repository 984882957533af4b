"""What ``.env`` holds is in no memory, however it is written (decision 24)."""

import os
from pathlib import Path

from ...conversation import write


def test_no_door_lets_a_value_of_dotenv_or_a_line_of_one_through(workspace, run):
    """Words, a title, a tag, a reason, an edit, a gotcha, an import, the index: the bytes of all files are searched."""
    value = "correct-horse-battery-" + "staple"
    package, line = "marble-kettle-sparrow-" + "twine", "MIIEvQIBADANBg" + "kqhkiG9w0"
    write(os.path.join(workspace.root, ".env"), f"QUEUE_PASSPHRASE={value}\n")
    write(os.path.join(workspace.root, "packages", "api", ".env"), f"API_PASSPHRASE='{package}'\n")
    write(os.path.join(workspace.root, ".env.local"), f'export TLS_KEY="{line}\n{line[::-1]}"\n')
    said = f"It opens with {package}, {value} and {line}"
    added = run("memory", "add", said, "--tag", package, "--path", f"docs/{package}.md", "--why", said)
    assert added.returncode == 0, added.stderr
    key = added.stdout.strip()
    write(os.path.join(workspace.root, "old.md"), f"---\nid: mem-2026-01-01-abcd2345\n---\n\n# {package}\n\n{said}\n")
    for arguments in (
        ["memory", "search", "opens"],
        ["memory", "edit", key, "--body", f"{said}, still"],
        ["memory", "forget", key],
        ["memory", "add", "--type", "gotcha", f"It breaks: {said}", "--workaround", said],
        ["memory", "import", os.path.join(workspace.root, "old.md")],
        ["memory", "export", os.path.join(workspace.home, "export.json")],
    ):
        assert run(*arguments).returncode in (0, 1), arguments
    told = [path for path in Path(workspace.home).rglob("*") if path.is_file()]
    assert told
    for secret in (value, package, line):
        assert [path for path in told if secret.encode() in path.read_bytes()] == []
