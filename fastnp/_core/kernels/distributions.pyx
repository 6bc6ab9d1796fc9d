"""The other distributions of `Generator` with numbers as parameters: one number after another by NumPy's C functions.

See `streams.pyx`. A body declines, by NotImplemented, parameters at the edge of what NumPy allows and beyond.
"""
from cpython.object cimport PyObject
from libc.math cimport isfinite
from libc.stdint cimport int64_t
from libc.string cimport memset
from numpy.random cimport bitgen_t
from numpy.random.bit_generator cimport BitGenerator

from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport FLOAT64, INT64
from fastnp._core.kernels.creation cimport fill_sizes
from fastnp._core.kernels.streams cimport RELEASE_FROM, bits_of, to_double
from fastnp._core.ndarray cimport MAXDIMS, data_of, ndarray, new_array

import numpy

cdef extern from "numpy/random/distributions.h" nogil:
    ctypedef struct binomial_t:
        pass
    double random_beta(bitgen_t*, double, double)
    double random_chisquare(bitgen_t*, double)
    double random_f(bitgen_t*, double, double)
    double random_gamma(bitgen_t*, double, double)
    double random_gumbel(bitgen_t*, double, double)
    double random_laplace(bitgen_t*, double, double)
    double random_logistic(bitgen_t*, double, double)
    double random_lognormal(bitgen_t*, double, double)
    double random_noncentral_chisquare(bitgen_t*, double, double)
    double random_noncentral_f(bitgen_t*, double, double, double)
    double random_pareto(bitgen_t*, double)
    double random_power(bitgen_t*, double)
    double random_rayleigh(bitgen_t*, double)
    double random_standard_cauchy(bitgen_t*)
    double random_standard_gamma(bitgen_t*, double)
    double random_standard_t(bitgen_t*, double)
    double random_triangular(bitgen_t*, double, double, double)
    double random_vonmises(bitgen_t*, double, double)
    double random_wald(bitgen_t*, double, double)
    double random_weibull(bitgen_t*, double)
    int64_t random_binomial(bitgen_t*, double, int64_t, binomial_t*)
    int64_t random_geometric(bitgen_t*, double)
    int64_t random_logseries(bitgen_t*, double)
    int64_t random_negative_binomial(bitgen_t*, double, double)
    int64_t random_poisson(bitgen_t*, double)
    int64_t random_zipf(bitgen_t*, double)

ctypedef double (*OfNone)(bitgen_t*) noexcept nogil
ctypedef double (*OfOne)(bitgen_t*, double) noexcept nogil
ctypedef double (*OfTwo)(bitgen_t*, double, double) noexcept nogil
ctypedef double (*OfThree)(bitgen_t*, double, double, double) noexcept nogil
ctypedef int64_t (*CountOfOne)(bitgen_t*, double) noexcept nogil
ctypedef int64_t (*CountOfTwo)(bitgen_t*, double, double) noexcept nogil

# What a parameter may be: any finite number; a positive one; one that makes no count overflow; a probability, or one that
# is not certainty; an exponent whose sum converges.
cdef enum Domain:
    FINITE, POSITIVE, MODERATE, PROBABILITY, UNCERTAIN, ABOVE_ONE

cdef enum Variate:
    FLOAT, COUNT, BINOMIAL

# What to draw.
cdef struct Draw:
    Variate variate
    int count             # of the parameters
    void* function
    double[3] parameters
    int64_t trials        # of BINOMIAL, whose probability is the first parameter

cdef object FLOAT64_TYPE = numpy.float64


cdef void draw(bitgen_t* bits, Draw* what, int64_t count, char* out) noexcept nogil:
    cdef double* at = what.parameters
    cdef double* floats = <double*>out
    cdef int64_t* counts = <int64_t*>out
    cdef int64_t index
    cdef binomial_t prepared
    if what.variate == BINOMIAL:
        memset(&prepared, 0, sizeof(prepared))
        for index in range(count):
            counts[index] = random_binomial(bits, at[0], what.trials, &prepared)
    elif what.variate == COUNT:
        for index in range(count):
            if what.count == 1:
                counts[index] = (<CountOfOne>what.function)(bits, at[0])
            else:
                counts[index] = (<CountOfTwo>what.function)(bits, at[0], at[1])
    elif what.count == 0:
        for index in range(count):
            floats[index] = (<OfNone>what.function)(bits)
    elif what.count == 1:
        for index in range(count):
            floats[index] = (<OfOne>what.function)(bits, at[0])
    elif what.count == 2:
        for index in range(count):
            floats[index] = (<OfTwo>what.function)(bits, at[0], at[1])
    else:
        for index in range(count):
            floats[index] = (<OfThree>what.function)(bits, at[0], at[1], at[2])


