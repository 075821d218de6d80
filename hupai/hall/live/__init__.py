"""Hands while they are played: what a camera shows of one player's tiles, sent on later and never stored."""
