"""What commands do, by the tables of programs."""

from __future__ import annotations

import pytest

from limpet.ground.errors import LimpetError
from limpet.guard import acts
from limpet.guard.acts import EMPTY_LINE, KINDS, acts_of, find_program, read_programs
from limpet.guard.reading import fits, holds_words, read_command_words
from limpet.guard.shell.command import UNKNOWN, ShellCommand, Understood

KIND = {
    "push": ("git push", "git push --dry-run --no-dry-run", "git push -n --no-dry-run",
             "git -C x push", "git send-pack r", "git lfs push o", "git svn dcommit", "jj git push",
             "gh repo sync", "hg push", "mkdocs gh-deploy", "gh-pages -d dist",
             "gh api -X PUT repos/o/r/contents/a -f message=x"),
    "pull-request": ("gh pr create", "gh pr edit 3 -t x", "gh pr close 3", "gh pr ready", "gh pr reopen 3",
                     "glab mr create", "az repos pr create", "hub pull-request", "gh api repos/o/r/pulls -f title=x",
                     "curl -XPOST https://api.github.com/repos/o/r/pulls -d @x",
                     "gh api graphql -f query='mutation { createPullRequest }'"),
    "merge-request": ("gh pr merge 3", "gh -R o/r pr merge", "gh pr --repo o/r merge 3", "glab mr merge 3",
                      "gh api -X PUT repos/o/r/pulls/3/merge"),
    "release": ("gh release create v1", "npm publish", "pnpm -r publish", "yarn npm publish", "twine upload dist/x",
                "uv publish", "poetry publish", "cargo publish", "gem push x.gem", "docker push x", "mvn deploy",
                "./gradlew publish", "goreleaser release", "helm push x r", "vsce publish", "dotnet nuget push x",
                "npx semantic-release", "docker buildx build --push ."),
    "deploy": ("terraform apply", "kubectl apply -f x", "helm upgrade x .", "vercel --prod", "fly deploy",
               "firebase deploy", "cdk deploy", "serverless deploy", "gcloud run deploy", "ansible-playbook x.yml",
               "kubectl rollout restart x", "kubectl apply --dry-run=none -f x", "aws s3 cp x s3://x/y"),
    "wipe": ("git filter-branch --all", "git filter-repo --path x", "diskutil eraseDisk x"),
    "commit": ("git commit", "git revert HEAD", "git cherry-pick x", "git am x"),
    "remote-api": ("gh api -X DELETE repos/o/r", "gh api repos/o/r/issues -f title=x", "gh issue close 3",
                   "gh api x --input f", "curl -X PATCH https://api.github.com/repos/o/r -d {}"),
    "destructive": ("rm -rf x", "rm -fr x", "rm -r x", "rm -f x", "find . -delete", "git reset --hard", "git clean -fd",
                    "git checkout -- x", "git checkout .", "git restore x", "git branch -D x", "git push -f",
                    "git stash drop", "git stash clear", "git reflog expire --all", "git filter-branch x",
                    "git update-ref -d x", "mkfs.ext4 /dev/x", "dd if=a of=b", "shred x", "truncate -s 0 x",
                    "chmod -R 777 x", "chown -R a x", "docker system prune", "docker volume rm x", "kubectl delete x",
                    "terraform destroy", "psql -c 'drop table x'", "dropdb x", "redis-cli flushall",
                    "aws s3 rm s3://x --recursive", "rails db:drop", "git push origin :x"),
    "network": ("curl x", "wget x", "ssh h", "scp a h:b", "nc h 1", "git fetch", "git clone x", "git pull",
                "pip install x", "npm install", "exec 3<>/dev/tcp/h/80"),
    "run": ("pytest -q", "make test", "npm test", "./script.sh", "cargo test"),
}  # fmt: skip
NOT = {
    "push": ("git push --dry-run", "git push -n origin x",
             "git pull", "git log --grep push", "git commit -m push", "git stash push", "git stash push -m x"),
    "pull-request": ("gh pr view 3", "gh pr list", "gh pr checks", "gh pr diff 3", "gh api repos/o/r/pulls"),
    "release": ("gh release list", "npm publish --dry-run", "cargo publish --dry-run", "twine check x", "npm pack"),
    "deploy": ("kubectl rollout status x", "kubectl apply --dry-run=client -f x", "aws s3 cp s3://x/y .",
               "gsutil cp gs://x/y .", "helm upgrade --dry-run x .",
               "terraform plan", "kubectl get pods", "vercel dev", "helm template x"),
    "remote-api": ("gh api repos/o/r", "gh api -X GET search/code -f q=x", "curl https://api.github.com/repos/o/r",
                   "gh api graphql -f query='query { viewer }'", "gh issue list"),
    "destructive": ("rm x", "git reset HEAD x", "git clean -n", "git clean -nfd", "git checkout main",
                    "git checkout -b x", "git restore --staged x", "git branch x", "git stash", "git push",
                    "git branch -d x", "git branch -vd x", "git push -f --dry-run", "kubectl delete x --dry-run=client",
                    "find . -type d -empty -delete", "curl -X DELETE http://localhost:8000/x",
                    "chmod +x x", "find . -name x", "docker ps", "sqlite3 x 'select 1'", "git tag v1",
                    "git rm --cached x"),
}  # fmt: skip
WRITES = {
    "echo x > a": ["a"], "tee a b": ["a", "b"], "cp a b c": ["c"], "cp -t d a b": ["d"], "mv a b": ["b", "a"],
    "ln -s a b": ["b"], "install -m 644 a b": ["b"], "install -d a b": ["a", "b"], "sed -i s/x/y/ a": ["a"],
    "sed -i -e s/x/y/ a b": ["a", "b"], "perl -pi -e s/x/y/ a": ["a"], "touch a": ["a"], "mkdir -p a/b": ["a/b"],
    "rm a": ["a"], "dd if=a of=b": ["b"], "truncate -s 0 a": ["a"], "patch a < b": ["a"], "git apply x": ["."],
    "git -C d checkout x": ["d"], "curl -o a x": ["a"], "curl -oa x": ["a"], "curl -sSLo a x": ["a"],
    "curl -O https://x/a": ["."], "wget https://x/a": ["."], "wget -O a x": ["a"], "tar xzf a.tgz": ["."],
    "tar -xzf a.tgz -C d": ["d"], "tar czf a.tgz d": ["a.tgz"], "unzip a.zip -d d": ["d"], "rsync -a a b": ["b"],
    "npm install": ["."], "sort -o a b": ["a"], "cd d && echo x > ../a": ["a"], "echo x > /dev/null": [],
    "echo x 2>&1": [], "> a": ["a"], "vim a": ["a"], "chmod +x a": ["a"], "scp a host:b": [],
    "echo x > $OUT": [UNKNOWN], "git add a": [".git"], "git mv a b": ["a", "b"], "git rm a": ["a", "."],
    "git diff --output=a": ["a"],
    "jq . a > b": ["b"], "black --check .": [],
    "find . -name x -delete": ["x"], "find a -delete": ["a"], "mkfs.ext4 a": ["a"], "aws s3 cp s3://a/b c": ["c"],
    "sqlite3 a.db 'create table x (y)'": ["a.db"], "cat a | tee -a b": ["b"], "split a": ["."],
}  # fmt: skip
CODE = {
    "gofmt -w a": ["a"],
    "black .": ["."],
    "ruff format a": ["a"],
    "ruff check --fix": ["."],
    "ruff --fix a": ["."],
    "eslint --fix a": ["a"],
    "prettier --write a b": ["a", "b"],
    "clang-format -i a": ["a"],
    "prettier a": [],
}
READS = {
    "cat a b": ["a", "b"], "head -n 5 a": ["a"], "grep x a": ["a"], "grep -e x a": ["a"], "grep -rn x": ["."],
    "grep -rn x src": ["src"], "rg x": ["."], "rg -n x src": ["src"], "sed -n 1,5p a": ["a"], "awk '{print}' a": ["a"],
    "find src -name x": ["src"], "find": ["."], "ls": ["."], "ls -la a": ["a"], "cp a b": ["a"], "xxd a": ["a"],
    "base64 a": ["a"], "tar czf - a": ["a"], "zip x.zip a": ["a"], "curl -d @a x": ["a"], "curl -T a x": ["a"],
    "curl -F f=@a x": ["a"], "curl -d @- x": [], "scp a host:": ["a"], "cat < a": ["a"], "x=$(<a)": ["a"],
    "diff a b": ["a", "b"], ". ./a": ["a"], "source a": ["a"], "cd d && cat ../a": ["a"], "jq . a": ["a"],
    "sqlite3 a.db 'select 1'": ["a.db"], "psql -f a": ["a"],
    "git log": ["."], "git grep --no-index x a": [".", "x", "a"], "cat -- -a": ["-a"],
    "while read x; do :; done < a": ["a"], "cat -n a": ["a"], "cat -A a": ["a"], "tail -f a": ["a"],
    "wc -c a": ["a"], "tail -n 5 -f a": ["a"], "nl a": ["a"], "less a": ["a"], "od -c a": ["a"],
    "cut -d , -f 1 a": ["a"], "stat a": ["a"], "base64 -w 0 a": ["a"], "xxd -p a": ["a"], "bat -n a": ["a"],
    "uniq -c a": ["a"], "sort a": ["a"], "rev a": ["a"], "file a": ["a"], "find -L a -name x": ["a"],
    "grep --color x a": ["a"], "diff -w a b": ["a", "b"], "xxd -e a": ["a"], "more a": ["a"], "strings -a a": ["a"],
    "diff -u a b": ["a", "b"], "paste a": ["a"], "cat $F": [UNKNOWN], "cat -": [], "grep -f a/b c": ["c"],
}  # fmt: skip


