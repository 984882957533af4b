"""What hosts write down of a conversation: one folder a host's format, one line each in ``registry``."""
