"""What every part may use: names, points in time, files written whole, common errors. It depends on no part."""
