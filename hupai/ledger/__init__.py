"""The ledger's arithmetic: who sits where, who deals next, what a confirmed hand pays each player. No I/O."""
