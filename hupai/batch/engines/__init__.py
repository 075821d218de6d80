"""How labels are made: on this machine, as a folder fills, on a cluster."""
