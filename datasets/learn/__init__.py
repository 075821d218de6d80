"""The networks and how they learn: plain torch, on a GPU when there is one. Needs the ``train`` extra."""
