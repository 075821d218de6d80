"""A file, bytes or a camera frame -> an upright RGB photo; and a reading drawn on its photo."""
