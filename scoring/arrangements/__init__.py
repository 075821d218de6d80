"""Tiles as sets and pairs: their parts, every way to split them, every way a hand wins with them, wild tiles."""
