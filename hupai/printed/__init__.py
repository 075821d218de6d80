"""Rules on paper: elements with pictures, what they pay, house rules, in every language of the page."""
