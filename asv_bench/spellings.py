"""The calls that drawn_calls.py times and that tests/test_drawn_calls.py compares: every spelling, dtype and layout.

`a` is the operand; `m` a mask and `i` indices of its first axis, `c` truths along that, `s` twenty sorted numbers.
`numpy` is NumPy in either library's calls.
"""

DTYPES = ("?", "i1", "u1", "i2", "i4", "i8", "u8", "f2", "f4", "f8", "F", "D")
LAYOUTS = {
    "in order": lambda a: a, "turned": lambda a: a.T, "every second": lambda a: a[..., ::2],
    "backwards": lambda a: a[::-1], "every second row": lambda a: a[::2],
}

REDUCTIONS = """sum prod mean std var min max ptp argmin argmax any all median count_nonzero nansum nanmean nanmax
    nanstd average"""
ALONG = "cumsum cumprod sort argsort flip diff nancumsum"
UNARY = """negative absolute sign square sqrt exp log log2 log10 log1p expm1 sin cos tan arctan sinh tanh floor ceil
    trunc rint reciprocal cbrt deg2rad signbit isinf isnan isfinite logical_not invert conjugate positive exp2 frexp
    modf"""
BINARY = """maximum minimum fmax fmin arctan2 hypot copysign fmod logaddexp nextafter gcd lcm logical_and left_shift
    float_power divmod heaviside ldexp"""
OPERATORS = "+ - * / // % ** < == & | ^ <<"
OTHERS = (
    "a.sum(axis=0, keepdims=True)", "a.sum(dtype='f8')", "np.sort(a, kind='stable')", "np.argsort(a, kind='stable')",
    "np.partition(a, 1)", "np.argpartition(a, 1)", "np.percentile(a, 30)", "np.quantile(a, [.1, .5], axis=0)",
    "np.unique(a)", "np.unique(a, return_counts=True)", "np.unique(a, return_inverse=True)", "np.roll(a, 1)",
    "np.roll(a, 1, 0)", "np.rot90(a)", "np.repeat(a, 2)", "np.repeat(a, 2, 0)", "np.tile(a, 2)",
    "np.concatenate((a, a))", "np.concatenate((a, a), -1)", "np.stack((a, a))", "np.stack((a, a), -1)",
    "np.hstack((a, a))", "np.vstack((a, a))", "np.dstack((a, a))", "np.array_split(a, 3)", "np.append(a, a)",
    "np.insert(a, 1, 0)", "np.delete(a, 1)", "np.where(m, a, a)", "np.where(m, a, 0)", "np.where(m)", "np.nonzero(a)",
    "np.argwhere(m)", "np.flatnonzero(a)", "a[m]", "np.extract(m, a)", "np.compress(c, a, 0)", "np.take(a, i, 0)",
    "a.take(i)", "a[i]", "np.take_along_axis(a, np.argsort(a, 0), 0)", "np.clip(a, 1, 3)", "np.round(a, 1)",
    "np.trace(a)", "np.tril(a)", "np.diag(a)", "np.diagonal(a)", "np.pad(a, 1)", "np.pad(a, 1, mode='edge')",
    "np.gradient(a)", "np.trapezoid(a)", "np.isin(a, [1, 2])", "np.histogram(a)", "np.digitize(a, [1, 2, 3])",
    "np.searchsorted(s, a)", "np.interp(a, s, s)", "np.inner(a, a)", "np.vdot(a, a)", "np.tensordot(a, a)",
    "np.einsum('i...->...', a)", "np.einsum('...i,...i', a, a)", "np.einsum('i...,i...', a, a)",
    "np.einsum('ij->ji', a)", "np.convolve(a, a[:3])", "np.nan_to_num(a)", "np.isclose(a, a)", "np.array_equal(a, a)",
    "a.copy()", "a.copy('F')", "a.copy('K')", "np.ascontiguousarray(a)", "np.asfortranarray(a)", "a.ravel()",
    "a.ravel('F')", "a.ravel('K')", "a.flatten()", "a.reshape(-1)", "np.zeros_like(a)", "np.ones_like(a)",
    "np.full_like(a, 2)", "np.empty_like(a)", "np.moveaxis(a, 0, -1)", "np.rollaxis(a, -1)", "np.swapaxes(a, 0, -1)",
    "np.expand_dims(a, 0)", "np.squeeze(a)", "np.broadcast_to(a, (2, *a.shape))", "np.angle(a)", "np.real(a)",
    "np.imag(a)", "np.fft.fft(a)", "np.linalg.norm(a)", "np.linalg.norm(a, axis=0)", "a.tolist()", "a.tobytes()",
    "np.lexsort((a, a))", "np.setdiff1d(a, a[:1])", "np.choose(m.astype(int), (a, a))", "np.nanmedian(a)",
    "np.polyval([1, 2, 3], a)", "np.packbits(m)", "np.cross(a[..., :3], a[..., :3])",
    "np.copyto(a.copy(), 1, where=m)", "np.putmask(a.copy(), m, 1)", "np.put(a.copy(), i, 1)",
    "np.average(a, weights=a, axis=0)", "np.add.reduceat(a, [0, 1])", "np.add.at(a.copy(), i, 1)",
    "np.maximum.accumulate(a, -1)", "np.bitwise_and.reduce(a)",
)

