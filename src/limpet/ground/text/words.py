"""The words of a text in any script, folded."""

from __future__ import annotations

from limpet.ground.text.folding import fold, is_unspaced

SYMBOLS = "+#"
# What words of ASCII are made of.
ASCII_WORDS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ENGLISH_WORDS = """
about above across after afterwards again against all also among and another any anything are because been
before being below between both but can cannot could did does doing done down during each either else even
ever every few first for from further get gets give go goes had has have having her here his how however if in
inside into instead is it its itself just keep last least less let like made make makes many may mean means
might more most much must need needs neither never new next no none nor not nothing now of off often on once
one only onto or other our out outside over own per rather really same say says see set shall she should show
since so some still such take takes tell than that the their them then there these they thing things this
those three through thus to too two under unless until up upon use used uses using very was way well were what
when where whether which while who whole whose why will with within without would yet you your always rule
rules cant couldnt didnt doesnt dont hadnt hasnt havent isnt arent wasnt werent wont wouldnt shouldnt im ive
youre youve youll theyre weve lets thats whats theres heres oh ok hey hmm ah
"""
PORTUGUESE = """
agora ainda algum alguma antes ao aos apenas aqui as assim ate cada com como da das de dela dele deles depois
deve devem do dos e ela ele eles em entre era essa esse esta estao este eu faca fazer foi for isso isto ja
mais mas mesmo muito na nao nas nem no nos nossa nosso num numa nunca o onde os ou outra outro para pela pelo
pode por porque qual quando que quem se sem sempre ser seu seus so sobre sua suas tambem tem toda todas todo
todos um uma umas uns use usar voce ali algo alguem alguns algumas alem aquela aquele aqueles aquilo bem coisa
coisas eram estava estamos estou fica ficar foram ha havia la lhe mesma mesmos meu meus minha minhas nele
neste nesta nesse nessa ninguem outras outros pois pouco quase qualquer sao sera tenho ter teu tinha tu vai
vamos vem voces vou dentro fora
"""
SPANISH = """
al algo ante aquel asi aun aunque cada como con contra cual cuando debe deben del desde donde durante el ella
ellos en entonces era es esa ese eso esta estas este esto estos hasta hay la las le les lo los mas mientras
mucho muy nada ni ningun no nos otra otro otros pero por porque pues que quien se sea segun ser si siempre sin
sobre solo son su sus tal tambien tan tanto te tiene toda todas todo todos un una uno unos usa usted y ya ahi
ahora alguien algun alguna algunas algunos alli antes aqui aquella aquello casi cosa cosas cualquier dentro
despues eran eres esos esas estan estamos estar estaba estoy fue fuera fueron ha haber habia han he hubo ir
luego me mi mis misma mismas mismo mismos mucha muchas muchos nadie nosotros nuestra nuestro otras poco puede
pueden quiero sera sido somos soy tampoco tener tengo tienen tu tus va vamos van vez voy yo
"""
FRENCH = """
afin ainsi alors apres au aucun aucune aussi autre autres aux avant avec avoir bien ca ce cela ces cet cette
chaque comme dans de depuis des doit doivent donc dont du elle elles en encore entre est et etre eux faire
fait faut il ils je jamais la le les leur leurs lors lorsque lui mais me meme moins mon ne ni nos notre nous
on ou par parce pas pendant peu peut plus pour pourquoi puis quand que quel quelle qui quoi sa sans se selon
ses si soit son sont sous sur ta tes toi tous tout toute toutes tres tu un une vers vos votre vous ai as aura
aurait avait avez avons ceci celle celui ceux dedans dehors deja devant dois es etaient etait fois ici
mes mien moi ont ouais peux plusieurs quelque quelques rien sera serait seulement sommes suis te toujours trop
va vais vas voila vont
"""
GERMAN = """
aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bevor bis bist da dabei
dadurch damit dann darf das dass davon dazu dein dem den denn der des dessen dich die dies diese diesem diesen
dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch fur gegen hat hatte
hier hin ich ihm ihn ihr ihre ihrem ihren im immer in ins ist jede jedem jeden jeder jedes kann kein keine
keinen konnen man mehr mein mich mit muss mussen nach nicht nichts nie niemals noch nun nur ob oder ohne sehr
sein seine seit sich sie sind so solche soll sollen sondern sonst uber um und uns unser unter viel vom von vor
wann war warum was weil welche wenn wer werden wie wieder wir wird wo zu zum zur zwischen
"""
STOP_WORDS = frozenset(" ".join((ENGLISH_WORDS, PORTUGUESE, SPANISH, FRENCH, GERMAN)).split())
ENGLISH = "en"
LANGUAGES = (ENGLISH, "pt", "es", "fr")


def keep_only(kept: bytes) -> bytes:
    table = bytearray(b" " * 256)
    for code in kept:
        table[code] = code
    return bytes(table)


_IN_WORDS = keep_only(ASCII_WORDS)


def split_words(folded: str) -> list[str]:
    """What has no spaces is cut into as many words as it may have."""
    if folded.isascii():
        return folded.encode("ascii").translate(_IN_WORDS).decode("ascii").split()
    words = split_spaced(folded)
    if not is_unspaced(folded):
        return words
    from limpet.ground.text.scripts import cut

    return [part for word in words for part in (cut(word) if is_unspaced(word) else [word])]


def split_spaced(folded: str) -> list[str]:
    """Cut where no letter stands; a combining mark belongs to its word."""
    import unicodedata

    kept = [c if c.isalnum() or (c > "\u02ff" and unicodedata.category(c)[0] == "M") else " " for c in folded]
    return "".join(kept).split()


def has_words(text: str, least: int) -> bool:
    """The text has so many words, whether spaces part them or not."""
    if len(text.split(None, least)) >= least:
        return True
    return is_unspaced(text) and len(split_words(fold(text))) >= least


def is_stop_word(word: str) -> bool:
    """The folded word says nothing about a subject, in any language that we know."""
    if word.isascii():
        return word in STOP_WORDS
    from limpet.ground.text.scripts import STOPS

    return word in STOPS


def language_code(language: str) -> str:
    """For a tag such as ``pt-BR`` or ``es_MX.UTF-8``; English for one that we have not."""
    code = language.strip().lower()[:2]
    return code if code in LANGUAGES and not language.strip()[2:3].isalpha() else ENGLISH
