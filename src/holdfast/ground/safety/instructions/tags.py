"""Tags and marks that hosts and models give a meaning, by which text poses as another speaker. Data for ``find``.

Every row begins with hints: pieces of text without one of which its pattern cannot match, looked for first. Both meet
the raw text.
"""

from __future__ import annotations

TAGS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("<",),
        r"(?<![\w:/=-])</?(?:system|assistant|developer|human|user_query|system[-_]reminder|system[-_]prompt|instructions?"
        r"|holdfast-context|function_calls|function_results|invoke|tool_use|tool_call|tool_result|antml:\w+|admin|override)"
        r"(?:\s[^<>]{0,200})?>|</(?:memory|memories|data|context|document|quote|holdfast-context|system|instructions?)>",
    ),
    (("<parameter ",), r"<parameter name="),
    (
        ("<|",),
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|end_header_id|eot_id|endofprompt)\|>",
    ),
    (("INST]", "SYS>>"), r"\[/?INST\]|<</?SYS>>"),
    (
        ('"',),
        r"\"type\"\s{0,4}:\s{0,4}\"(?:tool_use|function_call|tool_result)\"|\"(?:tool_calls"
        r"|function_call)\"\s{0,4}:\s{0,4}[\[{]",
    ),
    (
        ('"',),
        r"\"(?:tool|name|function)\"\s{0,4}:\s{0,4}\"[\w.-]{1,60}\"\s{0,4},\s{0,4}\"(?:arguments|input|parameters)\"\s{0,4}:"
        r"\s{0,4}\{",
    ),
    (("```",), r"(?m:^[ \t>]{0,8}`{3,}[ \t]{0,4}(?i:system|developer|admin)[ \t]{0,4}$)"),
    (("role:",), r"(?m:^role: ?(?:system|developer)[ \t]{0,4}$)"),
    (("<!--",), r"<!--\s{0,8}(?i:system|admin|hidden|secret) (?i:instruction|prompt|message|note|override)s?\b"),
    (
        ("<!--",),
        r"<!--\s{0,8}(?i:note (?:to|for) |hey |dear |any |all )?"
        r"(?i:ai|llm|assistant|agent|claude|gpt|copilot|model|bot)s?\b[^>\n]{0,30}:",
    ),
    (
        ("#",),
        r"(?m:^[ \t>]{0,8}#{1,6} ?(?i:new|updated|real) (?i:system )?(?i:prompt|instructions?|message)[ \t]{0,4}$)",
    ),
    (
        ("OVERRIDE", "INSTRUCTION", "DIRECTIVE", "COMMAND", "NOTICE"),
        r"\b(?:SYSTEM|ADMIN|AGENT|RESEARCHER|DEVELOPER|ASSISTANT|MODEL|AI|PRIORITY|MEMORY) "
        r"(?:OVERRIDE|INSTRUCTIONS?|DIRECTIVES?|COMMANDS?|NOTICE)\b ?[:\]]",
    ),
    (("<",), r"<(?:assistant|agent|ai|model|admin|system)[-_](?:instructions?|override|prompt|message)\b[^<>]{0,200}>"),
    (("]",), r"(?m:^[ \t>]{0,8}\[[^\]\n]{0,40}\](?:: ?#|\(#)[^\n]{0,20}(?i:system|agent|assistant|instruction)\b)"),
    (
        ("[",),
        r"(?m:^[ \t>*]{0,8}\[(?:SYSTEM|System|ADMIN|ASSISTANT|DEVELOPER)(?: [A-Za-z]{1,12}){0,2}(?:[:-][^\]\n]{0,200}"
        r"| -[^\]\n]{0,200})?\])",
    ),
    (("#",), r"(?m:^[ \t>]{0,8}#{1,6} ?(?i:system|instruction|assistant)s?(?: prompt| message)?\s?:)"),
    (
        (":",),
        r"(?m:^[ \t>*]{0,8}(?i:system|assistant|developer|admin|human|sistema|assistente|asistente|systeme)(?: "
        r"(?i:prompt|message))?\*{0,2}"
        r"\s?:\*{0,2}\s{1,4}(?i:you|your|ignore|always|never|must|new|run|execute|override|the user|all|from|this|do"
        r"|don|please|follow|obey"
        r"|reveal|send|disregard|print|output|sure|okay|ok|i|i'll|yes|approve|treat|grant|voce|tu|usted|vous|ignora"
        r"|ignorez|execute)\b)",
    ),
    (
        ("--", "=="),
        r"(?i:(?<!-)-{2,}|(?<!=)={2,}) ?(?i:(?:begin|end|start)(?: of)? (?:system|developer|hidden) "
        r"(?:prompt|message|instructions))",
    ),
)
