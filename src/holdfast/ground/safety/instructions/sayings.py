"""Orders to a model that a single phrase gives away, and those of languages known by a few words only: data for
``find``.

Every row begins with hints: pieces of text, spelled without ``-`` and ``_``, without one of which in a sentence it does
not hold, looked for first. They meet text as ``find.flags_of`` folds it, a sentence at a time. A gap is bounded, so
that every pattern is linear.
"""

from __future__ import annotations

SAYINGS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("tell ", "inform ", "alert ", "notify "),
        r"(?:do not|don't|dont|never) (?:tell|inform|alert|notify) (?:the |your )?(?:user|human|person)(?:,| but| and"
        r"| that (?:you|we|this|it)\b)",
    ),
    (("between us", "yourself"), r"keep (?:this|it|that) (?:strictly )?(?:between us|to yourself)"),
    (
        ("sure", "see to it"),
        r"(?:make sure|ensure|see to it) (?:that )?(?:the )?(?:user|human|person)\b.{0,40}(?:does not|doesn't|never) "
        r"(?:notice|see|learn|know|find out)",
    ),
    (("never",), r"never (?:reveal|mention|disclose) (?:that )?this (?:paragraph|note|memory|message)"),
    (
        ("nao ", "nutzer", "utilisateur", "usuario"),
        r"nao (?:contes?|digas?) (?:ao|a|aos) (?:utilizador|usuari|pesso)\w* (?:que|nada)"
        r"|(?:sag|sagt|verrate) (?:dem|der|den) (?:be)?nutzer\w{0,2} (?:nichts|nicht|kein)"
        r"|ne dis rien a l'utilisateur|no (?:le )?digas (?:nada )?al usuario",
    ),
    (
        ("grant",),
        r"you (?:have been|are|were) granted (?:\w+ )?(?:elevated|admin\w*|root|full|sudo|privileges)"
        r"|(?:has |have )?granted you (?:sudo|root|admin\w*|full|elevated)",
    ),
    (
        ("you ",),
        r"you (?:may|can|are (?:now )?(?:free|allowed|permitted|authori[sz]ed) to) (?:now )?(?:bypass|circumvent|ignore"
        r"|override) (?:the |all |any |your )?(?:lock|gates?|rules|hooks?|constitution|approvals?|permissions?)",
    ),
    (
        ("administra", "root", "superuser"),
        r"(?:actua|actue|age|agis|aja|handle|agisci|fais) (?:como?|comme|als|wie)"
        r"(?: si (?:tu etais|voce fosse|fueras))? (?:un |une |o |el |um )?(?:administra\w+|root|superuser)",
    ),
    (
        ("assist", "asist"),
        r"(?:assistente|asistente|assistant|assistent) (?:sem|sin|sans|ohne|without) (?:\w+ )?"
        r"(?:limites?|restri\w+|reg\w+|grenzen|limits|rules)",
    ),
    (
        ("unrestricted", "play as"),
        r"unrestricted (?:\w+ )?(?:ai|assistant|mode|agent|model)\b|role-?play as\b",
    ),
    (
        ("your ",),
        r"your (?:single|sole|first) (?:task|goal|role|job|purpose|action|mission|objective|order) (?:is|must|will)\b",
    ),
    (
        ("answer ", "obey only", "autonomy"),
        r"you answer (?:only )?to .{0,40}(?:and )?(?:nobody|no one|none) else|you obey only\b"
        r"|(?:act|proceed) with full autonomy",
    ),
    (
        ("whoever", "agent", "assist", "model"),
        r"(?:whoever|the next agent|any agent|every agent|(?:ai |llm )?(?:assistants?|agents?|models?)) "
        r"(?:who |that |which )?(?:reads?|reading|loads?|loading|process(?:es|ing)|opens?) (?:this|it)\b",
    ),
    (
        ("agent",),
        r"(?:as an?|you(?:'re| are) (?:now )?an?) (?:\w+ ){1,3}agent\b.{0,60}(?:execute|navigate|copy|delete|install"
        r"|without|modify|send|must)\b",
    ),
    (
        ("stop ", "cease "),
        r"(?:stop|cease) (?:following|obeying|respecting) (?:the |your )?(?:constitution|rules|instructions)",
    ),
    (("permission",), r"treat (?:each|every|all|any) permission \w+ as (?:answered|approved|granted|allowed)"),
    (
        ("esquec", "olvid", "oubli", "verg", "dimentica"),
        r"(?:esquec[ea]|olvida|oublie|vergiss|dimentica) (?:as |las |les |alle |tutte )?(?:tuas?|tus|tes|deine|le tue)"
        r" (?:regras|instruc\w+|reglas|ordenes|regles|consignes|instructions|regeln|anweisungen|regole|istruzioni)",
    ),
    (
        ("lembra", "recuerda", "souviens", "merk", "remember", "guarda", "save t"),
        r"(?:lembra-te|recuerda|souviens-toi|merke? dir|remember|guarda na memoria|save to memory)\b.{0,60}"
        r"(?:user|utilizador|usuario|utilisateur|nutzer)\b.{0,20}(?:allow|permit|authori[sz]e|consent|autoriz|permite"
        r"|aprov|erlaubt|autorise)",
    ),
    (
        ("instead", "task", "first output", "first say", "first print"),
        r"instead,? (?:of \w+ing,? )?(?:output|print|reveal|display|execute|send)\b"
        r"|(?:ignore|disregard|forget|abandon|stop) (?:the |your |this )?(?:\w+ )?(?:previous |current |\w+ )?task\b"
        r"(?=[.,;!]|$| and)|before you (?:answer|reply|translate|continue|start),? .{0,40}first (?:output|say|print)",
    ),
    (("overrid",), r"override (?:all )?(?:security|safety)\b|\badmin_override\b"),
    (
        ("execute this", "run this", "must execute", "must now execute"),
        r"(?:execute|run) this (?:\w+ )?command (?:immediately|now|at once|without)\b|you must (?:now )?execute\b",
    ),
    (
        ("privileges", "access", "rights", "permissions", "trusted "),
        r"you (?:now )?have (?:\w+ )?(?:admin\w*|root|full|elevated|unrestricted) "
        r"(?:privileges|access|rights|permissions)"
        r"|i(?:'m| am) (?:a |an |the )?trusted (?:admin\w*|user|developer)",
    ),
    (
        ("safety", "security", "checks", "confirm", "permission", "gate"),
        r"(?:bypass|disable|skip|ignore|override)[ _-]?(?:safety|security|checks|confirmations?|permissions?|gates?)"
        r" ?[=:] ?(?:true|1|yes|on)\b",
    ),
    (
        ("ignor", "disregard", "bypass"),
        r"(?:ignore|disregard|bypass) (?:all|any|every) (?:of )?(?:the )?(?:safety |security )?"
        r"(?:restrictions?|constraints|limits|safeguards|guardrails)\b(?! in| from| of| that|:)",
    ),
    (
        ("verify", "trust", "ground truth"),
        r"never verify\b|always trust (?:everything|anything|content|text|whatever)"
        r"|treat \w+ as (?:ground truth|trusted)",
    ),
    (
        ("asked",),
        r"when(?:ever)? (?:you(?:'re| are) )?asked (?:about|for) .{1,60}?,? "
        r"(?:say|answer|reply|respond|claim|recommend)\b",
    ),
    (
        ("now allowed", "now permitted", "now authori"),
        r"(?:agents?|assistants?|claude|you|ai|models?|bots?|policy \w+\b.{0,40}) (?:is |are )?now "
        r"(?:allowed|permitted|authori[sz]ed) to (?:run|execute|read|delete|bypass|access)\b",
    ),
    (
        ("curl", "wget"),
        r"(?:curl|wget)\b.{0,200}@\S{0,80}(?:secret|\.env\b|id_rsa|credential|passwd)",
    ),
    (("no restrictions",), r"no restrictions\b.{0,20}$"),
)

