"""Version control and the forges that host it."""

from __future__ import annotations

_FORCED = "-f --force --force-with-lease --force-if-includes --mirror --delete -d --prune ^: ^+"
_FIELDS = "-f -F --field --raw-field --input"
_METHOD = "-X! --method!"
_WRITES_API = f"{_METHOD} {_FIELDS} & !-X=GET & !--method=GET & !graphql"

_READS = (
    "status|log|diff|show|blame|annotate|shortlog|describe|rev-parse|rev-list|ls-files|ls-tree|cat-file|grep|"
    "name-rev|for-each-ref|merge-base|show-ref|show-branch|cherry|whatchanged|diff-tree|diff-files|diff-index|"
    "count-objects|check-ignore|check-attr|range-diff|var|help|version|verify-commit|verify-tag|archive|bundle"
)
_CHANGES = (
    "add|am|apply|checkout|cherry-pick|clean|commit|init|merge|mv|pull|rebase|reset|restore|revert|rm|stash|"
    "submodule|subtree|switch|worktree|read-tree|checkout-index|sparse-checkout|stage|filter-repo|lfs"
)
_GIT = (
    ("push|send-pack|http-push", "", "push", ""),
    ("push", _FORCED, "destructive", ""),
    ("svn dcommit", "", "push", ""),
    ("p4 submit", "", "push", ""),
    ("lfs push", "", "push", ""),
    ("flow publish", "", "push", ""),
    ("subtree push", "", "push", ""),
    ("annex sync|push|copy|move", "", "push", ""),
    ("request-pull|send-email", "", "pull-request", ""),
    ("pr", "", "pull-request", ""),
    ("reset", "--hard --merge --keep", "destructive", "."),
    ("clean", "-f --force -d -x -X & !-n & !--dry-run", "destructive", "."),
    ("checkout", "-- . -f --force -p --ours --theirs", "destructive", "."),
    ("switch", "-f --force --discard-changes -C", "destructive", "."),
    ("checkout|branch", "-B", "destructive", "."),
    ("restore", "!--staged !-S --worktree -W", "destructive", "."),
    ("branch", "-D --delete -d -f --force -M", "destructive", ""),
    ("tag", "-d --delete -f --force", "destructive", ""),
    ("stash drop|clear", "", "destructive", ""),
    ("reflog expire|delete", "", "destructive", ""),
    ("filter-branch|filter-repo", "", "destructive", "."),
    ("update-ref", "-d --delete --stdin", "destructive", ""),
    ("gc", "--prune --prune=now --aggressive", "destructive", ""),
    ("prune", "", "destructive", ""),
    ("rm", "-f --force & !--cached", "destructive", ""),
    ("worktree remove|prune", "-f --force", "destructive", "rest"),
    ("submodule deinit", "-f --force", "destructive", "."),
    ("remote prune|remove|rm", "", "destructive", ""),
    ("replace|symbolic-ref", "-d --delete", "destructive", ""),
    ("sparse-checkout set|reapply", "", "write", "."),
    (_READS, "", "read", "."),
    (_CHANGES, "", "write", "."),
    ("clone", "", "write", "last"),
    ("clone|fetch|pull|ls-remote|fetch-pack|http-fetch", "", "network", ""),
    ("submodule update|add", "", "network", ""),
    ("remote update", "", "network", ""),
)