def act_list(text):
    """Kind and target of what a text would do."""
    return [(act.kind, act.target) for act in acts_of(_read(text))]


def _read(text):
    from limpet.guard.shell.understand import parse_shell, understand

    return understand(text, parse_shell)


@pytest.mark.parametrize("kind", KIND)
def test_a_program_does_what_its_table_says(kind):
    """One act of the kind for each of these (decision 42)."""
    missed = [text for text in KIND[kind] if kind not in {found for found, _target in act_list(text)}]
    assert missed == []


@pytest.mark.parametrize("kind", NOT)
def test_its_neighbour_is_not_taken_for_it(kind):
    """Reading, trying and listing are other things."""
    taken = [text for text in NOT[kind] if kind in {found for found, _target in act_list(text)}]
    assert taken == []


@pytest.mark.parametrize(
    ("kind", "text", "paths"),
    [
        (kind, text, paths)
        for kind, table in (("write", WRITES), ("code", CODE), ("read", READS))
        for text, paths in table.items()
    ],
)
def test_the_paths_that_are_read_and_written(kind, text, paths):
    """As seen from the start; code by formatters and the like, also in a folder."""
    assert [target for found, target in act_list(text) if found == kind] == paths


def test_an_act_is_told_once_with_its_command():
    """Printing and moving about is none; names of programs are compared without case where the table has them so."""
    assert act_list("cd src; echo x; pwd; true && export A=b; [ -f x ]; sleep 1; python3 --version; bash -c true") == []
    found = acts_of(Understood((ShellCommand(("git", "push")), ShellCommand(("git", "push"), fed="x"))))
    assert [(act.kind, act.target, act.text) for act in found] == [("push", "git", "git push")]
    assert act_list("GIT.EXE push") == [("push", "git")]


