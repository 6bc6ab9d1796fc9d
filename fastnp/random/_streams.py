"""Classes of the random streams: NumPy's own, given views of arrays and giving arrays back.

The bits, and so every number, are NumPy's: one seed gives the same numbers under both modules, and an instance is an
instance of NumPy's class of its name.
"""

from __future__ import annotations

import inspect
from typing import Any

from numpy import random as theirs

from fastnp._core.borrowed import as_theirs, borrowed_method
from fastnp._core.kernels.distributions import BODIES as DISTRIBUTIONS
from fastnp._core.kernels.streams import GENERATOR_BODIES, STATE_BODIES
from fastnp._core.ndarray import ndarray
from fastnp._core.normalization import REQUIRED, Plan
from fastnp._routines.indexing import take
from fastnp.random._device import DeviceGenerator

MODULE = "fastnp.random"

#: What gives the elements of an array another order.
SHUFFLES = frozenset(("permutation", "shuffle"))
#: What these return is no array of numbers for the program, but the state of a stream as NumPy spells it.
STATES = frozenset(("generate_state", "get_state", "seed", "set_state", "spawn"))


def signature_of(function: Any) -> inspect.Signature | None:
    """Return the signature of NumPy's function, or None where it has none."""
    try:
        return inspect.signature(function)
    except ValueError:
        return None


def plan_of(name: str, signature: inspect.Signature) -> Plan:
    """Return how the arguments of a method are bound; `signature` is without the instance."""
    parameters = signature.parameters.values()
    variadic = [parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters]
    defaults = [
        None if many else REQUIRED if parameter.default is parameter.empty else parameter.default
        for many, parameter in zip(variadic, parameters, strict=True)
    ]
    several = variadic.index(True) if True in variadic else -1
    count = len(defaults)
    return Plan(name, list(signature.parameters), defaults, [0] * count, 0, count - sum(variadic), several, -1)


def shuffler(draw: Any, name: str, bound: int) -> Any:
    """Return how arrays on another device are shuffled: NumPy draws the places on the host, the elements stay there.

    Parameters
    ----------
    draw : callable
        NumPy's `permutation` of a number.
    name : {"permutation", "shuffle"}
        Whether a shuffled copy is returned, or the array is shuffled.
    bound : int
        The arguments before the array: the stream of a method.
    """
    def shuffled(*args: Any, axis: int = 0, **keywords: Any) -> Any:
        stream, (x, *rest) = args[:bound], args[bound:] or keywords.values()
        if not isinstance(x, ndarray) or x.tensor.is_cpu or not x.ndim:
            return NotImplemented
        axis = rest[0] if rest else axis
        moved = take(x, draw(*stream, x.shape[axis]), axis)
        if name == "permutation":
            return moved
        x[...] = moved
        return None

    return shuffled


def lend_methods(cls: type, base: type, bodies: dict[str, Any]) -> None:
    """Give a class each public method of NumPy's class, as one that takes and returns our arrays."""
    for name in dir(base):
        method = inspect.getattr_static(base, name)
        if name.startswith("_") or name in STATES or not callable(method):
            continue
        signature, plan = signature_of(method), None
        if name in bodies and signature is not None:
            _, *parameters = signature.parameters.values()
            plan = plan_of(name, signature.replace(parameters=parameters))
        lent = borrowed_method(
            method, f"{cls.__name__}.{name}", MODULE, signature, deep=name != "shuffle",
            compiled=bodies.get(name) if plan is not None else None, plan=plan,
            elsewhere=shuffler(base.permutation, name, 1) if name in SHUFFLES else None,
        )
        setattr(cls, name, lent)


class SeedSequence(theirs.SeedSequence):
    """Mixes sources of entropy into the initial states of bit generators, as NumPy's class does."""

    def __init__(
        self, entropy: Any = None, *, spawn_key: Any = (), pool_size: int = 4, n_children_spawned: int = 0
    ) -> None:
        super().__init__(
            as_theirs(entropy), spawn_key=spawn_key, pool_size=pool_size, n_children_spawned=n_children_spawned
        )


class BitGenerator(theirs.BitGenerator):
    """Base of the bit generators."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(as_theirs(seed))


class MT19937(theirs.MT19937):
    """The Mersenne Twister."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(as_theirs(seed))


class PCG64(theirs.PCG64):
    """PCG-64, the stream of `default_rng`."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(as_theirs(seed))


class PCG64DXSM(theirs.PCG64DXSM):
    """PCG-64 with the DXSM output function."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(as_theirs(seed))


class Philox(theirs.Philox):
    """The counter-based generator Philox (4x64)."""

    def __init__(self, seed: Any = None, counter: Any = None, key: Any = None) -> None:
        super().__init__(as_theirs(seed), as_theirs(counter), as_theirs(key))


class SFC64(theirs.SFC64):
    """Chris Doty-Humphrey's Small Fast Chaotic generator."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(as_theirs(seed))


class Generator(theirs.Generator):
    """Container of a bit generator: NumPy's, with our arrays."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.bit_generator,)


class RandomState(theirs.RandomState):
    """NumPy's legacy container of the Mersenne Twister, with our arrays."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(as_theirs(seed))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._bit_generator,), self.get_state(legacy=False)

    def seed(self, seed: Any = None) -> None:
        """Seed the stream anew."""
        super().seed(as_theirs(seed))


_stream = "host"


def set_stream(stream: str) -> None:
    """Say who draws for `default_rng`.

    Parameters
    ----------
    stream : {"host", "device"}
        "host", the default, is NumPy's stream: one seed gives NumPy's numbers on every device. "device" is torch's
        stream of the default device: nothing is copied there, and the numbers are not NumPy's.

    Raises
    ------
    ValueError
        `stream` is neither.
    """
    global _stream
    if stream not in ("host", "device"):
        raise ValueError(f"stream must be 'host' or 'device', not {stream!r}")
    _stream = stream


def default_rng(seed: Any = None) -> Generator | DeviceGenerator:
    """Return a generator: over a new PCG64 seeded with `seed`, or over the stream that `seed` has."""
    if isinstance(seed, DeviceGenerator) or (_stream == "device" and (seed is None or isinstance(seed, int))):
        return seed if isinstance(seed, DeviceGenerator) else DeviceGenerator(seed)
    seed = as_theirs(seed)
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, theirs.Generator):
        return Generator(seed.bit_generator)
    if isinstance(seed, theirs.RandomState):
        return Generator(seed._bit_generator)
    if isinstance(seed, theirs.BitGenerator):
        return Generator(seed)
    return Generator(PCG64(seed))


CLASSES = (SeedSequence, BitGenerator, MT19937, PCG64, PCG64DXSM, Philox, SFC64, Generator, RandomState)

#: The methods that draw into our memory.
BODIES = {Generator: GENERATOR_BODIES | DISTRIBUTIONS, RandomState: STATE_BODIES}

for cls in CLASSES:
    base = getattr(theirs, cls.__name__)
    lend_methods(cls, base, BODIES.get(cls, {}))
    cls.__module__ = MODULE
    cls.__doc__ = base.__doc__

default_rng.__module__ = set_stream.__module__ = MODULE
default_rng.__doc__ = theirs.default_rng.__doc__
RandomState.seed.__doc__ = theirs.RandomState.seed.__doc__
