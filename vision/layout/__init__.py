"""Sightings -> rows, melds, winning tile, bonus tiles, dora, the rest."""
