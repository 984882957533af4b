"""The second host's transcript: lines such as ``used 500``, ``user Hello.``, ``model Hi.``, ``cut``."""
