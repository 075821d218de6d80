"""What a riichi result pays: the ladder of limits, wins, drawn hands."""
