"""How orders to a model are worded in English, Portuguese, Spanish and French, as data apart from the code that looks.

The phrases meet text as ``instructions.flags_of`` folds it: lower case, no accents, one space between words. A gap is
bounded, so that every pattern is linear.
"""

from __future__ import annotations

_BEFORE = (
    r"(?:previous|prior|preceding|earlier|above|former|foregoing|existing|original|initial|current|past"
    r"|system|developer|safety|security|project|other|own|holdfast|given|hidden)"
)
_LAW = (
    r"(?:instructions?|directions?|directives?|rules?|guidelines?|guardrails?|prompts?|orders?|commands?|polic(?:y|ies)"
    r"|constraints?|restrictions?|constitution|training|programming|context|limits?)\b"
)
_THE = r"(?:(?:all|any|each|every|of|the|your|my|our|these|those|that|this|and|or) ){0,4}"
_IGNORE = (
    r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|ing)|discard|dismiss|neglect|violate|break|bypass|abandon)"
)
_LEI = r"(?:instruc(?:oes|ao)|regras?|diretrizes|orientacoes|ordens|comandos|restricoes|limites|prompts?)"
_LEY = r"(?:instruccion(?:es)?|reglas?|directrices|ordenes|indicaciones|restricciones|normas|limites|prompts?)"
_LOI = r"(?:instructions?|regles?|directives?|consignes?|ordres?|restrictions?|limites|prompts?)"
_ANTES = r"(?:anterior(?:es)?|previ[ao]s|acima|de arriba|do sistema|del sistema|iniciais|iniciales|precedentes)"
_AVANT = r"(?:precedente?s?|anterieure?s?|ci-dessus|plus haut|du systeme|initiales|prealables)"
_MACHINE = (
    r"(?:ai|a\.i\.|llm|language model|ai model|ai assistant|ai agent|assistant|chatbot|claude|copilot|gpt"
    r"|gemini|cursor|codex)s?"
)
_PERSON = r"(?:the |your )?(?:user|human|operator|developer|owner|maintainer|person)s?"
_SECRETS = (
    r"(?:secrets?|(?:api|ssh|private|access) ?keys?|keys|credentials?|passwords?|tokens?|\.env|env"
    r"(?:ironment)? variables?"
    r"|id_rsa|\.ssh|/etc/passwd|source code|conversation|chat history|private (?:data|files?|memor\w+)"
    r"|senhas?|segredos?|chaves?|credenciais|contrasenas?|secretos?|claves?|credenciales|mots? de passe|cles?)(?![\w-])"
)
_AWAY = (
    r"(?:https?://|ftp://|[\w.+-]{1,64}@[\w-]{1,64}\.|(?:my|this|the following|our) (?:\w+ )?(?:webhook|server"
    r"|endpoint|url|address|site)|pastebin|attacker)"
)
_SEND = (
    r"(?:send|post|upload|forward|e-?mail|transmit|exfiltrate|leak|submit|copy|pipe|deliver|report|mail"
    r"|envi(?:e|ar|a)|mande|poste|suba|sube|publica|envoi(?:e|es|ez)|transmets|transmettez|televerse)"
)
_FETCH = (
    r"(?:curl|wget|iwr|invoke-webrequest)\b[^|;\n]{0,200}\|\s?(?:sudo )?(?:ba|z|da|k)?(?:sh|python3?|node|perl|iex)\b"
)
_ORDER = r"(?:run|execute|eval|type|paste|start|rode|execute|ejecuta|corre|lance|execute[zr]?)"