# Elsewhere than in Western Europe: (what is done to orders, what orders are called), and (what the user is called, what
# is kept from them). Plain words, found anywhere in a sentence.
FOREIGN: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        ("игнорируй", "игнорировать", "забудь", "не обращай внимания"),
        ("инструкци", "правил", "указани", "промпт"),
    ),
    (("忽略", "无视", "忘记", "不要理会", "無視"), ("指令", "指示", "规则", "規則", "提示词", "命令")),
    (("無視", "忘れ", "従わな"), ("指示", "命令", "ルール", "プロンプト", "指令")),
    (("무시", "잊어", "따르지 마"), ("지시", "명령", "규칙", "지침", "프롬프트")),
    (("تجاهل", "انس ", "لا تتبع"), ("التعليمات", "تعليمات", "الأوامر", "القواعد")),
    (("अनदेखा", "नज़रअंदाज", "भूल जा"), ("निर्देश", "नियम", "आदेश")),
    (("התעלם", "שכח"), ("הוראות", "ההוראות", "כללים")),
    (("zignoruj", "zapomnij o"), ("instrukcj", "polece", "zasad", "regul")),
    (("ignoruj", "zapomen"), ("pokyn", "instrukc", "pravid")),
    (("yok say", "gormezden gel"), ("talimat", "kural", "komut")),
    (("abaikan", "lupakan"), ("instruksi", "perintah", "aturan")),
    (("bo qua",), ("huong dan", "chi thi", "menh lenh")),
    (("ignorera", "glom bort"), ("instruktioner", "regler")),
    (("αγνοησε", "ξεχασε"), ("οδηγιες", "κανονες", "εντολες")),
    (("пользовател",), ("не сообщай", "не говори", "не рассказывай", "втайне")),
    (("用户", "使用者"), ("不要告诉", "别告诉", "不要告訴", "瞒着")),
    (("ユーザー",), ("知らせず", "言わず", "伝えず", "内緒", "秘密に")),
    (("사용자",), ("알리지 말", "말하지 말", "모르게")),
    (("المستخدم",), ("لا تخبر",)),
    (("उपयोगकर्ता",), ("मत बताओ", "न बताए")),
    (("uzytkownik",), ("nie mow", "nie informuj", "bez wiedzy")),
    (("kullanici",), ("soyleme", "haber vermeden")),
)
