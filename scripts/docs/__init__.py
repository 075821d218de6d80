"""Pages that are made from the code, and the check of rule texts against the tests."""