cdef bint is_in(Domain domain, double value) noexcept:
    if not isfinite(value):
        return False
    if domain == FINITE:
        return True
    if domain == POSITIVE:
        return value > 0
    if domain == MODERATE:
        return 1e-6 < value < 1e6
    if domain == PROBABILITY:
        return 1e-6 < value <= 1
    if domain == UNCERTAIN:
        return 0 < value < 1
    return value > 1


cdef object drawn(object stream, Draw* what, object size):
    """Return an array of this size, or a Python number where it is None."""
    cdef int64_t[MAXDIMS] sizes
    cdef int64_t number = 0, count = 1
    cdef int ndim, axis
    cdef char* out = <char*>&number
    cdef ndarray array = None
    cdef BitGenerator bits = bits_of(stream)
    if bits is None:
        return NotImplemented
    if size is not None:
        ndim = fill_sizes(size, sizes)
        if ndim < 0:
            return NotImplemented
        for axis in range(ndim):
            if sizes[axis] < 0:
                return NotImplemented
        array = new_array(FLOAT64 if what.variate == FLOAT else INT64, ndim, sizes)
        out, count = data_of(array), array.header.numel()
    bits.lock.acquire()
    if count < RELEASE_FROM:
        draw(&bits._bitgen, what, count, out)
    else:
        with nogil:
            draw(&bits._bitgen, what, count, out)
    bits.lock.release()
    if array is not None:
        return array
    return (<double*>out)[0] if what.variate == FLOAT else number


cdef object variates(PyObject** slots, Variate variate, int count, void* function, Domain first=FINITE,
                     Domain second=FINITE, Domain third=FINITE):
    """Draw for the slots (self, parameters, size)."""
    cdef Draw what
    cdef Domain[3] domains
    cdef int index
    domains = [first, second, third]
    what.variate, what.count, what.function = variate, count, function
    for index in range(count):
        if not to_double(<object>slots[1 + index], &what.parameters[index]) or not is_in(
                domains[index], what.parameters[index]):
            return NotImplemented
    return drawn(<object>slots[0], &what, <object>slots[1 + count])


cdef object beta(PyObject** slots):
    return variates(slots, FLOAT, 2, <void*>random_beta, POSITIVE, POSITIVE)


cdef object binomial(PyObject** slots):
    """binomial(self, n, p, size)."""
    cdef Draw what
    cdef object trials = <object>slots[1]
    if type(trials) is not int or not 0 <= trials <= 2**31 or not to_double(<object>slots[2], &what.parameters[0]):
        return NotImplemented
    if not 0 <= what.parameters[0] <= 1:
        return NotImplemented
    what.variate, what.count, what.trials = BINOMIAL, 1, trials
    return drawn(<object>slots[0], &what, <object>slots[3])


cdef object chisquare(PyObject** slots):
    return variates(slots, FLOAT, 1, <void*>random_chisquare, POSITIVE)


cdef object f(PyObject** slots):
    return variates(slots, FLOAT, 2, <void*>random_f, POSITIVE, POSITIVE)


cdef object gamma(PyObject** slots):
    return variates(slots, FLOAT, 2, <void*>random_gamma, POSITIVE, POSITIVE)


cdef object geometric(PyObject** slots):
    return variates(slots, COUNT, 1, <void*>random_geometric, PROBABILITY)


cdef object gumbel(PyObject** slots):
    return variates(slots, FLOAT, 2, <void*>random_gumbel, FINITE, POSITIVE)


cdef object laplace(PyObject** slots):
    return variates(slots, FLOAT, 2, <void*>random_laplace, FINITE, POSITIVE)


cdef object logistic(PyObject** slots):
    return variates(slots, FLOAT, 2, <void*>random_logistic, FINITE, POSITIVE)


