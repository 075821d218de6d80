"""Printed faces: suits, honours, flowers, and one physical set of tiles that carries them."""
