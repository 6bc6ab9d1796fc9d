"""Universal functions: https://numpy.org/doc/2.4/reference/ufuncs.html.

One row to a function: NumPy's name, and what computes it on torch tensors of the loop's dtypes. On plain arrays NumPy's
own loops compute it; the torch function serves gradients, transforms, modes, other devices and dtypes NumPy lacks.
"""

import functools
import math

import numpy
import torch

from fastnp._core.dtype import to_numpy_dtype
from fastnp._core.ndarray import ndarray
from fastnp._core.operators import set_operators
from fastnp._core.temporaries import learn_callers
from fastnp._core.ufunc import ufunc
from fastnp._declare import UFUNC_NAMES, Chapter
from fastnp._promotion import by_products


def _cbrt(x):
    root = torch.sign(x) * torch.abs(x) ** (1 / 3)
    # The exponent is not a third; a step of Newton's method mends the last digits.
    safe = torch.where((x != 0) & torch.isfinite(x), root, 1)
    return torch.where(safe == root, root - (root - x / (safe * safe)) / 3, root)


def _spacing(x):
    # NumPy: of negative numbers it is negative, and the distance from zero on; of float16 it is the distance upwards.
    start = x if x.dtype is torch.float16 else torch.abs(x)
    distance = torch.nextafter(start, torch.full_like(x, math.inf)) - start
    if x.dtype is not torch.float16:
        distance = torch.where(x < 0, -distance, distance)
    return torch.where(torch.isfinite(x), distance, math.nan)


def _heaviside(x, at_zero):
    return torch.where(torch.isnan(x), x, torch.where(x == 0, at_zero, (x > 0).to(x.dtype)))


def _bitwise_count(x):
    # The bits of the magnitude, as NumPy counts them; eight at a time from a table.
    magnitude = torch.abs(x) if x.dtype.is_signed else x
    table = torch.tensor([bin(byte).count("1") for byte in range(256)], dtype=torch.uint8, device=x.device)
    total = torch.zeros(x.shape, dtype=torch.uint8, device=x.device)
    for shift in range(0, 8 * x.element_size(), 8):
        total = total + table[((magnitude >> shift) & 0xFF).to(torch.int64)]
    return total


def _ldexp(x, exponent):
    # In four steps: 2**exponent alone overflows where the product need not. Beyond 2200 nothing is left, or infinite.
    exponent = torch.clamp(exponent.to(torch.int64), -2200, 2200)
    scaled, two = x.to(torch.float64), torch.tensor(2.0, dtype=torch.float64, device=x.device)
    for steps in (4, 3, 2, 1):
        part = torch.div(exponent, steps, rounding_mode="trunc")
        scaled, exponent = scaled * two**part, exponent - part
    return scaled.to(x.dtype)


def _modf(x):
    whole = torch.trunc(x)
    fraction = torch.where(torch.isinf(x), torch.zeros_like(x), x - whole)
    return torch.copysign(fraction, x), whole


def _integer_division(divide):
    """Return NumPy's division of integers by zero, which is zero, around torch's."""

    def function(a, b):
        if b.dim() == 0 and b.is_cpu and not a.is_cpu and b.item():
            return divide(a, b)
        zero = b == 0
        return torch.where(zero, torch.zeros_like(a * b), divide(a, torch.where(zero, torch.ones_like(b), b)))

    return function


def _floor_quotient(a, b):
    return torch.div(a, b, rounding_mode="floor")


_floor_divide_integers = _integer_division(_floor_quotient)
_remainder_of_integers = _integer_division(torch.remainder)


def _divmod(a, b):
    return _floor_quotient(a, b), torch.remainder(a, b)


def _divmod_integers(a, b):
    return _floor_divide_integers(a, b), _remainder_of_integers(a, b)


def _together(function):
    """Return a function around one of torch's that takes no number of the host beside an array on a device."""

    def placed(a, b):
        if a.device != b.device:
            a, b = (a, b.to(a.device)) if b.is_cpu else (a.to(b.device), b)
        return function(a, b)

    return placed


def _in_parts(function):
    """Return a sum or difference that takes real and imaginary parts by themselves.

    torch scales the second operand by one first, which makes NaN of an infinity beside a zero.
    """

    def summed(a, b):
        parts = [torch.view_as_real(x.resolve_conj()) for x in (a, b)]
        return torch.view_as_complex(function(*parts))

    return _together(summed)


def _complex_sign(x):
    # NumPy: a number with one infinite part lies on the axis of that part.
    real, imag = (torch.where(torch.isinf(part), torch.sign(part), 0) for part in (x.real, x.imag))
    return torch.where(torch.isinf(x.real) ^ torch.isinf(x.imag), torch.complex(real, imag), torch.sgn(x))


def _sign(x):
    return torch.where(torch.isnan(x), x, torch.sign(x))


def _undefined(x):
    # Not a constant: the code that is written for a traced graph cannot spell a complex NaN.
    nan = torch.full_like(x.real, math.nan)
    return torch.complex(nan, nan)


