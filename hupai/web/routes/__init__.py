"""The operations of the API, a file a subject."""
