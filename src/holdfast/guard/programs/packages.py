"""Package managers, build tools and what publishes."""

from __future__ import annotations

_INSTALL = "install|i|ci|add|update|upgrade|up|remove|uninstall|rm|un|link|unlink|dedupe|prune|rebuild|import|patch"
_JS_VALUES = "--prefix -w --workspace --registry --cache -C --dir --filter -F --cwd --tag --otp --access"
_PUBLISH = "publish|pub|unpublish|deprecate|dist-tag|owner|access"


def _manager(publish: str = "publish", changes: str = _INSTALL) -> tuple[tuple[str, str, str, str], ...]:
    return (
        (publish, "!--dry-run", "release", ""),
        (changes, "", "write", "."),
        (changes, "", "network", ""),
    )


def _only(
    kind: str, words: str, more: tuple[tuple[str, str, str, str], ...] = ()
) -> tuple[str, tuple[tuple[str, str, str, str], ...]]:
    return "", ((words, "!--dry-run", kind, ""), *more)


_NPM = (*_manager(_PUBLISH), ("version", "", "write", "."), ("run|run-script|test|t|start|exec|x", "", "run", ""))
_PIP = (("install|uninstall|download|wheel", "", "write", "."), ("install|download|wheel|search", "", "network", ""))
_UV = (
    ("publish", "!--dry-run", "release", ""),
    ("add|remove|sync|lock|init|venv|build|export|self|python|tool", "", "write", "."),
    ("pip install|uninstall|sync|compile", "", "write", "."),
    ("add|sync|lock|tool|python", "", "network", ""),
)
_GO = (
    ("get|install|generate|clean", "", "write", "."),
    ("build", "", "write", "."),
    ("fmt|fix", "", "write", "."),
    ("mod tidy|download|vendor|init|edit|get", "", "write", "."),
    ("get|install", "", "network", ""),
    ("mod tidy|download|vendor", "", "network", ""),
    ("clean", "-modcache -cache", "destructive", ""),
)
_DOTNET = (
    ("nuget push|delete", "", "release", ""),
    ("ef database", "%drop", "destructive", ""),
    ("add|remove|new|restore|build|publish|pack|clean|format|tool", "", "write", "."),
    ("restore|tool", "", "network", ""),
)
_MAVEN = (
    ("deploy|release:perform|release:prepare|site-deploy", "", "release", ""),
    ("", "deploy %:deploy release:perform release:prepare %release:", "release", ""),
    ("", "", "write", "."),
)
_GRADLE = (
    (
        "",
        "publish %publish uploadArchives closeAndReleaseRepository %bintrayupload & !publishToMavenLocal",
        "release",
        "",
    ),
    ("", "%deploy", "deploy", ""),
    ("", "", "write", "."),
)

