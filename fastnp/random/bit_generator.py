"""Bit generators and their seeds, by the name of NumPy's module."""

from numpy.random.bit_generator import ISeedSequence, ISpawnableSeedSequence, SeedlessSeedSequence

from fastnp.random._streams import BitGenerator, SeedSequence

__all__ = ["BitGenerator", "ISeedSequence", "ISpawnableSeedSequence", "SeedSequence", "SeedlessSeedSequence"]
