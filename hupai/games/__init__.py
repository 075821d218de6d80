"""Games as they run: who sits where, what a confirmed hand pays, what is entered, taken back, amended. No I/O.

A game is a :class:`~hupai.games.history.History` that never changes: every function gives back another one with one
more change, and whoever keeps games has only to write what was added and to read it again.
"""
