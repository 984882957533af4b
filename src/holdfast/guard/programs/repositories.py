"""Version control and the forges that host it."""

from __future__ import annotations

# Calls of a forge's interface that change something there.
_WRITES_API = "-X! --method! -f -F --field --raw-field --input & !-X=GET & !--method=GET & !graphql"
REPOSITORIES = f"""
git = -C -c --git-dir --work-tree --namespace --config-env -m --message -F --file -o --push-option --author --date
    --onto -X --strategy-option -s --depth -b -B --branch -n --max-count --format --since --until --origin --repo
  push: push|send-pack|http-push
  commit: commit|ci
  destructive: push ? -f --force --force-with-lease --force-if-includes --mirror --delete -d --prune ^: ^+
  push: svn dcommit
  push: p4 submit
  push: lfs push
  push: flow publish
  push: subtree push
  push: annex sync|push|copy|move
  pull-request: request-pull|send-email
  pull-request: pr
  destructive .: reset ? --hard --merge --keep
  destructive .: read-tree ? --reset
  destructive .: clean ? -f --force -d -x -X & !-n & !--dry-run
  destructive .: checkout ? -- . -f --force -p --ours --theirs
  destructive .: switch ? -f --force --discard-changes -C
  destructive .: checkout|branch ? -B
  destructive .: restore ? !--staged & !-S
  destructive .: restore ? --worktree -W
  destructive: branch ? -D --delete -d -f --force -M -C
  write --output: log|diff|show|format-patch ? --output
  destructive: tag ? -d --delete -f --force
  destructive: stash drop|clear
  destructive: reflog expire|delete
  destructive .: filter-branch|filter-repo
  destructive: update-ref ? -d --delete --stdin
  destructive: gc ? --prune --prune=now --aggressive
  destructive: prune
  destructive: rm ? -f --force & !--cached
  destructive rest: worktree remove|prune ? -f --force
  destructive .: submodule deinit ? -f --force
  destructive: remote prune|remove|rm
  destructive: replace|symbolic-ref ? -d --delete
  write .: sparse-checkout set|reapply
  read .:
      status|log|diff|show|blame|annotate|shortlog|describe|rev-parse|rev-list|ls-files|ls-tree|cat-file|grep|
      name-rev|for-each-ref|merge-base|show-ref|show-branch|cherry|whatchanged|diff-tree|diff-files|diff-index|
      count-objects|check-ignore|check-attr|range-diff|var|help|version|verify-commit|verify-tag|archive|bundle
  write .:
      add|am|apply|checkout|cherry-pick|clean|commit|init|merge|mv|pull|rebase|reset|restore|revert|rm|stash|
      submodule|subtree|switch|worktree|read-tree|checkout-index|sparse-checkout|stage|filter-repo|lfs
  configure: config ? %core.hookspath %core.fsmonitor %core.sshcommand %core.pager %core.editor %core.askpass %alias.
      %sequence.editor %include.path %includeif. %.command %.cmd %.helper %.textconv %.driver %.clean %.smudge %.process
      %.program %diff.external & !get & !list & !--get & !--get-all & !--get-regexp & !--list
  write last: clone
  network: clone|fetch|pull|ls-remote|fetch-pack|http-fetch
  network: submodule update|add
  network: remote update
git-push git-send-pack
  push:
git-filter-repo
  destructive .:
hub = -C -c -m -b -h -F -X
  pull-request: pull-request
  pull-request: pr
  release: release create|edit|delete
  merge-request: merge
  push: sync
  remote-api: api ? {_WRITES_API}
  remote-api: create|fork|delete
  like: git
gh = -R --repo --hostname -X --method -H --header -f -F --field --raw-field -q --jq -t --template --input -b --body
    --body-file -T --title -B --base --head -a -l --label -m -r --reviewer -p --project --json -L --limit -s -S
    --search --preview --cache -n --notes --target -u
  pull-request: pr create|edit|close|ready|reopen|new|update-branch|lock|unlock|revert
  remote-api: pr review|comment
  merge-request: pr merge
  release: release create|edit|delete|upload|delete-asset|new
  destructive: release delete
  push: repo sync
  push: repo create ? --push --source
  destructive: repo delete|archive
  remote-api: repo create|edit|fork|rename|delete|archive|unarchive|deploy-key|autolink
  remote-api: issue create|edit|close|reopen|comment|delete|transfer|pin|lock|new|develop
  remote-api: workflow run|enable|disable
  remote-api: run rerun|cancel|delete
  remote-api: secret|variable set|delete|remove
  remote-api: label|gist|ssh-key|gpg-key|codespace|project|cache|ruleset create|edit|delete|add|clone|stop|rm
  remote-api: auth login|logout|refresh|token
  remote-api: api graphql ? %mutation %=@ %\0
  merge-request: api graphql ? %mergepullrequest %enablepullrequestautomerge %mergebranch
  pull-request: api graphql ? %createpullrequest %updatepullrequest %closepullrequest
  push: api graphql ? %createcommitonbranch %updateref %createref
  remote-api: api ? {_WRITES_API}
  pull-request: api ? {_WRITES_API} & %/pulls
  merge-request: api ? {_WRITES_API} & %/merge
  release: api ? {_WRITES_API} & %/releases
  deploy: api ? {_WRITES_API} & %/deployments %/dispatches
  push: api ? {_WRITES_API} & %/git/refs %/contents/ %/git/commits
  destructive: api ? -X=DELETE --method=DELETE
  write .: pr checkout|co
  write .: release|run download
  write .: repo clone
  network:
glab = -R --repo -X --method -f -F --field --raw-field -t --title -d --description -b -s -m
  pull-request: mr create|new|update|close|reopen|for|delete|rebase
  merge-request: mr merge|accept
  remote-api: mr approve|note|revoke
  release: release create|delete|upload
  remote-api: ci run|trigger|retry|delete|cancel
  remote-api: issue|label|variable|repo|project|snippet|schedule create|delete|update|close|set|edit|fork
  destructive: repo delete
  remote-api: api ? {_WRITES_API}
  pull-request: api ? {_WRITES_API} & %/merge_requests
  merge-request: api ? {_WRITES_API} & %/merge
  release: api ? {_WRITES_API} & %/releases
  network:
tea = -r --repo -t -d -b
  pull-request: pr|pulls|pull create|close|reopen|c
  merge-request: pr|pulls|pull merge|m
  release: release|releases create|delete|edit|c
  network:
az = --subscription --output -o --query --name -n --resource-group -g
  pull-request: repos pr create|update|reviewer|set-vote
  merge-request: repos pr update ? %completed %auto-complete
  destructive: repos delete
  deploy: pipelines run|create|delete
  deploy: webapp|functionapp|containerapp|spring deploy|up|deployment|update|create
  destructive: deployment|group|vm|storage|aks|sql|keyvault|resource delete|purge
  deploy: deployment|group|vm|storage|aks|sql create|update|start
  network:
jj = -R --repository -r -m --message -b --bookmark --remote --config
  push: git push
  network: git fetch|clone
  destructive .: abandon|restore
  read .: log|diff|show|status|st|evolog|file|op|operation|help|version|root
  write .:
hg = -R --cwd -m -r -b -u
  push: push
  destructive .: strip|purge|rollback
  destructive .: update|revert ? -C --clean --all -a
  read .: log|status|diff|cat|st|summary|id|annotate|blame|help
  network: pull|clone|incoming|outgoing
  write .:
svn = -m -F -r --username --password
  push: commit|ci|import
  destructive .: revert|delete|rm|remove
  read .: log|status|diff|cat|info|ls|list|blame|st
  write .:
gt = -m
  push: submit|ss|stack
  pull-request: submit|ss|stack
  merge-request: merge
  write .:
sl = -R -m -r
  push: push
  push: pr submit|s
  write .:
spr
  pull-request: diff|update
  merge-request: land|merge
git-town
  push: sync|ship
  pull-request: propose
dolt dvc
  push: push
  write .:
"""