def given(*words, values=""):
    """What a program is given."""
    return read_command_words(ShellCommand(words), values)


def test_options_are_read_as_programs_read_them():
    """Clusters, joined values, long options with a value, the end of options; a rule's words are the first operands."""
    found = given("x", "-abf", "v", "--long=w", "-fz", "--", "-o", "p", values="-f")
    assert {"-a", "-b", "-f", "--long"} <= found.flags
    assert found.values["-f"] == ("v", "z") and found.values["--long"] == ("w",)
    assert found.operands == ("-o", "p")
    assert fits("pr create|new", ("pr", "new", "x")) and not fits("pr create", ("pr",))
    assert fits("", ()) and not fits("a", ("b",))


@pytest.mark.parametrize(
    ("conditions", "does"),
    [(">A", True), (">path", False),
     ("-f", True), ("-x", False), ("!-f", False), ("!-x", True), ("-x -f", True), ("-f & -x", False), ("^pa", True),
     ("%a_b", True), ("-f=v", True), ("-f=w", False), ("-f!", True), ("--fo", False), ("--force-all", True),
     ("path", True)],
)  # fmt: skip
def test_conditions_hold(conditions, does):
    """Of each group one word; of the barred ones none."""
    assert holds_words(conditions, given("x", "-f", "v", "path", "A b", "--force", values="-f")) is does