cdef object lognormal(PyObject** slots):
    return variates(slots, FLOAT, 2, <void*>random_lognormal, FINITE, POSITIVE)


cdef object logseries(PyObject** slots):
    return variates(slots, COUNT, 1, <void*>random_logseries, UNCERTAIN)


cdef object negative_binomial(PyObject** slots):
    return variates(slots, COUNT, 2, <void*>random_negative_binomial, MODERATE, PROBABILITY)


cdef object noncentral_chisquare(PyObject** slots):
    return variates(slots, FLOAT, 2, <void*>random_noncentral_chisquare, POSITIVE, POSITIVE)


cdef object noncentral_f(PyObject** slots):
    return variates(slots, FLOAT, 3, <void*>random_noncentral_f, POSITIVE, POSITIVE, POSITIVE)


cdef object pareto(PyObject** slots):
    return variates(slots, FLOAT, 1, <void*>random_pareto, POSITIVE)


cdef object poisson(PyObject** slots):
    return variates(slots, COUNT, 1, <void*>random_poisson, MODERATE)


cdef object power(PyObject** slots):
    return variates(slots, FLOAT, 1, <void*>random_power, POSITIVE)


cdef object rayleigh(PyObject** slots):
    return variates(slots, FLOAT, 1, <void*>random_rayleigh, POSITIVE)


cdef object standard_cauchy(PyObject** slots):
    return variates(slots, FLOAT, 0, <void*>random_standard_cauchy)


cdef object standard_gamma(PyObject** slots):
    """standard_gamma(self, shape, size, dtype, out)."""
    if <object>slots[3] is not FLOAT64_TYPE or slots[4] != <PyObject*>None:
        return NotImplemented
    return variates(slots, FLOAT, 1, <void*>random_standard_gamma, POSITIVE)


cdef object standard_t(PyObject** slots):
    return variates(slots, FLOAT, 1, <void*>random_standard_t, POSITIVE)


cdef object triangular(PyObject** slots):
    """triangular(self, left, mode, right, size)."""
    cdef double[3] corner
    cdef int index
    for index in range(3):
        if not to_double(<object>slots[1 + index], &corner[index]):
            return NotImplemented
    if not corner[0] <= corner[1] <= corner[2] or corner[0] == corner[2]:
        return NotImplemented
    return variates(slots, FLOAT, 3, <void*>random_triangular)


cdef object vonmises(PyObject** slots):
    return variates(slots, FLOAT, 2, <void*>random_vonmises, FINITE, POSITIVE)


cdef object wald(PyObject** slots):
    return variates(slots, FLOAT, 2, <void*>random_wald, POSITIVE, POSITIVE)


cdef object weibull(PyObject** slots):
    return variates(slots, FLOAT, 1, <void*>random_weibull, POSITIVE)


cdef object zipf(PyObject** slots):
    return variates(slots, COUNT, 1, <void*>random_zipf, ABOVE_ONE)


#: Name of a method of `Generator` to its body.
BODIES = {
    "beta": new_compiled_body(beta),
    "binomial": new_compiled_body(binomial),
    "chisquare": new_compiled_body(chisquare),
    "f": new_compiled_body(f),
    "gamma": new_compiled_body(gamma),
    "geometric": new_compiled_body(geometric),
    "gumbel": new_compiled_body(gumbel),
    "laplace": new_compiled_body(laplace),
    "logistic": new_compiled_body(logistic),
    "lognormal": new_compiled_body(lognormal),
    "logseries": new_compiled_body(logseries),
    "negative_binomial": new_compiled_body(negative_binomial),
    "noncentral_chisquare": new_compiled_body(noncentral_chisquare),
    "noncentral_f": new_compiled_body(noncentral_f),
    "pareto": new_compiled_body(pareto),
    "poisson": new_compiled_body(poisson),
    "power": new_compiled_body(power),
    "rayleigh": new_compiled_body(rayleigh),
    "standard_cauchy": new_compiled_body(standard_cauchy),
    "standard_gamma": new_compiled_body(standard_gamma),
    "standard_t": new_compiled_body(standard_t),
    "triangular": new_compiled_body(triangular),
    "vonmises": new_compiled_body(vonmises),
    "wald": new_compiled_body(wald),
    "weibull": new_compiled_body(weibull),
    "zipf": new_compiled_body(zipf),
}