# Calls that are less common, or take long: for a comparison.
RARE = (
    "np.sum(a, axis=-1, keepdims=True)", "np.max(a, axis=0, initial=a.dtype.type(1))", "np.sum(a, where=m)",
    "np.mean(a, axis=0, where=m)", "np.add(a, a, where=m, out=np.zeros_like(a))",
    "np.multiply(a, 2, out=np.empty_like(a))", "a[::-1]", "a[0]", "a[-1]", "a[..., 0]", "a[1:, None]", "a[[0, -1]]",
    "a[[0,0],...]", "np.where(a, a, 1)", "np.where(m, 1, a)", "np.where(c, 1, 2)", "np.matmul(a, a)", "a @ a.T",
    "np.dot(a, a.T)", "np.dot(a, 2)", "np.outer(a, a)", "np.kron(a[:2], a[:2])", "np.cumsum(a)",
    "np.cumprod(a, axis=0)", "np.diff(a, n=2)", "np.ediff1d(a)", "np.unique(a, axis=0)", "np.union1d(a, a)",
    "np.intersect1d(a, a[:2])", "np.isin(a, a[:2])", "np.setxor1d(a, a[:1])", "np.bincount(i)",
    "np.bincount(i, weights=i)", "np.bincount(i, minlength=5)", "np.searchsorted(a, a)", "np.sort(a, axis=None)",
    "np.argmax(a, axis=0, keepdims=True)", "np.nanargmax(a)", "np.nansum(a, axis=0)", "np.nanprod(a)", "np.nanvar(a)",
    "np.nanmin(a, axis=0)", "np.std(a, ddof=1)", "np.var(a, axis=0, ddof=1, keepdims=True)", "np.cov(a)",
    "np.corrcoef(a)", "np.meshgrid(a, a)", "np.ix_(i, i)", "np.fliplr(a)", "np.flipud(a)", "np.triu(a, 1)",
    "np.vander(a)", "np.diagflat(a)", "np.block([a, a])", "np.block([[a], [a]])", "np.column_stack((a, a))",
    "np.split(a, 2)", "np.resize(a, (7,))", "np.trim_zeros(a)", "np.select([m], [a], 5)", "np.piecewise(a, [m], [1])",
    "np.apply_along_axis(np.sum, 0, a)", "np.ptp(a, axis=0)", "np.percentile(a, [10, 90], axis=-1)",
    "np.median(a, axis=0)", "np.quantile(a, .3, method='lower')", "np.allclose(a, a)", "np.array_equiv(a, a)",
    "np.real_if_close(a)", "np.sinc(a)", "np.i0(a)", "np.unwrap(a)", "np.fix(a)", "np.around(a)",
    "np.floor_divide(a, 3)", "np.remainder(a, 3)", "np.remainder(3, a)", "np.power(a, 2)", "np.power(a, -1)",
    "np.power(a, .5)", "np.power(2, a)", "a ** 3", "a ** .5", "np.true_divide(a, 0)", "a // 0", "a % 0", "-a", "+a",
    "~a", "abs(a)", "a + 1j", "a + True", "a * 1.5", "a - 1", "1 - a", "a + numpy.float32(2)", "a + numpy.int8(2)",
    "a + numpy.float64(2)", "numpy.float64(2) * a", "a + 300", "a < 3", "a == 1.5", "a != a", "a >= a[::-1]", "a ^ 1",
    "a & True", "a >> 1", "2 << a", "np.left_shift(a, 70)", "a.any(axis=0)", "a.all()", "a.item(0)", "a.view('u1')",
    "a.view(np.uint8)", "a.byteswap()", "a.nonzero()", "a.flat[1]", "a.flat[::2]", "list(a.flat)", "a.T.copy()",
    "a.repeat(i)", "np.repeat(a, 3, -1)", "np.tile(a, (2, 2))", "np.roll(a, (1, 2), (0, -1))", "np.take(a, i)",
    "np.take(a, i, mode='wrap')", "np.take(a, -1, axis=-1)", "np.add.outer(a, a)", "np.add.accumulate(a)",
    "np.multiply.reduce(a, axis=None)", "np.logical_or.reduce(a)", "np.minimum.reduce(a, axis=-1)",
    "np.subtract.reduce(a)", "np.maximum.reduceat(a, [0, 1], axis=-1)", "np.multiply.at(a.copy(), i, 2)",
    "np.einsum('i...,j...->ij...', a, a)", "np.einsum('ij,jk', a, a)", "np.einsum('ii', a)", "np.einsum('ii->i', a)",
    "np.einsum('ij,ij->', a, a)", "np.tensordot(a, a, ([0], [0]))", "np.linalg.norm(a, 1, axis=0)",
    "np.linalg.norm(a, np.inf)", "np.linalg.norm(a, axis=-1, keepdims=True)", "np.fft.rfft(a)",
    "np.fft.ifft(a, axis=0)", "np.fft.fft2(a)", "np.fft.fftshift(a)", "np.correlate(a, a[:2], 'same')",
    "np.convolve(a, a[:2], 'same')", "np.histogram(a, 5, (0, 5))", "np.histogram2d(i, i)",
    "np.digitize(a, [1, 2, 3], right=True)", "np.nan_to_num(a, nan=1, posinf=2)", "np.clip(a, None, 2)",
    "np.clip(a, 1, None)", "np.clip(a, a, a)", "a.clip(1, 2)", "np.round(a, -1)", "a.round(2)", "np.trunc(a)",
    "np.logaddexp2(a, a)", "np.arctanh(a)", "np.arccos(a)", "np.arcsinh(a)", "np.radians(a)", "np.spacing(a)",
    "np.float_power(a, 2)", "np.divmod(a, 2)", "np.lcm(a, 3)", "np.gcd(a, 6)", "np.hypot(a, 1)", "np.fmod(a, 2)",
    "np.copysign(a, -1)", "np.bitwise_count(a)", "np.matvec(a, a[0])", "np.vecdot(a, a)", "np.vecdot(a, a, axis=0)",
    "np.cumulative_sum(a, axis=0)", "np.unstack(a)", "np.astype(a, 'f4')", "np.matrix_transpose(a)",
    "np.permute_dims(a)", "np.atleast_2d(a)", "np.atleast_3d(a)", "np.polyfit(i, i, 1)", "np.polyder(a)",
    "np.polymul(a[:3], a[:2])", "np.roots(a[:3])", "np.tri(4, 3)", "np.count_nonzero(a, axis=0, keepdims=True)",
    "np.lexsort(a)", "np.argpartition(a, 1, axis=0)", "np.partition(a, [0, 2])", "np.array([a, a])",
    "np.array(a, 'f8')", "np.array(a, copy=False)", "np.asarray(a, 'F')", "np.asarray(list(a))",
    "np.array(a.tolist())", "np.fromiter(a.flat, a.dtype)", "np.frombuffer(a.tobytes(), a.dtype)",
    "np.ones_like(a, dtype='i2')", "np.full_like(a, a[0])", "np.linspace(a[0], a[-1], 5)",
    "np.searchsorted(s, a, 'right')", "np.interp(a, s, s, left=0)",
    "np.put_along_axis(a.copy(), np.argmax(a, -1, keepdims=True), 0, -1)", "np.fill_diagonal(a.copy(), 1)",
    "np.place(a.copy(), m, [1, 2])", "np.isclose(a, a + 1)", "np.sign(a)", "np.sqrt(abs(a))",
    "np.add(a, a, dtype='f8')", "np.add(a, 1, casting='unsafe', dtype='i4')", "np.multiply.outer(a, a[0])",
    "a.mean(axis=(0, -1))", "a.sum(axis=())", "a.std(axis=0, dtype='f8')", "a.prod(axis=-1)", "a.max(axis=-1)",
    "a.argmin(axis=-1)", "a.cumsum(axis=0, dtype='f8')", "a.trace()", "a.diagonal(1)", "a.squeeze()",
)
# What is done to `b`, a copy of the operand that lies as it does.
CHANGES = (
    "b[...] = 2", "b[m] = 1", "b[::2] = b[1::2][:b[::2].shape[0]] if b.shape[0] % 2 == 0 else 1", "b += b", "b *= 2",
    "b -= b[:1]", "b[i] = 1", "b[0] = b[-1]", "b[..., 0] = 5", "b[:] = b[::-1]", "b //= 3", "b **= 2",
    "b[1:] += b[:-1]", "np.add(b[1:], 1, out=b[:-1])", "b.sort(axis=0)", "b.fill(3)", "b[m] += 1", "b[i] += b[0]",
    "np.clip(b, 0, 1, out=b)", "np.cumsum(b, axis=0, out=b)", "b.real = 1", "b.T[...] = 1",
    "np.negative(b, out=b, where=m)", "b.flat[::2] = 7", "b.resize((5,), refcheck=False)",
    "np.put(b, [0, 1], [3, 4])", "b.partition(1)",
)


def spellings() -> list[str]:
    """Return every common call."""
    calls = [f"np.{name}(a{along})" for name in REDUCTIONS.split() for along in ("", ", axis=0", ", axis=-1")]
    calls += [f"np.{name}(a, axis={axis})" for name in ALONG.split() for axis in (0, -1)]
    calls += [f"np.{name}(a)" for name in UNARY.split()] + [f"np.{name}(a, a)" for name in BINARY.split()]
    calls += [call.format(sign) for sign in OPERATORS.split() for call in ("a {} a", "a {} 2", "2 {} a", "a {} a[:1]")]
    return [*calls, *(f"a.astype('{dtype}')" for dtype in DTYPES), *OTHERS]
