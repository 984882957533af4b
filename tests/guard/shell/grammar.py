"""Forbidden commands in forms of the shell that hide them, composed from a seed."""

from __future__ import annotations

import base64
import random
import shlex

# A forbidden command -> the kind of act that it is.
FORBIDDEN = {
    "git push": "push", "git push origin main": "push", "git -C repo push": "push",
    "git -c user.name=x push origin HEAD": "push", "git --git-dir=x/.git push --tags": "push",
    "git push --force origin topic": "destructive", "git reset --hard HEAD~1": "destructive",
    "git branch -D topic": "destructive", "git clean -fdx": "destructive", "gh pr merge 12 --squash": "merge-request",
    "gh pr create --title x --body y": "pull-request", "gh release create v1": "release",
    "gh api -X DELETE repos/o/r/git/refs/heads/main": "remote-api", "glab mr merge 3": "merge-request",
    "rm -rf /": "destructive", "rm -r -f build": "destructive", "npm publish": "release",
    "pnpm publish --access public": "release", "twine upload dist/pkg.whl": "release", "cargo publish": "release",
    "docker push o/r": "release", "terraform destroy -auto-approve": "destructive", "terraform apply": "deploy",
    "kubectl delete pod x": "destructive", "kubectl apply -f x.yaml": "deploy",
    "find . -name x -delete": "destructive", "dd if=/dev/zero of=/dev/sda": "destructive",
    "curl -X PUT https://api.github.com/repos/o/r/pulls/1/merge": "merge-request",
}  # fmt: skip


def forbidden(seed: int) -> tuple[str, str]:
    """Return a text that runs a forbidden command, and the kind of act."""
    chance = random.Random(seed)
    command = chance.choice(sorted(FORBIDDEN))
    text = _spelled(command, chance)
    for _ in range(chance.choice((0, 1, 1, 2, 2, 2))):
        text = chance.choice(_FORMS)(text, chance)
    return text, FORBIDDEN[command]


def _spelled(command: str, chance: random.Random) -> str:
    """Return the command with some of its words spelled otherwise."""
    words = command.split()
    spelled = [chance.choice(_SPELLINGS)(word, chance) if chance.random() < 0.35 else word for word in words]
    if chance.random() < 0.15:
        spelled[0] = chance.choice(("/usr/bin/", "./", "$HOME/bin/")) + words[0]
    return chance.choice(_JOINTS)(spelled, chance)


def _split_quotes(word: str, chance: random.Random) -> str:
    at = chance.randrange(len(word))
    return word[:at] + chance.choice(('""', "''")) + word[at:]


def _part_quoted(word: str, chance: random.Random) -> str:
    at = chance.randrange(len(word))
    return f"{word[:at]}'{word[at:]}'"


def _backslash(word: str, chance: random.Random) -> str:
    at = chance.randrange(len(word))
    return word[:at] + "\\" + word[at:]


def _ansi(word: str, chance: random.Random) -> str:
    at = chance.randrange(len(word))
    code = chance.choice((f"\\x{ord(word[at]):02x}", f"\\{ord(word[at]):03o}", f"\\u{ord(word[at]):04x}"))
    return f"{word[:at]}$'{code}'{word[at + 1 :]}"


def _default(word: str, chance: random.Random) -> str:
    return "${nowhere_set:-" + word + "}"


def _echoed(word: str, chance: random.Random) -> str:
    return chance.choice(("$(echo %s)", "`echo %s`", "$(printf %%s %s)", "$(cat <<< %s)")) % word


def _continued(word: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(word)) if len(word) > 1 else 0
    return f"{word[:at]}\\\n{word[at:]}"


_SPELLINGS = (_split_quotes, _part_quoted, _backslash, _ansi, _default, _echoed, _continued)


def _spaced(words: list[str], chance: random.Random) -> str:
    return chance.choice((" ", "  ", "\t", " \\\n ")).join(words)


def _separated(words: list[str], chance: random.Random) -> str:
    return words[0] + "${IFS}" + " ".join(words[1:])


def _array(words: list[str], chance: random.Random) -> str:
    return f'run=({" ".join(words)}); "${{run[@]}}"'


def _braced(words: list[str], chance: random.Random) -> str:
    plain = all(word.isalnum() for word in words)
    return "{" + ",".join(words) + "}" if plain and len(words) > 1 else " ".join(words)


