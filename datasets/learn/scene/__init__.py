"""What the scene classifier learns from, its network, and how it learns."""
