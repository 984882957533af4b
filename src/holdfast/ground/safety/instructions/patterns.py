"""English orders to a model, as patterns. Data for ``find``.

Every row begins with hints: pieces of text without one of which its pattern cannot match, looked for first. They are
spelled without ``-`` and ``_``; rare hints are preferred, and such as serve other rows too. Both meet text as
``find.flags_of`` folds it: lower case, no accents, one space between words. A gap is bounded, so that every pattern is
linear.
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

_IGNORING = (
    "ignor",
    "disregard",
    "forget",
    "overrid",
    "discard",
    "dismiss",
    "neglect",
    "violate",
    "break",
    "bypass",
    "abandon",
)
_MACHINES = (
    " ai",
    " a.i.",
    " llm",
    " language model",
    "assist",
    " chatbot",
    " claude",
    " copilot",
    " gpt",
    " gemini",
    " cursor",
    " codex",
)

# A rule that forbids what these say ("never ignore earlier rules") is none of them.
FORBIDDABLE: tuple[tuple[tuple[str, ...], str], ...] = (
    (_IGNORING, rf"{_IGNORE} {_THE}{_BEFORE} (?:tasks?|requests?|conversation|system prompt)\b"),
    (
        _IGNORING,
        rf"{_IGNORE} (?:all|any|every) (?:of )?(?:the |your |these )?(?:instructions?|guidelines|directives)\b(?! in"
        rf"| from| of| that)",
    ),
    (_IGNORING, rf"{_IGNORE} (?:all |any |the )?(?:text|content|messages?|context)s? (?:above|before|prior|preceding)"),
    (_IGNORING, rf"{_IGNORE} everything(?: and\b|[.,;!]|$)"),
    (
        ("supersede", "overrid", "replace", "cancel", "void", "revoke"),
        rf"(?:supersedes?|overrides?|replaces?|cancels?|voids?|revokes?) (?:all|any|every|your) (?:of )?(?:your |the )?"
        rf"(?:{_BEFORE} ){_LAW}",
    ),
    (
        ("reply with", "respond with", "answer "),
        rf"(?:reply|respond|answer) with (?:the |your |all |any )?(?:\w+ )?{_SECRETS}",
    ),
    (_IGNORING, rf"{_IGNORE} {_THE}(?:{_BEFORE} ){{1,2}}(?:\w+ ){{0,2}}?{_LAW}"),
    (_IGNORING, rf"{_IGNORE} (?:all |any )?(?:of )?your {_LAW}"),
    (
        _IGNORING,
        rf"{_IGNORE} {_THE}{_LAW} (?:above|before|you (?:were|have|had|got|received)|(?:that )?(?:came|come|given))",
    ),
    (
        _IGNORING,
        rf"{_IGNORE} (?:everything|anything|all|what(?:ever)?) (?:of )?(?:(?:the|that|which|is|was|came|comes"
        rf"|has been) )?(?:above|before|you(?:'ve| have| were| had)?|said|told|written)",
    ),
    (_IGNORING, rf"{_IGNORE} {_THE}(?:above|previous|prior|foregoing)(?: text| message| content)?(?: and|[.,;:!]|$)"),
    (
        ("stop ", "quit ", "cease "),
        rf"(?:stop|quit|cease) (?:obeying|following|respecting|complying with|adhering to) {_THE}(?:{_BEFORE} )?{_LAW}",
    ),
    (
        ("disable ", "deactivate ", "turn off", "bypass", "switch off", "circumvent "),
        rf"(?:disable|deactivate|turn off|bypass|switch off|circumvent) {_THE}(?:permission|safety|approval"
        rf"|confirmation|guardrail|security) (?:prompts?|checks?|hooks?|filters?|requests?|guards?|rules?)",
    ),
    (
        ("tool call", "permission"),
        rf"(?:approve|accept|allow|grant) {_THE}(?:every |all |any )?(?:tool calls?|permission requests?|permissions)",
    ),
    (
        ("://", "@", "webhook", "server", "endpoint", "url", "address", "site", "pastebin", "attacker"),
        rf"{_SEND} (?:\S+ ){{0,8}}?(?:\S*/)?{_SECRETS}.{{0,80}}?\b(?:to|at|para|a|au|aux|vers|en|into)\b:? "
        rf"(?:\S+ ){{0,4}}?{_AWAY}",
    ),
    (
        ("silently ", "secretly ", "quietly ", "covertly ", "stealthily ", "discreetly "),
        r"(?:silently|secretly|quietly|covertly|stealthily|discreetly) (?:copy|send|upload|run|add|insert|install|post"
        r"|push|commit|execute|include|append|delete|change)",
    ),
    (
        ("prompt", "instruction", "rules", "directive"),
        r"(?:reveal|repeat|print|output|show|leak|display|disclose|recite|dump|write out) (?:me )?(?:all |of )?(?:your"
        r"|the full|the entire|the hidden|its|the text of your|the exact) (?:\w+ )?(?:system prompt|instructions"
        r"|prompt|rules|directives|initial prompt)",
    ),
    (("curl", "wget", "iwr", "webrequest"), rf"\b{_ORDER}\b.{{0,60}}?{_FETCH}"),
    (
        ("decode ", "decipher ", "unpack "),
        r"(?:decode|decipher|unpack) .{0,40}?\b(?:base64|rot13|hex|payload|string)\b.{0,20}?\b(?:and|then)\b.{0,10}?\b"
        r"(?:execute|run|follow|obey|do)\b",
    ),
    (("without",), rf"without (?:telling|informing|notifying|alerting|the knowledge of|letting) {_PERSON}"),
    (("hide ", "conceal "), rf"(?:hide|conceal) (?:this|it|that|these|all of this|your \w+)(?: \w+)? from {_PERSON}"),
    (("keep ",), rf"keep (?:this|it|that|these)(?: \w+){{0,2}}? (?:secret|hidden|private|confidential) from {_PERSON}"),
    (
        ("save t", "store t", "write t", "copy t", "add t", "insert t", "repeat t", "put t", "append t"),
        r"(?:save|store|write|copy|add|insert|repeat|put|append) (?:this|these|the following) (?:exact )?"
        r"(?:instructions?|paragraph|message|note|prompt|text|directives?|sentence|orders?) (?:in|to|into|at) .{0,40}?"
        r"(?:memor(?:y|ies)|claude\.md|agents\.md|every|all|each|rules)",
    ),
)

# These are orders to the machine however they begin.
ALWAYS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        (
            "void",
            "revoke",
            "cancel",
            "obsolete",
            "suspend",
            "lifted",
            "invalid",
            "replace",
            "deleted",
            "disabled",
            "no longer",
        ),
        rf"(?:{_BEFORE}|your) (?:{_BEFORE} )?{_LAW} (?:are|is|have been|has been|were) (?:now )?(?:\w+ )?(?:void"
        rf"|revoked|cancell?ed|obsolete|suspended|lifted|invalid|replaced|deleted|disabled|no longer)",
    ),
    (("no longer",), r"you are no longer (?:an? )?(?:ai|assistant|claude|language model|chatbot|helpful)"),
    (("are dan", "now dan", "anything now"), r"\byou are (?:now )?dan\b|\bdo anything now\b"),
    (("you are",), r"you are now (?:operating |running |working )?(?:in|under) (?:an? )?\w+ mode\b"),
    ((" mode",), r"(?:enter|enable|activate|switch to|go into|engage) (?:god|jailbreak|dan|unrestricted|sudo) mode"),
    (
        ("overrid",),
        r"(?:admin|system|priority|security|root|developer|system prompt|instruction) override(?:\b\s?[:\])>]| "
        r"(?:engaged|activated|enabled|code))",
    ),
    (
        ("begin ", "start of"),
        r"(?:begin|start of) (?:hidden|secret|new|system|admin) (?:instructions?|prompt|directives?)",
    ),
    (
        ("persona", "identity"),
        r"(?:assume|adopt|take on) (?:a|the) (?:new |different )?(?:persona|identity) (?:without|with no|that ignores)",
    ),
    (
        ("the word", "the phrase", "the text"),
        r"(?:respond|reply|answer|respond only|only respond|reply only|answer only) (?:only )?with (?:only )?the "
        r"(?:word|phrase|text)\b",
    ),
    (
        ("text of", "content of", "contents of", "wording of"),
        r"(?:output|print|reveal|repeat|show) (?:me )?the (?:exact |full |complete |entire |verbatim )(?:text"
        r"|contents?|wording) of (?:the|your) (?:system )?(?:prompt|instructions)",
    ),
    (
        ("follow ", "obey ", "comply ", "respect ", "listen ", "adhere "),
        rf"(?:do not|don't|dont|never) (?:follow|obey|comply with|respect|listen to|adhere to) "
        rf"{_THE}(?:{_BEFORE}) {_LAW}",
    ),
    (
        ("tell ", "inform ", "alert ", "notify ", "warn ", "let "),
        rf"(?:do not|don't|dont|never|must not|should not) (?:tell|inform|alert|notify|warn|let) {_PERSON}(?: (?:about"
        rf"|of) (?:this|that|these|it|any)\b| (?:know )?that (?:this|these|you|it|the files|we)\b"
        rf"| anything| know|[.;!]|$)",
    ),
    (
        ("mention ", "reveal ", "disclose ", "report ", "show ", "explain "),
        rf"(?:do not|don't|dont|never) (?:mention|reveal|disclose|report|show|explain) (?:this|that|it|these"
        rf"|the existence)(?: \w+){{0,3}}? to {_PERSON}",
    ),
    (
        ("you must now", "you will now"),
        r"\byou must now\b|\byou will now (?:obey|act|ignore|run|execute|do|follow|answer|respond)",
    ),
    (
        ("you are",),
        r"you are now (?:an? |the |in )?(?:\w+ )?(?:dan\b|free\b|unrestricted|unbound|jailbroken|root\b|admin"
        r"|administrator|developer mode|god mode|(?:ai|assistant|model|agent|bot)\b.{0,20}?(?:without|no|un)"
        r"|authori[sz]ed to|permitted to|allowed to (?:ignore|run|bypass))",
    ),
    (("you are",), r"you are (?:no longer|not) (?:bound|restricted|limited|governed|constrained|subject)"),
    (
        ("pretend", "imagine", "as if"),
        r"(?:pretend|imagine|act as if|behave as if) (?:that )?(?:you(?:'re| are| were| had| have)|to be) .{0,40}?"
        r"(?:no |without |un)(?:limits?|restrict\w+|rules|filter\w*|guardrails|guidelines|limited)",
    ),
    (
        ("pretend", "as if"),
        r"(?:pretend|act as if) (?:that )?you(?:'re| are| were) (?:an? |the )?(?:admin\w*|root|developer|owner|system"
        r"|hacker|unrestricted)",
    ),
    (
        (" mode",),
        r"(?:enter|enable|activate|switch to|go into) (?:developer|god|debug|admin|jailbreak|dan|unrestricted"
        r"|sudo) mode (?:and|now|to)\b",
    ),
    (
        _MACHINES,
        rf"as (?:the|an?) (?:helpful )?{_MACHINE}(?: \w+)?,? (?:you )?(?:must|should|will|have to|always|now|never"
        rf"|shall|are to)\b",
    ),
    (
        ("you are", "you're"),
        rf"(?:if|when) you(?:'re| are) (?:an? |the )?(?:\w+ )?(?:{_MACHINE}|agent|model|machine)\b.{{0,30}}?(?:read|see"
        rf"|process|pars|summari)",
    ),
    (_MACHINES, rf"(?:any|all|every|dear) {_MACHINE} (?:reading|that reads?|who reads?|processing|seeing)"),
    (
        _MACHINES,
        rf"(?:attention|note|notice|message|important|warning|instructions?|reminder|urgent|hey|dear)(?: message"
        rf"| note)?(?: to| for)?:? (?:all |any |the |every )?{_MACHINE}(?: (?:agents?|assistants?|models?))?(?:\s?[:,!]"
        rf"| - )",
    ),
    (
        ("overrid", "supersede", "replace", "precedence", "priority over", "outrank", "cancel"),
        rf"(?:this|these) (?:memor(?:y|ies)|instructions?|messages?|notes?|directives?|orders?|text|prompt) (?:now )?"
        rf"(?:overrides?|supersedes?|replaces?|takes? (?:precedence|priority) over|outranks?|cancels?) {_THE}"
        rf"(?:{_BEFORE} |\w+ )?(?:{_LAW}|others?)",
    ),
    (
        ("appro", "authori", "agree", "consent", "grant", "allow", "permi"),
        r"(?:user|human|owner|developer|maintainer|admin|operator) (?:has |have )?(?:already )?(?:pre-?)?(?:approved"
        r"|authori[sz]ed|agreed to|consented to|granted|allowed|permitted) (?:you )?(?:to )?(?:all|any|every"
        r"|everything|full|unrestricted)\b",
    ),
    (
        ("your ",),
        r"your (?:new|real|true|only|actual|updated) (?:task|goal|role|job|purpose|instructions?|mission|objective"
        r"|identity|orders?) (?:is|are|:)",
    ),
    (
        ("instruction", "directive", "prompt", "order"),
        r"(?:^|[.!?\]>*#-] ?|\W\W)(?:new|updated|real|revised|secret|hidden) (?:system )?(?:instructions?|directives?"
        r"|prompt|orders?)(?: follow\w*)?\s?:",
    ),
    (
        ("obey ", "follow ", "trust", "execute "),
        r"(?:obey|follow|trust|execute) (?:only )?(?:this|these) (?:note|memory|instructions?|message|orders?) "
        r"(?:instead|only|above all|over|without)",
    ),
)
