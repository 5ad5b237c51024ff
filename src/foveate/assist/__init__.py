"""For the person with the camera: what a photo's region is called, how it is shown larger, and how the rest is hidden.

Example:
    >>> from foveate import assist
    >>> photo = assist.read_photo("jar.jpg")  # doctest: +SKIP
    >>> assist.reply(assist.ask(photo, "What does it say?")).said  # doctest: +SKIP
"""