def _by_variable(words: list[str], chance: random.Random) -> str:
    return f"tool={words[0]}; $tool {' '.join(words[1:])}"


_JOINTS = (_spaced, _spaced, _spaced, _spaced, _separated, _array, _braced, _by_variable)


def _quote(text: str) -> str:
    return shlex.quote(text)


def _document(text: str, before: str, after: str = "") -> str:
    end = f"END{text.count('END')}"
    return f"{before} <<'{end}'{after}\n{text}\n{end}\n"


def _code(text: str, quote: str = '"') -> str:
    return quote + text.replace("\\", "\\\\").replace(quote, "\\" + quote).replace("\n", "\\n") + quote


def _python(text: str, chance: random.Random) -> str:
    code = chance.choice(
        (
            f"import os; os.system({_code(text)})",
            f"import subprocess; subprocess.run({_code(text)}, shell=True)",
            f"import subprocess as s; s.check_call(['sh', '-c', {_code(text)}])",
            f"__import__('os').popen({_code(text)}).read()",
            f"import os\nfor each in range(2):\n    command = {_code(text)}\n    os.system(command)",
        )
    )
    return f"{chance.choice(('python', 'python3', 'python3.12'))} -c {_quote(code)}"


def _node(text: str, chance: random.Random) -> str:
    code = chance.choice(
        (
            f"require('child_process').execSync({_code(text)})",
            f"const {{exec}} = require('child_process'); exec({_code(text)}, () => {{}})",
            f"require('node:child_process').spawnSync('sh', ['-c', {_code(text)}])",
        )
    )
    return f"node {chance.choice(('-e', '--eval', '-p'))} {_quote(code)}"


def _perl(text: str, chance: random.Random) -> str:
    plain = "('" + text.replace("\\", "\\\\").replace("'", "\\'") + "')"
    head, call = chance.choice((("perl -e", "system"), ("ruby -e", "system"), ("php -r", "shell_exec")))
    return f"{head} {_quote(call + plain)}"


def _awk(text: str, chance: random.Random) -> str:
    return f"awk {_quote('BEGIN { system(' + _code(text) + ') }')}"


def _encoded(text: str, chance: random.Random) -> str:
    code = base64.b64encode(text.encode()).decode()
    return f": {_quote(text)}; echo {code} | base64 -d | sh"


def _on_one_line(text: str, form: str) -> str:
    """Return a text in a form that takes no line breaks and no pipes, or as it is where it has some."""
    return text if "\n" in text or "|" in text else form.replace("TEXT", _quote(text))


def _script(text: str, chance: random.Random) -> str:
    """A script for an interpreter, in a here-document."""
    code, program = chance.choice(
        (
            (f"import subprocess\nsubprocess.call(['bash', '-c', {_code(text)}])", "python3 -"),
            (f"require('child_process').execSync({_code(text)})", "node"),
        )
    )
    return _document(code, program)


_HEADS = ("env A=1", "nohup", "time", "nice -n 5", "timeout 60", "stdbuf -oL", "setsid", "sudo -n", "command", "exec")


def _headed(text: str, chance: random.Random) -> str:
    return f"{chance.choice(_HEADS)} bash -c {_quote(text)}"


