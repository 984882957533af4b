"""What a short answer answers: the option that it takes of those that the model offered, or the question that it says
yes to.

Separate from ``statements``, because here the words that say something stand in the model's message.
"""

from __future__ import annotations

import re

from holdfast.ground.text.escaping import clip
from holdfast.ground.text.stop_words import STOP_WORDS
from holdfast.ground.text.words import fold, split_words
from holdfast.ground.values import Value
from holdfast.memory.capture.acts import ASKS, ORDERS, TELLS, act_of, without_opening
from holdfast.memory.capture.languages import cues
from holdfast.memory.capture.prose import matchable, sentences

_IDENTIFIER = re.compile(r"(?<!\w)--?\w|`|\w[_./]\w")
# Words of an answer that names a thing.
_MOST_NAMED = 3
_HEAD = re.compile(r"\*\*[^*\n]{2,60}\*\*[^\n.]{0,160}")
# Words of an answer that takes an option and says little else.
_MOST_WORDS = 12
_LEAST_WORDS = 4
_LONGEST_OPTION = 300
_CALLED = r"(?:option|opc[aã]o|opção|opci[oó]n)"
_MARKED = r"\s*(?:[-*+•#]+ +)?(?:[*_]{1,4} ?)?"
_OPTION = re.compile(
    rf"^{_MARKED}(?:{_CALLED} +)?\(?(?P<name>\d{{1,2}}|[A-Ha-h])[.):](?:[*_]{{1,3}})?\s+(?P<text>\S.{{2,}})$"
    rf"|^{_MARKED}{_CALLED} +(?P<named>\d{{1,2}}|[A-Ha-h])\b[^\w\n]{{0,6}}(?P<rest>\S.{{2,}})$",
    re.MULTILINE | re.IGNORECASE,
)
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1,
    "primeiro": 1, "primeira": 1, "segundo": 2, "segunda": 2, "terceiro": 3, "terceira": 3,
    "primero": 1, "primera": 1, "tercero": 3, "tercera": 3, "ultimo": -1, "ultima": -1,
    "premier": 1, "premiere": 1, "deuxieme": 2, "seconde": 2, "troisieme": 3, "dernier": -1, "derniere": -1,
}  # fmt: skip
_NAMED = re.compile(
    r"\b(?:option|opcao|opcion|number|approach|plan|choice|alternative|numero|alternativa)s? #?(\d{1,2}|[a-h])\b"
)
_BEFORE = (
    r"yes|yeah|yep|ok|sure|let's|lets|do|go|with|for|i|prefer|pick|choose|take|want|like|use|just|please|the|then|now"
    r"|sim|si|oui|vamos|com|con|prefiro|prefiero|prefere|je|la|le|el|a|o"
)
_AFTER = "please|then|is|looks|sounds|seems|better|best|good|fine|one|por|favor"
_BARE = re.compile(rf"^(?:\W|\b(?:{_BEFORE})\b)*#?(\d{{1,2}}|[a-h])\b(?:\W|\b(?:{_AFTER})\b)*$")
_ORDINAL = re.compile(rf"\b({'|'.join(_ORDINALS)})\b")
_OFFERING = re.compile(
    r"^(?:\W*(?:do you want(?: me to| us to)?|would you like(?: me to)?|want me to|should (?:i|we)|shall (?:i|we)|may i"
    r"|can i|is it ok(?:ay)? (?:to|if i)|devo|quer que eu|deveria|deberia|quieres que|voulez-vous que je|veux-tu que je"
    r"|dois-je)\b[ ,]*(?:also |then |just |now |go ahead and )*)"
)

# A step of the work: whoever lets it be taken, or orders another, settles nothing.
_DOING = re.compile(
    r"(?:run|apply|proceed|continue|start|begin|go ahead|commit|push|deploy|check|look|investigate|fix|implement|show"
    r"|explain|rod|execut|aplic|continu|prossig|proced|prosig|ejecut|lanc|appliqu|corrig|corrij|verific|revis)\w*\b"
)
# More of the same work; nothing is settled by it.
_MAKING = re.compile(
    r"(?:add|create|write|update|make|include|adicion|cri[ae]|escrev|atualiz|anad|agreg|escrib|actualiz|ajout|cre|ecri"
    r"|met)\w*\b"
)


class Answer(Value):
    """An answer and what it takes up.

    ``text``: what was chosen or agreed to, in the model's words.
    ``asked``: the question or the list's lead, "" where there was none.
    """

    text: str
    asked: str = ""


