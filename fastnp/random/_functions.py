"""Functions that draw from the one stream of the process, which is NumPy's own.

`fastnp.random.seed(0)` seeds what `numpy.random` draws from, so that a library that uses NumPy and the program that
uses us go on sharing one stream, as they do under NumPy alone.
"""

from __future__ import annotations

from typing import Any

from numpy import random as theirs

from fastnp._core.borrowed import as_theirs, borrowed
from fastnp._core.kernels.streams import STATE_BODIES
from fastnp._declare import Chapter
from fastnp.random._device import DeviceGenerator
from fastnp.random._streams import (
    CLASSES,
    MODULE,
    SHUFFLES,
    STATES,
    RandomState,
    default_rng,
    plan_of,
    set_stream,
    shuffler,
    signature_of,
)

declare = Chapter(MODULE, theirs)

declare.publish(
    default_rng=default_rng,
    set_stream=set_stream,
    DeviceGenerator=DeviceGenerator,
    **{cls.__name__: cls for cls in CLASSES},
)


def seed(seed: Any = None) -> None:
    """Seed the stream of the process anew."""
    theirs.seed(as_theirs(seed))


seed.__module__ = MODULE
seed.__doc__ = theirs.seed.__doc__
declare.publish(
    seed=seed,
    get_state=theirs.get_state,
    set_state=theirs.set_state,
    get_bit_generator=theirs.get_bit_generator,
    set_bit_generator=theirs.set_bit_generator,
    test=theirs.test,
)

for name in theirs.__all__:
    function = getattr(theirs, name)
    if name not in declare.names and name not in STATES:
        signature = signature_of(function)
        body = STATE_BODIES.get(name) if signature is not None else None
        lent = borrowed(
            function, name, MODULE, signature, deep=name != "shuffle",
            compiled=body, plan=plan_of(name, signature) if body is not None else None,
            elsewhere=shuffler(theirs.permutation, name, 0) if name in SHUFFLES else None,
        )
        declare.publish(**{name: lent})


class ProcessState(RandomState):
    """The stream of the process as an object: what libraries know as `numpy.random.mtrand._rand`."""

    def __init__(self) -> None:
        super().__init__()
        for name in dir(theirs.RandomState):
            if not name.startswith("_") and name in declare.names:
                setattr(self, name, declare.names[name].value)

    def __reduce__(self) -> tuple[Any, ...]:
        return RandomState, (), theirs.get_state(legacy=False)


process_state = ProcessState()
