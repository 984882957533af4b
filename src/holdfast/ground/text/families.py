"""The family of a keyword: the stems of its derivations, of its cognates in Portuguese, Spanish and French, and of the
short forms of the trade.

Separate from ``stems``, which a prompt pays for: a family is made when rules are compiled, so that it costs a
prompt nothing. What it makes need be no word: one that nobody types does no harm, one that means something else does.
"""

from __future__ import annotations

from holdfast.ground.text.stems import stem

# Ending -> how many letters must stand before it, and what may stand in its place. Words come folded. The longest that
# fits counts; one without anything in its place is a guard. A noun of doing leads to its verb and to the doer; a doer
# leads to neither, where the doer is a thing of its own: a container does more than contain. Left out are "-al",
# "-ate", "-ity" and "-ent" after any word ("portal", "generate", "university", "student").
_ENDINGS = {
    # verbs, their doers and what can be done
    "ate": (4, "ation ator ador"),
    "ation": (4, "ate ator ador"),
    "acion": (4, "ate ator ador"),
    "acao": (4, "ate ator ador"),
    "ator": (4, "ate ation"),
    "ize": (3, "izer izador izable"),
    "izar": (3, "ize izer izador izable"),
    "iser": (4, "ize izer izador izable"),
    "ization": (3, "ize izer izador izable"),
    "izacion": (3, "ize izer izador izable"),
    "izacao": (3, "ize izer izador izable"),
    "isation": (3, "ize izer izador izable"),
    "ure": (5, "urable urer"),
    "uration": (5, "urable urer"),
    "uracion": (5, "urable urer"),
    "uracao": (5, "urable urer"),
    "ect": (3, "ector ecteur"),
    "ection": (3, "ector ecteur"),
    "eccion": (3, "ector ecteur"),
    "ess": (5, "ession essor"),
    "ession": (6, "ess essor"),
    "ypt": (3, "yptor iptar iptacion"),
    "yption": (3, "yptor iptar iptacion"),
    "act": (5, "action actor"),
    "action": (5, "act actor"),
    "lete": (2, "letion"),
    "letion": (2, "lete"),
    "cute": (3, "cution cutor cutar"),
    "cution": (3, "cute cutor cutar"),
    "ribute": (3, "ribution ributor ribuir"),
    "ribution": (3, "ribute ributor ribuir"),
    "scribe": (3, "scription scriber"),
    "scription": (3, "scribe scriber"),
    "mit": (3, "mission misao"),
    "mission": (3, "mit"),
    "vert": (3, "version vertir"),
    "version": (3, "vert vertir"),
    "clude": (2, "clusion cluir"),
    "clusion": (2, "clude cluir"),
    "cide": (2, "cision cidir"),
    "cision": (2, "cide cidir"),
    "solve": (2, "solution"),
    "sume": (3, "sumer sumption sumir"),
    "sumption": (3, "sume sumer sumir"),
    "tain": (4, "tenance tainer tainable tainability"),
    # what may be done, and whether it may
    "able": (4, "ability avel"),
    "ability": (3, "able avel"),
    "abilidad": (3, "able avel"),
    "abilidade": (3, "able avel"),
    "abilite": (3, "able avel"),
    "avel": (4, "able ability"),
    "ible": (4, "ibility ivel"),
    "ibility": (3, "ible ivel"),
    "ibilidad": (3, "ible ivel"),
    "ibilidade": (3, "ible ivel"),
    "ibilite": (3, "ible ivel"),
    "ivel": (4, "ible ibility"),
    # states and those that are in them
    "istency": (4, "istent"),
    "istence": (4, "istent ist"),
    "istent": (4, "istency istence"),
    "urrency": (4, "urrent"),
    "urrent": (4, "urrency"),
    "arency": (4, "arent"),
    "undancy": (3, "undant"),
    "undant": (3, "undancy"),
    "uracy": (3, "urate"),
    # nouns of verbs
    "oval": (3, "ove"),
    "ove": (3, "oval ovement"),
    "ieval": (3, "ieve"),
    "ieve": (4, "ieval"),
    "osal": (4, "ose"),
    "acement": (3, "ace"),
    "lace": (3, "lacement"),
    "vement": (5, "ve"),
    "nagement": (2, "nage nager"),
    "nage": (2, "nagement nager"),
    "ncement": (5, "nce"),
    "finement": (2, "fine"),
    # doers in other languages
    "er": (5, "eur ador"),
    "or": (4, "eur"),
    "eur": (4, "or"),
    "rver": (2, "rveur rvidor"),
    "rveur": (2, "rver rvidor"),
    "rvidor": (2, "rver rveur"),
    "all": (4, "alar alacion alable"),
    "alar": (4, "all"),
    "ject": (2, "jeto yecto jet"),
    "jeto": (2, "ject yecto jet"),
    "yecto": (2, "ject jeto jet"),
}
_LONGEST = max(map(len, _ENDINGS))
_LAST_TWO = frozenset([ending[-2:] for ending in _ENDINGS])
# How a word is spelt in Portuguese and Spanish, tried on long words where one word became another's spelling.
_SPELLINGS = (
    ("ct", "t"),
    ("ptim", "tim"),
    ("ption", "tion"),
    ("quenc", "cuenc"),
    ("ncurr", "ncorr"),
    ("xecut", "jecut"),
)
_SPELLED_LONG = 6
_PROTHETIC_LONG = 8
_AFTER_S = "cpt"
# A short form and what it stands for; each leads to the other.
_SHORT = """
    a11y:accessibility admin:administrator app:application arg:argument async:asynchronous auth:authenticate
    auth:authorize auth:authentifier config:configure db:database deps:dependency env:environment
    i18n:internationalize k8s:kubernetes l10n:localize lib:library o11y:observability oauth:oauth2 param:parameter
    perf:performance prod:production pwd:password repo:repository spec:specification sync:synchronize
    ts:typescript js:javascript py:python
"""
# Words of one matter that no ending tells; each leads to all of its line. ``=`` is before
# a form whose other forms are other words: "pays" is a country in French.
_KIN = """
    test testable testar
    payment =pay =paid =paying paiement pago pagamento =pagar =payer
    filter filtro filtre
    center centro centre
    parameter parametro parametre
    create creation creator criar crear creer
    generate gerar generar generer gerador
    translate translator traduzir traduction traducteur tradutor traductor
    secure security seguranca seguridad securise
    error erro erreur
    user usuario utilisateur
    component composant
    container conteneur contenedor conteiner containerize
    pointer pointeur puntero ponteiro
    docker dockerize
    token tokenize
    connect conexion
    schema esquema
    style estilo
    standard estandar
    state estado etat
    architecture arquitetura
    permission permiso
    transaction transactional
    function fonction functional
    privacy privacidade
    migrate migration migrer
    maintain maintenance mantenimiento manutencao
    persist persistence
    inherit inheritance
    define definition
    describe description
    renew renewal
    refund refundable
    cache cacheable
    deploy deploiement redeploy
    index reindex
    build rebuild
"""
# What is done, and the tool that does it, where the verb is too short for "-er" to be told from another word's end. The
# tool leads not back: a loader is not called by all that loads.
_TOOLS = """
    log:logger test:tester lint:linter parse:parser debug:debugger scan:scanner route:router load:loader trace:tracer
"""
# Pairs that an ending joins and a meaning does not; a word on the left never leads to one on the right.
_APART = """
    commission:commit commit:commission direct:director permission:permit permit:permission action:actor
    reaction:reactor section:sector projection:projector combate:comb caracter:carat
"""
# Acronyms whose plural a stem keeps.
_ACRONYMS = frozenset(("ai", "cpu", "gpu", "sku", "ui"))


