"""How the bonus classifier reads captions in a tile's corners: its network, what it learns from, and its file."""
