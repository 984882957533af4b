"""The steps that events take: one module a subject, functions from ``EventContext`` to ``EventContext``."""
