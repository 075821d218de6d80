"""Tables with a camera, and the hands laid on them."""
