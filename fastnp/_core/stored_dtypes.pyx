"""Dtypes that torch stores and has few kernels for: unsigned integers of 16, 32 and 64 bits, and float8.

Numbers of float8 are computed in float32, as ml_dtypes does. Unsigned integers of 16 and 32 bits fit in int64, which
wraps as they do once it is cast back. Of 64 bits, what is linear or bitwise is exact on the signed view; an order is kept
once the sign bit is flipped; the rest is composed of such steps.
"""
import torch

SIGNED = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64}
FLOAT8 = frozenset((torch.float8_e5m2, torch.float8_e4m3fn, torch.float8_e5m2fnuz, torch.float8_e4m3fnuz))
cdef object LOWEST = -2**63
cdef object HIGHEST = 2**63 - 1

cdef frozenset EXACT_ON_SIGNED = frozenset((
    "add", "bitwise_and", "bitwise_or", "bitwise_xor", "ceil", "conjugate", "equal", "floor", "invert", "isfinite", "isinf",
    "isnan", "left_shift", "logical_and", "logical_not", "logical_or", "logical_xor", "matmul", "matvec", "multiply",
    "negative", "not_equal", "positive", "square", "subtract", "trunc", "vecdot", "vecmat",
))
cdef frozenset COMPARISONS = frozenset(("equal", "greater", "greater_equal", "less", "less_equal", "not_equal"))
cdef frozenset EXTREMA = frozenset(("clip", "fmax", "fmin", "maximum", "minimum"))


def by_bits(move, tensor, *arguments):
    """Return what an operation that only moves elements makes of a tensor, of any dtype."""
    if tensor.dtype in SIGNED:
        return move(tensor.view(SIGNED[tensor.dtype]), *arguments).view(tensor.dtype)
    return move(tensor, *arguments)


def orderable(tensor):
    """Return a tensor that sorts as this one does, of a dtype that torch can sort."""
    if tensor.dtype is torch.bool:
        return tensor.to(torch.uint8)
    if tensor.dtype in FLOAT8:
        return tensor.to(torch.float32)
    if tensor.dtype not in SIGNED:
        return tensor
    signed = SIGNED[tensor.dtype]
    return tensor.view(signed) ^ torch.iinfo(signed).min


def as_ordered(tensor, dtype):
    """Return the tensor of `dtype` of which `orderable` made this one."""
    if dtype is torch.bool or dtype in FLOAT8:
        return tensor.to(dtype)
    if dtype not in SIGNED:
        return tensor
    return (tensor ^ torch.iinfo(tensor.dtype).min).view(dtype)


cdef object apply_to_unsigned(object function, str name, list tensors):
    cdef set kinds = {tensor.dtype for tensor in tensors}
    if torch.uint64 not in kinds:
        return function(*[tensor.to(torch.int64) for tensor in tensors])
    if kinds != {torch.uint64}:
        return compared_across(function, name, tensors)
    signed = [tensor.view(torch.int64) for tensor in tensors]
    result = on_signed_view(function, name, signed)
    if type(result) is tuple:
        return tuple([part.view(torch.uint64) for part in result])
    return result.view(torch.uint64) if result.dtype is torch.int64 else result


cdef object on_signed_view(object function, str name, list operands):
    """Compute with 64-bit unsigned numbers held in signed ones."""
    if name in EXACT_ON_SIGNED:
        return function(*operands)
    if name in COMPARISONS:
        return function(*[operand ^ LOWEST for operand in operands])
    if name in EXTREMA:
        return function(*[operand ^ LOWEST for operand in operands]) ^ LOWEST
    return COMPOSED[name](*operands)


cdef object compared_across(object function, str name, list tensors):
    """Compare uint64 with int64, which NumPy does by value: first by what is out of the other's range."""
    if name not in COMPARISONS:
        raise TypeError(f"ufunc {name!r} on uint64 together with another dtype has no kernel on torch")
    beyond, held = [], []
    for tensor in tensors:
        unsigned = tensor.dtype is torch.uint64
        values = tensor.view(torch.int64) if unsigned else tensor
        beyond.append((values < 0).to(torch.int8) * (1 if unsigned else -1))
        held.append(values)
    return torch.where(beyond[0] == beyond[1], function(*held), function(*beyond))


def _below(a, b):
    return (a ^ LOWEST) < (b ^ LOWEST)


def _divmod(a, b):
    # Half the dividend first, then one correction; a divisor with the top bit set goes once or not at all.
    zero = b == 0
    divisor = torch.where(b <= 0, 1, b)
    quotient = (((a >> 1) & HIGHEST) // divisor) << 1
    rest = a - quotient * divisor
    more = ~_below(rest, divisor)
    quotient, rest = quotient + more.to(torch.int64), torch.where(more, rest - divisor, rest)
    once = ~_below(a, b)
    quotient = torch.where(b < 0, once.to(torch.int64), quotient)
    rest = torch.where(b < 0, torch.where(once, a - b, a), rest)
    # NumPy: both are zero where the divisor is.
    return torch.where(zero, 0, quotient), torch.where(zero, 0, rest)


def _floor_divide(a, b):
    return _divmod(a, b)[0]


def _remainder(a, b):
    return _divmod(a, b)[1]


def _power(base, exponent):
    # The top bit of the exponent stands for 2**63, to which the power of an odd number is one and of an even one zero.
    power = torch.pow(base, exponent & HIGHEST)
    return torch.where((exponent < 0) & ((base & 1) == 0), 0, power)


def _gcd(a, b):
    # Two steps of Euclid's algorithm leave numbers below 2**63.
    first = _remainder(a, b)
    second = _remainder(b, first)
    return torch.where(b == 0, a, torch.where(first == 0, b, torch.gcd(first, second)))


def _lcm(a, b):
    divisor = _gcd(a, b)
    return _floor_divide(a, divisor) * b


def _right_shift(a, count):
    over = (count < 0) | (count >= 64)
    shift = torch.where(over, 0, count)
    # The sign bit must not be shifted in.
    kept = torch.where(shift > 0, (1 << (64 - shift.clamp(min=1))) - 1, -1)
    return torch.where(over, 0, (a >> shift) & kept)


def _bitwise_count(a):
    total = torch.zeros_like(a)
    for shift in range(64):
        total = total + ((a >> shift) & 1)
    return total.to(torch.uint8)


#: Of 64-bit unsigned numbers held in signed ones.
COMPOSED = {
    "absolute": torch.clone,
    "bitwise_count": _bitwise_count,
    "divmod": _divmod,
    "floor_divide": _floor_divide,
    "fmod": _remainder,
    "gcd": _gcd,
    "lcm": _lcm,
    "power": _power,
    "reciprocal": lambda a: (a == 1).to(torch.int64),
    "remainder": _remainder,
    "right_shift": _right_shift,
    "sign": lambda a: (a != 0).to(torch.int64),
}
