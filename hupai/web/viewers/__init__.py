"""A tournament as plain files for its viewers, which any web host serves: standings, seating, results, the clock."""
