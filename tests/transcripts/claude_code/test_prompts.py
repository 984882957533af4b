"""Prompts are found by the ids that a copy of the transcript keeps."""

from pathlib import Path

from holdfast.transcripts.claude_code.prompts import holds_prompts

RECORDED = Path(__file__).parents[2] / "fixtures" / "claude-code" / "transcript.jsonl"
PROMPT = "00000000-0000-4000-8000-000000000002"


def test_a_prompt_of_a_recorded_transcript_is_found():
    """By its own id, and by no other one of the file's."""
    assert holds_prompts(str(RECORDED), {PROMPT, "another"})
    assert not holds_prompts(str(RECORDED), {"00000000-0000-4000-8000-000000000003"})


def test_words_that_mention_a_prompt_are_none(tmp_path):
    """Nor is a line that is broken, or a file that is not there."""
    path = tmp_path / "t.jsonl"
    path.write_text('{"text": "{\\"promptId\\": \\"p1\\"}"}\n{"promptId": ["p1"]}\n{"promptId": "p1"\n')
    assert not holds_prompts(str(path), {"p1"})
    assert not holds_prompts(str(tmp_path / "gone"), {"p1"})
