"""The weights that come with hupai, the networks made of them, and the pixels they look at."""