# A rule that forbids what these say ("never ignore earlier rules") is none of them.
FORBIDDABLE = (
    rf"{_IGNORE} {_THE}{_BEFORE} (?:tasks?|requests?|conversation|system prompt)\b",
    rf"{_IGNORE} (?:all|any|every) (?:of )?(?:the |your |these )?(?:instructions?|guidelines|directives)\b(?! in"
    rf"| from| of| that)",
    rf"{_IGNORE} (?:all |any |the )?(?:text|content|messages?|context)s? (?:above|before|prior|preceding)",
    rf"{_IGNORE} everything(?: and\b|[.,;!]|$)",
    rf"(?:supersedes?|overrides?|replaces?|cancels?|voids?|revokes?) (?:all|any|every|your) (?:of )?(?:your |the )?"
    rf"(?:{_BEFORE} ){_LAW}",
    rf"(?:reply|respond|answer) with (?:the |your |all |any )?(?:\w+ )?{_SECRETS}",
    r"(?:ignore|desconsidere) todas as (?:instrucoes|diretrizes)\b|ignora todas las (?:instrucciones|directrices)\b"
    r"|ignore[sz]? toutes les (?:instructions|consignes)\b",
    rf"{_IGNORE} {_THE}(?:{_BEFORE} ){{1,2}}(?:\w+ ){{0,2}}?{_LAW}",
    rf"{_IGNORE} (?:all |any )?(?:of )?your {_LAW}",
    rf"{_IGNORE} {_THE}{_LAW} (?:above|before|you (?:were|have|had|got|received)|(?:that )?(?:came|come|given))",
    rf"{_IGNORE} (?:everything|anything|all|what(?:ever)?) (?:of )?(?:(?:the|that|which|is|was|came|comes"
    rf"|has been) )?(?:above|before|you(?:'ve| have| were| had)?|said|told|written)",
    rf"{_IGNORE} {_THE}(?:above|previous|prior|foregoing)(?: text| message| content)?(?: and|[.,;:!]|$)",
    rf"(?:stop|quit|cease) (?:obeying|following|respecting|complying with|adhering to) {_THE}(?:{_BEFORE} )?{_LAW}",
    rf"(?:disable|deactivate|turn off|bypass|switch off|circumvent) {_THE}(?:permission|safety|approval"
    rf"|confirmation|guardrail|security) (?:prompts?|checks?|hooks?|filters?|requests?|guards?|rules?)",
    rf"(?:approve|accept|allow|grant) {_THE}(?:every |all |any )?(?:tool calls?|permission requests?|permissions)",
    rf"{_SEND} (?:\S+ ){{0,8}}?(?:\S*/)?{_SECRETS}.{{0,80}}?\b(?:to|at|para|a|au|aux|vers|en|into)\b:? "
    rf"(?:\S+ ){{0,4}}?{_AWAY}",
    r"(?:silently|secretly|quietly|covertly|stealthily|discreetly) (?:copy|send|upload|run|add|insert|install|post"
    r"|push|commit|execute|include|append|delete|change)",
    r"(?:reveal|repeat|print|output|show|leak|display|disclose|recite|dump|write out) (?:me )?(?:all |of )?(?:your"
    r"|the full|the entire|the hidden|its|the text of your|the exact) (?:\w+ )?(?:system prompt|instructions"
    r"|prompt|rules|directives|initial prompt)",
    rf"\b{_ORDER}\b.{{0,60}}?{_FETCH}",
    r"(?:decode|decipher|unpack) .{0,40}?\b(?:base64|rot13|hex|payload|string)\b.{0,20}?\b(?:and|then)\b.{0,10}?\b"
    r"(?:execute|run|follow|obey|do)\b",
    rf"without (?:telling|informing|notifying|alerting|the knowledge of|letting) {_PERSON}",
    rf"(?:hide|conceal) (?:this|it|that|these|all of this|your \w+)(?: \w+)? from {_PERSON}",
    rf"keep (?:this|it|that|these)(?: \w+){{0,2}}? (?:secret|hidden|private|confidential) from {_PERSON}",
    r"(?:save|store|write|copy|add|insert|repeat|put|append) (?:this|these|the following) (?:exact )?"
    r"(?:instructions?|paragraph|message|note|prompt|text|directives?|sentence|orders?) (?:in|to|into|at) .{0,40}?"
    r"(?:memor(?:y|ies)|claude\.md|agents\.md|every|all|each|rules)",
    rf"(?:ignor(?:e|em|ar|a)|desconsider(?:e|ar|a)|descart(?:e|ar)|esquec(?:a|er)|desobede(?:ca|cer)|sobrescreva"
    rf"|viole) (?:tod[ao]s? )?(?:as |os |a |o |suas |quaisquer )?{_LEI} (?:\w+ ){{0,1}}?{_ANTES}",
    r"(?:esqueca|ignore|desconsidere) tudo (?:o )?(?:que|acima|antes)",
    rf"(?:ignor(?:a|e|ar|ad|en)|olvid(?:a|e|ar|en)|descart(?:a|e)|desobedece|omit(?:e|a)|anula) (?:tod[ao]s? )?"
    rf"(?:las |los |la |el |tus |sus |cualquier )?{_LEY} (?:\w+ ){{0,1}}?{_ANTES}",
    r"(?:olvida|olvide|ignora|ignore) todo (?:lo )?(?:que|anterior|de arriba)",
    rf"(?:haz|haga|hagan|hacer) caso omiso (?:de|a) (?:tod[ao]s )?(?:las |los )?{_LEY}",
    rf"(?:ignor(?:e|es|ez|er)|oubli(?:e|es|ez|er)|neglige[sz]?|contourne[sz]?|outrepasse[sz]?) (?:toutes? |tous )?"
    rf"(?:les |la |le |tes |vos |des )?{_LOI} (?:\w+ ){{0,1}}?{_AVANT}",
    r"(?:oublie|oubliez|ignore|ignorez) tout ce qui",
)

