"""Bit generators and their seeds, by the name of NumPy's module."""

from fastnp.random._streams import BitGenerator, SeedSequence

__all__ = ["BitGenerator", "SeedSequence"]
