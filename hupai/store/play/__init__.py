"""Games as they are played: hands, corrections, standings, house rules by name."""
