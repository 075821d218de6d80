"""A person looks through labels, the worst first: a local page, and a history of what was corrected.

``missed`` says where tiles may have been overlooked, ``desk`` orders the pictures and keeps what a person says,
``page`` serves both to a browser on this machine.
"""
