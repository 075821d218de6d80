"""What the bonus classifier reads in the corners of a tile: its network, what it learns from, and its file."""
