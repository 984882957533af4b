"""Package managers, build tools and what publishes."""

from __future__ import annotations

PACKAGES = """
npm pnpm bun = --prefix -w --workspace --registry --cache -C --dir --filter -F --cwd --tag --otp --access
  release: publish|pub|unpublish|deprecate|dist-tag|owner|access ? !--dry-run
  write .: install|i|ci|add|update|upgrade|up|remove|uninstall|rm|un|link|unlink|dedupe|prune|rebuild|import|patch
  network: install|i|ci|add|update|upgrade|up|remove|uninstall|rm|un|link|unlink|dedupe|prune|rebuild|import|patch
  write .: version
  run: run|run-script|test|t|start|exec|x
yarn = --prefix -w --workspace --registry --cache -C --dir --filter -F --cwd --tag --otp --access
  release: npm publish|tag
  release: publish|pub|unpublish|deprecate|dist-tag|owner|access ? !--dry-run
  write .: install|i|ci|add|update|upgrade|up|remove|uninstall|rm|un|link|unlink|dedupe|prune|rebuild|import|patch
  network: install|i|ci|add|update|upgrade|up|remove|uninstall|rm|un|link|unlink|dedupe|prune|rebuild|import|patch
  write .: version
  run: run|run-script|test|t|start|exec|x
lerna
  release: publish
  push: version
  run:
changeset
  release: publish|tag ? !--dry-run
semantic-release
  release: ? !--dry-run & !-d
release-it
  release: ? !--dry-run
standard-version
  write .: ? !--dry-run
np cpan-upload
  release:
nx
  release: release ? !--dry-run
  deploy: deploy
jsr flit ovsx
  release: publish ? !--dry-run
deno
  release: publish ? !--dry-run
  deploy: deploy
twine
  release: upload|register ? !--dry-run
hatch
  release: publish
  write .: version
  write .: build|clean|env
pdm = -p
  release: publish
  release: publish ? !--dry-run
  write .: install|i|ci|add|update|upgrade|up|remove|uninstall|rm|un|link|unlink|dedupe|prune|rebuild|import|patch
  network: install|i|ci|add|update|upgrade|up|remove|uninstall|rm|un|link|unlink|dedupe|prune|rebuild|import|patch
poetry = -C --directory
  release: publish ? !--dry-run
  write .: install|i|ci|add|update|upgrade|up|remove|uninstall|rm|un|link|unlink|dedupe|prune|rebuild|import|patch
  network: install|i|ci|add|update|upgrade|up|remove|uninstall|rm|un|link|unlink|dedupe|prune|rebuild|import|patch
  write .: lock|build|version
uv = --directory --project --python -p --index-url --token
  release: publish ? !--dry-run
  write .: add|remove|sync|lock|init|venv|build|export|self|python|tool
  write .: pip install|uninstall|sync|compile
  network: add|sync|lock|tool|python
maturin
  release: publish|upload ? !--dry-run
pip pip3 = -r --requirement -c --constraint -i --index-url -t --target -e
  write .: install|uninstall|download|wheel
  network: install|download|wheel|search
pipx
  write: install|upgrade|uninstall|inject|reinstall
  network: install|upgrade
conda = -n --name -p --prefix -c --channel -f
  write: install|create|update|remove|env
  network: install|create|update
  destructive: env remove
anaconda luarocks conan
  release: upload ? !--dry-run
cargo = --manifest-path --color --config -Z -p --package --features --target --token --registry
  release: publish|yank|owner ? !--dry-run & !-n
  release: release ? -x --execute
  write .: add|remove|rm|update|fix|fmt|init|new|vendor|build|b|clean|generate-lockfile
  write: install|uninstall
  network: install|update|fetch|add|search
go = -C
  write .: get|install|generate|clean
  write .: build
  write .: fmt|fix
  write .: mod tidy|download|vendor|init|edit|get
  network: get|install
  network: mod tidy|download|vendor
  destructive: clean ? -modcache -cache
goreleaser = -f --config
  release: release|r ? !--snapshot & !--skip=publish
  write .: build
gem = -v --version --host --key
  release: push|yank|owner
  write .: install|update|uninstall|build
  network: install|update
bundle
  write .: install|update|add|remove|lock|clean
  network: install|update|add
rake
  release: release
  destructive: db:drop|db:reset|db:purge
  deploy: deploy
rails
  destructive: db:drop|db:reset|db:purge
  write .: generate|g|new|destroy|d
cap
  deploy: ? %deploy
mix
  release: hex.publish|hex.retire
  destructive: ecto.drop|ecto.reset
  network: deps.get|deps.update
  write .: deps.get|deps.update|compile|format
composer = -d --working-dir
  write .: install|require|update|remove|create-project|dump-autoload
  network: install|require|update|create-project
artisan
  destructive: migrate:fresh|migrate:reset|db:wipe
dotnet = -c -o -f -r --configuration --framework
  release: nuget push|delete
  destructive: ef database ? %drop
  write .: add|remove|new|restore|build|publish|pack|clean|format|tool
  network: restore|tool
nuget
  release: push|delete
  write .: install|restore|update
mvn mvnw = -pl -f --file -P -s --settings
  release: deploy|release:perform|release:prepare|site-deploy
  release: ? deploy %:deploy release:perform release:prepare %release:
  write .:
gradle gradlew = -p -b -c
  release: ? publish %publish uploadArchives closeAndReleaseRepository %bintrayupload & !publishToMavenLocal
  deploy: ? %deploy
  write .:
sbt
  release: ? %publish %release
  write .:
lein
  release: deploy|release ? !--dry-run
clj
  release: ? %deploy
cabal
  release: upload ? --publish
  write .: build|install|update
stack
  release: upload
  write .: build|install|setup|test|clean
dart
  release: pub publish|lish ? !--dry-run & !-n
  write .: pub get|add|upgrade
flutter
  release: pub publish|lish ? !--dry-run & !-n
  write .: pub get|add|upgrade
  write .: build|create|clean
pod
  release: trunk push
  release: repo push
  write .: install|update
fastlane
  release: ? %release %deliver %pilot %beta %upload
  run:
opam
  release: publish
  write: install|update|upgrade
elm
  release: publish|bump ? !--dry-run
vsce
  release: publish|unpublish ? !--dry-run
web-ext
  release: sign ? !--dry-run
snapcraft
  release: upload|push|release|promote ? !--dry-run
charmcraft
  release: upload|release ? !--dry-run
jfrog
  release: ? %upload %publish %rt
oras
  release: push ? !--dry-run
skopeo
  release: copy|sync ? !--dry-run
  destructive: delete
crane
  release: push|copy|tag ? !--dry-run
  destructive: delete
brew
  write: install|upgrade|uninstall|update|tap|cleanup|reinstall
  network: install|upgrade|update|tap
  pull-request: bump-formula-pr
apt apt-get yum dnf apk zypper snap choco winget scoop = -o -t
  write: install|update|upgrade|remove|add|purge|del|autoremove|dist-upgrade
  network: install|update|upgrade|add|dist-upgrade
pacman
  write: ? -S -R -U
  network: ? -S
nix-env
  write:
python python3 = -c -m -W -X
  release: setup.py ? upload register
  destructive: manage.py flush|reset_db|sqlflush
  run:
php = -r -d -c -f
  destructive: artisan migrate:fresh|migrate:reset|db:wipe
  run:
"""
