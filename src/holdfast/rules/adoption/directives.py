"""Tells a directive from a description by its grammar: imperatives, modal verbs, prohibitions and contrasts."""

from __future__ import annotations

import re

from holdfast.ground.text.words import fold
from holdfast.rules.adoption.passages import LONGEST
from holdfast.rules.adoption.vocabulary import NOUNS_TOO, OBJECTS, VERBS

_OTHERS = (
    r"use|usa|usar|utilize|utilice|utiliza|utilisez?|utiliser|evite|evita|eviter|evitez|prefira|prefiera|prefere|prefiere"
    r"|preferez|preferer|execute|executar|ejecuta|ejecute|ejecutar|lancer?|lancez|escreva|escreve|escribe|escriba|ecris"
    r"|ecrire|ecrivez|mantenha|manten|mantenga|gardez?|garder|adicione|agrega|ajoutez?|ajouter|siga|sigue|suivez|suivre"
)
_MODALS = (
    r"deve|devem|debe|deben|doit|doivent|nunca|sempre|siempre|jamais|toujours|obrigatorio|obligatorio|obligatoire|proibido"
    r"|prohibido|interdit"
)
_FOREIGN = re.compile(rf"^(?:nao |no |ne )?(?:{_OTHERS})\b|\b(?:{_MODALS})\b")
_SPAN = re.compile(r"`[^`]+`")
_LABEL = re.compile(r"^([^:.!?]{2,40}):\s+(?=\S)")
_OPENING = re.compile(
    r"^(?:(?:when|whenever|if|before|after|for|in|on|while|once|until|unless|as|to|during|at|with) [^,]{2,90}, )"
)
_ADVERB = re.compile(r"^(?:please|always|never|only|also|then|just|instead|otherwise|generally|ideally|explicitly) ")
_NEGATED = re.compile(r"^(?:do not|don't|dont|never) ")
_MODAL = re.compile(
    r"\b(?:always|never|must(?: not| always| never)?|shall(?: not)?|should(?: not| always| never)?|do not|don't"
    r"|have to|need to|needs to|has to) (?:ever |also |first |only |be |have )?([a-z'-]+)"
)
_STATED = re.compile(
    r"\b(?:is|are) (?:mandatory|forbidden|required|prohibited|not allowed|disallowed|banned)\b"
    r"|^(?:forbidden|required|mandatory|prohibited):? |\b(?:requires?|required for|required on) [a-z]"
)
_STRONG = re.compile(
    r"\b(?:always|never|must|do not|don't|forbidden|mandatory|prohibited|required|only|cannot|not allowed"
    r"|no exceptions)\b"
)
_CONTRAST = re.compile(r", (?:not|never) \w|\b(?:instead of|rather than|over) \w|\bnot (?:the |a |an )?xx")
_PROHIBITION = re.compile(r"^no (?:xx|[\w-]+(?: [\w-]+){0,2}) (?:in|outside|inside|without|for|on|at|with|from)\b")
_WE = re.compile(r"^we (?:use|prefer|avoid|never|always|do not|don't|write|keep|follow|test|require)\b")
_EXAMPLE = re.compile(r"^(?:good|bad|wrong|right|correct|incorrect|examples?|e\.g\.|eg|see|note)\b[^a-z]*(?::|$|\s-)")
_ELSEWHERE = re.compile(
    r"^(?:see|refer to|read|consult|check|find|look at|visit)\b.{0,60}\b(?:for|above|below|details|docs?)\b"
)
# What leans on the sentence before it, or on the item above.
_LEANS = re.compile(
    r"^(?:this|these|that|those|it|they|such|otherwise)\b"
    r"|^(?:use|avoid|prefer) (?:only )?(?:for|in|if|when|on|at|with|as)\b"
    r"|\botherwise\W*$"
)
# The share of a passage that may be code: beyond it, it lists commands.
_MOST_CODE = 0.8
_FEWEST_WORDS, _MOST_WORDS = 3, 45


def plain_form(text: str) -> str:
    """Return the text as grammar is looked for in it: folded, code spans as ``xx``."""
    return fold(_SPAN.sub("xx", text).replace("\u2019", "'"))


def is_directive(text: str) -> bool:
    """Return whether the passage tells somebody to do or not to do something."""
    plain = plain_form(text)
    words = plain.split()
    code = sum(map(len, _SPAN.findall(text)))
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or len(text) > LONGEST or code > _MOST_CODE * len(text):
        return False
    if plain.endswith((":", "?", ";", "...")) or any(
        pattern.search(plain) for pattern in (_EXAMPLE, _ELSEWHERE, _LEANS)
    ):
        return False
    label = _LABEL.match(plain)
    if label and not plain[label.end() :].replace("xx", "").strip(" .,/|&+-()"):
        return False
    return _directs(plain) or bool(label and _directs(plain[label.end() :]))


def strength(text: str) -> float:
    """Return how specific a directive is: higher for one that names code, forbids, or says what to do instead."""
    plain = plain_form(text)
    spans = min(2, len(_SPAN.findall(text)))
    return 1.5 * spans + 1.5 * bool(_CONTRAST.search(plain)) + bool(_STRONG.search(plain)) - len(text) / LONGEST


def forbids(text: str) -> bool:
    """Return whether the text itself says that it is a prohibition."""
    return bool(
        re.search(r"\b(?:never|not|no|don't|avoid|without|forbidden|nunca|jamais|nao|ne|sin|sem)\b", plain_form(text))
    )


def first_verb(text: str) -> str:
    """Return the imperative that opens the text, folded, "" for none."""
    plain = _bare(plain_form(text))
    word = plain.partition(" ")[0].strip(",;")
    return word if word in VERBS else ""


def _directs(plain: str) -> bool:
    modal = _MODAL.search(plain)
    return (
        _is_imperative(plain)
        or bool(modal and (modal[1] in VERBS or " be " in modal[0] or " have " in modal[0]))
        or any(pattern.search(plain) for pattern in (_STATED, _PROHIBITION, _WE, _FOREIGN))
        or bool(
            re.search(r", (?:not|never) \w|\binstead of \w", plain) and not re.search(r"\b(?:is|are|was|were) ", plain)
        )
    )


def _is_imperative(plain: str) -> bool:
    if _NEGATED.match(_opened(plain)):
        return True
    words = _bare(plain).split()
    if len(words) < 2 or words[0].rstrip(",") not in VERBS:
        return False
    return words[0] not in NOUNS_TOO or words[1].strip(",;") in OBJECTS or words[1].startswith("xx")


def _bare(plain: str) -> str:
    """Return the text without a clause, a negation or an adverb before its verb."""
    rest = _opened(plain)
    for _ in range(2):
        rest = _ADVERB.sub("", _NEGATED.sub("", rest))
    return rest


def _opened(plain: str) -> str:
    return _OPENING.sub("", plain).lstrip("(\"'")