_FORMS = (
    lambda text, chance: f"git status && {text}",
    lambda text, chance: f"ls; {text}",
    lambda text, chance: f"false || {text}",
    lambda text, chance: f"make test & {text}",
    lambda text, chance: f"true && {{ {text}\n}}",
    lambda text, chance: f"( {text}\n)",
    lambda text, chance: f"echo $({text}\n)",
    lambda text, chance: f'echo "done: $({text}\n)"',
    lambda text, chance: f"cat <({text}\n)",
    lambda text, chance: f"x=$({text}\n)",
    lambda text, chance: f"cat <<EOF\n$({text}\n)\nEOF\n",
    lambda text, chance: f"if true; then {text}\nfi",
    lambda text, chance: f"if {text}\nthen :; fi",
    lambda text, chance: f"while true; do {text}\nbreak; done",
    lambda text, chance: f"for i in 1 2; do {text}\ndone",
    lambda text, chance: f"case x in x) {text}\n;; esac",
    lambda text, chance: f"go() {{ {text}\n}}; go",
    lambda text, chance: f"function go {{ {text}\n}}\ngo a b",
    lambda text, chance: f"eval {_quote(text)}",
    lambda text, chance: f'x={_quote(text)}; eval "$x"',
    lambda text, chance: f"{chance.choice(('bash', 'sh', 'zsh', '/bin/dash'))} -c {_quote(text)}",
    lambda text, chance: f"bash -euxo pipefail -c {_quote(text)}",
    lambda text, chance: _document(text, "bash"),
    lambda text, chance: _document(text, "cat", " | sh"),
    lambda text, chance: _document(text, "cat > go.sh") + "bash go.sh",
    lambda text, chance: _document(text, "cat > go.sh") + "chmod +x go.sh && ./go.sh",
    lambda text, chance: f"bash <<< {_quote(text)}",
    lambda text, chance: f"printf '%s\\n' {_quote(text)} | bash",
    lambda text, chance: f"echo {_quote(text)} > go.sh; . ./go.sh",
    lambda text, chance: f"trap {_quote(text)} EXIT",
    lambda text, chance: f"alias go={_quote(text)}\ngo",
    lambda text, chance: f"find . -maxdepth 0 -exec sh -c {_quote(text)} \\;",
    lambda text, chance: f"echo x | xargs -I{{}} sh -c {_quote(text)}",
    lambda text, chance: f"xargs sh -c {_quote(text)} < list",
    lambda text, chance: f"watch -n 1 {_quote(text)}",
    lambda text, chance: f"ssh host {_quote(text)}",
    lambda text, chance: f"docker exec box sh -c {_quote(text)}",
    lambda text, chance: f"uv run bash -c {_quote(text)}",
    lambda text, chance: f"npx -c {_quote(text)}",
    lambda text, chance: f"su -c {_quote(text)} me",
    lambda text, chance: f"git bisect run sh -c {_quote(text)}",
    lambda text, chance: f"git -c alias.go={_quote('!' + text)} go",
    lambda text, chance: f"GIT_EDITOR={_quote(text)} git commit",
    lambda text, chance: f"coproc {{ {text}\n}}",
    lambda text, chance: f"exec 3< <({text}\n)",
    lambda text, chance: f"parallel ::: {_quote(text)}",
    lambda text, chance: f"[[ -n $({text}\n) ]]",
    lambda text, chance: f"echo $(( $({text}\n) + 1 ))",
    lambda text, chance: f"a=($({text}\n))",
    lambda text, chance: f"export x=$({text}\n)",
    lambda text, chance: f"env -S {_quote('sh -c ' + _quote(text))}",
    lambda text, chance: f"busybox sh -c {_quote(text)}",
    lambda text, chance: f"script -qec {_quote(text)} /dev/null",
    lambda text, chance: f"flock lock -c {_quote(text)}",
    lambda text, chance: f"tmux new-session -d {_quote(text)}",
    lambda text, chance: f"kubectl exec -it pod -- sh -c {_quote(text)}",
    lambda text, chance: f"echo {_quote(text)} | tee log | sh",
    lambda text, chance: f"echo {_quote(text)} | rev | rev | sh",
    lambda text, chance: f'set -- {_quote(text)}; eval "$1"',
    lambda text, chance: f'go() {{ eval "$1"; }}; go {_quote(text)}',
    lambda text, chance: _on_one_line(text, 'read -r x <<< TEXT; eval "$x"'),
    lambda text, chance: f"git rebase -i --exec {_quote(text)} main",
    lambda text, chance: f"git submodule foreach {_quote(text)}",
    lambda text, chance: f"git config alias.go {_quote('!' + text)} && git go",
    lambda text, chance: f"tar cf x.tar --checkpoint=1 --checkpoint-action=exec={_quote(text)} .",
    lambda text, chance: f"select x in a; do {text}\nbreak; done < answers",
    lambda text, chance: f"until {text}\ndo sleep 1; done",
    lambda text, chance: f"! {text}",
    lambda text, chance: f"source <(echo {_quote(text)})",
    lambda text, chance: f"sh < <(echo {_quote(text)})",
    lambda text, chance: _on_one_line(text, "vim -es -c '!'TEXT -c q"),
    _headed,
    _headed,
    _script,
    _python,
    _node,
    _perl,
    _awk,
    _encoded,
)
