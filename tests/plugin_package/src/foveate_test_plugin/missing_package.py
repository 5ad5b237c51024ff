"""A grounder that needs a package which nobody has."""

import a_package_that_nobody_has  # type: ignore[import-not-found]  # noqa: F401
