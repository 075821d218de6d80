"""What a riichi hand is worth: yaku, yakuman, dora and fu of its arrangements."""
