"""How programs take their options: which have a value, which name a folder, where the word is that says what to do."""

from __future__ import annotations

# Options that come before the word that says what to do, and take the next word as their value.
VALUES: dict[str, tuple[str, ...]] = {
    "git": ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix", "--attr-source"),
    "gh": ("-R", "--repo", "--hostname"),
    "glab": ("-R", "--repo"),
    "jj": ("-R", "--repository", "--config", "--config-file", "--color", "--at-operation", "--at-op"),
    "hub": ("-C", "-c", "--git-dir", "--work-tree"),
    "npm": ("--prefix", "-w", "--workspace", "--registry", "--cache", "--userconfig", "-C", "--loglevel"),
    "pnpm": ("-C", "--dir", "--filter", "-F", "--prefix", "--workspace-concurrency", "--reporter"),
    "yarn": ("--cwd", "--cache-folder", "--modules-folder", "--mutex", "--network-timeout"),
    "bun": ("--cwd", "--filter", "-c", "--config"),
    "cargo": ("--manifest-path", "--color", "--config", "-Z", "-C", "--target-dir"),
    "uv": ("--directory", "--project", "--cache-dir", "--color", "--config-file", "--python", "-p"),
    "poetry": ("-C", "--directory", "-P", "--project"),
    "twine": (),
    "docker": ("-H", "--host", "-c", "--context", "--config", "-l", "--log-level"),
    "podman": ("-H", "--url", "-c", "--connection", "--root", "--log-level"),
    "kubectl": ("-n", "--namespace", "--context", "--kubeconfig", "--cluster", "--user", "-s", "--server", "--as"),
    "oc": ("-n", "--namespace", "--context", "--kubeconfig"),
    "helm": ("-n", "--namespace", "--kube-context", "--kubeconfig", "--registry-config", "--repository-config"),
    "terraform": (),
    "tofu": (),
    "aws": ("--profile", "--region", "--output", "--endpoint-url", "--query", "--cli-binary-format"),
    "gcloud": ("--project", "--account", "--configuration", "--format", "--verbosity", "--region", "--zone"),
    "gsutil": ("-o", "-h", "-u"),
    "az": ("--subscription", "--output", "-o", "--query"),
    "gem": (),
    "vercel": ("--token", "--scope", "-S", "--cwd", "-t"),
    "netlify": ("--auth", "--filter"),
    "firebase": ("-P", "--project", "--token"),
    "wrangler": ("-c", "--config", "-e", "--env", "--cwd"),
    "fly": ("-t", "--access-token"),
    "heroku": (),
    "systemctl": ("-t", "--type", "-H", "--host", "-M", "--machine"),
    "brew": (),
}
# Options that name the folder a program works in.
FOLDERS: dict[str, tuple[str, ...]] = {
    "git": ("-C",),
    "hub": ("-C",),
    "make": ("-C", "--directory"),
    "gmake": ("-C", "--directory"),
    "ninja": ("-C",),
    "env": ("-C", "--chdir"),
    "sudo": ("-D", "--chdir"),
    "npm": ("--prefix", "-C"),
    "pnpm": ("-C", "--dir"),
    "yarn": ("--cwd",),
    "bun": ("--cwd",),
    "cargo": ("-C",),
    "go": ("-C",),
    "uv": ("--directory",),
    "poetry": ("-C", "--directory"),
    "just": ("-d", "--working-directory"),
    "terraform": ("-chdir",),
    "tofu": ("-chdir",),
    "mise": ("-C", "--cd"),
    "conda run": ("--cwd",),
}
# What git itself and its common companions know; any other word may be an alias for anything.
_OF_GIT = frozenset(
    "add am annotate apply archive backfill bisect blame branch bugreport bundle cat-file check-attr check-ignore "
    "check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit "
    "commit-graph commit-tree config count-objects credential credential-cache credential-store daemon describe "
    "diagnose diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack "
    "filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsmonitor--daemon gc "
    "get-tar-commit-id grep gui hash-object help hook http-backend http-fetch http-push index-pack init init-db "
    "instaweb interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base "
    "merge-file merge-index merge-one-file merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes "
    "p4 pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push quiltimport range-diff "
    "read-tree rebase receive-pack reflog remote repack replace replay request-pull rerere reset restore rev-list "
    "rev-parse revert rm send-email send-pack shortlog show show-branch show-index show-ref sparse-checkout stage "
    "stash status stripspace submodule subtree svn switch symbolic-ref tag unpack-file unpack-objects "
    "update-index update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack "
    "verify-tag version whatchanged worktree write-tree lfs flow annex crypt secret gitk citool cvsexportcommit "
    "cvsimport absorb branchless town-crier filter-repo machete delta sizer standup".split()
)


_OF_GH = frozenset(
    "agent-task alias api attestation auth browse cache codespace completion config cs copilot extension ext gist "
    "gpg-key help issue label org pr preview project release repo rs ruleset run search secret ssh-key status variable "
    "version workflow".split()
)
KNOWN_SUBCOMMANDS = {"git": _OF_GIT, "gh": _OF_GH}


def option_values(words: tuple[str, ...], names: tuple[str, ...]) -> list[str]:
    """Return the values of these options, in the order of the words: ``-C dir``, ``-Cdir``, ``--dir=dir``."""
    found: list[str] = []
    for at, word in enumerate(words):
        if word in names:
            found += words[at + 1 : at + 2]
        elif word[:1] == "-":
            name, equals, value = word.partition("=")
            if equals and name in names:
                found.append(value)
            elif word[:2] in names and word[1:2] != "-" and len(word) > 2:
                found.append(word[2:])
    return found


def after_options(words: tuple[str, ...], values: tuple[str, ...]) -> int:
    """Return where the first word is that is neither an option nor the value of one, from the second word on."""
    at = 1
    while at < len(words) and words[at][:1] == "-" and len(words[at]) > 1:
        at += 2 if words[at] in values else 1
    return at


def subcommand(words: tuple[str, ...], name: str) -> str | None:
    """Return the word that says what a program does, "" where there is none, None for programs without such a word."""
    values = VALUES.get(name)
    if values is None:
        return None
    at = after_options(words, values)
    return words[at] if at < len(words) else ""