# These are orders to the machine however they begin.
ALWAYS = (
    r"como si no tuvieras? (?:\w+ )?(?:restriccion\w*|limites|reglas|normas)|como se nao (?:tivesse|houvesse) "
    r"(?:\w+ )?(?:restric\w+|limites|regras)"
    r"|comme si tu n'avais (?:aucune?|pas de) (?:restriction|limite|regle)s?",
    rf"(?:{_BEFORE}|your) (?:{_BEFORE} )?{_LAW} (?:are|is|have been|has been|were) (?:now )?(?:\w+ )?(?:void"
    rf"|revoked|cancell?ed|obsolete|suspended|lifted|invalid|replaced|deleted|disabled|no longer)",
    r"you are no longer (?:an? )?(?:ai|assistant|claude|language model|chatbot|helpful)",
    r"\byou are (?:now )?dan\b|\bdo anything now\b",
    r"you are now (?:operating |running |working )?(?:in|under) (?:an? )?\w+ mode\b",
    r"(?:enter|enable|activate|switch to|go into|engage) (?:god|jailbreak|dan|unrestricted|sudo) mode",
    r"(?:admin|system|priority|security|root|developer|system prompt|instruction) override(?:\b\s?[:\])>]| "
    r"(?:engaged|activated|enabled|code))",
    r"(?:begin|start of) (?:hidden|secret|new|system|admin) (?:instructions?|prompt|directives?)",
    r"(?:assume|adopt|take on) (?:a|the) (?:new |different )?(?:persona|identity) (?:without|with no|that ignores)",
    r"(?:respond|reply|answer|respond only|only respond|reply only|answer only) (?:only )?with (?:only )?the "
    r"(?:word|phrase|text)\b",
    r"(?:output|print|reveal|repeat|show) (?:me )?the (?:exact |full |complete |entire |verbatim )(?:text"
    r"|contents?|wording) of (?:the|your) (?:system )?(?:prompt|instructions)",
    rf"(?:do not|don't|dont|never) (?:follow|obey|comply with|respect|listen to|adhere to) {_THE}(?:{_BEFORE}) {_LAW}",
    rf"(?:do not|don't|dont|never|must not|should not) (?:tell|inform|alert|notify|warn|let) {_PERSON}(?: (?:about"
    rf"|of) (?:this|that|these|it|any)\b| (?:know )?that (?:this|these|you|it|the files|we)\b| anything| know|[.;!]|$)",
    rf"(?:do not|don't|dont|never) (?:mention|reveal|disclose|report|show|explain) (?:this|that|it|these"
    rf"|the existence)(?: \w+){{0,3}}? to {_PERSON}",
    r"\byou must now\b|\byou will now (?:obey|act|ignore|run|execute|do|follow|answer|respond)",
    r"you are now (?:an? |the |in )?(?:\w+ )?(?:dan\b|free\b|unrestricted|unbound|jailbroken|root\b|admin"
    r"|administrator|developer mode|god mode|(?:ai|assistant|model|agent|bot)\b.{0,20}?(?:without|no|un)"
    r"|authori[sz]ed to|permitted to|allowed to (?:ignore|run|bypass))",
    r"you are (?:no longer|not) (?:bound|restricted|limited|governed|constrained|subject)",
    r"(?:pretend|imagine|act as if|behave as if) (?:that )?(?:you(?:'re| are| were| had| have)|to be) .{0,40}?"
    r"(?:no |without |un)(?:limits?|restrict\w+|rules|filter\w*|guardrails|guidelines|limited)",
    r"(?:pretend|act as if) (?:that )?you(?:'re| are| were) (?:an? |the )?(?:admin\w*|root|developer|owner|system"
    r"|hacker|unrestricted)",
    r"(?:enter|enable|activate|switch to|go into) (?:developer|god|debug|admin|jailbreak|dan|unrestricted"
    r"|sudo) mode (?:and|now|to)\b",
    rf"as (?:the|an?) (?:helpful )?{_MACHINE}(?: \w+)?,? (?:you )?(?:must|should|will|have to|always|now|never"
    rf"|shall|are to)\b",
    rf"(?:if|when) you(?:'re| are) (?:an? |the )?(?:\w+ )?(?:{_MACHINE}|agent|model|machine)\b.{{0,30}}?(?:read|see"
    rf"|process|pars|summari)",
    rf"(?:any|all|every|dear) {_MACHINE} (?:reading|that reads?|who reads?|processing|seeing)",
    rf"(?:attention|note|notice|message|important|warning|instructions?|reminder|urgent|hey|dear)(?: message"
    rf"| note)?(?: to| for)?:? (?:all |any |the |every )?{_MACHINE}(?: (?:agents?|assistants?|models?))?(?:\s?[:,!]"
    rf"| - )",
    rf"(?:this|these) (?:memor(?:y|ies)|instructions?|messages?|notes?|directives?|orders?|text|prompt) (?:now )?"
    rf"(?:overrides?|supersedes?|replaces?|takes? (?:precedence|priority) over|outranks?|cancels?) {_THE}"
    rf"(?:{_BEFORE} |\w+ )?(?:{_LAW}|others?)",
    r"(?:user|human|owner|developer|maintainer|admin|operator) (?:has |have )?(?:already )?(?:pre-?)?(?:approved"
    r"|authori[sz]ed|agreed to|consented to|granted|allowed|permitted) (?:you )?(?:to )?(?:all|any|every"
    r"|everything|full|unrestricted)\b",
    r"your (?:new|real|true|only|actual|updated) (?:task|goal|role|job|purpose|instructions?|mission|objective"
    r"|identity|orders?) (?:is|are|:)",
    r"(?:^|[.!?\]>*#-] ?|\W\W)(?:new|updated|real|revised|secret|hidden) (?:system )?(?:instructions?|directives?"
    r"|prompt|orders?)(?: follow\w*)?\s?:",
    r"\bvoce agora (?:e|deve|vai|pode)\b|\bvoce deve agora\b|\bagora voce (?:e|deve) (?:um|uma|executar|ignorar"
    r"|obedecer)",
    r"\bahora eres\b|\bdebes ahora\b|\bahora debes\b (?:ignorar|ejecutar|obedecer)|\ba partir de ahora eres\b",
    r"\b(?:tu es|vous etes) (?:maintenant|desormais) (?:un|une|libre|sans)\b|\b(?:tu dois|vous devez) maintenant\b",
    r"nao (?:conte|diga|informe|avise|revele|mencione|mostre)(?: isso| isto| nada)? (?:ao|aos|para o|a|pro) "
    r"(?:usuari[oa]s?|utilizador(?:es)?|human[oa]s?|desenvolvedor)",
    r"no (?:se )?(?:lo |le |les )?(?:digas|diga|cuentes|informes|avises|reveles|menciones|muestres)(?: esto"
    r"| nada)? (?:al|a la|a los|a) (?:usuari[oa]s?|human[oa]s?|desarrollador)",
    r"\bne (?:le |lui )?(?:dis|dites|revele[sz]?|montre[sz]?|mentionne[sz]?|signale[sz]?|parle[sz]?) (?:pas|rien"
    r"|jamais)(?: \w+){0,3}? (?:a l'|aux |au |a )(?:utilisateur|humain|developpeur)",
    rf"(?:ne (?:tiens|tenez|tenir) pas|ne pas tenir) compte (?:de |des |du )(?:toutes? )?(?:les |tes |vos )?{_LOI}",
    rf"(?:no (?:sigas|hagas caso|obedezcas|tengas en cuenta)|nao (?:siga|obedeca|leve em conta)) (?:a |as |os |las "
    rf"|los )?(?:{_LEY}|{_LEI}) (?:{_ANTES})",
    r"(?:obey|follow|trust|execute) (?:only )?(?:this|these) (?:note|memory|instructions?|message|orders?) "
    r"(?:instead|only|above all|over|without)",
)

