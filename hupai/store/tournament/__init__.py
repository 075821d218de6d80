"""A tournament as its director runs it: entrants, rounds, tables, penalties, tokens, the log of who did what."""
