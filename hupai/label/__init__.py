"""The wing of labelling: thousands of pictures labelled, looked through, and taken to other programs and back."""
