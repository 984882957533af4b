"""How people say that they leave, in four languages, as data for ``exits``: folded words, apostrophes as spaces."""

from __future__ import annotations

from holdfast.ground.values import Value

NAMES = ("holdfast", "chati")
"""What the product is called when it is left; ``chati`` is what it was called before."""


class Phrases(Value):
    """One language's phrases.

    ``fillers`` stand around an intent and change nothing; ``wishes`` and ``requests`` lead up to a verb, and a request
    may be put as a question; ``doubts`` are questions whether one may. ``exits`` take the product's name and leave it;
    ``doubtful`` take it and may mean less or more. ``leaves`` say, without a name, that somebody goes; those in
    ``alone`` by themselves, the others after a wish or with a place; ``outs`` are a wish and a verb in one. ``links``
    come between verb and name, ``places`` are what is left when it has no name.
    """

    fillers: tuple[str, ...]
    wishes: tuple[str, ...]
    requests: tuple[str, ...]
    doubts: tuple[str, ...]
    exits: tuple[str, ...]
    doubtful: tuple[str, ...]
    leaves: tuple[str, ...]
    alone: tuple[str, ...]
    outs: tuple[str, ...]
    links: tuple[str, ...]
    places: tuple[str, ...]


def _split(phrases: str) -> tuple[str, ...]:
    return tuple(phrases.split(", "))