def read_answer(own: str, told: str) -> Answer | None:
    """Return what the person's own words ``own`` take of what the model told before; None where they take nothing that
    can be told."""
    folded = matchable(own).strip()
    if not folded or len(split_words(folded)) > 4 * _MOST_WORDS:
        return None
    options = options_in(told)
    picked = _picked(folded, list(options))
    if picked:
        return Answer(text=options[picked], asked=question_in(told))
    question = question_in(told)
    label = own.strip().lower()
    if chosen := next((each for each in options.values() if label == each.partition(":")[0].strip().lower()), ""):
        return Answer(text=chosen, asked=question)
    if named := _named(own, told):
        return Answer(text=own.strip(), asked=question or named)
    if question and not (options and _BARE.match(folded)) and not _is_step(question) and _settles(own):
        return Answer(text=own.strip(), asked=question)
    if cues.ACKNOWLEDGES.fullmatch(folded.rstrip(" .!,")) and cues.CONFIRMS.match(folded) and _offers(question):
        return Answer(text=question)
    return None


def options_in(text: str) -> dict[str, str]:
    """Return the options of the last list in the model's message: their number or letter, and what each says."""
    found: dict[str, str] = {}
    for option in _OPTION.finditer(text):
        name = (option["name"] or option["named"]).lower()
        if name in ("1", "a"):
            found = {}
        found[name] = clip(" ".join((option["text"] or option["rest"]).replace("**", "").split()), _LONGEST_OPTION)
    return found if len(found) > 1 else {}


def question_in(text: str) -> str:
    """Return the question that the model's message ends with, "" where it does not end with one."""
    last = sentences(text)[-3:]
    asking = [place for place, sentence in enumerate(last) if "?" in sentence]
    return last[asking[-1]] if asking else ""


def context_of_question(text: str) -> str:
    """Return the last two sentences where the last one asks: what is offered often stands before the question."""
    last = sentences(text)[-2:]
    return " ".join(last) if last and "?" in last[-1] else ""


def _picked(folded: str, names: list[str]) -> str:
    """Return the name of the option that is taken, "" where none is, or more than one."""
    if not names:
        return ""
    told = {found for found in _NAMED.findall(folded) if found in names}
    if len(told) == 1 and not cues.ASKS.search(folded):
        return str(told.pop())
    if len(split_words(folded)) > _MOST_WORDS:
        return ""
    if (bare := _BARE.match(folded)) and bare[1] in names:
        return str(bare[1])
    ordinals = {_ORDINALS[found] for found in _ORDINAL.findall(folded)}
    if len(ordinals) == 1 and len(split_words(folded)) <= _MOST_WORDS // 2:
        place = ordinals.pop()
        return names[place - 1 if place > 0 else place] if place <= len(names) else ""
    return ""


def _named(own: str, told: str) -> str:
    """Return the sentence of the model that offers what the person names, "" where the answer names no such thing."""
    opened = without_opening(" ".join(own.split()))
    words = [word for word in split_words(matchable(opened)) if word not in STOP_WORDS]
    if (
        not 0 < len(words) <= _MOST_NAMED
        or act_of(opened) in (ASKS, ORDERS, TELLS)
        or cues.CONFIRMS.match(opened.lower())
    ):
        return ""
    last = sentences(told)[-2:]
    asking = bool(last) and "?" in last[-1]
    offered = last if asking and cues.OFFERS.search(matchable(" ".join(last))) else _heads(told)
    return next((each for each in offered if words[0] in split_words(fold(each))), "")


def _settles(own: str) -> bool:
    """Return whether a short answer tells what it is to be, and does not only let the work continue."""
    words = split_words(matchable(without_opening(" ".join(own.split()))))
    says = any(word not in STOP_WORDS or word.isdigit() for word in words) or _IDENTIFIER.search(own) is not None
    plain = cues.ACKNOWLEDGES.fullmatch(matchable(own).strip(" .!,")) or cues.CONFIRMS.match(matchable(own))
    return says and len(words) <= _MOST_WORDS and not plain and act_of(own) not in (ASKS, ORDERS, TELLS)


def _is_step(question: str) -> bool:
    """Return whether the model asks only whether it may take the next step."""
    folded = matchable(question)
    offering = _OFFERING.match(folded)
    rest = folded[offering.end() :] if offering else ""
    return bool(rest) and (_DOING.match(rest) or _MAKING.match(rest)) is not None


def _heads(told: str) -> list[str]:
    """Return the sentences of the model that set a name in bold or in a list's head, where several are set so."""
    marked = _HEAD.findall(told)
    return [" ".join(each.split()) for each in marked] if len(marked) > 1 else []


def _offers(question: str) -> bool:
    """Return whether a yes to the question settles something beyond the next step of the work."""
    folded = matchable(question)
    offered = _OFFERING.sub("", folded)
    words = [word for word in split_words(offered) if word not in STOP_WORDS]
    if _MAKING.match(offered):
        return False
    return bool(folded) and len(words) >= _LEAST_WORDS and not cues.ORDERS.match(offered) and " or " not in folded
