def estimate_tokens(text: str, reserve: float = 0.15) -> int:
    return int(len(text) / 2.4 * (1 + reserve)) + 1
