"""What hosts write down of a conversation, one file a host format; ``tail`` alone touches the disk."""
