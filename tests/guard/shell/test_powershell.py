"""Texts for PowerShell and cmd."""

from __future__ import annotations

import pytest

from .commands import kinds, read

PUSH, GONE, UNCLEAR = "push", "destructive", "not clear"
POWERSHELL = {
    "git push": PUSH,
    "git status; git push": PUSH,
    "git status && git push": PUSH,
    "git status | Out-Null; if ($?) { git push }": PUSH,
    "& git push": PUSH,
    "& 'C:\\Program Files\\Git\\bin\\git.exe' push": PUSH,
    "g`it push": PUSH,
    "Write-Host $(git push)": PUSH,
    'Write-Host "x $(git push)"': PUSH,
    "iex 'git push'": PUSH,
    'Invoke-Expression "git push"': PUSH,
    'powershell -NoProfile -Command "git push"': PUSH,
    "pwsh -c 'git push'": PUSH,
    "cmd /c git push": PUSH,
    'cmd.exe /c "git push"': PUSH,
    "Start-Process git -ArgumentList push": PUSH,
    "bash -c 'true && git push'": PUSH,
    "ForEach-Object { git push }": PUSH,
    "Remove-Item -Recurse -Force build": GONE,
    "rm -Recurse build": GONE,
    "del -Force x": GONE,
    "ri build -r -fo": GONE,
    "Clear-Content x": GONE,
    "gh pr merge 3": "merge-request",
    "npm publish": "release",
    "iex $x": UNCLEAR,
    "powershell -EncodedCommand ZwBpAHQA": UNCLEAR,
    "pwsh -enc ZwBpAHQA": UNCLEAR,
    "& $program push": UNCLEAR,
    "[ScriptBlock]::Create('git push').Invoke()": UNCLEAR,
    "(New-Object Net.WebClient).DownloadString('x') | iex": UNCLEAR,
    "Write-Host 'x": UNCLEAR,
}
CMD = {
    "git status & git push": PUSH,
    "git status && git push": PUSH,
    "git status || git push": PUSH,
    "gi^t push": PUSH,
    "cmd /c git push": PUSH,
    "del /s /q build": GONE,
    "rd /s /q build": GONE,
    'powershell -Command "git push"': PUSH,
    "%PROGRAM% push": UNCLEAR,
}
HARMLESS = (
    "Get-ChildItem -Recurse src | Select-String 'git push'",
    "Get-Content README.md",
    "Write-Host 'rm -rf /'",
    "Set-Location src; dotnet build",
    "npm run build 2>&1",
    "python -m pytest -q",
    "if (Test-Path x) { Get-Content x }",
    "git log --oneline -5",
    "$env:CI = 1; npm test",
)


@pytest.mark.parametrize("text", POWERSHELL)
def test_the_act_shows_in_powershell(text):
    """Or the text is not clear (decision 42)."""
    wanted = POWERSHELL[text]
    assert not read(text, "powershell").clear if wanted == UNCLEAR else wanted in kinds(text, "powershell")


@pytest.mark.parametrize("text", CMD)
def test_the_act_shows_in_cmd(text):
    """Or the text is not clear."""
    wanted = CMD[text]
    assert not read(text, "cmd").clear if wanted == UNCLEAR else wanted in kinds(text, "cmd")


@pytest.mark.parametrize("text", HARMLESS)
def test_ordinary_work_is_clear(text):
    """And no forbidden act."""
    assert read(text, "powershell").clear and not kinds(text, "powershell") & {PUSH, GONE}


def test_the_folder_and_the_file_are_seen():
    """With the separators that the rest of the guard knows."""
    found = read("cd src\\app; ls > ..\\out.txt", "powershell").commands
    assert found[-1].folder == "src/app" and found[-1].writes == ("../out.txt",)
