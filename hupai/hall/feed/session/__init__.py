"""What lies on one table: reads fused tile by tile, the hand that is published, what becomes of it."""
