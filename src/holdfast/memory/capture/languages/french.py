"""French cues, matched in lower case without accents; ``cues`` tells what each name means.

A line is one alternative; an indented one continues the line before."""

CUES = {
    "decides": r"""
\b(?:on va|nous allons) (?:utiliser|adopter|garder|prendre|partir (?:sur|avec)|passer a|migrer vers|rester (?:sur
    |avec|en)|choisir)\b
\b(?:on|nous) (?:utilisera|utiliserons|adoptera|adopterons|gardera|garderons|partira sur|partirons sur
    |restera (?:sur|en)|resterons (?:sur|en))\b
^(?:ok|bon|oui|alors|d'accord)?[,.]? ?(?:utilisons|adoptons|gardons|partons (?:sur|avec)|restons (?:sur|en|avec)
    |passons a)\b
\b(?:on|nous) (?:part|partons|reste|restons|passe|passons|continue|continuons) (?:sur|avec|a|en)\b
\b(?:on|nous) (?:garde|gardons) (?!ca\b|cela\b)(?=\S)\b
(?:^|[,:] )(?:desormais|a partir de maintenant|dorenavant),?
^(?:ok |bon |alors |oui |finalement )*on prend (?!le temps|une pause|note)\S+ (?:pour|comme|en)\b
^(?:ok |bon |alors |oui )*va pour (?!ca\b|cela\b|moi\b)
\bon (?:ne va plus|n'\w+ plus) (?:utiliser|supporter|maintenir|prendre en charge)\b
\bon (?:abandonne|laisse tomber) (?!pour\b|ca\b|cela\b|ici\b)
""",
    "decided": r"""
\b(?:nous avons|on a|j'ai|l'equipe a) (?:donc |finalement |tous )?(?:decide|choisi|opte|retenu|convenu|tranche)\b
\b(?:c'est|il est|il a ete|cela a ete) (?:decide|convenu|acte)\b
\b(?:l'equipe|le client|la direction) a (?:valide|approuve|retenu)\b
^(?:la )?decision(?: finale)? ?:
""",
    "jointly": r"\b(?:nous|on|equipe|client|direction|c'est|il|cela)\b",
    "offers": r" ou ",
    "answers": r"""
^(?:s'il te plait,? )?(?:utilise[zs]?|prends|prenez|choisis|choisissez|pars sur|partez sur|garde[zs]?)\b
""",
    "faults": r"""
^(?:faux|incorrect)[:,.!]
^(?:non, )?(?:c'est|c'etait) (?:faux|incorrect|une erreur|pas (?:bon|correct|ca|juste|vrai))\b
^(?:non, )?ce n'est pas (?:correct|ca|bon|juste|vrai)\b
^(?:tu te trompes|vous vous trompez)\b
""",
    "corrects": r"""
^non(?:[,.:;!]| -) (?=(?:utilise[zs]?|c'est|ce|le|la|les|l'\w+|il|elle|on|mets|mettez|dans|seulement|ici|garde)\b)
^(?:en fait|en realite),? (?!tu peux|peux|pouvez|vous pouvez|est-ce)
^(?:comme )?(?:je (?:te |vous )?l'ai|je (?:t'|vous )ai|j'ai|je l'avais) (?:deja )?(?:dit|demande)\b
^(?:s'il te plait,? )?n'(?:utilise[zs]?|ajoute[zs]?|importe[zs]?|ecris|ecrivez|expose[zs]?) (?:pas|plus|jamais)\b
^(?:s'il te plait,? )?ne (?:mets|mettez|cree[zs]?|rajoute[zs]?|melange[zs]?|stocke[zs]?|leve[zs]?
    |lance[zs]? plus) (?:pas|plus|jamais)\b
^(?:arrete[zs]?|evite[zs]?) (?:d'\w+|de \w+)
^ne (?:touche|modifie|change|renomme|commite|supprime|code)[zs]? (?:pas|plus)\b
^(?:oui|ok|bien|d'accord|parfait|bon)[,.]? mais (?:avec|sans|utilise|plutot|au lieu)\b
^(?:au lieu|plutot) (?:de|d'|que) ?\S+(?: \S+)?,? utilise[zs]?\b
^non[,;:] plutot (?!que\b)
\bje prefere(?:rais)?\b
\b(?:tu aurais du|vous auriez du|il fallait)\b
\bla (?:bonne|vraie) (?:facon|maniere|approche|commande|methode) (?:est|c'est|etait)\b
^(?:s'il te plait,? )?utilise[zs]? \S.{0,80}(?:au lieu d\w*|plutot qu\w*|, pas|et pas|et non)\b
(?:,| et) (?:pas|non) (?:\S+ ){0,3}\S+$
^ce n'est pas (?!que\b|necessaire\b|la peine\b|grave\b)\S.{0,50}[,;:] (?!mais\b)
^non(?:[,.:;!]| -) je (?:t'ai dit|voulais dire|veux|parlais)\b
^(?:encore une fois|a nouveau)[:,]\s
""",
    "errs": r"""
\b(?:echoue|echouent|plante|plantent|casse|cassent|bloque|bloquent|expire|expirent|ne (?:marche|fonctionne|compile
    |demarre) pas)\b.{0,120}\b(?:avec|quand|lorsque|lorsqu|si|parce|sous|des que|apres|chaque fois)\b
^(?:a chaque|chaque fois qu\S*) (?!toi\b)\S.{4,120}\b(?:erreurs?|plantent|plante|echoue|echouent|casse|bloque|perd
    |perdent)\b
\b(?:j'ai|on a|il y a|j'obtiens|ca donne|on obtient)(?: \S+){0,3} (?:erreur|exception|plantage
    |timeout)\b.{0,60}\b(?:quand|lorsque|lorsqu|si|en|dans|sur|des que|apres)\b
""",
    "resolves": r"""
\b(?:reussi|pu|arrive) (?:a |de )?(?:resoudre|regler|corriger|reparer)(?: \S+){0,3}? en (?:\S+ )?\w+ant\b
\bla (?:solution|correction) (?:etait|a ete|fut)\b
\b(?:corrige|resolu|repare|regle|resous)(?: \S+){0,4}? en (?:\S+ )?\w+ant\b
^j'ai (?:corrige|regle|resolu) (?:l'erreur|le (?:probleme|bug|test)) ?: \S.{9,}
^\w+(?:er|ir|re)\b.{3,120}\ba (?:resolu|corrige|regle)\b
""",
    "causes": r"""
\bla cause(?: racine| premiere)? etait\b
\ble (?:probleme|bug|coupable) (?:etait|venait)\b
\b(?:etait|etaient) (?:du|due|dus|cause|causee)s? (?:a|par|au|aux)\b
""",
    "describes": r"""
\b(?:ce|notre|le) (?:projet|depot|repo|code) (?:utilise|suit|garde|exige|n'utilise|adopte|range|stocke)\b
\bdans (?:ce|notre) (?:projet|depot|repo|code),? (?:on|nous|toujours|jamais|chaque|tous|toutes|les|le|la)\b
\bnotre (?:convention|regle|pratique|norme)(?: ici)? (?:est|c'est)\b
""",
    "holds": r"""
^(?:toujours|jamais|ne jamais) \w+
^(?!je |j')\w+ toujours\b.{3,}\b(?:ce|le|notre) (?:projet|depot|repo)\b
\b(?:on|nous) (?:n')?(?:ne )?\w+ (?:toujours|jamais)\b
^(?:ne |n')\w+ jamais\b
^(?:tous|toutes|tout|toute|chaque|aucune?) \S.{1,60}\b(?:doit|doivent|ne peut)\b
^(?:rappelle-toi|souviens-toi|n'oublie pas|note) que\b
^(?:ici,? )?(?:on|nous) (?:utilise|utilisons|nomme|nommons|range|rangeons)\b
""",
    "asks": r"""
^(?:et |mais |alors |ok,? )?(?:est-ce|devrait-on|doit-on|faut-il|peux-tu|pouvez-vous|tu peux|vous pouvez|peut-on
    |quel|quelle|quels|quelles|pourquoi|comment|qui|ou est|quand est|que penses|qu'en)\b
\b(?:et si|que dirais|dis-moi|explique|qu'en penses)\b
""",
    "supposes": r"""
\bsi\b(?!,)|\b(?:s'il|peut-etre|probablement|sans doute|pourrait|pourrions|devrait|devrions|serait|imagine|supposons
    |au cas ou|je pense)\b
""",
    "reports": r"""
\b(?:dit que|disent|disant|ecris|explique|article|exemple|elle|ils|elles|pense|message de commit
    |cree|ajoute|implemente)\b
""",
    "passes": r"""
^(?:et |alors )?maintenant,? (?!on\b|nous\b)
\b(?:pour l'instant|pour le moment|en ce moment|cette fois|juste pour (?:voir|tester|essayer)|temporaire\w*
    |provisoire\w*|a nouveau)\b
\bpour (?:voir|trouver|chercher|verifier|comprendre|deboguer)\b
\b(?:encore|d'abord|aujourd'hui|apres|plus tard)[.!]?$
""",
    "mocks": r"""
\b(?:mdr|ptdr|lol|ha(?:ha)+)\b|^(?:bien sur,? )?et pourquoi pas\b|, et pourquoi pas\b
, (?:quelle|la) (?:bonne|excellente|brillante) idee[.!]*$
""",
    "processes": r"""
^(?:de |d'|que )?(?:lancer|regarder|voir|verifier|lire|commencer|essayer|continuer|attendre|ouvrir|tester|executer
    |chercher|arreter)\b
""",
    "negates": r"""
(?:\bne|n'\w+|\bpas|\bjamais|\bpersonne|\bsans)(?: \w+){0,2} ?$
""",
    "confirms": r"""
^(?:oui|exactement|exact|correct|tout a fait|c'est ca|en effet|parfait|c'est exact)\b
""",
    "refuses": r"""
^(?:non|attends|attendez|arrete|stop|annule|en fait|faux)\b
""",
    "empty": r"""
^(?: |,)*(?:ca|cela|ceci|le (?:premier|second|deuxieme|dernier|meme)|la (?:premiere|seconde|deuxieme|derniere|meme)
    |(?:de )?l'autre|celui-ci|celle-ci|option \w+)(?: \w+)?[ .!,]*$
""",
    "opens": r"""
^(?:(?:ok|oui|non|d'accord|bien|bon|alors|et|mais|aussi|maintenant|s'il te plait|ah|oh|hm+|super|parfait|merci
    |desole|en fait)(?:[ ,.!:;-]+|$))+
""",
    "acknowledges": r"""
(?:oui|non|ok|d'accord|merci|super|parfait|bien|fait|vas-y|continue|allez|c'est ca|exact|exactement|ca marche
    |c'est bon)(?: s'il te plait)?
""",
    "tells": r"""
j'oublie\b|ne t'inquiete\b
j'ai (?:deja )?(?:lance|teste|vu|fait|installe|essaye|recu|ajoute|change|supprime|execute)\b
(?:ca (?:marche|a marche|ne marche)|toujours|encore|meme erreur|voici|voila|regarde)\b
""",
    "orders": r"""
n'oublie[zs]? pas\b
(?:peux-tu|tu peux|on va|maintenant|juste|s'il te plait)?[ ,]*(?:montre(?:-moi)?|montrer|regarde[rz]?|verifie[rz]?
    |cherche[rz]?|trouve[rz]?|lance[rz]?|execute[rz]?|lis|lire|explique[rz]?(?:-moi)?|examine[rz]?|revois
    |continue[rz]?
    |corrige[rz]?|repare[rz]?|implemente[rz]?|essaie|teste[rz]?|ouvre|liste[rz]?|attends|annule[rz]?|refais|fais
    |analyse[rz]?|compare[rz]?|cree[rz]? (?:un|une|le|la)|genere[rz]?|pense|propose[rz]?|concois|resume[rz]?)\b
""",
    "wishes": r"""
\b(?:toujours|jamais|desormais|dorenavant|a partir de maintenant|par defaut|a l'avenir)\b
\bdemande(?:-moi)?(?: d'abord| avant)\b
""",
    "warns": r"""
\b(?:attention|gare a|souviens-toi|garde[zs]? en tete|assure-toi|veille[zs]? a)\b
""",
    "binds": r"""
\b(?:doi\w+|dev\w+|il faut|besoin|veu\w+|voul\w+|pas|jamais|toujours|seulement|uniquement|plutot|au lieu|prefer\w*
    |utilis\w+|gard\w+|rest\w+|enlev\w+|supprim\w+|renomm\w+|deplac\w+
    |mieux|defaut|parce|car|sinon|convention|regle|decid\w+|convenu|met\w*|laiss\w+)\b
""",
    "doubts": r"""
\b(?:peut-etre|je ne sais pas|pas (?:sur|certain)|pas encore|un jour|j'imagine|imagine|supposons|suppose
    |je me demande)\b
^s[i'] ?(?:nous|on|je) (?:decid\w+|chois\w+|vou\w+|etai\w+)\b
^(?:il|elle|ils|elles|mon|ma|quelqu'un) (?:dit|pense|croit|veut)\w*\b
""",
    "picks": r"""
\bje (?:vais (?:utiliser|adopter|choisir|garder|partir sur)|pars sur|choisis|garde)\b
\bj'ai (?:choisi|opte|retenu|pris|garde)\b
\b(?:nous avons|on a) (?:choisi|opte|retenu)\b(?=.{2,80}\b(?:plutot|au lieu|parce|car)\b)
^(?:ok,? |alors )?(?:utilisons|adoptons|partons sur)\b
""",
    "explains": r"""
\ble (?:probleme|bug|coupable|souci) (?:ici )?(?:est|etait|vient|venait)\b|\bla cause(?: \w+)? (?:est|etait)\b
\b(?:echoue|echouait|plante|casse) (?:\S+ ){0,6}(?:parce|car)\b
""",
    "mends": r"""
^(?:j'ai )?(?:corrige|resolu|repare|regle)\b
\bla (?:correction|solution) (?:est|etait)\b
""",
    "reproaches": r"""
^pourquoi (?:n'as-tu|as-tu|tu (?:n')?as)\b
^tu as encore\b
""",
}
