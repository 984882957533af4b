"""Programs that run another program: where in their words that other one is."""

from __future__ import annotations

from holdfast.ground.values import Value
from holdfast.guard.shell.options import option_values

# How deep texts and wrappers may hold others before it is not clear.
DEEPEST = 8


class Wrapper(Value):
    """How a program names the one that it runs.

    ``values``: its options that take the next word as their value.
    ``skip``: how many words of its own come before the other program.
    ``texts``: its options whose value is a text for a shell.
    ``joined``: whether the words that are left are joined to a text for a shell.
    ``after``: the word that the other program comes after, where it is given.
    ``assigns``: whether ``NAME=value`` may come before the other program.
    ``away``: whether it runs elsewhere: on another machine, in a container.
    """

    values: str = ""
    skip: int = 0
    texts: str = ""
    joined: bool = False
    after: str = ""
    assigns: bool = False
    away: bool = False


_PLAIN = Wrapper()
_DOCKER_RUN = Wrapper(
    "-e --env --env-file -v --volume -w --workdir -u --user -p --publish --name --network --net -l --label -m --memory "
    "--cpus --entrypoint --platform --mount --tmpfs -h --hostname --gpus --shm-size --restart --ulimit --cap-add "
    "--cap-drop --security-opt --add-host --dns --device --pull --ipc --pid --userns --link --log-driver -a --attach",
    skip=1,
    away=True,
)
_DOCKER_EXEC = Wrapper("-e --env --env-file -u --user -w --workdir --detach-keys", skip=1, away=True)
_COMPOSE = Wrapper(
    "-e --env -u --user -w --workdir --index -v --volume -p --publish --name --entrypoint -l --label", skip=1, away=True
)
_PACKAGE = Wrapper("-p --package -w --workspace --registry --prefix --cache --node-options -n", texts="-c --call")
_UV_RUN = Wrapper(
    "--group --with --with-editable --with-requirements --extra --package --python -p --env-file --directory --project "
    "--only-group --no-group --no-extra --index --index-url --default-index --cache-dir --config-file --color --from "
    "--refresh-package --link-mode --resolution --prerelease --exclude-newer -C --config-setting -n"
)

