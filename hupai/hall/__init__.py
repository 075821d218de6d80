"""The wing of a hall: tournaments, cameras over tables, the board."""
