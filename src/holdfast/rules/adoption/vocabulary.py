"""The words by which directives and their subjects are found: verbs of instructions, and words that name no subject."""

from __future__ import annotations

_VERBS = """
abort adapt add adhere adjust align allow annotate answer apply ask assert assume attach authenticate avoid await base
batch be begin bind bound break bring build bump bundle bypass cache call cancel capture cast catch centralize change
check choose clarify classify clean clear clone close collapse combine commit communicate compare compile compose
compute configure confirm consider consult contain continue convert copy cover create declare decouple default defer
define delegate delete deploy deprecate derive describe design determine disable discuss display document double-check
downgrade drop duplicate edit emit enable encapsulate enforce ensure escape establish evaluate exclude execute expect
explain export expose extend extract fail fall favor favour fetch fill find finish fix flag focus follow force format
generate get give grep group guard handle hardcode hide highlight hold honor identify ignore implement import include
incorporate increment index inherit initialize inject inline insert inspect install instruct integrate introduce
invalidate invoke isolate iterate join keep know label launch lead leave let leverage limit link lint list load
localize locate lock log look lower maintain make manage map mark match measure memoize mention merge migrate mimic
minimize mirror mock model modify monitor move mutate name nest normalize note notify obtain omit open optimize order
organize output override pair parse pass paste perform persist pick pin place plan point prefer prefix prepare
preserve prevent print prioritize proceed produce profile propagate propose protect provide publish pull push put
query quote raise read rebase rebuild record recreate reduce refactor refer reference refresh refuse regenerate
register reject release rely remember remove rename render reopen replace report represent reproduce request require
rerun reserve reset resolve respect restart restore restrict retain retry return reuse reveal reverse revert review
rewrite roll rotate round run sanitize save scan schedule scope scroll search secure select send separate serialize
serve set share ship show sign simplify skip sort specify split squash stage start state stay stick stop store stream
strip structure stub style submit summarize support suppress surface swallow switch sync tag take target tell test
think throw touch track translate treat trigger trim trust try turn type understand undo uninstall update upgrade
upload use validate verify version view wait warn watch work wrap write
"""

_NOUNS_TOO = """
access answer base batch bind break build bundle cache call cast change check clean clear clone close commit complete
contract copy cover default design display document double double-check drop duplicate edit escape export extract fail
fix flag focus force format group guard handle highlight hold import index insert label launch lead limit link lint
list load lock log look map mark match measure merge mirror mock model monitor move name nest note open order output
override pair parse pass paste pick pin place plan point prefix print process profile pull push query quote rebuild
record reference refresh release report request reset restart return reverse review roll round run scan schedule scope
scroll search secure select separate set share ship show sign sort split squash stage start state stick stop store
stream structure stub style support surface switch sync tag target test throw touch track trigger trim trust try turn
type update upgrade version view wait watch work
"""

_OBJECTS = """
a after all an and any as at before both by changes code data each either errors every existing files for from if in
into it its more new no not on one only or our private public sure tests that the them these this those to user-facing
when with xx your
"""

_TOPICS = """
authenticate benchmark build cache comment commit deploy document export format import lint log merge migrate mock
name paste profile publish query refactor release review schedule search style test translate type validate
"""

_GENERAL = """
ability able absolutely acceptable access accurate action actual additional advantage agent ai already amount app
applicable approach appropriate apps area aspect assistant available awareness away back bad base basic behavior
behaviour besides best better big case change clarity claude clear code codebase coding come command common complete
complex component concept concise context convention conveys copilot core correct corresponding critical current
cursor date dedicated default descriptive detail developer development different difficult direct directory easy edge
element else elsewhere end enough entire entirely error essential etc exact example existing explicit extra false
feature file final folder forbidden format forward full function functional general global good great guidance guide
guideline hand hard help helpful high human humans idea impact implementation important improve index individual
information input instance instruction intended internal issue item kept key kind know known lack large later latest
learning learnings level lib library likely line list local long lower main making mandatory manual maximum meaning
mechanism method minimal minimum missing model module multiple must name necessary nested never new nice none note
null number object obvious old ones option order original otherwise output overview packages page part particular path
pattern people per perhaps place plain please point policy popular possible practice preference present primary
principle probably problem process program prohibited project proper proposed purpose quality question quick read
readability ready real reason related relevant remaining remote repo repository required requirement resource result
review right run safe same scope section sense sensible separate set setup short sign significant similar simple
single size slow slower small software solution somebody someone something sometimes soon source special specific
specified src standard step strict structure stuff style sub subject subsystem suit sure system task team technical
text thing time tip together tool top topic total tries true try type unclear unique unnecessary upper usage useful
user value variable various version via visible want way went whatever whenever wherever wide wider word words work
workflow workspace wrong yes yourself
"""

VERBS = frozenset(_VERBS.split())
"""Base forms that open an instruction."""
NOUNS_TOO = frozenset(_NOUNS_TOO.split())
"""Those that are nouns as well: an object has to follow."""
OBJECTS = frozenset(_OBJECTS.split())
"""Words that begin a verb's object; ``xx`` stands for code."""
TOPICS = frozenset(_TOPICS.split())
"""Verbs of instructions that name a subject as well."""
GENERAL = frozenset(_GENERAL.split())
"""Words that any prompt about software may hold, and those that name a section and not its subject."""
