"""Access control: who may enter, how often, and with what rights."""
