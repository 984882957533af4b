"""Containers, clusters, clouds, databases and the machine itself."""

from __future__ import annotations

_DROPS = (
    "%drop_table %drop_database %drop_schema %truncate_ %delete_from %drop_collection %dropdatabase %.drop( %drop_index"
)
SYSTEMS = f"""
docker podman nerdctl buildah = -H --host -c --context --config -f --file -t --tag -e -v -w -u -p --name --platform
  release: push
  release: image|manifest push
  release: build|buildx ? --push
  release: buildx build|bake ? --push
  release: compose push
  destructive: system|volume|image|container|network|builder|buildx prune
  destructive: volume|image|container|network|context|secret|config|service|stack|node rm|remove
  destructive: rm|rmi ? -f --force -v
  destructive: compose down ? -v --volumes --rmi
  destructive: compose rm
  deploy: stack|service deploy|update|create|scale|rollback
  destructive: swarm leave
  network: pull|login|search|logout
  write last: cp
  run:
docker-compose = -f --file -p
  release: push
  destructive: down ? -v --volumes --rmi
  destructive: rm
  run:
kubectl oc k = -n --namespace --context --kubeconfig -f --filename -c -l -o
  destructive: delete|drain|taint
  destructive: replace ? --force
  deploy: apply|create|replace|patch|edit|scale|set|rollout|run|expose|autoscale|annotate|label|cordon|uncordon
  write last: cp
  network:
helm = -n --namespace --kube-context -f --values --set --version
  release: push
  release: cm-push
  destructive: uninstall|delete|rollback|del|un
  deploy: install|upgrade|rollback
  network: repo|pull|dependency|dep
  read .:
helmfile = -f -e -l
  destructive: destroy|delete
  deploy: apply|sync
terraform tofu terragrunt
  deploy: apply|import|taint|untaint
  destructive: destroy
  destructive: apply ? -destroy
  destructive: state rm|push|mv|replace-provider
  destructive: workspace delete
  write .: init|fmt|get
  network: init|plan|refresh|get
  read .: validate|show|output|graph|providers|version
pulumi = -a --app -c --config -e --env -t --token
  deploy: up|update|import|refresh
  destructive: destroy|cancel
  destructive: stack rm
  network:
cdk = -a --app -c --config -e --env -t --token
  deploy: deploy|bootstrap|import
  destructive: destroy
  network:
sam = -a --app -c --config -e --env -t --token
  deploy: deploy|sync|publish
  destructive: delete
  network:
serverless sls = -a --app -c --config -e --env -t --token
  deploy: deploy
  destructive: remove
  network:
ansible-playbook = -i -e -u -l -t
  deploy: ? !--check & !-C & !--syntax-check
ansible = -i -m -a -u
  deploy:
kamal = -a --app -c --config -e --env -t --token
  deploy: deploy|redeploy|setup|rollback|app
  destructive: remove
  network:
vercel = --token --scope -S --cwd
  destructive: rm|remove
  network: dev|env|link|pull|whoami|logs|ls|list|inspect|build|login
  deploy: ? !dev & !env & !link & !pull & !ls & !list & !logs & !inspect & !build & !login & !whoami & !--help &
      !--version
netlify = -a --app -c --config -e --env -t --token
  deploy: deploy|sites:delete
  network:
firebase = -a --app -c --config -e --env -t --token
  deploy: deploy|hosting:channel:deploy
  destructive: ? %delete %remove %:clear
  network:
wrangler = -a --app -c --config -e --env -t --token
  deploy: deploy|publish|rollback|versions
  destructive: delete
  destructive: d1|kv|r2 ? %delete %drop
  network:
fly flyctl = -a --app -c --config -e --env -t --token
  deploy: deploy|launch|scale|secrets
  destructive: apps|machine|volumes|postgres destroy|delete
  destructive: destroy
  network:
heroku = -a --app -c --config -e --env -t --token
  deploy: releases:rollback|container:release|container:push|pipelines:promote|ps:scale
  destructive: apps:destroy|pg:reset|addons:destroy
  network:
railway = -a --app -c --config -e --env -t --token
  deploy: up|deploy|redeploy
  destructive: down|delete
  network:
render = -a --app -c --config -e --env -t --token
  deploy: deploys|services
  network:
gh-pages = -d
  push:
  deploy:
mkdocs = -f
  push: gh-deploy
  deploy: gh-deploy
  write .: build
mike
  push: deploy|delete|set-default|alias ? -p --push
  write .: deploy
ghp-import = -m -b -r
  push: ? -p --push
  write .:
surge
  deploy:
eb = -a --app -c --config -e --env -t --token
  deploy: deploy|create|swap
  destructive: terminate
  network:
doctl
  destructive: ? delete
  deploy: ? create update create-deployment
  network:
aws = --profile --region --output --endpoint-url --query --exclude --include --acl
  destructive: s3 rm
  destructive: s3 rb
  destructive: s3 sync ? --delete
  destructive: s3 mv
  deploy: s3 cp|sync
  destructive: ? %delete- %terminate- %deregister- %purge- %remove- %_destroy
  deploy: ? %create- %update- %put- %deploy %start- %run-instances %publish %register- %_invoke
  network:
gcloud = --project --region --zone --format
  destructive: ? delete destroy remove purge rm
  deploy: ? deploy create update submit set-traffic apply
  network:
gsutil
  destructive: rm|rb
  destructive: rsync ? -d
  deploy: cp|mv|rsync
  network:
bq
  destructive: rm
  destructive: query ? {_DROPS}
  network:
mc
  destructive: rm|rb
  network:
s3cmd
  destructive: del|rb
  network:
psql mysql mariadb clickhouse-client cqlsh sqlcmd usql mongosh mongo pgcli mycli = -c --command -e --execute -h -p -U
    -u -d -f --file -P -D -v -t -o --output
  destructive: ? {_DROPS}
  read -f --file:
  write -o --output:
  run:
sqlite3 duckdb litecli = -cmd -init -separator -newline -nullvalue -maxsize
  destructive: ? {_DROPS}
  read first:
  write first: ? %insert_ %update_ %create_ %delete_ %drop_ %alter_ %replace_ %.import %.restore %vacuum
  run:
dropdb = -h -U -p
  destructive:
dropuser shutdown reboot halt poweroff init telinit userdel groupdel deluser
  destructive:
mysqladmin = -u -p -h
  destructive: drop|shutdown
  run:
redis-cli = -h -p -a -n
  destructive: ? flushall flushdb FLUSHALL FLUSHDB FlushAll %flushall %flushdb
  run:
prisma
  destructive: migrate reset
  destructive: db push ? --force-reset --accept-data-loss
  deploy: migrate deploy
  write .: generate|format|migrate|db
supabase
  destructive: db reset
  deploy: db|functions push|deploy
alembic = -c
  destructive: downgrade
  run:
flyway
  destructive: clean
liquibase
  destructive: drop-all|dropAll
mkfs mkswap wipefs blkdiscard fdisk parted sfdisk sgdisk mkfs.ext4 mkfs.ext3 mkfs.xfs mkfs.btrfs mkfs.vfat lvremove
    vgremove pvremove zpool cryptsetup mke2fs newfs
  destructive all:
diskutil
  destructive all: eraseDisk|eraseVolume|partitionDisk|reformat
  read:
vagrant
  destructive: destroy
  network: ssh
limactl
  destructive: delete|factory-reset
systemctl
  destructive: mask|disable|isolate|kill
  run:
iptables
  destructive: ? -F --flush -X
  write:
"""