# A program, or a program and its first words -> how it runs another.
WRAPPERS: dict[str, Wrapper] = {
    "env": Wrapper("-u --unset -C --chdir", texts="-S --split-string", assigns=True),
    "sudo": Wrapper("-u --user -g --group -h --host -p --prompt -C -D --chdir -r -t -T -U -R --chroot", assigns=True),
    "doas": Wrapper("-u -C -a", assigns=True),
    "su": Wrapper("-s --shell -g -G -w", skip=1000, texts="-c --command --session-command"),
    "runuser": Wrapper("-u --user -g -G -s --shell", texts="-c --command"),
    "nohup": _PLAIN,
    "time": Wrapper("-f -o --format --output"),
    "nice": Wrapper("-n --adjustment"),
    "ionice": Wrapper("-c -n -p --class --classdata"),
    "chrt": Wrapper(skip=1),
    "taskset": Wrapper(skip=1),
    "timeout": Wrapper("-k -s --kill-after --signal", skip=1),
    "gtimeout": Wrapper("-k -s --kill-after --signal", skip=1),
    "stdbuf": Wrapper("-i -o -e --input --output --error"),
    "unbuffer": _PLAIN,
    "builtin": _PLAIN,
    "exec": Wrapper("-a"),
    "setsid": _PLAIN,
    "setarch": Wrapper(skip=1),
    "chronic": _PLAIN,
    "caffeinate": Wrapper("-t -w"),
    "strace": Wrapper("-e -o -p -s -u -E -P -a -I -O -S -X"),
    "ltrace": Wrapper("-e -o -p -s -u -n -a"),
    "valgrind": _PLAIN,
    "catchsegv": _PLAIN,
    "fakeroot": _PLAIN,
    "firejail": _PLAIN,
    "bwrap": Wrapper("--setenv --unsetenv --chdir", after="--"),
    "unshare": _PLAIN,
    "nsenter": Wrapper("-t --target -S -G"),
    "chroot": Wrapper("--userspec --groups", skip=1, away=True),
    "systemd-run": Wrapper("-p --property -u --unit --slice -E --setenv --uid --gid --working-directory --description"),
    "systemd-inhibit": _PLAIN,
    "dbus-run-session": Wrapper(after="--"),
    "xvfb-run": Wrapper("-n -s -e -f -p -w --server-args --server-num"),
    "watch": Wrapper("-n --interval -q --equexit", joined=True),
    "entr": _PLAIN,
    "watchexec": Wrapper("-e --exts -w --watch -i --ignore -f --filter -d --debounce -s --signal", joined=True),
    "nodemon": Wrapper("-e --ext -w --watch -i --ignore -d --delay", texts="-x --exec", skip=1000),
    "flock": Wrapper("-w --timeout -E --conflict-exit-code", skip=1, texts="-c --command"),
    "script": Wrapper("-T -I -O -B -m -o", skip=1000, texts="-c --command"),
    "ssh": Wrapper("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w", skip=1, joined=True, away=True),
    "sshpass": Wrapper("-p -f -d -P"),
    "mosh": Wrapper("-p --ssh", skip=1, after="--", away=True),
    "parallel-ssh": Wrapper("-h -H -l -p -o -e -t", joined=True, away=True),
    "docker run": _DOCKER_RUN,
    "docker exec": _DOCKER_EXEC,
    "docker container run": _DOCKER_RUN,
    "docker container exec": _DOCKER_EXEC,
    "docker create": _DOCKER_RUN,
    "docker compose exec": _COMPOSE,
    "docker compose run": _COMPOSE,
    "docker-compose exec": _COMPOSE,
    "docker-compose run": _COMPOSE,
    "podman run": _DOCKER_RUN,
    "podman exec": _DOCKER_EXEC,
    "nerdctl run": _DOCKER_RUN,
    "nerdctl exec": _DOCKER_EXEC,
    "kubectl exec": Wrapper("-n --namespace -c --container --context --kubeconfig -f", skip=1, after="--", away=True),
    "oc exec": Wrapper("-n --namespace -c --container", skip=1, after="--", away=True),
    "kubectl run": Wrapper(after="--", skip=1000, away=True),
    "heroku run": Wrapper("-a --app -s --size --type", joined=True, away=True),
    "fly ssh console": Wrapper("-a --app", texts="-C --command", skip=1000, away=True),
    "flyctl ssh console": Wrapper("-a --app", texts="-C --command", skip=1000, away=True),
    "vagrant ssh": Wrapper(texts="-c --command", skip=1000, away=True),
    "wsl": Wrapper("-d --distribution -u --user --cd"),
    "npx": _PACKAGE,
    "bunx": _PACKAGE,
    "npm exec": _PACKAGE,
    "npm x": _PACKAGE,
    "pnpm exec": Wrapper("--filter -F --dir -C"),
    "pnpm dlx": _PACKAGE,
    "yarn exec": _PLAIN,
    "yarn dlx": _PACKAGE,
    "bun x": _PACKAGE,
    "cross-env": Wrapper(assigns=True),
    "cross-env-shell": Wrapper(assigns=True, joined=True),
    "dotenv": Wrapper("-e -f -v", assigns=True),
    "dotenv run": Wrapper("-f --file"),
    "concurrently": Wrapper("-n --names -c --prefix-colors", skip=1000),
    "uvx": _UV_RUN,
    "uv run": _UV_RUN,
    "uv tool run": _UV_RUN,
    "pipx run": Wrapper("--spec --python --pip-args --index-url"),
    "poetry run": _PLAIN,
    "pdm run": Wrapper("-p --project"),
    "rye run": _PLAIN,
    "hatch run": _PLAIN,
    "pipenv run": _PLAIN,
    "conda run": Wrapper("-n --name -p --prefix --cwd"),
    "mamba run": Wrapper("-n --name -p --prefix --cwd"),
    "micromamba run": Wrapper("-n --name -p --prefix --cwd"),
    "coverage run": Wrapper("--rcfile --source --include --omit --context --concurrency"),
    "bundle exec": _PLAIN,
    "rbenv exec": _PLAIN,
    "pyenv exec": _PLAIN,
    "asdf exec": _PLAIN,
    "mise exec": Wrapper("-C --cd", after="--", texts="-c --command"),
    "mise x": Wrapper("-C --cd", after="--", texts="-c --command"),
    "direnv exec": Wrapper(skip=1),
    "rustup run": Wrapper(skip=1),
    "stack exec": Wrapper("--package"),
    "cabal exec": _PLAIN,
    "opam exec": Wrapper("--switch", after="--"),
    "nix-shell": Wrapper("-p --packages -I -A", skip=1000, texts="--run --command"),
    "nix develop": Wrapper("--override-input", skip=1000, after="-c"),
    "doppler run": Wrapper("-p --project -c --config", after="--", texts="--command"),
    "op run": Wrapper("--env-file", after="--"),
    "aws-vault exec": Wrapper("-d --duration", after="--"),
    "chamber exec": Wrapper(after="--"),
    "infisical run": Wrapper("--env --path", after="--", texts="--command"),
    "ddev exec": Wrapper("-s --service -d --dir", joined=True, away=True),
    "lando ssh": Wrapper("-s --service -u --user", texts="-c --command", away=True),
    "busybox": _PLAIN,
    "toybox": _PLAIN,
    "hyperfine": Wrapper("-w --warmup -r --runs -m -M", skip=1000, texts="-p --prepare -c --cleanup -s --setup"),
    "tmux new-session": Wrapper("-s -n -c -x -y -t -F -e", joined=True),
    "tmux new": Wrapper("-s -n -c -x -y -t -F -e", joined=True),
    "tmux new-window": Wrapper("-n -c -t -F -e", joined=True),
    "tmux split-window": Wrapper("-c -t -l -p -F -e", joined=True),
    "tmux run-shell": Wrapper("-t -d", joined=True),
    "tmux send-keys": Wrapper("-t -N", joined=True),
    "tmux send": Wrapper("-t -N", joined=True),
    "screen": Wrapper("-S -t -c -e -h -p -s -T", texts=""),
    "at": Wrapper("-f -q -t", skip=1000),
    "cmd": Wrapper(joined=True),
    "git bisect run": _PLAIN,
    "git submodule foreach": Wrapper(joined=True),
    "git rebase": Wrapper("-s -X --onto --strategy", skip=1000, texts="-x --exec"),
    "git difftool": Wrapper("-t --tool", skip=1000, texts="-x --extcmd"),
    "git filter-branch": Wrapper(
        skip=1000,
        texts="--tree-filter --index-filter --env-filter --msg-filter --commit-filter --parent-filter "
        "--tag-name-filter",
    ),
}


