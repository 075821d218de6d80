"""A review of labels by a person, the worst first: a local page, and a history of corrections.

``missed`` finds places where tiles may have been overlooked, ``picture_index`` orders and finds pictures and tiles,
``label_review`` stores corrections, ``claims`` knows which pictures are open where, ``page`` serves all to a browser on
this machine.
"""
