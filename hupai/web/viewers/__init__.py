"""A tournament as static files for its viewers, for any web host: standings, seating, results, the clock."""
