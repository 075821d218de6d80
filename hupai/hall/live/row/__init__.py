"""The row of tiles that stands in front of a player: found in pictures, read, and voted over looks."""
