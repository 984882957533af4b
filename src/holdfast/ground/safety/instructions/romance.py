"""Portuguese, Spanish and French orders to a model, as patterns. Data for ``find``, in the form of ``patterns``."""

from __future__ import annotations

_LEI = r"(?:instruc(?:oes|ao)|regras?|diretrizes|orientacoes|ordens|comandos|restricoes|limites|prompts?)"
_LEY = r"(?:instruccion(?:es)?|reglas?|directrices|ordenes|indicaciones|restricciones|normas|limites|prompts?)"
_LOI = r"(?:instructions?|regles?|directives?|consignes?|ordres?|restrictions?|limites|prompts?)"
_ANTES = r"(?:anterior(?:es)?|previ[ao]s|acima|de arriba|do sistema|del sistema|iniciais|iniciales|precedentes)"
_AVANT = r"(?:precedente?s?|anterieure?s?|ci-dessus|plus haut|du systeme|initiales|prealables)"

# A rule that forbids what these say is none of them.
FORBIDDABLE: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("todas as", "todas las", "toutes les"),
        r"(?:ignore|desconsidere) todas as (?:instrucoes|diretrizes)\b|ignora todas las (?:instrucciones|directrices)\b"
        r"|ignore[sz]? toutes les (?:instructions|consignes)\b",
    ),
    (
        ("ignor", "desconsider", "descart", "esquec", "desobede", "sobrescreva", "viole"),
        rf"(?:ignor(?:e|em|ar|a)|desconsider(?:e|ar|a)|descart(?:e|ar)|esquec(?:a|er)|desobede(?:ca|cer)|sobrescreva"
        rf"|viole) (?:tod[ao]s? )?(?:as |os |a |o |suas |quaisquer )?{_LEI} (?:\w+ ){{0,1}}?{_ANTES}",
    ),
    (("tudo",), r"(?:esqueca|ignore|desconsidere) tudo (?:o )?(?:que|acima|antes)"),
    (
        ("ignor", "olvid", "descart", "desobede", "omit", "anula"),
        rf"(?:ignor(?:a|e|ar|ad|en)|olvid(?:a|e|ar|en)|descart(?:a|e)|desobedece|omit(?:e|a)|anula) (?:tod[ao]s? )?"
        rf"(?:las |los |la |el |tus |sus |cualquier )?{_LEY} (?:\w+ ){{0,1}}?{_ANTES}",
    ),
    (("ignor", "olvid"), r"(?:olvida|olvide|ignora|ignore) todo (?:lo )?(?:que|anterior|de arriba)"),
    (("caso omiso",), rf"(?:haz|haga|hagan|hacer) caso omiso (?:de|a) (?:tod[ao]s )?(?:las |los )?{_LEY}"),
    (
        ("ignor", "oubli", "neglige", "contourne", "outrepasse"),
        rf"(?:ignor(?:e|es|ez|er)|oubli(?:e|es|ez|er)|neglige[sz]?|contourne[sz]?|outrepasse[sz]?) (?:toutes? |tous )?"
        rf"(?:les |la |le |tes |vos |des )?{_LOI} (?:\w+ ){{0,1}}?{_AVANT}",
    ),
    (("tout ce",), r"(?:oublie|oubliez|ignore|ignorez) tout ce qui"),
)

# These are orders to the machine however they begin.
ALWAYS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("como si no ", "como se nao ", "comme si tu "),
        r"como si no tuvieras? (?:\w+ )?(?:restriccion\w*|limites|reglas|normas)|como se nao (?:tivesse|houvesse) "
        r"(?:\w+ )?(?:restric\w+|limites|regras)"
        r"|comme si tu n'avais (?:aucune?|pas de) (?:restriction|limite|regle)s?",
    ),
    (
        ("agora",),
        r"\bvoce agora (?:e|deve|vai|pode)\b|\bvoce deve agora\b|\bagora voce (?:e|deve) (?:um|uma|executar|ignorar"
        r"|obedecer)",
    ),
    (
        ("ahora",),
        r"\bahora eres\b|\bdebes ahora\b|\bahora debes\b (?:ignorar|ejecutar|obedecer)|\ba partir de ahora eres\b",
    ),
    (
        ("maintenant", "desormais"),
        r"\b(?:tu es|vous etes) (?:maintenant|desormais) (?:un|une|libre|sans)\b|\b(?:tu dois|vous devez) maintenant\b",
    ),
    (
        ("nao ",),
        r"nao (?:conte|diga|informe|avise|revele|mencione|mostre)(?: isso| isto| nada)? (?:ao|aos|para o|a|pro) "
        r"(?:usuari[oa]s?|utilizador(?:es)?|human[oa]s?|desenvolvedor)",
    ),
    (
        ("no ",),
        r"no (?:se )?(?:lo |le |les )?(?:digas|diga|cuentes|informes|avises|reveles|menciones|muestres)(?: esto"
        r"| nada)? (?:al|a la|a los|a) (?:usuari[oa]s?|human[oa]s?|desarrollador)",
    ),
    (
        ("utilisateur", "humain", "developpeur"),
        r"\bne (?:le |lui )?(?:dis|dites|revele[sz]?|montre[sz]?|mentionne[sz]?|signale[sz]?|parle[sz]?) (?:pas|rien"
        r"|jamais)(?: \w+){0,3}? (?:a l'|aux |au |a )(?:utilisateur|humain|developpeur)",
    ),
    (
        ("compte",),
        rf"(?:ne (?:tiens|tenez|tenir) pas|ne pas tenir) compte (?:de |des |du )(?:toutes? )?(?:les |tes |vos )?{_LOI}",
    ),
    (
        ("no ", "nao "),
        rf"(?:no (?:sigas|hagas caso|obedezcas|tengas en cuenta)|nao (?:siga|obedeca|leve em conta)) (?:a |as |os |las "
        rf"|los )?(?:{_LEY}|{_LEI}) (?:{_ANTES})",
    ),
)
