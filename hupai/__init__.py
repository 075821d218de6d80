"""hupai: photograph a mahjong hand, get its score."""
