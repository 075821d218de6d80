"""What a hand comes to: wins scored, payments, whether the game is over."""
