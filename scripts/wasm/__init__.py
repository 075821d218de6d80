"""The networks rewritten for browsers: the answers of a server to the bit, in less time."""