def _reciprocal_of_integers(x):
    of_zero = torch.as_tensor(_reciprocal_of_zero(x.dtype), device=x.device)
    return torch.where(x == 0, of_zero, torch.where(torch.abs(x) == 1, x, torch.zeros_like(x)))


@functools.cache
def _reciprocal_of_zero(dtype):
    """Return what NumPy's quotient by zero is as an integer: the processor's conversion of an infinity."""
    with numpy.errstate(all="ignore"):
        return numpy.reciprocal(numpy.zeros((), to_numpy_dtype(dtype)))


def _complex_reciprocal(x):
    return torch.where(x == 0, _undefined(x), torch.reciprocal(x))


def _shift(function):
    """Return a shift that gives zero (or the sign) where the count is at least the width, as NumPy's does."""

    def shifted(x, count):
        width = 8 * x.element_size()
        over = (count >= width) | (count < 0)
        result = function(x, torch.where(over, torch.zeros_like(count), count))
        filled = torch.zeros_like(result)
        if function is torch.bitwise_right_shift and x.dtype.is_signed:
            filled = torch.where(x < 0, torch.full_like(result, -1), filled)
        return torch.where(over, filled, result)

    return shifted


def _complex_power(base, exponent):
    # NumPy: zero is zero to powers with a positive real part, and undefined to others.
    of_zero = torch.where(exponent.real > 0, 0, _undefined(exponent))
    power = torch.where(base == 0, of_zero, torch.pow(torch.where(base == 0, 1, base), exponent))
    # NumPy: whole powers below a hundred are products, which keep the digits that a logarithm loses.
    whole = (exponent.imag == 0) & (exponent.real == torch.trunc(exponent.real)) & (torch.abs(exponent.real) < 100)
    return torch.where(whole, _whole_power(base, torch.where(whole, exponent.real, 0)), power)


def _whole_power(base, exponent):
    left = torch.abs(exponent).to(torch.int64)
    # NumPy: all but these begin with a product by one, which makes NaN of an infinity.
    direct = (exponent > 0) & (exponent < 4)
    factor, product = base, torch.ones_like(base)
    for _ in range(7):
        first = direct & (product == 1)
        product = torch.where((left & 1) == 0, product, torch.where(first, factor, product * factor))
        left = left >> 1
        # Squared only where it is used, so that what overflows unused makes no NaN of a gradient.
        factor = torch.where(left > 0, factor * factor, factor)
    return torch.where(exponent < 0, _complex_reciprocal(product), product)


def _gcd(a, b):
    # torch: of the lowest number it may be negative.
    return torch.abs(torch.gcd(a, b))


def _lcm(a, b):
    divisor = _gcd(a, b)
    divisor = torch.where(divisor == 0, 1, divisor)
    return torch.abs(torch.div(a, divisor, rounding_mode="trunc")) * torch.abs(b)


def _logaddexp2(a, b):
    return torch.where(a == b, a + 1, torch.logaddexp2(a, b))


def _complex_rint(x):
    return torch.complex(torch.round(x.real), torch.round(x.imag))


def _complex_extremum(greatest, nan_wins):
    """Return an extremum of complex numbers, by real and then imaginary part."""

    def extremum(a, b):
        if greatest:
            first = (a.real > b.real) | ((a.real == b.real) & (a.imag >= b.imag))
        else:
            first = (a.real < b.real) | ((a.real == b.real) & (a.imag <= b.imag))
        first = first | torch.isnan(a) if nan_wins else (first & ~torch.isnan(a)) | torch.isnan(b)
        first = first & ~torch.isnan(b) | torch.isnan(a) if nan_wins else first
        return torch.where(first, a, b)

    return extremum


def _ordered(strict, function):
    """Return a comparison of complex numbers; that of reals, and the strict one."""

    def compare(a, b):
        return strict(a.real, b.real) | ((a.real == b.real) & function(a.imag, b.imag))

    return compare


def _matvec(matrix, vector):
    return _matmul(matrix, vector.unsqueeze(-1)).squeeze(-1)


def _vecmat(vector, matrix):
    return _matmul(vector.conj().unsqueeze(-2), matrix).squeeze(-2)


def _vecdot_of_truths(a, b):
    return (a & b).any(-1)


def _vecdot_of_integers(a, b):
    return (a * b).sum(-1).to(a.dtype)


def _truth_of_product(a, b):
    return torch.matmul(a.to(torch.uint8).to(torch.float32), b.to(torch.float32)) > 0


def _matmul(a, b):
    return _truth_of_product(a, b) if a.dtype is torch.bool else by_products(torch.matmul, a, b)


