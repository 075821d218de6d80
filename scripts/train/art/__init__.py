"""The art of tiles."""
