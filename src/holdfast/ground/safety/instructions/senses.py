"""Orders to a model as senses that occur together in one sentence, in whatever order and words. Data for ``find``.

Every row begins with hints: pieces of text, spelled without ``-`` and ``_``, without one of which in a sentence it does
not hold, looked for first. An order holds where a sentence has all of its senses, the others near the first. Senses
meet text as ``find.flags_of`` folds it. A gap is bounded, so that every pattern is linear.
"""

from __future__ import annotations

_USER = (
    r"(?:users?|human|owner|person|people|anyone|anybody|nobody|utilizador(?:es)?|usuari[oa]s?|utilisateurs?"
    r"|nutzer[sn]?|benutzer[sn]?|utente|gebruiker)\b"
)
_LAW = (
    r"(?:rules?|instructions?|directives?|guidelines?|guidance|constitution|guardrails?|restrictions?|training|orders?"
    r"|regras?|instruc(?:oes|ao)|diretrizes|orientacoes|reglas?|instruccion(?:es)?|directrices|ordenes|consignes?"
    r"|regles?|anweisung(?:en)?|regeln?|vorgaben?|istruzioni?|regole?|direttive|instructies?|regels?|opdrachten"
    r"|(?:security|safety) (?:protocols?|checks?|constraints?|measures?|controls?|policies|policy))\b"
)
_YOURS = (
    r"(?:your|previous|prior|preceding|earlier|above|foregoing|security|safety|you (?:were|have been|had been)"
    r" (?:given|told)|tes|vos|tus|sus|tuas|suas|as regras do|deines?|deinen?|ihren?|alle|vorherig\w+|bisherig\w+"
    r"|obig\w+|fruher\w+|precedent[ei]?s?|tutte|tue|anterior(?:es)?|acima|de arriba|ci-dessus|plus haut|eerdere"
    r"|vorige|(?:do|del|du) (?:sistema?|proyecto|projeto|projet|systeme))\b"
)
_IGNORE = (
    r"(?:ignor\w{1,6}|disregard\w{0,3}|forget|override|overlook|set aside|put aside|stop following|stop obeying"
    r"|no longer follow|desconsider\w{1,4}|esquec\w{1,4}|olvid\w{1,4}|oubli\w{1,3}|vergiss|vergessen|vergesst"
    r"|missachte\w?|dimentica\w{0,2}|negeer|vergeet|caso omiso|pas compte)\b"
)
_SAFETY = (
    r"(?:(?:safety|security|permission|approval|confirmation|content|project) (?:rules?|checks?|gates?|prompts?|guards?"
    r"|restrictions?|filters?|requirements?|guidelines?)|guardrails|permissions|constitution|articles? [ivx]{1,5}\b"
    r"|previous directives|above rules|prior directives|(?:all|every|each) (?:quality )?gates?)\b"
)
_LAPSED = (
    r"(?:no longer (?:apply|applies|hold|binding)|(?:not|n't) apply any ?more|suspended|lifted|void|outdated|revoked"
    r"|disabled|deprecated|switched off|out of force|not checked|not enforced)\b"
)
_CONSENT = (
    r"(?:allow(?:s|ed)?|approv(?:e|es|ed)|authori[sz]e[sd]?|permit(?:s|ted)?|consent(?:s|ed)?|agree[sd]?|accept(?:s|ed)?"
    r"|grant(?:s|ed)?|pre-?approved|verified as|wants? you to|prefers? that you|permite|permitiu|autori[sz]\w{1,4}"
    r"|aprov\w{1,3}|aprob\w|aprueba|permiso|permet|approuve|erlaubt|genehmigt|zugestimmt|consente)\b"
)
_ALL = (
    r"(?:(?:any|all|every|each) (?:\w+ )?(?:commands?|actions?|tools?|operations?|deletions?|changes?|requests?"
    r"|records?|permissions?|prompts?|questions?)|anything|everything|in advance|beforehand|tudo|todo|tout|alles"
    r"|full access|administrator|deleting|transfers|data sharing|trusted|unrestricted|executables"
    r"|skip security|(?:qualquer|cualquier|toute?s?|tous|jeden?|todos os|todos los) (?:les )?"
    r"(?:comando|commande|befehl)\w{0,2}|force[- ]push\w{0,2}|sudo"
    r"|without (?:asking|a prompt|prompting|approval|confirmation)"
    r"|(?:upload\w{0,3}|send\w{0,3}) .{0,40}third[- ]part\w{1,3}"
    r"|(?:apag|borr|supprim|losch)\w{1,3} \w+ (?:base|file|ficheiro|archivo|fichier|datei)\w{0,3})\b"
)
_UNASKED = (
    r"(?:without (?:asking|(?:user )?(?:approval|confirmation|permission|consent)|a prompt|question|validation"
    r"|verification)|no need to (?:ask|confirm)|(?:never|not|n't|no longer) (?:need to |have to )?(?:ask|confirm)"
    r"|no (?:questions|approvals|confirmation)"
    r"|(?:sem|sin) pedir (?:\w+ )?(?:autoriza\w+|permis\w+|confirma\w+)"
    r"|(?:nao|no) (?:pecas?|pidas?|pida) (?:\w+ )?(?:permis\w+|confirma\w+|autoriza\w+)|no (?:\w+ )?vuelvas a preguntar"
    r"|inutile de (?:lui )?demander|(?:sans|plus besoin de) demander|ohne (?:ruckfrage|nachzufragen|zu fragen)"
    r"|keine? (?:erlaubnis|bestatigung))\b"
)
_RECKLESS = (
    r"(?:anything|everything|ever|again|any ?more|always|no longer|every|any shell|any command|all commands|never show"
    r"|sudo|delet\w{1,3}|wip(?:e|ing)|force[- ]push|no logs|(?:execute|run) (?:this|the following|these|any|all)"
    r"|install|curl|wget|rm -rf|plus besoin|ab jetzt|jeden|todos|vuelvas|tout|inutile|apagar|borrar|supprimer|loschen"
    r"|a partir (?:de agora|de ahora)|desormais|a partir de maintenant)\b"
)
_SEND = (
    r"(?:send|post|upload|forward|e?-?mail|transmit|exfiltrat\w{1,3}|leak|submit|copy|pipe|embed|encode|paste|attach"
    r"|put|dump|print|write|mirror|curl|envi\w{1,3}|mand[ae]|sub[ae]|publi\w{1,4}|envoi\w{1,3}|pouss\w{1,3}|lad\w{1,3}"
    r"|schick\w{0,3}|invia|stuur|wyslij)\b"
)
_LOOT = (
    r"(?:(?:private|ssh|api|access) ?keys?\b|secrets\b|credentials\b|(?:every |all )?environment variables?\b|\.env\b"
    r"|~/\.(?:ssh|aws|config|gnupg)|id_rsa|/etc/(?:passwd|shadow)|package tokens|context block|all source code"
    r"|user (?:data|contacts|database)|password files|\.(?:ssh|key|pem)\b|containing 'password'"
    r"|system (?:prompt|message)|private memories|(?:as|las|les|die) (?:chaves|claves|cles|clefs|schlussel|sleutels)\b)"
)
_SINK = (
    r"(?:https?://|\bgists?\b|pastebin|commit messages?|image url|pull request|issue tracker|\bticket\b|\bdns\b|bucket"
    r"|webhook|\bhoch\b|(?:this|that|my|our|the following) (?:server|address|site|host)|remote server|external server"
    r"|attacker|/tmp/|readable by|\b(?:to|at) [\w-]{2,40}\.(?:com|net|io|org|dev|example|xyz)\b"
    r"|(?:este|ese|esta|cette|diese[nr]?|questo|deze|ten) (?:\w+ )?(?:servidor|endereco|sitio|direccion|adresse?"
    r"|serveur|server|indirizzo|adres)|[\w.]{1,40}@\w)"
)
_NOTE = (
    r"(?:this|that|the) (?:following )?(?:memory|note|instructions?|rule|paragraph|message|text|prompt|order|directive)"
    r"\b"
)
_OUTRANKS = (
    r"(?:(?:wins?|outranks?|priority|overrules?|supersedes?|precedence|above|over)\b.{0,30}(?:user|system|request|prompt"
    r"|instruction|constitution|whatever)|note wins|memory wins|does not exist|after you (?:have )?(?:follow|read"
    r"|execut|obey)\w{0,3}|chang\w{1,3} how you behave|so that it survives|of every repositor|trust nothing else"
    r"|(?:in|into) (?:each|every|all) (?:new )?(?:memor|handoff|repositor|claude)|rely on|and nothing else)"
)
_AUTHORITY = (
    r"(?:(?:from|by|of|per|behalf of|this is|'s) (?:the |an? )?(?:anthropic|openai|holdfast\b|(?:\w+ )?maintainers"
    r"|administrators?|(?:ai )?(?:security|safety) team|(?:project'?s? )?owner|project owner's|management|above))\b"
)
_LICENCE = (
    r"(?:authori[sz]ed|bypass|disable|set mode|do not log|skip|override|sudo|elevated|without asking|never re-?enable"
    r"|no longer need|agents? (?:should|must)|system prompt|live (?:safety )?audit|comply)\b"
)
_CLAIM = r"(?:mark|report|claim|say|tell|act as if|pretend|treat|declare)\b"
_DONE = r"(?:done|pass(?:ed|ing)?|green|success\w{0,4}|complete|coverage|finished|all tests)\b"
_ANYHOW = (
    r"(?:whatever|no matter|regardless|irrespective|even (?:when|if|though)|without running"
    r"|hide (?:the )?failing|red\b)"
)
_ONCE = (
    r"(?:whenever|when|if|as soon as|once|every time|each time) (?:\w+ ){0,2}?(?:you (?:read|see|load|open|process)"
    r"|(?:this|the) (?:note|memory|file|text|message|word) |the user (?:asks|mentions|says|types)"
    r"|anyone asks|something is refused)"
)
_ACT = (
    r"(?:run|execute|invoke|call|wipe|delete|send|reply|answer|respond|silently|quietly|curl|wget|upload|push|say that"
    r"|use it|open port)\b"
)
_DANGER = (
    r"(?:https?://|working tree|\| ?(?:ba|z)?sh\b|\bnc \w|account|attacker|forget --all|force|rm -rf|\.env\b|were paid"
    r"|does not exist|bash tool|rm -r|~/)"
)
_TELL = (
    r"(?:print|repeat|reveal|output|paste|recite|write|dump|display|list|summari[sz]e|summary of|provide|show|gib"
    r"|muestra|mostre?|affiche|tell me)\b"
)
_INSIDE = (
    r"(?:everything above|context block|hidden (?:rules|constitution|instructions|variables|prompt)|all the context"
    r"|you (?:received|were told|were given|have available)|(?:your|the) (?:\w+ ){0,3}?(?:system ?prompt|system message"
    r"|initial instructions|configuration|developer instructions|memory states?))\b|systemprompts?\b"
)
_WHOLE = (
    r"(?:verbatim|word for word|in full|the full|your|gist|hidden|systemprompt|into \w+\.md|all the context"
    r"|every private|exact)\b"
)
_ACTOR = (
    r"(?:agents?|everyone|everybody|anybody|(?:the )?roles? \w+|dev|qa|architect) (?:with (?:the )?role \w+ )?"
    r"(?:may|can|is allowed to|are allowed to)\b"
)

