"""A review of labels by a person, the worst first: a local page, and a history of corrections.

``missed`` finds places where tiles may have been overlooked, ``label_review`` orders the pictures and stores
corrections, ``claims`` knows which are open where, ``page`` serves all to a browser on this machine.
"""
