"""Programs that read, write, move and remove files."""

from __future__ import annotations

FILES = """
. source
  read first:
cat tac wc more most md5sum sha1sum sha256sum sha512sum shasum cksum file cmp comm rev tsort readlink realpath zcat
    bzcat xzcat zless ll la dir exa eza lsd vdir view look glow mdcat delta difft tokei cloc scc colordiff
  read all:
head tail = -n --lines -c --bytes -s --sleep-interval --pid
  read all:
cut = -d --delimiter -f --fields -c --characters -b --bytes --output-delimiter
  read all:
nl = -b -w -s -n -v -i
  read all:
bat batcat = -l --language -r --line-range --theme --style -H --highlight-line -m --map-syntax
  read all:
less = -p -P -x
  read all:
strings = -n --bytes -t -e
  read all:
xxd = -l -s -c -g -n -o
  read all:
hexdump = -n -s -e
  read all:
od = -j -N -A -t
  read all:
base64 base32 = -w --wrap
  read all:
stat = -c --format --printf
  read all:
paste expand unexpand = -d --delimiters -t
  read all:
join = -t -1 -2 -o -e -a -v -j
  read all:
diff sdiff = -U -C -x -X -I --exclude --label
  read all:
fold fmt pr = -w -h -l
  read all:
column = -s -c -o
  read all:
uniq = -f -s -w
  read first:
  write rest:
csvcut xmllint = -c -d --xpath
  read all:
jq = -f --from-file --arg --argjson --slurpfile --rawfile --indent
  read rest:
yq
  read rest:
  write rest: ? -i --inplace
zgrep grep egrep fgrep = -e --regexp -f --file -A -B -C -m --max-count --include --exclude --exclude-dir -d -D
    --label --after-context --before-context --context
  read rest.: ? !-e & !-f & !--regexp & !--file & -r -R --recursive
  read rest: ? !-e & !-f & !--regexp & !--file & !-r & !-R & !--recursive
  read all: ? -e -f --regexp --file
du = -d --max-depth --exclude
  read all.:
ls = -I --ignore -w --width
  read all.:
tree = -I -L -P -o
  read all.:
  write -o: ? -o
sort = -k -t -o --output -S -T
  read all:
  write -o --output: ? -o --output
rgrep = -e --regexp -f --file -A -B -C -m --max-count --include --exclude --exclude-dir -d -D
    --label --after-context --before-context --context
  read rest.: ? !-e & !-f & !--regexp & !--files
  read all.: ? -e -f --regexp --files
rg ag ack = -e --regexp -f --file -g --glob --iglob -t --type -T --type-not -A -B -C -m --max-count -j -r --replace
    -M --color --colors --sort --sortr -d --max-depth --type-add --pre --after-context --before-context --context
  read rest.: ? !-e & !-f & !--regexp & !--files
  read all.: ? -e -f --regexp --files
ast-grep sg = -p --pattern -l --lang -r --rewrite
  read .:
  write .: ? -U --update-all
sed gsed = -e --expression -f --file -l
  read rest: ? !-e & !-f & !--expression & !-n
  read rest: ? !-e & !-f & !--expression & -n
  read all: ? -e -f --expression
  write rest: ? -i --in-place -I & !-e & !-f & !--expression
  write all: ? -i --in-place -I & -e -f --expression
awk = -i -F -v -f --field-separator --assign --file
  read rest: ? !-f & !--file
  read all: ? -f --file
  write rest: ? %-i_inplace
gawk = -F -v -f -i
  read rest: ? !-f
  write rest: ? -i=inplace
perl = -e -E -I -M
  write all: ? -i & -e -E
  read all: ? -e -E & !-i
  run:
ruby = -e -I -r
  write all: ? -i & -e
  run:
find gfind
  read leading:
  destructive leading: ? -delete
  write leading: ? -delete
  write -fprint -fprintf -fls: ? -fprint -fprintf -fls
fd fdfind = -e --extension -t --type -d -E --exclude -x -X
  read rest.:
tee rmdir trash trash-put dos2unix unix2dos sponge
  write all:
touch = -d -t -r --date --reference
  write all:
mkdir = -m --mode
  write all:
mkfifo = -m
  write all:
mknod = -m
  write first:
mktemp = -p --tmpdir --suffix -t
rm
  write all:
  destructive all: ? -r -R -f --recursive --force -rf -fr
unlink rimraf del-cli srm clear-content clc
  write all:
  destructive all:
gio
  write all: trash|remove
shred = -n -s
  write all:
  destructive all:
truncate = -s --size -r
  write all:
  destructive all:
fallocate = -l -o
  write all:
cp = -t --target-directory -S --suffix
  read but-last: ? !-t !--target-directory
  read all: ? -t --target-directory
  write -t --target-directory: ? -t --target-directory
  write last: ? !-t !--target-directory
gcp = -t --target-directory
  read but-last: ? !-t !--target-directory
  read all: ? -t --target-directory
  write -t --target-directory: ? -t --target-directory
  write last: ? !-t !--target-directory
ditto
  read but-last: ? !-t !--target-directory
  read all: ? -t --target-directory
  write -t --target-directory: ? -t --target-directory
  write last: ? !-t !--target-directory
mv = -t --target-directory -S --suffix
  read but-last: ? !-t !--target-directory
  read all: ? -t --target-directory
  write -t --target-directory: ? -t --target-directory
  write last: ? !-t !--target-directory
  write all:
rename = -n
  write rest:
install = -m --mode -o --owner -g --group -t --target-directory
  write all: ? -d --directory
  read but-last: ? !-t !--target-directory
  read all: ? -t --target-directory
  write -t --target-directory: ? -t --target-directory
  write last: ? !-t !--target-directory
ln = -t --target-directory -S
  read but-last:
  write last:
link
  read first:
  write last:
dd
  write of=:
  destructive of=: ? ^of=
  read if=:
chmod chgrp = --reference
  write rest:
  destructive rest: ? -R --recursive
chown = --reference --from
  write rest:
  destructive rest: ? -R --recursive
chattr
  write rest:
setfacl = -m -x -M -X
  write all:
patch = -p -i -d -o -r -B -z --input --directory --output
  write all.:
  write -o --output: ? -o --output
  write -d --directory: ? -d --directory
rsync = -e --rsh --exclude --include --exclude-from --include-from --filter -f --port --bwlimit --log-file
  read but-last:
  write last:
  destructive last: ? --delete --delete-after --delete-before --delete-during --delete-excluded
      --remove-source-files
tar = -f --file -C --directory -T --files-from -X --exclude -I --transform --strip-components
  write -C --directory .: ? -x --extract --get ^x
  read -f --file: ? -x -t --extract --list ^x ^t
  write -f --file: ? -c --create -r --append -u ^c
  read all: ? -c --create -r --append -u ^c
  destructive all: ? --remove-files --recursive-unlink
bsdtar gtar = -f --file -C --directory
  write -C --directory .: ? -x --extract --get ^x
  read -f --file: ? -x -t --extract --list ^x ^t
  write -f --file: ? -c --create -r --append -u ^c
  read all: ? -c --create -r --append -u ^c
  destructive all: ? --remove-files --recursive-unlink
zip = -x -i -b
  write first:
  read rest:
  destructive rest: ? -m
unzip = -d -x -P
  write -d .: ? !-l & !-p & !-t & !-Z
  read first:
7z
  write .: x|e
  write .: a|u
  read rest:
  destructive rest: d
gzip gunzip = -S
  write all:
  read all:
bzip2 bunzip2 ed nano
  write all:
  read all:
xz unxz = -T
  write all:
  read all:
zstd = -T -o
  write all:
  read all:
cpio = -D -F -O
  write .: ? -i --extract
  read .:
split = -b -l -n -a -C
  read first:
  write .:
csplit = -f -n -b
  read first:
  write .:
ex vi = -c
  write all:
  read all:
vim nvim = -c --cmd -u -S
  write all:
  read all:
emacs = --eval -l
  write all:
  read all:
code = -g --goto
  write all:
  read all:
open = -a
  read all:
xdg-open
  read all:
pbcopy
crontab = -u
  destructive: ? -r
  read: ? -l
  write:
prettier = --config --parser --plugin
  write all: ? -w --write
  read all: ? !-w & !--write
remove-item ri del erase rd = -include -exclude -filter -erroraction -ea
  write all:
  destructive all: ? -recurse -force -r -fo -rec /s /q
get-content gc type get-childitem gci select-string sls import-csv get-item gi test-path = -pattern -filter
    -totalcount -tail -encoding
  read all:
set-content sc add-content ac out-file new-item ni tee-object md export-csv = -value -itemtype -encoding -name -path
    -literalpath -filepath
  write -path -literalpath -filepath first:
copy-item cpi copy xcopy robocopy = -destination
  read but-last:
  write last: ? !-destination
  destructive last: ? /mir /purge
  write -destination: ? -destination
move-item mi move rename-item rni ren = -destination -newname
  write all:
  write -destination: ? -destination
format
  destructive all:
format-volume clear-disk diskpart
  destructive:
gofmt goimports gofumpt shfmt
  write all.: ? -w
  read all.:
black isort rustfmt stylua autoflake yapf djlint = -l --line-length --config -t --target-version --edition --profile
  write all.: ? !--check & !--diff & !--check-only
  read all.:
ruff = --config --select --ignore --line-length --output-format
  write all.: format ? !--check & !--diff
  write all.: check ? --fix --fix-only --add-noqa
  read rest.:
eslint stylelint oxlint = -c --config --ext --rule -f --format
  write all.: ? --fix
  read all.:
clang-format = -style --style
  write all: ? -i
  read all:
"""
