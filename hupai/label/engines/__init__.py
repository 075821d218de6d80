"""How labels are made: on this machine, for a folder that fills up, on a cluster."""
