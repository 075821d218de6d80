"""Upright crops -> calibrated probabilities of every face."""
