"""The coding agents that Limpet works in, and what installing, examining and spawning have in common.

A new host is a folder here (``events``, ``host``, perhaps ``status_line``: see ``base``) with a line in ``registry``,
and a folder for its transcripts with a line in ``transcripts.registry``. ``tests/hosts/test_contract.py`` and
``tests/transcripts/test_contract.py`` hold it to what is expected.
"""
