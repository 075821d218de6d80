"""What labelling leaves: label files, crops, lists, the summary page."""
