"""One canonical stem for a word of English, Portuguese, Spanish, French or German, by which keyword matching and the
terms of memories compare words. The language of a word is not known, so an ending is listed only where taking it off
joins few words of another language or another meaning."""

from __future__ import annotations

_VOWELS = frozenset("aeiouy")
_SHORTEST = 4
# Ending, what replaces it (``-``: nothing), and how many letters must stand before it. Words come folded, so "ações" is
# met as "acoes". The longest that fits is taken: a guard is a longer ending that stays. Left out are endings that make
# other words as often as forms of one: the agents of short verbs ("tester"), "-able", "-al", "-ent", "-ant", "-ness",
# and the plurals of verbs in "-an" and "-am" ("human", "stream").
# Plurals; with the guards "class", "status", "thesis".
_PLURALS = """
    s:-:3 ss:ss:1 us:us:2 sis:sis:2 ysis:ys:3 ies:y:2 xes:x:2 sses:ss:2 zzes:z:2 ches:ch:3 shes:sh:2 oes:ao:3
    aes:ao:2 ais:al:3 ales:al:3 eis:el:3 eres:er:4 dores:dor:2 tores:tor:2 agens:agem:2 ciones:cion:1 siones:sion:1
    aux:al:3 eaux:eau:3 ationen:a:4 tionen:cion:2 sionen:sion:2 eiten:eit:3
"""
# Infinitives, participles and tenses, to the vowel of the verb; English "-ing" and "-ed" are taken off apart.
_TENSES = """
    ar:a:2 ando:a:2 ado:a:2 ada:a:2 aram:a:3 aron:a:3 ava:a:3 avam:a:3 aba:a:4 aban:a:3 amos:a:3 ei:a:4 ou:a:4
    er:e:5 ir:e:4 endo:e:4 iendo:e:3 indo:e:4 ido:e:4 ida:e:4 alido:alid:1 alida:alid:1 eram:e:4 iram:e:4 ieron:e:3
    emos:e:4 imos:e:4 eu:e:5 iu:e:4 ee:e:4 ez:e:4 ait:e:4 aient:e:4 en:e:5 ieren:e:4 iert:e:4
"""
# Verbs that were borrowed: "cachear", "commitea".
_BORROWED = """
    ea:-:4 ear:-:4 eando:-:4 eado:-:4 eada:-:4
"""
# Nouns of verbs; four letters before "-ate" are too few to tell "operate" from "opera", and not all that a sentence
# requires is a requirement.
_NOUNS = """
    ate:a:5 ation:a:4 acion:a:4 acao:a:4 ierung:e:4 ung:-:5 ungen:-:5 ment:-:6 ement:ement:1 duction:duc:2
    duccion:duc:2 ducao:duc:2 duire:duc:2 duit:duc:2 yption:ypt:2 uption:upt:2
"""
# One spelling for what the languages have in common.
_COMMON = """
    tion:cion:2 ction:cion:1 ccion:cion:1 cao:cion:1 sao:sion:2 xao:xion:2 ity:it:3 idad:it:3 idade:it:3 ence:enci:3
    ency:enci:3 endance:endenci:1 ance:anci:3 ancy:anci:3 aire:ari:3 oire:ori:3 ique:ic:2 ador:ator:3 ateur:ator:3
"""
# Adverbs
_ADVERBS = """
    ly:-:5 ally:al:3 ically:ic:3 bly:bl:3 ply:pli:1 mente:-:5
"""
# Split at once: a prompt imports this, and a split for each row would take it five times as long.
_ROWS = (_PLURALS + _TENSES + _BORROWED + _NOUNS + _COMMON + _ADVERBS).replace(":", " ").split()
_COLUMNS = zip(_ROWS[::3], _ROWS[1::3], _ROWS[2::3], strict=True)
_ENDINGS = {ending: (other.strip("-"), int(least)) for ending, other, least in _COLUMNS}
_LONGEST = 7
_LAST_TWO = frozenset([ending[-2:] for ending in _ENDINGS])
# No verb doubles these before "-ing" and "-ed": "calling", "passed", "buzzed".
_DOUBLE_BY_NATURE = "lsz"
# A syllable that ends so is no word until a vowel follows: "cach", "pars", "busc". After others, as in "past", the
# vowel tells words apart: "rest" and "resto", "form" and "forma".
_OPEN = frozenset(
    ("bl", "br", "cc", "ch", "cl", "cr", "dg", "dl", "dr", "fl", "fr", "gl", "gn", "gr", "gu", "lc", "lg", "ls", "lv")
    + ("mb", "nc", "ng", "ns", "nz", "pl", "pr", "qu", "rc", "rg", "rr", "rs", "rv", "rz", "sc", "sl", "tl", "tr", "vr")
    + ("zz",)
)
# Spanish and Portuguese write once what others write twice, and "t" and "f" for "th" and "ph"; not "gg", which would
# join "aggregate" and "agregar" (to add).
_SPELLINGS = (
    *(("bb", "b"), ("cc", "c"), ("dd", "d"), ("ff", "f"), ("ll", "l"), ("mm", "m"), ("nn", "n"), ("pp", "p")),
    *(("rr", "r"), ("ss", "s"), ("tt", "t"), ("th", "t"), ("ph", "f")),
)
_SPELLED_ALIKE = 6
# Word -> stem, where endings do not tell it.
_IRREGULAR = """
    ate:eat began:begin begun:begin bought:buy broke:break broken:break brought:bring built:build caught:catch
    chose:choos chosen:choos drawn:draw drew:draw driven:drive drove:drive eaten:eat fallen:fall fell:fall
    flew:fly flown:fly forgot:forget forgotten:forget found:find gave:give given:give grew:grow grown:grow heard:hea
    held:hold hid:hide hidden:hide kept:keep knew:know known:know lost:lose meant:mean met:meet paid:pay ran:run
    ridden:ride rode:ride sang:sing seen:see sent:send shook:shake slept:sleep sold:sell spent:spend
    spoke:speak spoken:speak stole:steal stolen:steal stood:stand sung:sing swam:swim taken:take taught:teach
    thought:think threw:throw thrown:throw told:tell took:take understood:understand woke:wake won:win wore:wea
    worn:wea written:write wrote:write
    children:child echoes:echo feet:foot heroes:hero indice:index itens:item locales:locale men:man menus:menu
    potatoes:potat tomatoes:tomat women:woman zeroes:zero
    pasted:pasta pasting:pasta comando:comand
"""
# Words that look like a form of another: a container does more than contain, a product is not what production makes.
_APART = """
    alias:alias canvas:canvas redis:redis news:news evening:evening during:during embed:embed linear:linear
    committee:committee container:container customer:customer provider:provider dessert:dessert latter:latter
    though:though through:through its:its ils:ils prettier:prettier suche:suche comme:comme temps:temps
    exito:exito entero:entero idioma:idioma cuento:cuento todas:todas todos:todos valid:validu invalid:invalidu
    production:producion produccion:producion producao:producion
"""
_PAIRS = (_IRREGULAR + _APART).replace(":", " ").split()
_EXCEPTIONS = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
# Words that no other word becomes: "setting" is no form of "set", nor "parar" of "para".
_ALONE = frozenset(("set", "data", "para", "entre", "sobre", "esta", "este", "esto", "nada"))