REPOSITORIES: dict[str, tuple[str, tuple[tuple[str, str, str, str], ...]]] = {
    "git": (
        "-C -c --git-dir --work-tree --namespace --config-env -m --message -F --file -o --push-option --author --date "
        "--onto -X --strategy-option -s --depth -b -B --branch -n --max-count --format --since --until --origin --repo",
        _GIT,
    ),
    "git-push": ("", (("", "", "push", ""),)),
    "git-send-pack": ("", (("", "", "push", ""),)),
    "git-filter-repo": ("", (("", "", "destructive", "."),)),
    "hub": (
        "-C -c -m -b -h -F -X",
        (
            ("pull-request", "", "pull-request", ""),
            ("pr", "", "pull-request", ""),
            ("release create|edit|delete", "", "release", ""),
            ("merge", "", "merge-request", ""),
            ("sync", "", "push", ""),
            ("api", _WRITES_API, "remote-api", ""),
            ("create|fork|delete", "", "remote-api", ""),
            *_GIT,
        ),
    ),
    "gh": (
        "-R --repo --hostname -X --method -H --header -f -F --field --raw-field -q --jq -t --template --input -b --body "
        "--body-file -T --title -B --base --head -a -l --label -m -r --reviewer -p --project --json -L --limit -s -S "
        "--search --preview --cache -n --notes --target -u",
        (
            ("pr create|edit|close|ready|reopen|new|update-branch|lock|unlock|revert", "", "pull-request", ""),
            ("pr review|comment", "", "remote-api", ""),
            ("pr merge", "", "merge-request", ""),
            ("release create|edit|delete|upload|delete-asset|new", "", "release", ""),
            ("release delete", "", "destructive", ""),
            ("repo sync", "", "push", ""),
            ("repo create", "--push --source", "push", ""),
            ("repo delete|archive", "", "destructive", ""),
            ("repo create|edit|fork|rename|delete|archive|unarchive|deploy-key|autolink", "", "remote-api", ""),
            ("issue create|edit|close|reopen|comment|delete|transfer|pin|lock|new|develop", "", "remote-api", ""),
            ("workflow run|enable|disable", "", "remote-api", ""),
            ("run rerun|cancel|delete", "", "remote-api", ""),
            ("secret|variable set|delete|remove", "", "remote-api", ""),
            (
                "label|gist|ssh-key|gpg-key|codespace|project|cache|ruleset create|edit|delete|add|clone|stop|rm",
                "",
                "remote-api",
                "",
            ),  # fmt: skip
            ("auth login|logout|refresh|token", "", "remote-api", ""),
            ("api graphql", "%mutation %=@ %\0", "remote-api", ""),
            ("api graphql", "%mergepullrequest %enablepullrequestautomerge %mergebranch", "merge-request", ""),
            ("api graphql", "%createpullrequest %updatepullrequest %closepullrequest", "pull-request", ""),
            ("api graphql", "%createcommitonbranch %updateref %createref", "push", ""),
            ("api", _WRITES_API, "remote-api", ""),
            ("api", f"{_WRITES_API} & %/pulls", "pull-request", ""),
            ("api", f"{_WRITES_API} & %/merge", "merge-request", ""),
            ("api", f"{_WRITES_API} & %/releases", "release", ""),
            ("api", f"{_WRITES_API} & %/deployments %/dispatches", "deploy", ""),
            ("api", f"{_WRITES_API} & %/git/refs %/contents/ %/git/commits", "push", ""),
            ("api", "-X=DELETE --method=DELETE", "destructive", ""),
            ("pr checkout|co", "", "write", "."),
            ("release|run download", "", "write", "."),
            ("repo clone", "", "write", "."),
            ("", "", "network", ""),
        ),
    ),
    "glab": (
        "-R --repo -X --method -f -F --field --raw-field -t --title -d --description -b -s -m",
        (
            ("mr create|new|update|close|reopen|for|delete|rebase", "", "pull-request", ""),
            ("mr merge|accept", "", "merge-request", ""),
            ("mr approve|note|revoke", "", "remote-api", ""),
            ("release create|delete|upload", "", "release", ""),
            ("ci run|trigger|retry|delete|cancel", "", "remote-api", ""),
            (
                "issue|label|variable|repo|project|snippet|schedule create|delete|update|close|set|edit|fork",
                "",
                "remote-api",
                "",
            ),  # fmt: skip
            ("repo delete", "", "destructive", ""),
            ("api", _WRITES_API, "remote-api", ""),
            ("api", f"{_WRITES_API} & %/merge_requests", "pull-request", ""),
            ("api", f"{_WRITES_API} & %/merge", "merge-request", ""),
            ("api", f"{_WRITES_API} & %/releases", "release", ""),
            ("", "", "network", ""),
        ),
    ),
    "tea": (
        "-r --repo -t -d -b",
        (
            ("pr|pulls|pull create|close|reopen|c", "", "pull-request", ""),
            ("pr|pulls|pull merge|m", "", "merge-request", ""),
            ("release|releases create|delete|edit|c", "", "release", ""),
            ("", "", "network", ""),
        ),
    ),
    "az": (
        "--subscription --output -o --query --name -n --resource-group -g",
        (
            ("repos pr create|update|reviewer|set-vote", "", "pull-request", ""),
            ("repos pr update", "%completed %auto-complete", "merge-request", ""),
            ("repos delete", "", "destructive", ""),
            ("pipelines run|create|delete", "", "deploy", ""),
            ("webapp|functionapp|containerapp|spring deploy|up|deployment|update|create", "", "deploy", ""),
            ("deployment|group|vm|storage|aks|sql|keyvault|resource delete|purge", "", "destructive", ""),
            ("deployment|group|vm|storage|aks|sql create|update|start", "", "deploy", ""),
            ("", "", "network", ""),
        ),
    ),
    "jj": (
        "-R --repository -r -m --message -b --bookmark --remote --config",
        (
            ("git push", "", "push", ""),
            ("git fetch|clone", "", "network", ""),
            ("abandon|restore", "", "destructive", "."),
            ("log|diff|show|status|st|evolog|file|op|operation|help|version|root", "", "read", "."),
            ("", "", "write", "."),
        ),
    ),
    "hg": (
        "-R --cwd -m -r -b -u",
        (
            ("push", "", "push", ""),
            ("strip|purge|rollback", "", "destructive", "."),
            ("update|revert", "-C --clean --all -a", "destructive", "."),
            ("log|status|diff|cat|st|summary|id|annotate|blame|help", "", "read", "."),
            ("pull|clone|incoming|outgoing", "", "network", ""),
            ("", "", "write", "."),
        ),
    ),
    "svn": (
        "-m -F -r --username --password",
        (
            ("commit|ci|import", "", "push", ""),
            ("revert|delete|rm|remove", "", "destructive", "."),
            ("log|status|diff|cat|info|ls|list|blame|st", "", "read", "."),
            ("", "", "write", "."),
        ),
    ),
    "gt": (
        "-m",
        (
            ("submit|ss|stack", "", "push", ""),
            ("submit|ss|stack", "", "pull-request", ""),
            ("merge", "", "merge-request", ""),
            ("", "", "write", "."),
        ),
    ),
    "sl": ("-R -m -r", (("push", "", "push", ""), ("pr submit|s", "", "push", ""), ("", "", "write", "."))),
    "spr": ("", (("diff|update", "", "pull-request", ""), ("land|merge", "", "merge-request", ""))),
    "git-town": ("", (("sync|ship", "", "push", ""), ("propose", "", "pull-request", ""))),
    "dolt": ("", (("push", "", "push", ""), ("", "", "write", "."))),
    "dvc": ("", (("push", "", "push", ""), ("", "", "write", "."))),
}