# Marks that hosts and models give a meaning: text that holds them poses as another speaker. They meet the raw text.
TAGS = (
    r"(?<![\w:/=-])</?(?:system|assistant|developer|human|user_query|system[-_]reminder|system[-_]prompt|instructions?"
    r"|holdfast-context|function_calls|function_results|invoke|tool_use|tool_call|tool_result|antml:\w+|admin|override)"
    r"(?:\s[^<>]{0,200})?>|</(?:memory|memories|data|context|document|quote|holdfast-context|system|instructions?)>",
    r"<parameter name=",
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|end_header_id|eot_id|endofprompt)\|>",
    r"\[/?INST\]|<</?SYS>>",
    r"\"type\"\s{0,4}:\s{0,4}\"(?:tool_use|function_call|tool_result)\"|\"(?:tool_calls"
    r"|function_call)\"\s{0,4}:\s{0,4}[\[{]",
    r"\"(?:tool|name|function)\"\s{0,4}:\s{0,4}\"[\w.-]{1,60}\"\s{0,4},\s{0,4}\"(?:arguments|input|parameters)\"\s{0,4}:"
    r"\s{0,4}\{",
    r"(?m:^[ \t>]{0,8}`{3,}[ \t]{0,4}(?i:system|developer|admin)[ \t]{0,4}$)",
    r"(?m:^role: ?(?:system|developer)[ \t]{0,4}$)",
    r"<!--\s{0,8}(?i:system|admin|hidden|secret) (?i:instruction|prompt|message|note|override)s?\b",
    r"<!--\s{0,8}(?i:note (?:to|for) |hey |dear |any |all )?"
    r"(?i:ai|llm|assistant|agent|claude|gpt|copilot|model|bot)s?\b[^>\n]{0,30}:",
    r"(?m:^[ \t>]{0,8}#{1,6} ?(?i:new|updated|real) (?i:system )?(?i:prompt|instructions?|message)[ \t]{0,4}$)",
    r"\b(?:SYSTEM|ADMIN|AGENT|RESEARCHER|DEVELOPER|ASSISTANT|MODEL|AI|PRIORITY|MEMORY) "
    r"(?:OVERRIDE|INSTRUCTIONS?|DIRECTIVES?|COMMANDS?|NOTICE)\b ?[:\]]",
    r"<(?:assistant|agent|ai|model|admin|system)[-_](?:instructions?|override|prompt|message)\b[^<>]{0,200}>",
    r"(?m:^[ \t>]{0,8}\[[^\]\n]{0,40}\](?:: ?#|\(#)[^\n]{0,20}(?i:system|agent|assistant|instruction)\b)",
    r"(?m:^[ \t>*]{0,8}\[(?:SYSTEM|System|ADMIN|ASSISTANT|DEVELOPER)(?: [A-Za-z]{1,12}){0,2}(?:[:-][^\]\n]{0,200}"
    r"| -[^\]\n]{0,200})?\])",
    r"(?m:^[ \t>]{0,8}#{1,6} ?(?i:system|instruction|assistant)s?(?: prompt| message)?\s?:)",
    r"(?m:^[ \t>*]{0,8}(?i:system|assistant|developer|admin|human|sistema|assistente|asistente|systeme)(?: "
    r"(?i:prompt|message))?\*{0,2}"
    r"\s?:\*{0,2}\s{1,4}(?i:you|your|ignore|always|never|must|new|run|execute|override|the user|all|from|this|do"
    r"|don|please|follow|obey"
    r"|reveal|send|disregard|print|output|sure|okay|ok|i|i'll|yes|approve|treat|grant|voce|tu|usted|vous|ignora"
    r"|ignorez|execute)\b)",
    r"(?i:-{2,}|={2,}) ?(?i:(?:begin|end|start)(?: of)? (?:system|developer|hidden) (?:prompt|message|instructions))",
)