def stem(word: str) -> str:
    """The same for a folded word's inflections, for most nouns and adverbs made of it, and for the same word of a
    related language. A stem is a key and no word, so it may have another stem itself. It keeps three letters at least,
    apart from that of an acronym in the plural ("prs")."""
    known = _EXCEPTIONS.get(word)
    if known is not None:
        return known
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        if not word.isascii():
            from limpet.ground.text.scripts import strip_endings

            return strip_endings(word)
        is_acronyms = (
            len(word) == 3 and word[2] == "s" and word[1] not in "aeious" and word.isascii() and word.isalpha()
        )
        return word[:2] if is_acronyms else word
    single = word
    if word[-1] == "s":
        single = _replace_ending(word)
        known = _EXCEPTIONS.get(single)
        if known is not None:
            return known
    bare = _remove_participle(single) if single[-1] in "gd" else single
    found = _end(_replace_ending(bare) if bare[-2:] in _LAST_TWO and bare[-1] != "s" else bare)
    return _respell(single if found in _ALONE or len(found) < 3 else found)


def _replace_ending(word: str) -> str:
    length = len(word)
    for size in range(min(_LONGEST, length - 1), 0, -1):
        found = _ENDINGS.get(word[-size:])
        if found is not None and length - size >= found[1]:
            return word[:-size] + found[0]
    return word


def _remove_participle(word: str) -> str:
    if word.endswith("ing"):
        root = word[:-3]
    elif word.endswith("ed"):
        root = word[:-2]
    else:
        return word
    if len(root) < 2 or root[-1] == "e" or _VOWELS.isdisjoint(root):
        return word
    if root[-1] == "i":
        return root[:-1] + "y" if len(root) > 2 else word
    if len(root) > 3 and root[-1] == root[-2] and root[-1] not in _DOUBLE_BY_NATURE:
        return root[:-1]
    if _is_short_syllable(root) or (len(root) > 4 and _lost_an_e(root)):
        return root + "e"
    return root if len(root) > 2 else word


def _lost_an_e(root: str) -> bool:
    return (root[-2:] in ("at", "ar", "ir") and root[-3] not in "aeo") or root[-3:] in ("enc", "anc")


def _end(word: str) -> str:
    """A syllable that is a word without its last vowel keeps one vowel for all its genders and tenses: "forma" for
    "forma", "forme" and "formo", and not "form"."""
    last = word[-1]
    if last == "y" and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    if last not in "aeo" or len(word) <= _SHORTEST:
        return word
    root = word[:-1]
    if root[-1] in "aeo" or root[-2:] == "al" or _is_short_syllable(root):
        return word
    if len(root) < 6 and root[-1] not in _VOWELS and _is_syllable(root):
        closed = last != "e" if root[-2] in _VOWELS else root[-2:] not in _OPEN
        return root + "a" if closed else root
    return root


def _is_short_syllable(root: str) -> bool:
    """It ends in a single vowel and consonant: its "e" was silent ("hik", "us")."""
    return len(root) > 1 and root[-2] in _VOWELS and root[-1] not in "aeiouywx" and _VOWELS.isdisjoint(root[:-2])


def _is_syllable(root: str) -> bool:
    inner = root.lstrip("bcdfghjklmnpqrstvwxz").rstrip("bcdfghjklmnpqrstvwxz")
    return _VOWELS.issuperset(inner)


def _respell(found: str) -> str:
    if len(found) < _SPELLED_ALIKE:
        return found
    if found.endswith("ific"):
        found = found[:-1]
    elif found.endswith("ect"):
        found = found[:-1] + "ion"
    elif found.endswith("lyz"):
        found = found[:-1] + "s"
    elif found.endswith("is"):
        found = found[:-1] + "z"
    elif found.endswith("duz"):
        found = found[:-1] + "c"
    for spelling, common in _SPELLINGS:
        if spelling in found:
            found = found.replace(spelling, common)
    return found
