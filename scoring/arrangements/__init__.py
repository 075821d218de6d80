"""Tiles as sets and pairs: their parts, every way to split them, every reading of a hand, wild tiles."""
