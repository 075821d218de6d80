"""What was learned of one physical tile set; :mod:`vision.photo_lessons` learns it from photos."""
