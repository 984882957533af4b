"""Many hooks at once, and the same prompt from several hosts (decision 12)."""

from concurrent.futures import ThreadPoolExecutor

from ..conversation import write
from ..hook_host import state
from ..memories import configure


def test_fifty_hooks_at_once_count_fifty_prompts(host):
    """No update is lost, the file stays whole, and the stable part goes out once (decisions 12, 36)."""
    configure(host.workspace)
    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda n: host.prompt(f"prompt {n}", prompt_id=f"id{n}"), range(50)))
    assert state(host.workspace)["prompt_count"] == 50
    assert sum(1 for answer in answers if answer.block and answer.block["constitution"]) == 1


def test_the_same_prompt_fires_once(host):
    """Several hosts read one another's hooks: one injection, one count (decision 12)."""
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: host.prompt("the endpoint", prompt_id="same"), range(4)))
    assert sum(1 for answer in answers if answer.out) == 1
    assert state(host.workspace)["prompt_count"] == 1


def test_without_a_prompt_id_the_transcript_tells_prompts_apart(host, tmp_path):
    """The same words again are another prompt once the transcript grew, and the same one before (decision 12)."""
    transcript = str(tmp_path / "transcript.jsonl")
    for grown in ("{}\n", "{}\n", "{}\n{}\n"):
        write(transcript, grown)
        host.prompt("the endpoint", prompt_id=..., transcript_path=transcript)
    assert state(host.workspace)["prompt_count"] == 2
