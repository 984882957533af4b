"""Spanish cues, matched in lower case without accents; ``cues`` tells what each name means.

A line is one alternative; an indented one continues the line before."""

CUES = {
    "decides": r"""
\bvamos a (?:usar|utilizar|adoptar|mantener|migrar a|cambiar a|quedarnos con|seguir con|estandarizar)\b
\b(?:usemos|utilicemos|adoptemos|usaremos|utilizaremos|adoptaremos|mantendremos|nos quedaremos con)\b
^(?:ok|vale|si|bueno)?[,.]? ?(?:quedate|quedemonos|ve|sigue|vamos) con\b
\b(?:nos quedamos|seguimos|continuamos) (?:con|en)\b
\bnos vamos (?:con|a por)\b
(?:^|[,:] )(?:a partir de ahora|de ahora en adelante|desde ahora|en adelante),?
\b(?:ya no vamos a|no vamos a|dejamos de) (?:seguir )?(?:usar|dar soporte|soportar|mantener|ofrecer)\b
""",
    "decided": r"""
\b(?:hemos |he |han )?(?:decidimos|decidido|decidi|optamos por|optado por|opte por|elegimos|elegido|elegi|escogimos
    |escogido|escogi|acordamos|acordado)\b
\b(?:nos quedamos con|me quede con|queda (?:decidido|acordado|definido)|se decidio|se acordo)\b
^(?:la )?decision(?: final)? ?:
\bel (?:equipo|cliente) (?:ha )?(?:decidio|opto|eligio|aprobo|valido|decidido|aprobado|validado)\b
""",
    "jointly": r"imos\b|amos\b|emos\b|\b(?:han|queda|se|equipo|cliente)\b",
    "offers": r" (?:o|u) ",
    "answers": r"""
^(?:por favor,? )?(?:usa|use|usen|usad|utiliza|elige|escoge|quedate con)\b
""",
    "faults": r"""
^(?:mal|incorrecto|falso)[:,.!]
^(?:no, )?(?:eso|esto) (?:esta mal|es incorrecto|no es (?:correcto|asi|cierto)|es un error|es falso)\b
^(?:te equivocas|estas equivocado|esta mal)\b
""",
    "corrects": r"""
^no(?:[,.:;!]| -) (?=(?:usa|use|usen|eso|esto|el|la|los|las|es|debe|tiene|pon|deja|en|solo|aqui)\b)
^(?:en realidad|en verdad|de hecho),? (?!puedes|podrias|me |se puede)
^(?:como )?(?:ya )?(?:te )?(?:lo )?(?:dije|he dicho|pedi|habia dicho)\b
^(?:por favor,? )?no (?:uses|use|usen|utilices|pongas|crees|anadas|agregues|importes|mezcles|escribas|guardes|lances
    |expongas|toques|cambies|modifiques|edites|renombres|inventes|metas|hagas (?!nada|caso)\w+)\b
^(?:si|vale|ok|bien|bueno|perfecto)[,.]? pero (?:con|sin|usa|no uses|en vez|en lugar)\b
^en (?:vez|lugar) de \S+(?: \S+)?,? (?:usa|use|utiliza)\b
^no[,;:] mejor (?:con|usa|pon|en)\b
^(?:deja|dejad|deje|evita|para) de (?:usar|crear|anadir|poner|escribir|importar|agregar|tocar|cambiar|modificar|editar
    |borrar|inventar|preguntar|generar|instalar)\b|^evita (?:usar|crear
    |poner)\b
\bprefiero\b
\b(?:deberias haber|debiste|tenias que haber)\b
\blo (?:correcto|suyo) (?:es|era|seria)\b
^(?:por favor,? )?(?:usa|use) \S.{0,80}(?:en lugar de|en vez de|, no|y no)\b
(?:,| y) no (?!doubt|worries|problem|matter|need|thanks|rush|idea|one\b|wonder|pressure)(?:\S+ ){0,3}\S+$
^no es (?!que\b|necesario\b|preciso\b)\S.{0,50}[,;:] (?!pero\b)
^no(?:[,.:;!]| -) (?:te )?(?:dije|queria decir|quiero|me referia)(?: a| al)?\b
^(?:de nuevo|otra vez)[:,]\s
""",
    "errs": r"""
\b(?:falla|fallan|fallo|fallaron|revienta|se cuelga|se rompe|se cae|peta|expira|no (?:funciona|compila
    |arranca))\b.{0,120}\b(?:con|cuando|si|porque|al|siempre que|despues|cada vez)\b
^(?:cada vez|siempre) que (?!me\b|termines\b)\S.{4,120}\b(?:error|falla|se cae|se rompe|se cuelga|revienta|pierde)\b
\b(?:da|dio|dando|sale|recibo|tengo|tenemos|obtengo|aparece|hay)\b(?: \S+){0,3} (?:error|excepcion|timeout
    |fallo)\b.{0,60}\b(?:cuando|si|al|en|siempre que|porque|despues)\b
""",
    "resolves": r"""
\b(?:consegui|logre|conseguimos) (?:resolver|arreglar|solucionar|corregir)(?: \S+){0,3}? \w+ndo\b
\bla (?:solucion|correccion) (?:fue|era)\b
\b(?:arregle|arreglamos|solucione|solucionamos|resolvi|resolvimos|corregi|corregimos)\b(?: \S+){0,4}? \w+ndo\b
\b(?:se (?:soluciono|arreglo|resolvio|corrigio)|solucionado|resuelto|arreglado|corregido)(?: \S+){0,3}? (?:con|al
    |\w+ndo)\b
^(?:arregle|corregi|solucione|resolvi) el (?:error|problema|fallo|test): \S.{9,}
^\w+[aei]r\b.{3,120}\b(?:resolvio|soluciono|arreglo|corrigio)\b
""",
    "causes": r"""
\bla causa(?: raiz)? (?:era|fue)\b
\bel (?:problema|error|fallo|culpable) era\b
\bse debia a\b|\b(?:era|fue) causad[oa] por\b
""",
    "describes": r"""
\b(?:este|nuestro|el) (?:proyecto|repositorio|repo|codigo|equipo) (?:siempre |nunca |solo |ya )?(?:usa|utiliza|sigue
    |guarda|mantiene|exige|adopta|pone)\b
\ben (?:este|nuestro) (?:proyecto|repositorio|repo|codigo),? (?:nosotros|siempre|nunca|todos?|todas?|usamos|cada|el
    |las?|los|se)\b
\b(?:nuestra|la) (?:convencion|regla|practica|norma)(?: aqui| del proyecto)? es\b
""",
    "holds": r"""
^(?:por favor,? )?(?:siempre|nunca) (?!\w+o\b|me |se |mas\b)\w+
\bnosotros (?:siempre|nunca) \w+
\b(?:siempre|nunca)\b.{3,}\b(?:en|de) (?:este|nuestro|el) (?:proyecto|repositorio|repo)\b
^(?:todos?|todas?|cada|ningun|ninguna) \S.{1,60}\b(?:deben?|tienen? que|puede)\b
^(?:recuerda|ten en cuenta) que\b
^aqui,? (?:nosotros )?(?:usamos|guardamos|nombramos|escribimos)\b|^usamos\b
""",
    "asks": r"""
^(?:y |pero |entonces |ok,? )?(?:deberiamos|debemos|debo|puedo|podemos|puedes|podrias|cual|cuales|por que|como (?!ya
    |te|dije)|quien|donde|cuando|que (?:tal|opinas|pasa|te))\b
\b(?:y si|que tal|dime|explica|que opinas)\b
""",
    "supposes": r"""
\bsi\b(?!,)|\b(?:quizas?|tal vez|a lo mejor|probablemente|posiblemente|podria|podriamos|deberia|deberiamos|seria
    |imagina|supon|supongamos|creo que)\b
""",
    "reports": r"""
\b(?:dice|dicen|diciendo|escribe|explica|articulo|ejemplo|el cree|ella|ellos|ellas|cree|mensaje de commit
    |crea|anade|agrega|implementa)\b
""",
    "passes": r"""
^(?:y |entonces )?ahora,? (?!nosotros\b)
\b(?:por ahora|de momento|por el momento|en este momento|solo esta vez|esta vez|solo para (?:ver|probar)|temporal\w*
    |provisional\w*|de nuevo)\b
\bpara (?:ver|encontrar|buscar|comprobar|revisar|entender|depurar)\b
\b(?:todavia|primero|hoy|despues|luego)[.!]?$
""",
    "mocks": r"""
\b(?:ja(?:ja)+|ja,? claro)
, que (?:gran|buena|brillante) idea[.!]*$
""",
    "processes": r"""
^(?:que )?(?:ejecutar|mirar|ver|verificar|leer|empezar|comenzar|intentar|continuar|esperar|abrir|probar|buscar|parar
    |revisar)\b
""",
    "negates": r"""
\b(?:nunca|nadie|ni|sin)(?: \w+){0,2} ?$
\bno(?: (?:se|me|te|lo|le|nos|vamos|hemos|he|han|hay|quiero|queremos|es|era|puedo|podemos|debemos))?(?: \w{1,3})? ?$
""",
    "confirms": r"""
^(?:si|exacto|exactamente|correcto|cierto|asi es|eso es|perfecto|eso mismo)\b
""",
    "refuses": r"""
^(?:no|espera|para|deshaz|en realidad|mal)\b
""",
    "empty": r"""
^(?: |,)*(?:eso|esto|ese|esa|este|esta|el (?:primero|segundo|ultimo|otro|mismo)|la (?:primera|segunda|ultima|otra
    |misma)|otr[oa]|opcion \w+)(?: \w+)?[ .!,]*$
""",
    "opens": r"""
^(?:(?:ok|si(?=,)|no(?=,)|vale|de acuerdo|bien|bueno|entonces|y|pero|tambien|ahora|por favor|ah|oh|hm+|tio|genial
    |perfecto
    |gracias
    |perdona|en realidad)(?:[ ,.!:;-]+|$))+
""",
    "acknowledges": r"""
(?:si|no|ok|vale|gracias|genial|perfecto|bien|hecho|adelante|sigue|continua|dale|eso|eso es|exacto|tiene sentido
    |de acuerdo)(?: por favor)?
""",
    "tells": r"""
no (?:te preocup\w+|hace falta|pasa nada|importa|hay (?:problema|prisa))\b
siempre (?:se )?me\b
(?:yo )?(?:ya )?(?:ejecute|probe|vi|hice|instale|intente|recibi|anadi|cambie|borre|corri)\b
(?:funciono|no funciono|sigue|todavia|mismo error|aqui esta|mira)\b
""",
    "orders": r"""
(?:no (?:te )?olvid\w+ (?:de )?\w+r|en vez de [^,]+, \w+l[oa])\b
vamos (?:a (?:ver|empezar|probar|anadir|hacer|seguir)|por partes)\b
(?:n[o]? )?.{0,20}haz el commit\b
(?:vamos a|puedes|podrias|ahora|solo|por favor)?[ ,]*(?:muestra(?:me)?|mostrar|mira|mirar|comprueba|comprobar
    |verifica|busca|buscar|encuentra|ejecuta|ejecutar|corre|lee|leer|explica(?:me)?|investiga|revisa|revisar
    |continua|sigue|corrige|arregla|implementa|intenta|prueba|abre|lista|espera|deshaz|rehaz|haz|hacer|analiza
    |compara|crea (?:un|una|el|la)|genera|piensa|sugiere|disena|resume)\b
""",
    "wishes": r"""
\b(?:siempre|nunca|jamas|de ahora en adelante|a partir de ahora|por defecto|en el futuro)\b
\b(?:pregunta(?:me)?|pide)(?: primero| antes)\b
""",
    "warns": r"""
\b(?:cuidado|atencion|ojo con|no (?:te )?olvid\w+|recuerda (?:que|de)|ten en cuenta|asegurate)\b
""",
    "binds": r"""
\b(?:deb[eai]\w*|necesit\w+|tiene que|hay que|quier\w*|quer\w*|no|nunca|siempre|solo|solamente|en vez|en lugar
    |prefier\w*|vamos a|us[ae]\w*|mant\w+|qued\w+|quit\w+|elimin\w+|renombr\w+|muev\w+
    |mejor|defecto|porque|pues|si no|convencion|regla|decid\w+|acord\w+|pon\w*|dej[ae]\w*)\b
""",
    "doubts": r"""
\b(?:quizas?|tal vez|a lo mejor|no (?:lo )?se|no estoy segur\w+|no (?:hemos )?decid\w+|algun dia|creo que deb\w+
    |imagina|supon\w*|supongamos)\b
^si (?:nos )?(?:decid\w+|eleg\w+|quer\w+|fuera\w*)\b
^(?:el|ella|ellos|ellas|mi|alguien) (?:dice|cree|piensa|quiere)\w*\b
""",
    "picks": r"""
\b(?:voy a|vamos a) (?:usar|utilizar|adoptar|elegir|quedarme con|mantener)\b
\b(?:yo )?(?:elegi|opte por|escogi|seleccione|adopte)\b
\b(?:nosotros )?(?:elegimos|optamos por|escogimos)\b(?=.{2,80}\b(?:en vez|en lugar|porque|ya que)\b)
^(?:ok,? |entonces )?(?:usemos|adoptemos)\b
""",
    "explains": r"""
\bel (?:problema|error|bug|culpable) (?:aqui )?(?:es|esta|era|fue|viene)\b|\bla causa(?: raiz)?(?: \w+)? (?:es|era
    |fue)\b
\b(?:falla|fallaba|rompe|rompia) (?:\S+ ){0,6}(?:porque|ya que)\b
""",
    "mends": r"""
^(?:ya )?(?:corregi|corregido|resolvi|resuelto|arregle|arreglado|solucione|solucionado|ajuste)\b
\bla (?:correccion|solucion) (?:es|era|fue)\b
""",
    "reproaches": r"""
^¿?por ?que (?:no )?(?:has|\w+ste)\b
^(?:te )?(?:has|\w+ste) .*\botra vez\b
""",
}
