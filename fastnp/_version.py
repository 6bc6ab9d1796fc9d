"""The version of fastnp."""

__version__ = "0.1.0"