class Inner(Value):
    """What a program would run.

    ``words``: the other program and its words.
    ``texts``: texts for a shell.
    ``assigned``: variables that are set for it.
    ``skipped``: words of the wrapper's own, such as an image.
    ``entries``: programs that a container is told to start.
    """

    words: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    assigned: tuple[tuple[str, str], ...] = ()
    skipped: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()


def find_wrapper(words: tuple[str, ...], name: str) -> tuple[Wrapper, int] | None:
    """Return how these words run another program, and how many of them name the wrapper itself."""
    for length in (3, 2, 1):
        wrapper = WRAPPERS.get(" ".join((name, *words[1:length])))
        if wrapper is not None and len(words) >= length:
            return wrapper, length
    return None


def inner(words: tuple[str, ...], wrapper: Wrapper, start: int) -> Inner:
    """Return what a wrapper runs: ``words`` from ``start`` on are its options, then the other program."""
    if wrapper.after and wrapper.after in words[start:]:
        return Inner(words[words.index(wrapper.after, start) + 1 :])
    values, text_options = wrapper.values.split(), wrapper.texts.split()
    texts: list[str] = []
    assigned: list[tuple[str, str]] = []
    skipped: list[str] = []
    at = start
    while at < len(words):
        word = words[at]
        option, equals, value = word.partition("=")
        if word == "--":
            at += 1
            break
        if word[:1] == "-" and len(word) > 1:
            if option in text_options or _ends_in(word, text_options):
                texts.append(value if equals and option in text_options else "".join(words[at + 1 : at + 2]))
                at += 1 if equals and option in text_options else 2
            else:
                at += 2 if not equals and (option in values or _ends_in(word, values)) else 1
        elif wrapper.assigns and equals and option.isidentifier():
            assigned.append((option, value))
            at += 1
        elif len(skipped) < wrapper.skip:
            skipped.append(word)
            at += 1
        else:
            break
    rest = words[at:]
    if wrapper.joined and rest:
        return Inner((), (*texts, " ".join(rest)), tuple(assigned))
    entries = tuple(option_values(words[start:at], ("--entrypoint",)))
    return Inner(rest, tuple(texts), tuple(assigned), tuple(skipped[:1]), entries)


def _ends_in(word: str, options: list[str]) -> bool:
    """Return whether a cluster of short options ends in one that takes a value, as in ``sudo -nu root``."""
    is_cluster = word[:1] == "-" and word[1:2] != "-" and len(word) > 2 and word[1:].isalpha()
    return is_cluster and word[:2] not in options and f"-{word[-1]}" in options
