"""hupai scoring: hand + context -> score, under five mahjong systems. Standard library only, no I/O."""
