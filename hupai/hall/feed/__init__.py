"""Watching tables: camera frames go in, settled hands come out, each exactly once."""