PACKAGES: dict[str, tuple[str, tuple[tuple[str, str, str, str], ...]]] = {
    "npm": (_JS_VALUES, _NPM),
    "pnpm": (_JS_VALUES, _NPM),
    "yarn": (_JS_VALUES, (("npm publish|tag", "", "release", ""), *_NPM)),
    "bun": (_JS_VALUES, _NPM),
    "lerna": ("", (("publish", "", "release", ""), ("version", "", "push", ""), ("", "", "run", ""))),
    "changeset": _only("release", "publish|tag"),
    "semantic-release": ("", (("", "!--dry-run & !-d", "release", ""),)),
    "release-it": ("", (("", "!--dry-run", "release", ""),)),
    "standard-version": ("", (("", "!--dry-run", "write", "."),)),
    "np": ("", (("", "", "release", ""),)),
    "nx": ("", (("release", "!--dry-run", "release", ""), ("deploy", "", "deploy", ""))),
    "jsr": _only("release", "publish"),
    "deno": ("", (("publish", "!--dry-run", "release", ""), ("deploy", "", "deploy", ""))),
    "twine": _only("release", "upload|register"),
    "flit": _only("release", "publish"),
    "hatch": ("", (("publish", "", "release", ""), ("version", "", "write", "."), ("build|clean|env", "", "write", "."))),
    "pdm": ("-p", (("publish", "", "release", ""), *_manager())),
    "poetry": ("-C --directory", (*_manager(), ("lock|build|version", "", "write", "."))),
    "uv": ("--directory --project --python -p --index-url --token", _UV),
    "maturin": _only("release", "publish|upload"),
    "pip": ("-r --requirement -c --constraint -i --index-url -t --target -e", _PIP),
    "pip3": ("-r --requirement -c --constraint -i --index-url -t --target -e", _PIP),
    "pipx": ("", (("install|upgrade|uninstall|inject|reinstall", "", "write", ""), ("install|upgrade", "", "network", ""))),
    "conda": ("-n --name -p --prefix -c --channel -f", (
        ("install|create|update|remove|env", "", "write", ""), ("install|create|update", "", "network", ""),
        ("env remove", "", "destructive", ""))),
    "anaconda": _only("release", "upload"),
    "cargo": ("--manifest-path --color --config -Z -p --package --features --target --token --registry", (
        ("publish|yank|owner", "!--dry-run & !-n", "release", ""),
        ("release", "-x --execute", "release", ""),
        ("add|remove|rm|update|fix|fmt|init|new|vendor|build|b|clean|generate-lockfile", "", "write", "."),
        ("install|uninstall", "", "write", ""),
        ("install|update|fetch|add|search", "", "network", ""))),
    "go": ("-C", _GO),
    "goreleaser": ("-f --config", (("release|r", "!--snapshot & !--skip=publish", "release", ""), ("build", "", "write", "."))),
    "gem": ("-v --version --host --key", (
        ("push|yank|owner", "", "release", ""), ("install|update|uninstall|build", "", "write", "."),
        ("install|update", "", "network", ""))),
    "bundle": ("", (("install|update|add|remove|lock|clean", "", "write", "."), ("install|update|add", "", "network", ""))),
    "rake": ("", (("release", "", "release", ""), ("db:drop|db:reset|db:purge", "", "destructive", ""), ("deploy", "", "deploy", ""))),
    "rails": ("", (("db:drop|db:reset|db:purge", "", "destructive", ""), ("generate|g|new|destroy|d", "", "write", "."))),
    "cap": ("", (("", "%deploy", "deploy", ""),)),
    "mix": ("", (("hex.publish|hex.retire", "", "release", ""), ("ecto.drop|ecto.reset", "", "destructive", ""),
                 ("deps.get|deps.update", "", "network", ""), ("deps.get|deps.update|compile|format", "", "write", "."))),
    "composer": ("-d --working-dir", (("install|require|update|remove|create-project|dump-autoload", "", "write", "."),
                                       ("install|require|update|create-project", "", "network", ""))),
    "artisan": ("", (("migrate:fresh|migrate:reset|db:wipe", "", "destructive", ""),)),
    "dotnet": ("-c -o -f -r --configuration --framework", _DOTNET),
    "nuget": ("", (("push|delete", "", "release", ""), ("install|restore|update", "", "write", "."))),
    "mvn": ("-pl -f --file -P -s --settings", _MAVEN),
    "mvnw": ("-pl -f --file -P -s --settings", _MAVEN),
    "gradle": ("-p -b -c", _GRADLE),
    "gradlew": ("-p -b -c", _GRADLE),
    "sbt": ("", (("", "%publish %release", "release", ""), ("", "", "write", "."))),
    "lein": _only("release", "deploy|release"),
    "clj": ("", (("", "%deploy", "release", ""),)),
    "cabal": ("", (("upload", "--publish", "release", ""), ("build|install|update", "", "write", "."))),
    "stack": ("", (("upload", "", "release", ""), ("build|install|setup|test|clean", "", "write", "."))),
    "dart": ("", (("pub publish|lish", "!--dry-run & !-n", "release", ""), ("pub get|add|upgrade", "", "write", "."))),
    "flutter": ("", (("pub publish|lish", "!--dry-run & !-n", "release", ""), ("pub get|add|upgrade", "", "write", "."),
                     ("build|create|clean", "", "write", "."))),
    "pod": ("", (("trunk push", "", "release", ""), ("repo push", "", "release", ""), ("install|update", "", "write", "."))),
    "fastlane": ("", (("", "%release %deliver %pilot %beta %upload", "release", ""), ("", "", "run", ""))),
    "luarocks": _only("release", "upload"),
    "opam": ("", (("publish", "", "release", ""), ("install|update|upgrade", "", "write", ""))),
    "elm": _only("release", "publish|bump"),
    "vsce": _only("release", "publish|unpublish"),
    "ovsx": _only("release", "publish"),
    "web-ext": _only("release", "sign"),
    "snapcraft": _only("release", "upload|push|release|promote"),
    "charmcraft": _only("release", "upload|release"),
    "conan": _only("release", "upload"),
    "cpan-upload": ("", (("", "", "release", ""),)),
    "jfrog": ("", (("", "%upload %publish %rt", "release", ""),)),
    "oras": _only("release", "push"),
    "skopeo": _only("release", "copy|sync", (("delete", "", "destructive", ""),)),
    "crane": _only("release", "push|copy|tag", (("delete", "", "destructive", ""),)),
    "brew": ("", (("install|upgrade|uninstall|update|tap|cleanup|reinstall", "", "write", ""),
                  ("install|upgrade|update|tap", "", "network", ""), ("bump-formula-pr", "", "pull-request", ""))),
    **dict.fromkeys(("apt", "apt-get", "yum", "dnf", "apk", "zypper", "snap", "choco", "winget", "scoop"), (
        "-o -t", (("install|update|upgrade|remove|add|purge|del|autoremove|dist-upgrade", "", "write", ""),
                  ("install|update|upgrade|add|dist-upgrade", "", "network", "")))),
    "pacman": ("", (("", "-S -R -U", "write", ""), ("", "-S", "network", ""))),
    "nix-env": ("", (("", "", "write", ""),)),
}  # fmt: skip