#: One function, or one to each kind of dtype (NumPy's letters) that the first operand is cast to.
_ROWS = {
    "absolute": {"bu": torch.clone, "ifc": torch.abs},
    "add": {"b": _together(torch.logical_or), "iuf": torch.add, "c": _in_parts(torch.add)},
    "arccos": torch.acos,
    "arccosh": torch.acosh,
    "arcsin": torch.asin,
    "arcsinh": torch.asinh,
    "arctan": torch.atan,
    "arctan2": torch.atan2,
    "arctanh": torch.atanh,
    "bitwise_and": torch.bitwise_and,
    "bitwise_count": _bitwise_count,
    "bitwise_or": torch.bitwise_or,
    "bitwise_xor": torch.bitwise_xor,
    "cbrt": _cbrt,
    "ceil": {"biu": torch.clone, "f": torch.ceil},
    "conjugate": torch.conj_physical,
    "copysign": torch.copysign,
    "cos": torch.cos,
    "cosh": torch.cosh,
    "deg2rad": torch.deg2rad,
    "degrees": torch.rad2deg,
    "divide": torch.true_divide,
    "divmod": {"biu": _divmod_integers, "f": _divmod},
    "equal": torch.eq,
    "exp": torch.exp,
    "exp2": torch.exp2,
    "expm1": torch.expm1,
    "fabs": torch.abs,
    "float_power": {"f": torch.pow, "c": _complex_power},
    "floor": {"biu": torch.clone, "f": torch.floor},
    "floor_divide": {"biu": _floor_divide_integers, "f": _floor_quotient},
    "fmax": {"biuf": torch.fmax, "c": _complex_extremum(True, False)},
    "fmin": {"biuf": torch.fmin, "c": _complex_extremum(False, False)},
    "fmod": {"biu": _integer_division(torch.fmod), "f": torch.fmod},
    "frexp": torch.frexp,
    "gcd": _together(_gcd),
    "greater": {"biuf": torch.gt, "c": _ordered(torch.gt, torch.gt)},
    "greater_equal": {"biuf": torch.ge, "c": _ordered(torch.gt, torch.ge)},
    "heaviside": _heaviside,
    "hypot": torch.hypot,
    "invert": torch.bitwise_not,
    "isfinite": torch.isfinite,
    "isinf": torch.isinf,
    "isnan": torch.isnan,
    # No dtype of ours has a NaT: resolution refuses every operand before torch is asked.
    "isnat": torch.isnan,
    "lcm": _together(_lcm),
    "ldexp": _ldexp,
    "left_shift": _shift(torch.bitwise_left_shift),
    "less": {"biuf": torch.lt, "c": _ordered(torch.lt, torch.lt)},
    "less_equal": {"biuf": torch.le, "c": _ordered(torch.lt, torch.le)},
    "log": torch.log,
    "log10": torch.log10,
    "log1p": torch.log1p,
    "log2": torch.log2,
    "logaddexp": _together(torch.logaddexp),
    "logaddexp2": _together(_logaddexp2),
    "logical_and": _together(torch.logical_and),
    "logical_not": torch.logical_not,
    "logical_or": _together(torch.logical_or),
    "logical_xor": _together(torch.logical_xor),
    "matmul": {"biu": _matmul, "fc": torch.matmul},
    "matvec": _matvec,
    "maximum": {"biuf": torch.maximum, "c": _complex_extremum(True, True)},
    "minimum": {"biuf": torch.minimum, "c": _complex_extremum(False, True)},
    "modf": _modf,
    "multiply": {"b": _together(torch.logical_and), "iufc": torch.mul},
    "negative": torch.neg,
    "nextafter": _together(torch.nextafter),
    "not_equal": torch.ne,
    "positive": torch.clone,
    "power": {"biuf": torch.pow, "c": _complex_power},
    "rad2deg": torch.rad2deg,
    "radians": torch.deg2rad,
    "reciprocal": {"biu": _reciprocal_of_integers, "f": torch.reciprocal, "c": _complex_reciprocal},
    "remainder": {"biu": _remainder_of_integers, "f": torch.remainder},
    "right_shift": _shift(torch.bitwise_right_shift),
    "rint": {"biuf": torch.round, "c": _complex_rint},
    "sign": {"biu": torch.sign, "f": _sign, "c": _complex_sign},
    "signbit": torch.signbit,
    "sin": torch.sin,
    "sinh": torch.sinh,
    "spacing": _spacing,
    "sqrt": torch.sqrt,
    "square": torch.square,
    "subtract": {"biuf": torch.sub, "c": _in_parts(torch.sub)},
    "tan": torch.tan,
    "tanh": torch.tanh,
    "trunc": {"biu": torch.clone, "f": torch.trunc},
    "vecdot": {"b": _vecdot_of_truths, "iu": _vecdot_of_integers, "fc": torch.linalg.vecdot},
    "vecmat": _vecmat,
}

declare = Chapter("fastnp")

#: By name; NumPy's other names for a function are the same object.
UFUNCS = {
    name: public
    for theirs, names in UFUNC_NAMES.items()
    for public in [declare.ufunc(theirs, _ROWS[theirs.__name__])]
    for name in names
}

set_operators(UFUNCS)
for _operation in (
    lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b, lambda a, b: a // b,
    lambda a, b: a % b, lambda a, b: a**b, lambda a, b: a & b, lambda a, b: a | b, lambda a, b: a ^ b,
    lambda a, b: a << b, lambda a, b: a >> b, lambda _, b: -b, lambda _, b: ~b,
):
    learn_callers(_operation, ndarray(1), ndarray(1))
    learn_callers(_operation, 1, ndarray(1))
learn_callers(lambda: UFUNCS["negative"](""))
declare.publish(ufunc=ufunc)