def _banned(pairs: str) -> dict[str, frozenset[str]]:
    """Return the stems that each stem on the left must not lead to."""
    found: dict[str, set[str]] = {}
    for word, other in (pair.split(":") for pair in pairs.split()):
        found.setdefault(stem(word), set()).add(stem(other))
    return {each: frozenset(others) for each, others in found.items()}


def _families(short: str, tools: str, kin: str) -> dict[str, tuple[str, ...]]:
    """Return the words that each stem of the lists leads to."""
    lines = [pair.split(":") for pair in short.split()] + [line.split() for line in kin.splitlines()]
    found: dict[str, list[str]] = {}
    for line in lines:
        for word in (each for each in line if each[0] != "="):
            found.setdefault(stem(word), []).extend(other for other in line if other != word)
    for verb, tool in (pair.split(":") for pair in tools.split()):
        found.setdefault(stem(verb), []).append(tool)
    return {each: tuple(words) for each, words in found.items()}


_KNOWN = _families(_SHORT, _TOOLS, _KIN)
_BANNED = _banned(_APART)


def relatives(word: str) -> tuple[str, ...]:
    """Return the terms of the folded word's family: stems, without the word's own, and ``=`` with a word that is meant
    in this form only; none for what is no plain word."""
    if not (word.isascii() and word.isalnum()):
        return ()
    own = stem(word)
    bases = _bases(word)
    made = [*_KNOWN.get(own, ()), *(derived for base in bases for derived in _derivations(base))]
    made += [spelt for each in (*bases, *made) for spelt in _spellings(each)]
    made += [f"{word}s"] if word in _ACRONYMS else []
    apart = _BANNED.get(own, ())
    found = dict.fromkeys(each if each[0] == "=" else stem(each) for each in made)
    return tuple(each for each in found if each != own and each not in apart)


def _bases(word: str) -> list[str]:
    """Return the word without the ending of a plural or of "-ing", as endings are listed for it."""
    if word.endswith("ies"):
        return [f"{word[:-3]}y"]
    if word.endswith("ing") and len(word) > 6:
        return [word[:-3], f"{word[:-3]}e"]
    return [word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word]


def _derivations(word: str) -> list[str]:
    """Return the word with what may stand in the place of its longest ending that is listed."""
    if word[-2:] not in _LAST_TWO:
        return []
    for size in range(min(_LONGEST, len(word) - 2), 0, -1):
        found = _ENDINGS.get(word[-size:])
        if found is not None and len(word) - size >= found[0]:
            return [f"{word[:-size]}{ending}" for ending in found[1].split()]
    return []


def _spellings(word: str) -> list[str]:
    """Return a long word as Portuguese and Spanish spell it."""
    if len(word) < _SPELLED_LONG:
        return []
    found = [word.replace(here, there) for here, there in _SPELLINGS if here in word]
    if "y" in word[1:-1]:
        found.append(word[0] + word[1:-1].replace("y", "i") + word[-1])
    if len(word) >= _PROTHETIC_LONG and word[0] == "s" and word[1] in _AFTER_S:
        found += [f"e{each}" for each in (word, *found)]
    return found
