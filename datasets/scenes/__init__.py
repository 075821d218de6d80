"""Whole scenes and videos with exact ground truth, and the training targets made from them."""
