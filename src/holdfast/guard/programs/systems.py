"""Containers, clusters, clouds, databases and the machine itself."""

from __future__ import annotations

_DROPS = (
    "%drop_table %drop_database %drop_schema %truncate_ %delete_from %drop_collection %dropdatabase %.drop( %drop_index"
)
_SQL = (("", _DROPS, "destructive", ""), ("", "", "run", ""))
_SQL_VALUES = "-c --command -e --execute -h -p -U -u -d -f -P -D -v -t -o"
_NOW = (("", "", "destructive", "all"),)
_TERRAFORM = (
    ("apply|import|taint|untaint", "", "deploy", ""),
    ("destroy", "", "destructive", ""),
    ("apply", "-destroy", "destructive", ""),
    ("state rm|push|mv|replace-provider", "", "destructive", ""),
    ("workspace delete", "", "destructive", ""),
    ("init|fmt|get", "", "write", "."),
    ("init|plan|refresh|get", "", "network", ""),
    ("validate|show|output|graph|providers|version", "", "read", "."),
)
_DOCKER = (
    ("push", "", "release", ""),
    ("image|manifest push", "", "release", ""),
    ("build|buildx", "--push", "release", ""),
    ("buildx build|bake", "--push", "release", ""),
    ("compose push", "", "release", ""),
    ("system|volume|image|container|network|builder|buildx prune", "", "destructive", ""),
    ("volume|image|container|network|context|secret|config|service|stack|node rm|remove", "", "destructive", ""),
    ("rm|rmi", "-f --force -v", "destructive", ""),
    ("compose down", "-v --volumes --rmi", "destructive", ""),
    ("compose rm", "", "destructive", ""),
    ("stack|service deploy|update|create|scale|rollback", "", "deploy", ""),
    ("swarm leave", "", "destructive", ""),
    ("pull|login|search|logout", "", "network", ""),
    ("cp", "", "write", "last"),
    ("", "", "run", ""),
)
_KUBECTL = (
    ("delete|drain|taint", "", "destructive", ""),
    ("replace", "--force", "destructive", ""),
    (
        "apply|create|replace|patch|edit|scale|set|rollout|run|expose|autoscale|annotate|label|cordon|uncordon",
        "",
        "deploy",
        "",
    ),
    ("cp", "", "write", "last"),
    ("", "", "network", ""),
)
_S3_VALUES = "--profile --region --output --endpoint-url --query --exclude --include --acl"
_AWS = (
    ("s3 rm", "", "destructive", ""),
    ("s3 rb", "", "destructive", ""),
    ("s3 sync", "--delete", "destructive", ""),
    ("s3 mv", "", "destructive", ""),
    ("s3 cp|sync", "", "deploy", ""),
    ("", "%delete- %terminate- %deregister- %purge- %remove- %_destroy", "destructive", ""),
    ("", "%create- %update- %put- %deploy %start- %run-instances %publish %register- %_invoke", "deploy", ""),
    ("", "", "network", ""),
)
_GCLOUD = (
    ("", "delete destroy remove purge rm", "destructive", ""),
    ("", "deploy create update submit set-traffic apply", "deploy", ""),
    ("", "", "network", ""),
)


def _deployer(
    words: str, more: tuple[tuple[str, str, str, str], ...] = ()
) -> tuple[str, tuple[tuple[str, str, str, str], ...]]:
    return "-a --app -c --config -e --env -t --token", ((words, "", "deploy", ""), *more, ("", "", "network", ""))


