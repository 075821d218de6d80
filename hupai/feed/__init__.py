"""Watching tables: a camera's frames in, settled hands out, each exactly once."""
