"""The cues of all languages as one expression each: a conversation mixes languages, so none is guessed.

decides    a person settles something: counts only from the user
decided    something was settled: counts from the model too
jointly    in a ``decided``: several settled it, so that the model only tells of it
answers    settles something where the model has just asked
offers     the model names things to choose from
corrects   the user corrects the model
faults     so does this, without saying how it should be
errs       the user names an error
resolves   what fixed something
causes     why it went wrong: what a message without its mend has to teach
picks      the model tells its own choice
explains   what was wrong, in the present tense too: counts from the model beside a fix
mends      what was done about it
describes  how the project does things: counts from the model where the user confirms it
holds      what shall always or never be done
asks, supposes, reports, negates, passes, mocks, processes, empty
           what makes a cue void: a question, a supposition, somebody else's words, a negation, words for this turn
           only, sarcasm, a step of the work, an object that says nothing ("that one")
confirms, refuses
           how the user takes up what the model said
opens      words that only open a sentence: "ok, so"
acknowledges, tells, orders, doubts
           what a sentence does that settles nothing: a nod, a report of how it went, an order of the moment, a guess
binds      words that say how something is to be
wishes, warns
           what shall always or never be done, what to beware of (decision 22)
reproaches the user asks why it was done so, or says that it happened again

``acknowledges`` is matched as a whole, ``opens``, ``tells`` and ``orders`` at the beginning; ``negates`` is looked for
right before a cue, ``supposes`` and ``reports`` anywhere before it, ``processes`` and ``empty`` right after it, the
others anywhere in the sentence.
"""

from __future__ import annotations

import re

from holdfast.memory.capture.languages.english import CUES as ENGLISH
from holdfast.memory.capture.languages.french import CUES as FRENCH
from holdfast.memory.capture.languages.portuguese import CUES as PORTUGUESE
from holdfast.memory.capture.languages.spanish import CUES as SPANISH

TABLES = {"en": ENGLISH, "pt": PORTUGUESE, "es": SPANISH, "fr": FRENCH}

Cue = re.Pattern[str]


def _join(name: str) -> re.Pattern[str]:
    lines = [line for table in TABLES.values() for line in table[name].strip("\n").replace("\n    ", "").split("\n")]
    return re.compile("|".join(f"(?:{line})" for line in lines))


DECIDES = _join("decides")
DECIDED = _join("decided")
JOINTLY = _join("jointly")
ANSWERS = _join("answers")
OFFERS = _join("offers")
CORRECTS = _join("corrects")
FAULTS = _join("faults")
ERRS = _join("errs")
RESOLVES = _join("resolves")
CAUSES = _join("causes")
DESCRIBES = _join("describes")
HOLDS = _join("holds")
ASKS = _join("asks")
SUPPOSES = _join("supposes")
REPORTS = _join("reports")
NEGATES = _join("negates")
PASSES = _join("passes")
MOCKS = _join("mocks")
PROCESSES = _join("processes")
EMPTY = _join("empty")
OPENS = _join("opens")
ACKNOWLEDGES = _join("acknowledges")
TELLS = _join("tells")
ORDERS = _join("orders")
WISHES = _join("wishes")
WARNS = _join("warns")
BINDS = _join("binds")
DOUBTS = _join("doubts")
REPROACHES = _join("reproaches")
PICKS = _join("picks")
EXPLAINS = _join("explains")
MENDS = _join("mends")
CONFIRMS = _join("confirms")
REFUSES = _join("refuses")