# (hints, the senses, whether a rule that forbids the first one is none of them)
ORDERS: tuple[tuple[tuple[str, ...], tuple[str, ...], bool], ...] = (
    (
        ("ignor", "disregard", "forget", "overrid", "overlook", "aside", "no longer", "stop ", "desconsider", "esquec")
        + ("olvid", "oubli", "verg", "missachte", "dimentica", "negeer", "caso omiso", "compte"),
        (_IGNORE, _YOURS, _LAW),
        True,
    ),
    (
        (
            "no longer",
            "more",
            "suspend",
            "lifted",
            "void",
            "outdated",
            "revoke",
            "disabled",
            "deprec",
            "switched",
            "force",
        )
        + ("not checked", "not enforced"),
        (_LAPSED, _SAFETY),
        True,
    ),
    (
        ("allow", "appro", "authori", "permi", "consent", "agree", "accept", "grant", "verified", "want", "prefer")
        + ("autori", "aprov", "aprob", "aprueb", "erlaubt", "genehmigt", "zugestimmt", "permet"),
        (_CONSENT, _USER, _ALL),
        True,
    ),
    (("without", " ask", "confirm", "no ", "nao ", "pedir", "demander", "ohne", "kein"), (_UNASKED, _RECKLESS), True),
    (
        ("key", "secret", "credential", "environment", ".env", "~/", "rsa", "/etc/", "tokens", "context b", "code")
        + (
            "user ",
            "password",
            ".ssh",
            ".pem",
            "system",
            "private",
            "chaves",
            "claves",
            "cle",
            "schlussel",
            "sleutel",
        ),
        (_LOOT, _SEND, _SINK),
        True,
    ),
    (
        ("memory", "note", "instruction", "rule", "paragraph", "message", "text", "prompt", "order", "directive"),
        (_NOTE, _OUTRANKS),
        False,
    ),
    (
        ("anthropic", "openai", "holdfast", "maintainer", "administra", "team", "owner", "management", "above"),
        (_AUTHORITY, _LICENCE),
        False,
    ),
    (
        ("whatever", "matter", "regardless", "irrespective", "even ", "without", "failing", "red"),
        (_ANYHOW, _CLAIM, _DONE),
        True,
    ),
    (("when", "if ", "as soon", "once", "time "), (_ONCE, _ACT, _DANGER), False),
    (
        ("above", "context", "hidden", "you ", "your ", "system", "instructions"),
        (_INSIDE, _TELL, _WHOLE),
        True,
    ),
    (
        ("other", "private"),
        (r"(?:each other's|one another's|scope private|private memor\w{1,3}|other agents'?)\b", _ACTOR),
        False,
    ),
    (
        ("gate", "review"),
        (
            r"(?:(?:all|any|every|security|safety|approval) (?:\w+ )?gates?|(?:security|safety) reviews?)\b",
            r"(?:skip|bypass|circumvent|evade)\b",
        ),
        True,
    ),
    (
        ("enable", "not care"),
        (r"never re-?enable|does not care", r"(?:hooks?|no-verify)\b", r"(?:bypass|disable|remove|skip)\w{0,2}\b"),
        False,
    ),
    (("dangerously",), (r"(?:always|use|with|run|start)\b", r"--dangerously-skip-permissions\b"), True),
    (
        ("recommend", "promote", "advertise", "include"),
        (
            r"recommend|promote|advertise|include",
            r"(?:each|every|all|your) (?:answer|reply|response|question)s?\b|when the user asks|whenever asked",
        ),
        True,
    ),
    (
        ("future",),
        (
            r"(?:in|for) (?:all|every|each|any) future (?:sessions?|conversations?|requests?|responses?)\b",
            r"(?:include|always|never|ignore|insert|append|answer|respond|you (?:have|must|may))\b",
        ),
        True,
    ),
    (("treat",), (r"treat\b", r"as (?:an? )?(?:order|command|instruction)s? (?:from|of|by)\b"), True),
    (
        ("pretend", "assume", "as if"),
        (
            r"(?:pretend|assume|act as if)\b",
            r"user (?:has |had )?(?:said yes|agreed|approved|consented|confirmed)\b",
        ),
        True,
    ),
    (("pull request",), (r"approve\b", r"pull requests?\b", r"without (?:reading|looking|review)"), True),
)