SYSTEMS: dict[str, tuple[str, tuple[tuple[str, str, str, str], ...]]] = {
    **dict.fromkeys(("docker", "podman", "nerdctl", "buildah"), (
        "-H --host -c --context --config -f --file -t --tag -e -v -w -u -p --name --platform", _DOCKER)),
    "docker-compose": ("-f --file -p", (
        ("push", "", "release", ""), ("down", "-v --volumes --rmi", "destructive", ""), ("rm", "", "destructive", ""),
        ("", "", "run", ""))),
    **dict.fromkeys(("kubectl", "oc", "k"), ("-n --namespace --context --kubeconfig -f --filename -c -l -o", _KUBECTL)),
    "helm": ("-n --namespace --kube-context -f --values --set --version", (
        ("push", "", "release", ""), ("cm-push", "", "release", ""), ("uninstall|delete|rollback|del|un", "", "destructive", ""),
        ("install|upgrade|rollback", "", "deploy", ""), ("repo|pull|dependency|dep", "", "network", ""),
        ("", "", "read", "."))),
    "helmfile": ("-f -e -l", (("destroy|delete", "", "destructive", ""), ("apply|sync", "", "deploy", ""))),
    **dict.fromkeys(("terraform", "tofu", "terragrunt"), ("", _TERRAFORM)),
    "pulumi": _deployer("up|update|import|refresh", (("destroy|cancel", "", "destructive", ""), ("stack rm", "", "destructive", ""))),
    "cdk": _deployer("deploy|bootstrap|import", (("destroy", "", "destructive", ""),)),
    "sam": _deployer("deploy|sync|publish", (("delete", "", "destructive", ""),)),
    **dict.fromkeys(("serverless", "sls"), _deployer("deploy", (("remove", "", "destructive", ""),))),
    "ansible-playbook": ("-i -e -u -l -t", (("", "!--check & !-C & !--syntax-check", "deploy", ""),)),
    "ansible": ("-i -m -a -u", (("", "", "deploy", ""),)),
    "kamal": _deployer("deploy|redeploy|setup|rollback|app", (("remove", "", "destructive", ""),)),
    "vercel": ("--token --scope -S --cwd", (
        ("rm|remove", "", "destructive", ""), ("dev|env|link|pull|whoami|logs|ls|list|inspect|build|login", "", "network", ""),
        ("", "!dev & !env & !link & !pull & !ls & !list & !logs & !inspect & !build & !login & !whoami & !--help & "
         "!--version", "deploy", ""))),
    "netlify": _deployer("deploy|sites:delete"),
    "firebase": _deployer("deploy|hosting:channel:deploy", (("", "%delete %remove %:clear", "destructive", ""),)),
    "wrangler": _deployer("deploy|publish|rollback|versions", (("delete", "", "destructive", ""), ("d1|kv|r2", "%delete %drop", "destructive", ""))),
    **dict.fromkeys(("fly", "flyctl"), _deployer("deploy|launch|scale|secrets", (
        ("apps|machine|volumes|postgres destroy|delete", "", "destructive", ""), ("destroy", "", "destructive", "")))),
    "heroku": _deployer("releases:rollback|container:release|container:push|pipelines:promote|ps:scale", (
        ("apps:destroy|pg:reset|addons:destroy", "", "destructive", ""),)),
    "railway": _deployer("up|deploy|redeploy", (("down|delete", "", "destructive", ""),)),
    "render": _deployer("deploys|services"),
    "gh-pages": ("-d", (("", "", "push", ""), ("", "", "deploy", ""))),
    "mkdocs": ("-f", (("gh-deploy", "", "push", ""), ("gh-deploy", "", "deploy", ""), ("build", "", "write", "."))),
    "mike": ("", (("deploy|delete|set-default|alias", "-p --push", "push", ""), ("deploy", "", "write", "."))),
    "ghp-import": ("-m -b -r", (("", "-p --push", "push", ""), ("", "", "write", "."))),
    "surge": ("", (("", "", "deploy", ""),)),
    "eb": _deployer("deploy|create|swap", (("terminate", "", "destructive", ""),)),
    "doctl": ("", (("", "delete", "destructive", ""), ("", "create update create-deployment", "deploy", ""), ("", "", "network", ""))),
    "aws": (_S3_VALUES, _AWS),
    "gcloud": ("--project --region --zone --format", _GCLOUD),
    "gsutil": ("", (("rm|rb", "", "destructive", ""), ("rsync", "-d", "destructive", ""), ("cp|mv|rsync", "", "deploy", ""),
                    ("", "", "network", ""))),
    "bq": ("", (("rm", "", "destructive", ""), ("query", _DROPS, "destructive", ""), ("", "", "network", ""))),
    "mc": ("", (("rm|rb", "", "destructive", ""), ("", "", "network", ""))),
    "s3cmd": ("", (("del|rb", "", "destructive", ""), ("", "", "network", ""))),
    **dict.fromkeys(("psql", "mysql", "mariadb", "sqlite3", "duckdb", "clickhouse-client", "cqlsh", "sqlcmd", "usql",
                     "mongosh", "mongo", "pgcli", "mycli", "litecli"), (_SQL_VALUES, _SQL)),
    "dropdb": ("-h -U -p", (("", "", "destructive", ""),)),
    "dropuser": ("", (("", "", "destructive", ""),)),
    "mysqladmin": ("-u -p -h", (("drop|shutdown", "", "destructive", ""), ("", "", "run", ""))),
    "redis-cli": ("-h -p -a -n", (("", "flushall flushdb FLUSHALL FLUSHDB FlushAll %flushall %flushdb", "destructive", ""),
                                  ("", "", "run", ""))),
    "prisma": ("", (("migrate reset", "", "destructive", ""), ("db push", "--force-reset --accept-data-loss", "destructive", ""),
                    ("migrate deploy", "", "deploy", ""), ("generate|format|migrate|db", "", "write", "."))),
    "supabase": ("", (("db reset", "", "destructive", ""), ("db|functions push|deploy", "", "deploy", ""))),
    "alembic": ("-c", (("downgrade", "", "destructive", ""), ("", "", "run", ""))),
    "flyway": ("", (("clean", "", "destructive", ""),)),
    "liquibase": ("", (("drop-all|dropAll", "", "destructive", ""),)),
    **dict.fromkeys("mkfs mkswap wipefs blkdiscard fdisk parted sfdisk sgdisk mkfs.ext4 mkfs.ext3 mkfs.xfs mkfs.btrfs mkfs.vfat " "lvremove vgremove pvremove zpool cryptsetup mke2fs newfs".split(), ("", _NOW)),
    "diskutil": ("", (("eraseDisk|eraseVolume|partitionDisk|reformat", "", "destructive", "all"), ("", "", "read", ""))),
    **dict.fromkeys(("shutdown", "reboot", "halt", "poweroff", "init", "telinit"), ("", (("", "", "destructive", ""),))),
    **dict.fromkeys(("userdel", "groupdel", "deluser"), ("", (("", "", "destructive", ""),))),
    "vagrant": ("", (("destroy", "", "destructive", ""), ("ssh", "", "network", ""))),
    "limactl": ("", (("delete|factory-reset", "", "destructive", ""),)),
    "systemctl": ("", (("mask|disable|isolate|kill", "", "destructive", ""), ("", "", "run", ""))),
    "iptables": ("", (("", "-F --flush -X", "destructive", ""), ("", "", "write", ""))),
}  # fmt: skip
