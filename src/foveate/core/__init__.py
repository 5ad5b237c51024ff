"""What everything else is made of: boxes, regions, queries, truths, predictions, cards and the one IoU.

Opens no file and knows no library but NumPy. All coordinates are pixels of the upright image, boxes are ``xyxy``,
float, half-open, ``x`` to the right and ``y`` down; sizes are ``(height, width)`` (``design/coordinates.md``).
"""
