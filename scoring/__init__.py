"""hupai scoring: hand + context -> score, under seven mahjong systems. Standard library only, no I/O."""