ENGLISH = Phrases(
    fillers=_split(
        "please, ok, okay, yes, yeah, hey, hi, so, well, now, right now, for now, for today, for me, today, then, bye, "
        "goodbye, see you, see you tomorrow, thanks, thank you, cheers, that s all, that is all, that s it, just, "
        "guys, enough for today, i m done for today, i am done for today, for the day"
    ),
    wishes=_split(
        "i want to, i wanna, i would like to, i d like to, i need to, i have to, i must, i ll, i will, i m going to, "
        "i am going to, i m gonna, we want to, we need to, let me, let us, let s, it s time to, it is time to, "
        "time to, i think i, i think i ll, i wish to, i d rather"
    ),
    requests=_split("can you, could you, would you, will you, can we, could we"),
    doubts=_split("can i, may i, could i, shall we"),
    exits=_split(
        "exit, leave, quit, stop, close, end, terminate, stop using, get out of, get me out of, let me out of, "
        "take me out of, log out of, exit from, go out of"
    ),
    doubtful=_split("turn off, switch off, disable, deactivate, pause, i m done with, i am done with, bye, goodbye"),
    leaves=_split("exit, leave, quit, get out, go out, exit from"),
    alone=_split("exit, quit, leave"),
    outs=_split("let me out, get me out, take me out, i want out, let me go"),
    links=_split("the, this, of, from, session, system, my"),
    places=_split("here, of here, the system, this system, the session, this session, the framework, this"),
)
PORTUGUESE = Phrases(
    fillers=_split(
        "por favor, ok, sim, oi, ola, bom, entao, agora, ja, por hoje, por agora, hoje, obrigado, obrigada, valeu, "
        "muito obrigado, muito obrigada, tchau, adeus, ate amanha, ate logo, ate mais, e isso, era isso, so isso, chega"
    ),
    wishes=_split(
        "quero, eu quero, queria, eu queria, gostaria de, eu gostaria de, preciso, eu preciso, vou, eu vou, vamos, "
        "queremos, tenho que, tenho de, eu tenho que, esta na hora de, e hora de, hora de, deixa eu, deixe me, "
        "me deixa, me deixe"
    ),
    requests=_split("pode, voce pode, voce poderia, poderia, podes, podemos, da para, da pra"),
    doubts=_split("posso, eu posso, poderia eu, sera que posso"),
    exits=_split(
        "sair, sai, saia, saiamos, parar, pare, paremos, encerrar, encerre, encerra, encerremos, fechar, feche, fecha, "
        "terminar, termine, finalizar, finalize, deixar, abandonar, me tira, me tire, tira me, tire me, parar de usar"
    ),
    doubtful=_split("desligar, desligue, desativar, desative, pausar, pause, tchau, adeus, terminei com"),
    leaves=_split("sair, ir embora, ir me embora, me retirar, encerrar"),
    alone=_split("sair"),
    outs=_split("me tira daqui, me tire daqui, tire me daqui, me deixa sair, me deixe sair, deixe me sair"),
    links=_split("o, a, do, da, de, deste, desse, este, esse, sessao, sistema"),
    places=_split("daqui, do sistema, deste sistema, desse sistema, o sistema, da sessao, desta sessao, a sessao"),
)
SPANISH = Phrases(
    fillers=_split(
        "por favor, ok, vale, si, hola, bueno, pues, entonces, ahora, ya, por hoy, por ahora, hoy, gracias, "
        "muchas gracias, adios, chao, hasta manana, hasta luego, eso es todo, es todo"
    ),
    wishes=_split(
        "quiero, yo quiero, quisiera, queria, me gustaria, necesito, tengo que, debo, voy a, vamos a, queremos, "
        "es hora de, hora de, dejame, dejeme, me quiero, deseo"
    ),
    requests=_split("puedes, podrias, puede, podria, podemos, podriamos"),
    doubts=_split("puedo, yo puedo, podria yo"),
    exits=_split(
        "salir, salirme, sal, salga, salgamos, salte, parar, pare, paremos, detener, deten, detenga, cerrar, cierra, "
        "cierre, cerremos, terminar, termina, termine, terminemos, finalizar, finaliza, dejar, abandonar, sacame, "
        "saqueme, dejar de usar"
    ),
    doubtful=_split("apagar, apaga, apague, desactivar, desactiva, desactive, pausar, adios, termine con"),
    leaves=_split("salir, salirme, irme, ir, marcharme, cerrar, terminar"),
    alone=_split("salir"),
    outs=_split("sacame de aqui, saqueme de aqui, dejame salir, dejeme salir, me voy"),
    links=_split("el, la, de, del, este, esta, sesion, sistema"),
    places=_split("de aqui, del sistema, de este sistema, el sistema, de la sesion, la sesion, de esta sesion"),
)
FRENCH = Phrases(
    fillers=_split(
        "s il te plait, s il vous plait, stp, svp, ok, oui, salut, bonjour, bon, alors, maintenant, pour aujourd hui, "
        "aujourd hui, pour l instant, merci, merci beaucoup, au revoir, a demain, a plus, a bientot, d accord, voila, "
        "c est tout"
    ),
    wishes=_split(
        "je veux, je voudrais, j aimerais, je souhaite, je dois, j ai besoin de, il faut, je vais, nous voulons, "
        "on va, allons, il est temps de, c est l heure de, laisse moi, laissez moi"
    ),
    requests=_split("peux tu, pouvez vous, tu peux, vous pouvez, pourrais tu, pourriez vous, on peut, peut on"),
    doubts=_split("est ce que je peux, je peux, puis je, est ce que je pourrais, pourrais je"),
    exits=_split(
        "quitter, quitte, quittez, quittons, sortir, sors, sortez, sortons, arreter, arrete, arretez, arretons, "
        "stopper, fermer, ferme, fermez, fermons, terminer, termine, terminez, terminons, fais moi sortir, "
        "faites moi sortir, sors moi, sortez moi, arreter d utiliser"
    ),
    doubtful=_split("desactiver, desactive, desactivez, eteindre, eteins, mettre en pause, au revoir"),
    leaves=_split("quitter, sortir, partir, m en aller"),
    alone=_split("quitter, sortir"),
    outs=_split("sors moi, sortez moi, laisse moi sortir, laissez moi sortir, fais moi sortir, je m en vais"),
    links=_split("de, du, d, le, la, l, ce, cette, session, systeme"),
    places=_split("d ici, le systeme, du systeme, ce systeme, la session, de la session, cette session"),
)
LANGUAGES = {"en": ENGLISH, "pt": PORTUGUESE, "es": SPANISH, "fr": FRENCH}
