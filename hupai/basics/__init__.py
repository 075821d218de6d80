"""What every part of the application may use: names, points in time, files written whole. It depends on no part."""
