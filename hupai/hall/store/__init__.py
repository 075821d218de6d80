"""A tournament from its director's view: entrants, rounds, tables, penalties, tokens, the log of who did what."""
