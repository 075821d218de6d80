"""What comes in with a request, read and checked: bodies, forms, photos."""
