"""Programs that read, write, move and remove files."""

from __future__ import annotations

_READ_ALL = (("", "", "read", "all"),)
_WRITE_ALL = (("", "", "write", "all"),)
_RM = (
    ("", "", "write", "all"),
    ("", "-r -R -f --recursive --force -rf -fr", "destructive", "all"),
)
_COPY = (
    ("", "!-t !--target-directory", "read", "but-last"),
    ("", "-t --target-directory", "read", "all"),
    ("", "-t --target-directory", "write", "-t --target-directory"),
    ("", "!-t !--target-directory", "write", "last"),
)
_MOVE = (*_COPY, ("", "", "write", "all"))
_GREP_VALUES = (
    "-e --regexp -f --file -A -B -C -m --max-count --include --exclude --exclude-dir -d -D --color --colour --label "
    "--after-context --before-context --context"
)
_GREP = (
    ("", "!-e & !-f & !--regexp & !--file & -r -R --recursive", "read", "rest."),
    ("", "!-e & !-f & !--regexp & !--file & !-r & !-R & !--recursive", "read", "rest"),
    ("", "-e -f --regexp --file", "read", "all"),
)
_RG_VALUES = (
    "-e --regexp -f --file -g --glob --iglob -t --type -T --type-not -A -B -C -m --max-count -j -r --replace -M --color "
    "--colors --sort --sortr -d --max-depth --type-add --pre --after-context --before-context --context"
)
_RG = (
    ("", "!-e & !-f & !--regexp & !--files", "read", "rest."),
    ("", "-e -f --regexp --files", "read", "all."),
)
_SED = (
    ("", "!-e & !-f & !--expression & !-n", "read", "rest"),
    ("", "!-e & !-f & !--expression & -n", "read", "rest"),
    ("", "-e -f --expression", "read", "all"),
    ("", "-i --in-place -I & !-e & !-f & !--expression", "write", "rest"),
    ("", "-i --in-place -I & -e -f --expression", "write", "all"),
)
_FIND = (
    ("", "", "read", "leading"),
    ("", "-delete", "destructive", "leading"),
    ("", "-delete", "write", "leading"),
    ("", "-fprint -fprintf -fls", "write", "-fprint -fprintf -fls"),
)
_TAR = (
    ("", "-x --extract --get ^x", "write", "-C --directory ."),
    ("", "-x -t --extract --list ^x ^t", "read", "-f --file"),
    ("", "-c --create -r --append -u ^c", "write", "-f --file"),
    ("", "-c --create -r --append -u ^c", "read", "all"),
    ("", "--remove-files --recursive-unlink", "destructive", "all"),
)
_COMPRESS = (("", "", "write", "all"), ("", "", "read", "all"))
_EDITOR = (("", "", "write", "all"), ("", "", "read", "all"))
_REMOVE_ITEM = (("", "", "write", "all"), ("", "-recurse -force -r -fo -rec /s /q", "destructive", "all"))
_SET_CONTENT = (("", "", "write", "-path -literalpath -filepath first"),)

