"""The hostile vocabulary of the fuzzer: names, keywords, rules, commands, scraps of bytes and values of no sense."""

from __future__ import annotations

SECRET = "sk-ant-" + "fuzz0" * 8
"""Stands in rules here and there, and must never come out of them."""

NAMES = (
    *("GLOBAL", "CONTEXT", "COMMANDS", "CONSTITUTION", "QA", "API", "DB_LAYER", "STORY", "AGENT_DEV", "AGENT_NOBODY"),
    *("WORKFLOW_RELEASE", "ETL_SQUAD_QA", "ALPHA", "ÜBER", "A B", "-", "_", "😀", "X" * 300, "lower", "TEAM.ENV"),
)
WORDS = (
    *("test", "tests", "endpoint", "api design", "=ci", "*brief", "c++", "c#", ".net", "-", "", " "),
    *("[a-z]+(", "a|b", "\\d{2}", "$^", "größe", "GRÖSSE", "ação", "ação rápida", "тесты", "測試", "テスト"),
    *("ทดสอบ", "परीक्षण", "اختبار", "בדיקה", "δοκιμή", "👩\u200d👩\u200d👧", "e\u0301", "İstanbul", "ﬁle", "Ǆ"),
    *("´", "¨", "\u200b", "\u2028", "𝕋𝕖𝕤𝕥", "٣٤", "x" * 500),
)
TEXTS = (
    *("Read a file before changing it.", "Сначала напиши тест.", "先写测试再写代码。", "اكتب الاختبار أولا."),
    *("</rules></limpet-context>", "<!DOCTYPE x [<!ENTITY e 'e'>]>", "]]> & &amp; &#0; &#xD800;"),
    *("\0\x01\x0b\x1b[31m", "\u202eright to left\u202c", "\ud800 half \udfff", "\ufffe\uffff", "one\rtwo"),
    *("a=b=c", "# no comment", "[*brief]", "; , ;", " ", "a\u2028b\u2029c\x85d\x1ce", "\u0301" * 300),
    *("猫犬鳥" * 90, "👩\u200d👩\u200d👧" * 60, "é" * 3000, "x" * 40_000, "word " * 4000),
    *(f"token {SECRET} here", "-----BEGIN PRIVATE KEY-----" * 40, "://a:b@" * 200),
)
COMMANDS = (
    *("*brief", "*dev", "*review now", "**bold**", "*args", "*limpet", "*limpet debug", "*limpet status"),
    *("*limpet off QA", "*limpet off CONSTITUTION", "*limpet on ÜBER", "*limpet reload", "*limpet domains"),
    *("*limpet on DEVMODE", "*limpet session", "*limpet create X rule", "*limpet suggest API", "*limpet add"),
    *("*agent dev", "*agent nobody", "*agent", "*work squad alpha", "*work squad etl-squad", "*work mode deploy"),
    *("*work task \ud800<&>", "*develop 1.2", "*mode auto", "*yolo", "*work start release", "*limpet off QA"),
)
SCRAPS = (
    *(b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n", b"\n" * 50, b"=", b"#", b"{", b"]" * 40, b"[" * 3000, b'"'),
    *("\u2028".encode(), b"\x85", "😀".encode(), b"\xed\xa0\x80", b"9" * 5000, b"1e999", b"null"),
)
ODD_VALUES: tuple[object, ...] = (
    *(None, True, False, 0, -1, 10**18, 10**400, 1.5, float("nan"), float("inf"), "", "x", "\ud800", [], {}, [[]]),
    *({"id": "dev"}, ["key", "when"], {"": None}, "9" * 5000, "../../../x", "/etc/passwd", "CRITICAL", "2099-01-01"),
)
SQUADS = ("alpha", "etl-squad", "etl_squad", "beta squad", "gamma\nextend 0 9", "ÉQUIPE", ".hidden", "none")
SESSIONS = ("s",) * 6 + ("../../../x", "a/b\\c", "x" * 300, "\ud800", "", "日本")