def test_every_line_about_programs_is_well_formed():
    """A slip of the pen would make a rule that never fits, or a program that nobody finds."""
    targets = {
        "",
        "all",
        "all.",
        "first",
        "rest",
        "rest.",
        "last",
        "but-last",
        "leading",
        ".",
        "@",
        "of=",
        "if=",
        "./.git",
    }
    blocks = [block.split("\n") for block in read_programs().strip("\n").split(EMPTY_LINE)]
    blocks = [lines for block in blocks if (lines := [line for line in block if line[0] != "#"])]
    assert [lines[0] for lines in blocks if not f"{lines[0]} ".partition(" = ")[1]] == []
    assert [line for lines in blocks for line in lines[1:] if line[:2] != "  "] == []
    names = [name for lines in blocks for name in f"{lines[0]} ".partition(" = ")[0].split()]
    assert len(names) == len(set(names)) > 400, [name for name in names if names.count(name) > 1]
    assert {line.split()[1] for lines in blocks for line in lines if line.split()[0] == "like:"} <= set(names)
    for name in names:
        values, rules = find_program(name)
        assert "$" not in f"{values} {rules}", name
        if name[0] == "$":
            assert not any(other.startswith(name) for other in names if other != name), name
            assert values and not rules, name
            continue
        assert all(value.startswith("-") for value in values.split()), name
        for words, conditions, kind, target in rules:
            assert kind in KINDS, (name, kind)
            assert all(each in targets or each.startswith("-") for each in target.split()), (name, target)
            assert all(group.strip() for group in conditions.split("&")) or not conditions, (name, conditions)
            assert not words.startswith("?"), (name, words)


def test_a_name_is_found_only_where_it_names_a_program():
    """Not in a remark, in a rule or in options; no text of several words, and none of the shell's own signs."""
    words = ("", " ", "\n", "#", "=", "|", "What", "push:", "--hard", "cat tac", "$FORGES", "read", "nosuch")
    assert [word for word in words if find_program(word) is not None] == []


def test_a_list_that_several_share_stands_in_each():
    """Also one within another, and in what is taken from another program."""
    values, rules = find_program("goose")
    assert "--agents" in values.split() and rules == find_program("claude")[1] != []
    curl = [conditions for _words, conditions, kind, _target in find_program("curl")[1] if kind == "remote-api"]
    assert len(curl) == 1 and "--upload-file & !-G" in curl[0] and "& %api.github.com" in curl[0]


def test_without_the_file_nothing_is_believed_harmless(monkeypatch):
    """A broken installation must not look like one in which no program does anything."""
    monkeypatch.setattr(acts, "_texts", [])
    monkeypatch.setattr(acts, "read_text", lambda path: None)
    with pytest.raises(LimpetError, match="programs"):
        find_program("git")
