"""Labelling many pictures: ten on a laptop or ten million on a cluster, and back again after correction.

The way of a picture, one module a step:

- ``sources``, ``archives``: folders, globs, lists, archives -> items, in a fixed order
- ``plan``: what shapes the labels; a run is only continued under the same plan
- ``journal``: which items there are and what was read in them, safe against being killed
- ``labeller``: items -> records, the crops of several pictures read at once
- ``pool``, ``worker``, ``cores``: worker processes on this machine; ``cluster``: actors on Ray
- ``derive``: records -> label files (``formats``), duplicates, worst first, summary page
- ``run``, ``watch``: the recipes

and of labels that people corrected: ``formats`` reads them, ``merge`` lays them over what was read, ``compare`` counts
agreement, ``split`` makes training and validation parts.
"""
