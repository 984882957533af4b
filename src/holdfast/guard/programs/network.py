"""Programs that talk to other machines."""

from __future__ import annotations

_FORGES = "%api.github.com %uploads.github.com %/api/v4/ %/api/v3/ %/api/v1/repos %api.bitbucket.org %dev.azure.com"
# Calls of a forge's interface that change something there.
_API = (
    "-X! --request! -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --form-string "
    f"-T --upload-file & !-G & !--get & !-X=GET & !--request=GET & {_FORGES}"
)
NETWORK = f"""
curl = -o --output -X --request -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -H --header
    -u --user -A --user-agent -e --referer -b --cookie -c --cookie-jar -F --form --form-string -T --upload-file -m
    --max-time -x --proxy --connect-timeout --retry --retry-delay --retry-max-time -w --write-out -K --config -E
    --cert --key --cacert -r --range --resolve --url -D --dump-header --output-dir --limit-rate -C --continue-at
  network:
  write -o --output: ? -o --output
  write .: ? -O --remote-name --remote-name-all
  read -T --upload-file: ? -T --upload-file
  read @: ? -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --form-string -T
      --upload-file
  read -K --config: ? -K --config
  remote-api: ? {_API}
  pull-request: ? {_API} & %/pulls %/merge_requests %/pullrequests
  merge-request: ? {_API} & %/merge
  release: ? {_API} & %/releases
  push: ? {_API} & %/git/refs %/contents/ %/git/commits
  destructive: ? -X=DELETE --request=DELETE
wget = -O --output-document -o --output-file -P --directory-prefix -U --user-agent --header --post-data --post-file
    --method --body-data --body-file -t --tries -T --timeout -i --input-file --user --password
  network:
  write -O --output-document: ? -O --output-document
  write -P --directory-prefix .: ? !-O & !--output-document & !--spider
  read --post-file --body-file: ? --post-file --body-file
  remote-api: ? --post-data --post-file --method! --body-data & {_FORGES}
  pull-request: ? --post-data --post-file --method! --body-data & {_FORGES} & %/pulls
http = -a --auth -o --output -p --print --session
  network:
  remote-api: post|put|patch|delete|POST|PUT|PATCH|DELETE ? {_FORGES}
  pull-request: post|put|patch|delete|POST|PUT|PATCH|DELETE ? {_FORGES} & %/pulls
  write -o --output: ? -o --output
https xh = -a --auth -o --output
  network:
  remote-api: post|put|patch|delete|POST|PUT|PATCH|DELETE ? {_FORGES}
aria2c = -d -o -i
  network:
  write -d .:
scp = -P -i -o -F -l -c -S
  network:
  read but-last:
  write last:
sftp = -P -i -o -b
  network:
ftp mosh telnet socat
  network:
lftp = -e -c -u
  network:
rclone = --config
  network:
  destructive: delete|purge|sync|rmdir|deletefile|cleanup
  write last: copy|move|sync
ssh = -i -p -o -l -F -L -R -D -J
  network:
ssh-copy-id = -i -p
  network:
nc ncat netcat = -p -s -w -e -c
  network:
  destructive: ? -e -c
ping dig nslookup host traceroute whois nmap ngrok cloudflared = -c
  network:
invoke-webrequest iwr invoke-restmethod irm = -uri -method -body -outfile -headers
  network:
  write -outfile: ? -outfile
  remote-api: ? -method! & {_FORGES}
  pull-request: ? -method! & {_FORGES} & %/pulls
  merge-request: ? -method! & {_FORGES} & %/merge
"""
