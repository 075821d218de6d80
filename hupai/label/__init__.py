"""Labelling many pictures: ten on a laptop or ten million on a cluster, and back again after correction.

The path of a picture, one module per step:

- ``sources``: folders, globs, lists -> items, in a fixed order
- ``plan``: the settings that shape the labels; a run can only be continued under the same plan
- ``journal``: which items there are and what was read in them, safe against a kill at any moment
- ``labeller``: items -> records, with the crops of several pictures read at once
- ``pool``, ``worker``, ``cores``: worker processes on this machine; ``cluster``: actors on Ray
- ``derive``: records -> label files (``formats``), duplicates, the worst pictures first, summary
- ``run``, ``folder_watch``: the complete procedures

and for labels that people corrected: ``formats`` reads them, ``merge`` lays them over what was read, ``compare`` counts
agreement, ``split`` makes training and validation parts.
"""
