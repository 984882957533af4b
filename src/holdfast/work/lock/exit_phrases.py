"""The phrases with which people leave, in four languages, as data for ``exits``: folded words, apostrophes as
spaces."""

from __future__ import annotations

from holdfast.ground.values import Value

NAMES = ("holdfast", "chati")
"""What the product is called when it is left; ``chati`` is what it was called before."""


class Phrases(Value):
    """One language's phrases.

    ``fillers``: stand around an intent and change nothing.
    ``wishes``, ``requests``: lead up to a verb; a request may be put as a question.
    ``doubts``: questions whether one may leave.
    ``exits``: verbs that take the product's name and leave it.
    ``doubtful``: verbs that take the name and may mean less or more.
    ``leaves``: verbs that say, without a name, that somebody goes, after a wish or with a place.
    ``alone``: those of ``leaves`` that suffice by themselves.
    ``outs``: a wish and a verb in one.
    ``links``: come between verb and name.
    ``places``: stand in for the name.
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


CONDITIONS = frozenset(
    _split(
        "if, when, whenever, once, after, before, until, unless, se, quando, assim, depois, antes, ate, caso, si, "
        "cuando, siempre, despues, hasta, quand, lorsque, apres, avant, jusqu, des"
    )
)
"""Words of a clause that puts what follows off, or only supposes it."""

ENGLISH = Phrases(
    fillers=_split(
        "please, ok, okay, yes, yeah, hey, hi, so, well, alright, all right, fine, cool, great, perfect, go ahead, "
        "now, right now, for now, for today, for me, today, then, bye, goodbye, see you, see you tomorrow, thanks, "
        "thank you, cheers, that s all, that is all, that s it, just, guys, enough, that s enough, enough for "
        "today, i m done, i am done, we re done, we are done, all done, i m finished, i am finished, we re "
        "finished, we are finished, that ll be all, for the day, and, in this chat, for this chat, in this "
        "conversation, for this conversation, for a while, for a moment, for the moment, i m done here, we re done "
        "here, i ll be back, i ll be back tomorrow, i ll be back later, back soon, see you later, see you soon, "
        "thanks for the help, thanks for your help, thanks for everything"
    ),
    wishes=_split(
        "i want to, i wanna, i would like to, i d like to, i need to, i have to, i must, i ll, i will, i m going "
        "to, i am going to, i m gonna, we want to, we need to, let me, let us, let s, it s time to, it is time to, "
        "time to, i think i, i think i ll, i think we should, we should, i should, i wish to, i d rather, i m, i "
        "am, we re, we are, we ll, we can, you can, you may, i d love to, i d prefer to"
    ),
    requests=_split("can you, could you, would you, will you, can we, could we, would you mind, do you mind"),
    doubts=_split("can i, may i, could i, shall we, should i, should we"),
    exits=_split(
        "exit, leave, quit, stop, close, end, terminate, stop using, get out of, get me out of, let me out of, let "
        "us out of, take us out of, take me out of, get us out of, log out of, log me out of, sign out of, sign me "
        "out of, exit from, go out of, i want out of, leaving, quitting, exiting, closing, ending, unlock, lift the "
        "lock of, release the lock of"
    ),
    doubtful=_split(
        "turn off, switch off, shut down, disable, deactivate, pause, finish, cancel, kill, i m done with, i am "
        "done with, we re done with, we are done with, done with, enough of, enough, no more, bye, goodbye, i don t "
        "want to use, i no longer want to use, i no longer want to be in, i don t want to be in"
    ),
    leaves=_split("exit, leave, quit, get out, go out, exit from"),
    alone=_split("exit, quit, leave"),
    outs=_split(
        "let me out, get me out, take me out, i want out, let me go, unlock the session, lift the session lock, "
        "release the session lock"
    ),
    links=_split("the, this, of, from, session, system, my, mode, chat, lock, here"),
    places=_split("here, of here, the system, this system, the session, this session, the framework, this"),
)
PORTUGUESE = Phrases(
    fillers=_split(
        "por favor, ok, sim, oi, ola, bom, bem, pronto, beleza, ta, ta bom, tudo bem, otimo, perfeito, entao, "
        "agora, ja, por hoje, por agora, hoje, obrigado, obrigada, valeu, muito obrigado, muito obrigada, tchau, "
        "adeus, ate amanha, ate logo, ate mais, e isso, era isso, so isso, chega, por hoje chega, fim por hoje, por "
        "hoje e so, por um tempo, por um momento, um momento, por enquanto, obrigado pela ajuda, obrigada pela "
        "ajuda, volto amanha, volto depois, ja volto, e tudo, ja terminei, terminei, ja acabei, acabei, terminamos, "
        "acabamos, ja chega, e, neste chat, nesse chat, nesta conversa, dessa vez"
    ),
    wishes=_split(
        "quero, eu quero, queria, eu queria, gostaria de, eu gostaria de, preciso, eu preciso, preciso de, vou, eu "
        "vou, vamos, queremos, tenho que, tenho de, eu tenho que, esta na hora de, e hora de, hora de, deixa eu, "
        "deixe me, me deixa, me deixe, estou, eu estou, to, podemos, devemos, prefiro, bora, bora la, partiu"
    ),
    requests=_split("pode, me pode, voce pode, voce poderia, poderia, podes, podemos, da para, da pra"),
    doubts=_split("posso, eu posso, poderia eu, sera que posso, devo"),
    exits=_split(
        "sair, sai, saia, saiamos, saio, eu saio, saindo, a sair, parar, pare, paremos, encerrar, encerre, encerra, "
        "encerremos, fechar, feche, fecha, terminar, termine, termina, finalizar, finalize, finaliza, deixar, "
        "abandonar, abandona, abandone, me tira, me tire, tira me, tire me, me tirar, parar de usar, pare de usar, "
        "deixar de usar, parar com, pare com, destrancar, desbloquear"
    ),
    doubtful=_split(
        "desligar, desligue, desliga, desativar, desative, desativa, pausar, pause, pausa, para, deixa, cancelar, "
        "cancela, tchau, adeus, terminei com, acabei com, nao quero mais usar, nao quero usar, nao quero mais, "
        "chega de, basta de, nada de"
    ),
    leaves=_split("sair, ir embora, ir me embora, me retirar, encerrar, desbloquear, destrancar"),
    alone=_split("sair"),
    outs=_split("me tira daqui, me tire daqui, tire me daqui, me deixa sair, me deixe sair, deixe me sair"),
    links=_split("o, a, do, da, de, deste, desse, este, esse, sessao, sistema, modo, chat, aqui"),
    places=_split(
        "daqui, do sistema, deste sistema, desse sistema, o sistema, da sessao, desta sessao, a sessao, esta sessao"
    ),
)
SPANISH = Phrases(
    fillers=_split(
        "por favor, ok, vale, si, hola, bueno, bien, muy bien, esta bien, perfecto, de acuerdo, listo, pues, "
        "entonces, ahora, ahora mismo, ya, por hoy, por ahora, hoy, gracias, muchas gracias, adios, chao, hasta "
        "manana, hasta luego, eso es todo, es todo, es todo por hoy, por hoy es todo, un momento, por un momento, "
        "por un rato, un rato, por el momento, gracias por la ayuda, gracias por todo, nos vemos, vuelvo luego, "
        "vuelvo manana, ya termine, termine, ya acabe, acabamos, ya acabamos, terminamos, ya terminamos, hemos "
        "terminado, he terminado, ya esta, basta, ya basta, y, en este chat, en esta conversacion"
    ),
    wishes=_split(
        "quiero, yo quiero, quisiera, queria, me gustaria, necesito, tengo que, debo, voy a, vamos a, queremos, es "
        "hora de, hora de, dejame, dejeme, me quiero, deseo, estoy, prefiero, debemos, hay que"
    ),
    requests=_split("puedes, podrias, puede, podria, podemos, podriamos, me puedes, me puede, me podrias, se puede"),
    doubts=_split("puedo, yo puedo, podria yo, debo yo"),
    exits=_split(
        "salir, salirme, sal, salga, salgamos, salte, salgo, me salgo, saliendo, parar, pare, paremos, detener, "
        "deten, detenga, cerrar, cierra, cierre, cerremos, terminar, termina, termine, terminemos, finalizar, "
        "finaliza, finalice, dejar, abandonar, abandona, abandone, sacame, saqueme, sacarme, sacar, dejar de usar, "
        "deja de usar, dejemos de usar, desbloquear, desbloquea"
    ),
    doubtful=_split(
        "apagar, apaga, apague, desactivar, desactiva, desactive, pausar, pausa, para, deja, dejemos, cancelar, "
        "cancela, adios, termine con, acabe con, ya no quiero usar, no quiero usar, no quiero seguir en, ya basta "
        "de, basta de, no mas"
    ),
    leaves=_split("salir, salirme, irme, ir, marcharme, cerrar, terminar, desbloquear"),
    alone=_split("salir"),
    outs=_split("sacame de aqui, saqueme de aqui, dejame salir, dejeme salir, me voy"),
    links=_split("el, la, de, del, este, esta, sesion, sistema, modo, chat, aqui, con"),
    places=_split("de aqui, del sistema, de este sistema, el sistema, de la sesion, la sesion, de esta sesion"),
)
FRENCH = Phrases(
    fillers=_split(
        "s il te plait, s il vous plait, stp, svp, ok, oui, salut, bonjour, bon, bien, tres bien, parfait, super, "
        "alors, maintenant, tout de suite, pour aujourd hui, aujourd hui, pour l instant, merci, merci beaucoup, au "
        "revoir, a demain, a plus, a bientot, allez, pour le moment, un moment, un instant, merci pour l aide, "
        "merci pour ton aide, merci pour tout, je reviens, je reviens demain, je reviens plus tard, d accord, "
        "voila, c est tout, c est bon, c est fini, ca suffit, j ai fini, j ai termine, on a fini, on a termine, "
        "nous avons fini, et, dans ce chat, dans cette conversation, ca y est"
    ),
    wishes=_split(
        "je veux, je voudrais, j aimerais, je souhaite, je dois, j ai besoin de, il faut, je vais, nous voulons, on "
        "va, allons, il est temps de, c est l heure de, laisse moi, laissez moi, on, nous, je, on doit, je prefere, "
        "tu peux, vous pouvez"
    ),
    requests=_split("peux tu, pouvez vous, tu peux, vous pouvez, pourrais tu, pourriez vous, on peut, peut on"),
    doubts=_split("est ce que je peux, je peux, puis je, est ce que je pourrais, pourrais je, dois je"),
    exits=_split(
        "quitter, quitte, quittez, quittons, sortir, sors, sortez, sortons, sort, arreter, arrete, arretez, "
        "arretons, stopper, stoppe, stoppez, fermer, ferme, fermez, fermons, terminer, termine, terminez, "
        "terminons, fais moi sortir, faites moi sortir, sors moi, sortez moi, me faire sortir, me sortir, arreter d "
        "utiliser, arrete d utiliser, arretons d utiliser, abandonner, abandonne, deverrouiller, deverrouille"
    ),
    doubtful=_split(
        "desactiver, desactive, desactivez, eteindre, eteins, eteignez, mettre en pause, mets en pause, couper, "
        "coupe, laisser, laisse, annuler, annule, j ai fini avec, j en ai fini avec, fini, assez de, je ne veux "
        "plus utiliser, je ne veux plus de, ca suffit, plus de, au revoir"
    ),
    leaves=_split("quitter, sortir, partir, m en aller, deverrouiller"),
    alone=_split("quitter, sortir"),
    outs=_split("sors moi, sortez moi, laisse moi sortir, laissez moi sortir, fais moi sortir, je m en vais"),
    links=_split("de, du, d, le, la, l, ce, cette, session, systeme, mode, chat, ici"),
    places=_split("d ici, le systeme, du systeme, ce systeme, la session, de la session, cette session"),
)
PHRASES = {"en": ENGLISH, "pt": PORTUGUESE, "es": SPANISH, "fr": FRENCH}
