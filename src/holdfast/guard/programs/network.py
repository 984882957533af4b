"""Programs that talk to other machines."""

from __future__ import annotations

_CURL_VALUES = (
    "-o --output -X --request -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -H --header -u "
    "--user -A --user-agent -e --referer -b --cookie -c --cookie-jar -F --form --form-string -T --upload-file -m "
    "--max-time -x --proxy --connect-timeout --retry --retry-delay --retry-max-time -w --write-out -K --config -E "
    "--cert --key --cacert -r --range --resolve --url -D --dump-header --output-dir --limit-rate -C --continue-at"
)
_CURL_DATA = (
    "-d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --form-string -T --upload-file"
)
_CURL_WRITES = f"-X! --request! {_CURL_DATA} & !-G & !--get & !-X=GET & !--request=GET"
_FORGES = "%api.github.com %uploads.github.com %/api/v4/ %/api/v3/ %/api/v1/repos %api.bitbucket.org %dev.azure.com"
_API = f"{_CURL_WRITES} & {_FORGES}"
_CURL = (
    ("", "", "network", ""),
    ("", "-o --output", "write", "-o --output"),
    ("", "-O --remote-name --remote-name-all", "write", "."),
    ("", "-T --upload-file", "read", "-T --upload-file"),
    ("", _CURL_DATA, "read", "@"),
    ("", "-K --config", "read", "-K --config"),
    ("", _API, "remote-api", ""),
    ("", f"{_API} & %/pulls %/merge_requests %/pullrequests", "pull-request", ""),
    ("", f"{_API} & %/merge", "merge-request", ""),
    ("", f"{_API} & %/releases", "release", ""),
    ("", f"{_API} & %/git/refs %/contents/ %/git/commits", "push", ""),
    ("", "-X=DELETE --request=DELETE", "destructive", ""),
)
_WGET_VALUES = (
    "-O --output-document -o --output-file -P --directory-prefix -U --user-agent --header --post-data --post-file "
    "--method --body-data --body-file -t --tries -T --timeout -i --input-file --user --password"
)
_ONLY = (("", "", "network", ""),)
_SCP = (("", "", "network", ""), ("", "", "read", "but-last"), ("", "", "write", "last"))

NETWORK: dict[str, tuple[str, tuple[tuple[str, str, str, str], ...]]] = {
    "curl": (_CURL_VALUES, _CURL),
    "wget": (_WGET_VALUES, (
        ("", "", "network", ""),
        ("", "-O --output-document", "write", "-O --output-document"),
        ("", "!-O & !--output-document & !--spider", "write", "-P --directory-prefix ."),
        ("", "--post-file --body-file", "read", "--post-file --body-file"),
        ("", f"--post-data --post-file --method! --body-data & {_FORGES}", "remote-api", ""),
        ("", f"--post-data --post-file --method! --body-data & {_FORGES} & %/pulls", "pull-request", ""),
    )),
    "http": ("-a --auth -o --output -p --print --session", (
        ("", "", "network", ""),
        ("post|put|patch|delete|POST|PUT|PATCH|DELETE", _FORGES, "remote-api", ""),
        ("post|put|patch|delete|POST|PUT|PATCH|DELETE", f"{_FORGES} & %/pulls", "pull-request", ""),
        ("", "-o --output", "write", "-o --output"),
    )),
    "https": ("-a --auth -o --output", (
        ("", "", "network", ""), ("post|put|patch|delete|POST|PUT|PATCH|DELETE", _FORGES, "remote-api", ""))),
    "xh": ("-a --auth -o --output", (
        ("", "", "network", ""), ("post|put|patch|delete|POST|PUT|PATCH|DELETE", _FORGES, "remote-api", ""))),
    "aria2c": ("-d -o -i", (("", "", "network", ""), ("", "", "write", "-d ."))),
    "scp": ("-P -i -o -F -l -c -S", _SCP),
    "sftp": ("-P -i -o -b", _ONLY),
    "ftp": ("", _ONLY),
    "lftp": ("-e -c -u", _ONLY),
    "rclone": ("--config", (
        ("", "", "network", ""), ("delete|purge|sync|rmdir|deletefile|cleanup", "", "destructive", ""),
        ("copy|move|sync", "", "write", "last"))),
    "ssh": ("-i -p -o -l -F -L -R -D -J", _ONLY),
    "mosh": ("", _ONLY),
    "telnet": ("", _ONLY),
    "socat": ("", _ONLY),
    "ssh-copy-id": ("-i -p", _ONLY),
    **dict.fromkeys(("nc", "ncat", "netcat"), ("-p -s -w -e -c", (
        ("", "", "network", ""), ("", "-e -c", "destructive", "")))),
    **dict.fromkeys(("ping", "dig", "nslookup", "host", "traceroute", "whois", "nmap", "ngrok", "cloudflared"),
                    ("-c", _ONLY)),
    **dict.fromkeys(("invoke-webrequest", "iwr", "invoke-restmethod", "irm"), (
        "-uri -method -body -outfile -headers", (
            ("", "", "network", ""), ("", "-outfile", "write", "-outfile"),
            ("", f"-method! & {_FORGES}", "remote-api", ""),
            ("", f"-method! & {_FORGES} & %/pulls", "pull-request", ""),
            ("", f"-method! & {_FORGES} & %/merge", "merge-request", "")))),
}  # fmt: skip