FILES: dict[str, tuple[str, tuple[tuple[str, str, str, str], ...]]] = {
    **dict.fromkeys("cat tac head tail less more most bat batcat nl wc strings xxd hexdump od md5sum sha1sum sha256sum sha512sum " "shasum cksum file stat cut paste join comm diff cmp sdiff colordiff fold fmt column rev uniq tsort jq yq " "readlink realpath base64 base32 zcat bzcat xzcat zless zgrep gunzip-c du ls ll la dir exa eza lsd vdir " "csvcut xmllint tree view pr expand look glow mdcat delta difft tokei cloc scc".split(), ("-n --lines -c --bytes -w -s -d -f -k -t -o -b -N -j -A -S", _READ_ALL)),
    "ls": ("-I --ignore -w --width", (("", "", "read", "all."),)),
    "tree": ("-I -L -P -o", (("", "", "read", "all."), ("", "-o", "write", "-o"))),
    "du": ("-d --max-depth --exclude", (("", "", "read", "all."),)),
    "jq": ("-f --from-file --arg --argjson --slurpfile --rawfile --indent", (("", "", "read", "rest"),)),
    "yq": ("", (("", "", "read", "rest"), ("", "-i --inplace", "write", "rest"))),
    "sort": ("-k -t -o --output -S -T", (("", "", "read", "all"), ("", "-o --output", "write", "-o --output"))),
    "grep": (_GREP_VALUES, _GREP),
    "egrep": (_GREP_VALUES, _GREP),
    "fgrep": (_GREP_VALUES, _GREP),
    "rgrep": (_GREP_VALUES, _RG),
    "zgrep": (_GREP_VALUES, _GREP),
    "rg": (_RG_VALUES, _RG),
    "ag": (_RG_VALUES, _RG),
    "ack": (_RG_VALUES, _RG),
    "ast-grep": ("-p --pattern -l --lang -r --rewrite", (("", "", "read", "."), ("", "-U --update-all", "write", "."))),
    "sg": ("-p --pattern -l --lang -r --rewrite", (("", "", "read", "."), ("", "-U --update-all", "write", "."))),
    "sed": ("-e --expression -f --file -l", _SED),
    "gsed": ("-e --expression -f --file -l", _SED),
    "awk": ("-F -v -f --field-separator --assign --file", (
        ("", "!-f & !--file", "read", "rest"), ("", "-f --file", "read", "all"), ("", "%-i_inplace", "write", "rest"))),
    "gawk": ("-F -v -f -i", (("", "!-f", "read", "rest"), ("", "-i=inplace", "write", "rest"))),
    "perl": ("-e -E -I -M", (("", "-i & -e -E", "write", "all"), ("", "-e -E & !-i", "read", "all"), ("", "", "run", ""))),
    "ruby": ("-e -I -r", (("", "-i & -e", "write", "all"), ("", "", "run", ""))),
    "find": ("", _FIND),
    "gfind": ("", _FIND),
    "fd": ("-e --extension -t --type -d -E --exclude -x -X", (("", "", "read", "rest."),)),
    "fdfind": ("-e --extension -t --type -d -E --exclude -x -X", (("", "", "read", "rest."),)),
    "tee": ("", _WRITE_ALL),
    "touch": ("-d -t -r --date --reference", _WRITE_ALL),
    "mkdir": ("-m --mode", _WRITE_ALL),
    "rmdir": ("", _WRITE_ALL),
    "mkfifo": ("-m", _WRITE_ALL),
    "mknod": ("-m", (("", "", "write", "first"),)),
    "mktemp": ("-p --tmpdir --suffix -t", ()),
    "rm": ("", _RM),
    "unlink": ("", (("", "", "write", "all"), ("", "", "destructive", "all"))),
    "trash": ("", _WRITE_ALL),
    "trash-put": ("", _WRITE_ALL),
    "gio": ("", (("trash|remove", "", "write", "rest"),)),
    "rimraf": ("", (("", "", "write", "all"), ("", "", "destructive", "all"))),
    "del-cli": ("", (("", "", "write", "all"), ("", "", "destructive", "all"))),
    "shred": ("-n -s", (("", "", "write", "all"), ("", "", "destructive", "all"))),
    "srm": ("", (("", "", "write", "all"), ("", "", "destructive", "all"))),
    "truncate": ("-s --size -r", (("", "", "write", "all"), ("", "", "destructive", "all"))),
    "fallocate": ("-l -o", _WRITE_ALL),
    "cp": ("-t --target-directory -S --suffix", _COPY),
    "gcp": ("-t --target-directory", _COPY),
    "ditto": ("", _COPY),
    "mv": ("-t --target-directory -S --suffix", _MOVE),
    "rename": ("-n", (("", "", "write", "rest"),)),
    "install": ("-m --mode -o --owner -g --group -t --target-directory", (
        ("", "-d --directory", "write", "all"), *_COPY)),
    "ln": ("-t --target-directory -S", (("", "", "read", "but-last"), ("", "", "write", "last"))),
    "link": ("", (("", "", "read", "first"), ("", "", "write", "last"))),
    "dd": ("", (("", "", "write", "of="), ("", "^of=", "destructive", "of="), ("", "", "read", "if="))),
    "chmod": ("--reference", (("", "", "write", "rest"), ("", "-R --recursive", "destructive", "rest"))),
    "chown": ("--reference --from", (("", "", "write", "rest"), ("", "-R --recursive", "destructive", "rest"))),
    "chgrp": ("--reference", (("", "", "write", "rest"), ("", "-R --recursive", "destructive", "rest"))),
    "chattr": ("", (("", "", "write", "rest"),)),
    "setfacl": ("-m -x -M -X", (("", "", "write", "all"),)),
    "patch": ("-p -i -d -o -r -B -z --input --directory --output", (
        ("", "", "write", "all."), ("", "-o --output", "write", "-o --output"), ("", "-d --directory", "write",
         "-d --directory"))),  # fmt: skip
    "rsync": ("-e --rsh --exclude --include --exclude-from --include-from --filter -f --port --bwlimit --log-file", (
        ("", "", "read", "but-last"), ("", "", "write", "last"),
        ("", "--delete --delete-after --delete-before --delete-during --delete-excluded --remove-source-files",
         "destructive", "last"))),  # fmt: skip
    "tar": ("-f --file -C --directory -T --files-from -X --exclude -I --transform --strip-components", _TAR),
    "bsdtar": ("-f --file -C --directory", _TAR),
    "gtar": ("-f --file -C --directory", _TAR),
    "zip": ("-x -i -b", (("", "", "write", "first"), ("", "", "read", "rest"), ("", "-m", "destructive", "rest"))),
    "unzip": ("-d -x -P", (("", "!-l & !-p & !-t & !-Z", "write", "-d ."), ("", "", "read", "first"))),
    "7z": ("", (("x|e", "", "write", "."), ("a|u", "", "write", "."), ("", "", "read", "rest"), ("d", "", "destructive", "rest"))),
    "gzip": ("-S", _COMPRESS),
    "gunzip": ("-S", _COMPRESS),
    "bzip2": ("", _COMPRESS),
    "bunzip2": ("", _COMPRESS),
    "xz": ("-T", _COMPRESS),
    "unxz": ("-T", _COMPRESS),
    "zstd": ("-T -o", _COMPRESS),
    "cpio": ("-D -F -O", (("", "-i --extract", "write", "."), ("", "", "read", "."))),
    "split": ("-b -l -n -a -C", (("", "", "read", "first"), ("", "", "write", "."))),
    "csplit": ("-f -n -b", (("", "", "read", "first"), ("", "", "write", "."))),
    "dos2unix": ("", _WRITE_ALL),
    "unix2dos": ("", _WRITE_ALL),
    "sponge": ("", _WRITE_ALL),
    "ed": ("", _EDITOR),
    "ex": ("-c", _EDITOR),
    "vi": ("-c", _EDITOR),
    "vim": ("-c --cmd -u -S", _EDITOR),
    "nvim": ("-c --cmd -u -S", _EDITOR),
    "nano": ("", _EDITOR),
    "emacs": ("--eval -l", _EDITOR),
    "code": ("-g --goto", _EDITOR),
    "open": ("-a", (("", "", "read", "all"),)),
    "xdg-open": ("", (("", "", "read", "all"),)),
    "pbcopy": ("", ()),
    "crontab": ("-u", (("", "-r", "destructive", ""), ("", "-l", "read", ""), ("", "", "write", ""))),
    "prettier": ("--config --parser --plugin", (("", "-w --write", "write", "all"), ("", "!-w & !--write", "read", "all"))),
    # Windows.
    **dict.fromkeys(
        ("remove-item", "ri", "del", "erase", "rd"),
        ("-include -exclude -filter -erroraction -ea", _REMOVE_ITEM),
    ),
    **dict.fromkeys(("clear-content", "clc"), ("", (("", "", "write", "all"), ("", "", "destructive", "all")))),
    **dict.fromkeys(("get-content", "gc", "type", "get-childitem", "gci", "select-string", "sls", "import-csv",
                     "get-item", "gi", "test-path"), ("-pattern -filter -totalcount -tail -encoding", _READ_ALL)),
    **dict.fromkeys(("set-content", "sc", "add-content", "ac", "out-file", "new-item", "ni", "tee-object", "md",
                     "export-csv"), ("-value -itemtype -encoding -name -path -literalpath -filepath", _SET_CONTENT)),
    **dict.fromkeys(("copy-item", "cpi", "copy", "xcopy", "robocopy"), ("-destination", (
        ("", "", "read", "but-last"), ("", "!-destination", "write", "last"), ("", "/mir /purge", "destructive", "last"),
        ("", "-destination", "write", "-destination")))),
    **dict.fromkeys(("move-item", "mi", "move", "rename-item", "rni", "ren"), ("-destination -newname", (
        ("", "", "write", "all"), ("", "-destination", "write", "-destination")))),
    "format": ("", (("", "", "destructive", "all"),)),
    "format-volume": ("", (("", "", "destructive", ""),)),
    "clear-disk": ("", (("", "", "destructive", ""),)),
    "diskpart": ("", (("", "", "destructive", ""),)),
}  # fmt: skip
