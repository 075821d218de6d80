"""Pictures of a table from a webcam, a stream or a video file."""
