"""Token estimates against counts that a tokenizer gave, and the promises that the budget builds on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.text.tokens import COSTS, estimate_tokens, views

COUNTED = {
    "a rule": (
        39,
        (
            "GLOBAL_RULE_1=Never claim that work is done without having run the command that prov"
            "es it, and show the output of the command."
        ),
    ),
    "markup": (
        85,
        (
            '<rules layer="L1" domain="GLOBAL">\n  <rule id="GLOBAL_RULE_2">Prefer absolute paths '
            '&amp; quote them.</rule>\n  <mode pipeline="build" permission="ask"/>\n</rules>'
        ),
    ),
    "json": (
        74,
        (
            '{"session": "9d0b6f0e-1c55", "mode": "build", "budgets": {"FRESH": 2500, "CRITICAL":'
            ' 800}, "layers": ["L0", "L1"], "left_out": []}'
        ),
    ),
    "python": (
        57,
        (
            "def bracket(remaining: float) -> str:\n    for name, floor in FLOORS.items():\n       "
            ' if remaining >= floor:\n            return name\n    return "CRITICAL"\n'
        ),
    ),
    "table": (
        61,
        (
            "| Bracket  | Remaining | Budget | Layers |\n|----------|-----------|-------:|--------"
            "|\n| FRESH    | >= 60 %   |  2,500 | all    |\n"
        ),
    ),
    "english": (
        31,
        (
            "The useful habit is to write down the guess together with its reasons, and to read b"
            "oth again when the work is finished."
        ),
    ),
    "portuguese": (
        42,
        (
            "As mensagens de erro dizem o que está errado, onde está e o que fazer para corrigir "
            "a configuração antes de continuar."
        ),
    ),
    "spanish": (
        48,
        (
            "Los cambios surten efecto en el siguiente mensaje, sin reiniciar la sesión, y se con"
            "servan los comentarios del fichero."
        ),
    ),
    "french": (
        47,
        (
            "L'installation ne modifie aucun fichier existant sans l'accord explicite de l'utilis"
            "ateur, même la nuit ou en vacances."
        ),
    ),
    "german": (
        55,
        (
            "Die Konfigurationsdatei wird vor dem Überschreiben geprüft; die vorherige Fassung bl"
            "eibt für dreißig Tage erhalten."
        ),
    ),
    "russian": (36, ("Сообщение об ошибке отвечает на три вопроса: что неверно, где это находится и как исправить.")),
    "arabic": (48, "يجب التحقق من ملف الإعدادات قبل الحفظ، ولا يجوز أن يضيع المحتوى القديم."),
    "hindi": (47, "त्रुटि संदेश बताए कि क्या गलत है, कहाँ गलत है और उसे कैसे ठीक करें।"),
    "thai": (61, "ข้อความแสดงข้อผิดพลาดต้องบอกว่าอะไรผิด ผิดที่ไหน และต้องแก้ไขอย่างไร"),
    "chinese": (46, "错误信息要说明三件事：哪里错了、错在什么位置、应该怎么改。数据库迁移优先于代码格式。"),
    "japanese": (32, "エラーメッセージには、何が間違っているか、どこか、どう直すかを書くこと。"),
    "korean": (47, "오류 메시지는 무엇이 잘못되었는지, 어디인지, 어떻게 고치는지를 알려야 한다."),
    "emoji": (72, ("✅ Tests pass 🎉🎉 — ship it! 🚀 ⚠️ Coverage fell 📉 🔍 👨🏽‍🔧 repairs the gateway 🇧🇷")),
    "javanese": (40, "ꦱꦧꦼꦤ꧀ꦲꦶꦁꦮꦺꦴꦁ"),
    "cuneiform": (25, "𒀀𒀁𒀂𒀃𒀄𒀅"),
    "combining": (32, "a̷e̷i̷o̷u̷ Z̷a̷l̷g̷o̷"),
}

anything = st.text(st.characters(exclude_categories=()))
ordinary = st.text("aeioubcdk AZ09.,:;-_<>='\"\\n\\t\\r é中я🙂", max_size=400)


@pytest.mark.parametrize("name", COUNTED)
def test_a_counted_text_is_neither_missed_nor_doubled(name: str) -> None:
    """With the reserve an estimate stays between 5 % under and 60 % over what a tokenizer counted."""
    counted, text = COUNTED[name]
    assert 0.95 * counted <= estimate_tokens(text) <= 1.6 * counted


def test_all_counted_texts_together_are_not_undercounted() -> None:
    """Over a page of mixed texts the estimate covers the real count with less than a third to spare."""
    counted = sum(tokens for tokens, _ in COUNTED.values())
    assert counted <= estimate_tokens("\n".join(text for _, text in COUNTED.values())) <= 1.33 * counted


def test_the_reserve_is_added_and_the_sum_rounded_up():
    """A plain estimate of 1.13 tokens is 2, and 3 with a reserve of 100 %; no text costs nothing."""
    plain = COSTS["shapes"][b"9"] + COSTS["shapes"][b"n"]
    assert estimate_tokens("7", reserve=0.0) == -int(-plain // 1)
    assert estimate_tokens("7", reserve=2.0) == -int(-plain * 3 // 1)
    assert estimate_tokens("") == estimate_tokens("", reserve=1.0) == 0


@given(anything)
def test_any_string_has_an_estimate(text: str) -> None:
    """Surrogates, controls and unassigned characters raise nothing, and a text that is not empty costs something."""
    assert estimate_tokens(text) >= bool(text)


@given(st.characters(min_codepoint=0x2C00, max_codepoint=0x2DFF) | st.characters(min_codepoint=0x10000))
def test_rare_scripts_cost_their_utf8_bytes(letter: str) -> None:
    """A character without a measured cost is counted byte by byte, the most that it can cost."""
    assert estimate_tokens(letter * 100) >= 100 * len(letter.encode())


@given(anything | ordinary, anything | ordinary)
def test_texts_may_be_estimated_one_by_one(first: str, second: str) -> None:
    """Joined by a line break they exceed the sum by 2 tokens at most, and the sum wastes 1 token at most."""
    apart, together = estimate_tokens(first) + estimate_tokens(second), estimate_tokens(first + "\n" + second)
    assert together - 2 <= apart <= together + 1


def test_every_pattern_can_occur() -> None:
    """Each weight belongs to letters that its view can show, so that no weight is dead."""
    seen = views("".join(map(chr, range(0x11000))))
    for view, patterns in COSTS.items():
        assert set(b"".join(patterns)) <= set(seen[view]), view
