"""A photo -> quads of printed tile faces: the network, sizes to look at, non-maximum suppression."""
