"""Bad input, one line of source a case; `np` stands for NumPy and for fastnp."""

import numpy

OPERANDS = {
    "a": numpy.arange(12.0).reshape(3, 4),
    "b": numpy.arange(4.0),
    "c": numpy.arange(5.0),
    "i": numpy.arange(6).reshape(2, 3),
    "u": numpy.array([1, 2, 3], dtype=numpy.uint8),
    "z": numpy.array([1 + 2j, 3 - 1j]),
    "m": numpy.array([True, False, True]),
    "e": numpy.zeros((0, 3)),
    "s": numpy.array(7.0),
    "q": numpy.arange(24).reshape(2, 3, 4),
}

CASES = {
    "broadcasting": """
        a + c
        np.add(a, c)
        np.multiply.outer(a, b) + c
        np.where(m, a, b)
        np.maximum(i, c)
        np.broadcast_to(a, (2, 2))
        np.broadcast_to(a, (3,))
        np.broadcast_to(b, -1)
        np.broadcast_arrays(a, c)
        np.broadcast_shapes((3, 4), (5,))
        a += np.ones((2, 3, 4))
        b += a
        np.copyto(b, a)
        np.full((2, 2), c)
        np.clip(a, c, None)
    """,
    "shapes": """
        a.reshape(5, 3)
        a.reshape(-1, -1)
        a.reshape(-1, 5)
        np.reshape(a, (7,))
        a.shape = (5, 5)
        a.T.shape = (12,)
        e.reshape(-1, 0)
        e.reshape(5)
        a.resize(2, 2, refcheck=True, order=3)
        np.squeeze(a, axis=0)
        a.squeeze(axis=(0, 1))
        np.squeeze(a, axis=5)
        np.expand_dims(a, 5)
        np.expand_dims(a, (0, 0))
        a.transpose(0)
        a.transpose(0, 0)
        a.transpose(0, 1, 2)
        np.transpose(a, (0, 3))
        np.swapaxes(a, 0, 2)
        np.moveaxis(a, 0, 2)
        np.moveaxis(q, [0, 1], [0])
        np.moveaxis(q, [0, 0], [0, 1])
        np.rollaxis(q, 4)
        b.mT
        np.concatenate([a, b])
        np.concatenate([a, c.reshape(1, 5)])
        np.concatenate([])
        np.concatenate([a, a], axis=2)
        np.concatenate([s, s])
        np.concatenate(s)
        np.stack([b, c])
        np.stack([])
        np.stack([b, b], axis=3)
        np.vstack([b, c])
        np.hstack([a, e])
        np.split(b, 3)
        np.array_split(b, 0)
        np.hsplit(s, 1)
        np.tile(b, -1)
        np.repeat(b, -1)
        np.repeat(b, [1, 2])
        np.flip(a, 2)
        np.rot90(b)
        np.roll(a, 1, axis=2)
        np.diagonal(b)
        np.diagonal(a, axis1=0, axis2=0)
        a.trace(axis1=0, axis2=2)
        np.atleast_1d(a).view(np.int8).reshape(3, 5)
        a[:, 1:].view(np.complex128)
        a.T.view(np.float32)
        s.view(np.float32)
        u.view(np.float64)
        a.dtype = "f4x"
        len(s)
        iter(s)
        next(iter(e.T[:0]))
    """,
    "axes": """
        a.sum(axis=2)
        a.sum(axis=-3)
        a.sum(axis=(0, 0))
        a.sum(axis=(0, -2))
        a.sum(axis=1.0)
        a.sum(axis="0")
        np.sum(a, axis=(0, 2))
        np.mean(a, axis=7)
        a.max(axis=3)
        a.argmax(axis=(0, 1))
        a.argmin(axis=2)
        a.cumsum(axis=2)
        np.cumprod(a, axis=(0,))
        np.std(a, axis=-4)
        a.any(axis=2)
        np.all(a, axis=(1, 1))
        np.sort(a, axis=2)
        a.sort(axis=-3)
        a.argsort(axis=4)
        np.add.reduce(a, axis=5)
        np.add.accumulate(a, axis=5)
        np.add.reduceat(a, [0], axis=3)
        np.take(a, [0], axis=2)
        s.sum(axis=1)
        np.median(a, axis=3)
        np.count_nonzero(a, axis=2)
        np.ptp(a, axis=2)
        np.diff(a, axis=2)
        np.matmul(a, a.T, axes=[(0, 1), (0, 1), (0, 5)])
        np.add(a, a, axes=[(0,), (0,), (0,)])
    """,
    "empty reductions": """
        np.max(e)
        e.min(axis=0)
        np.argmax(e)
        e.argmin(axis=0)
        np.maximum.reduce([])
        np.min(np.zeros((2, 0)), axis=1)
    """,
    "indices": """
        a[3]
        a[-4]
        a[0, 4]
        a[0, 0, 0]
        a[[0, 3]]
        a[[0, -4], 0]
        a[:, [4]]
        a[np.array([1, 9]), np.array([0, 0])]
        a[1.0]
        a[1.5:2]
        a["x"]
        a[[1.0]]
        a[..., ...]
        a[m, m]
        a[m, :, m]
        b[m]
        a[:, m]
        a[np.ones((4, 3), bool)]
        a[[0, 1], [0, 1, 2]]
        a[::0]
        a[None, 1j]
        s[0]
        s[0:1]
        s[[0]]
        a[{}]
        a[slice("x", None)]
        a[2**70]
        a[3] = 1
        a[0, 4] = 1
        a[[0, 3]] = 5
        a[[0, 5]] = np.ones((2, 4))
        a[0] = np.ones(5)
        a[:] = np.ones((2, 3, 4))
        a[m] = np.ones((3, 4))
        a[b > 1] = 0
        a[0, 0, 0] = 1
        a["x"] = 1
        s[0] = 1
        a[0, 0] = [1, 2]
        a[0] = "text"
        i[0, 0] = 1j
        i[0] = [1j, 2, 3]
        u[0] = 300
        u[0] = -1
        u[:] = [1, 2, 256]
        i[0, 0] = 2**70
        i[0, 0] = float("nan")
        i[0, 0] = float("inf")
        del a[0]
        a.take([4], axis=1)
        a.take([12])
        a.take([0], mode="nonsense")
        a.put([12], 1)
        a.put([0], 1, mode="nonsense")
        a.item(12)
        a.item(0, 4)
        a.item()
        a.item(0, 0, 0)
        b.item("x")
        a.flat[12]
        a.flat["x"]
        a.flat[12] = 1
        np.put_along_axis(a, np.array([[9]]), 1, axis=1)
        np.take_along_axis(a, np.array([[9]]), axis=1)
        np.take_along_axis(a, np.array([0]), axis=1)
        np.add.at(b, [9], 1)
        np.add.at(b, [0, 1], [1, 2, 3])
        np.add.reduceat(b, [9])
        np.compress([True] * 5, b)
        np.compress(a > 1, a)
        np.choose([0, 3], [b[:2], b[:2]])
        np.choose([0, 3], [b[:2], b[:2]], mode="nonsense")
        np.place(b, m, [])
        np.putmask(a, m, 1)
        np.unravel_index(12, (3, 4))
        np.unravel_index([-1], (3, 4))
        np.ravel_multi_index((3, 0), (3, 4))
        np.delete(b, 7)
        np.insert(b, 9, 1)
    """,
    "sizes": """
        np.zeros(-1)
        np.ones((2, -3))
        np.empty(-5)
        np.full((-1,), 0)
        np.zeros((2**40, 2**40))
        np.empty((2**62, 2))
        np.ones((2**31, 2**31, 2**31))
        np.zeros(2**63)
        np.zeros(2**64)
        np.empty(-(2**63))
        np.zeros((1,) * 65)
        np.zeros(1.5)
        np.zeros("3")
        np.zeros((2, None))
        np.zeros(2**50)
        np.empty(2**50, dtype=np.float32)
        np.ones((2**25, 2**25))
        np.full(2**50, 3)
        np.arange(2**50)
        np.arange(0, 2**62, dtype=np.int8)
        np.arange(1e300)
        np.arange(0, 1, 0)
        np.arange(0, float("nan"))
        np.arange()
        np.arange("x")
        np.linspace(0, 1, -1)
        np.linspace(0, 1, 1.5)
        np.linspace(0, 1, 2**50)
        np.eye(-1)
        np.eye(2**31, 2**31)
        np.identity(-2)
        np.indices((2**40, 2**40))
        np.broadcast_to(s, (-1,))
        np.repeat(b, 2**60)
        np.tile(b, 2**60)
        b.repeat(2**50)
        a.resize((-1,))
    """,
    "ragged and odd values": """
        np.array([[1, 2], [3]])
        np.array([[1, 2], 3])
        np.array([1, [2, 3]])
        np.asarray([[1], [2, [3]]])
        np.array([[[1]], [[1, 2]]])
        np.array([1, 2], dtype="int99")
        np.array([1, 2], dtype=float, ndmin=65)
        np.array(["1", "x"], dtype=float)
        np.array("x", dtype=int)
        np.array([1j], dtype=float)
        np.array(300, dtype=np.uint8)
        np.array([-1], dtype=np.uint8)
        np.array([2**63], dtype=np.int64)
        np.array(2**64, dtype=np.uint64)
        np.array([float("nan")], dtype=int)
        np.array(a, copy=False, dtype=np.float32)
        np.array([1.0], copy=False)
        np.asarray([1.0], copy=False)
        np.array([1], order="Q")
        np.array([1], nonsense=1)
        np.array()
        np.zeros(3, order="Q")
        np.frombuffer(b"123", dtype=np.float64)
        np.frombuffer(b"12345678", offset=9)
        np.fromiter([1, 2], dtype=float, count=5)
        np.fromstring("1 2", dtype=float, sep="")
        np.dtype("nonsense")
        a.astype("nonsense")
        a.fill("x")
        u.fill(256)
        i.fill(1j)
    """,
    "casting and dtypes": """
        a.astype(np.int64, casting="safe")
        z.astype(np.float64, casting="same_kind")
        a.astype(np.float32, casting="equiv")
        a.astype(int, casting="nonsense")
        i += 1.5
        i /= 2
        u -= 1.5
        u += i[0]
        m += 1
        i **= 0.5
        a += 1j
        a //= z[0]
        np.add(a, 1, casting="no", dtype=np.float32)
        np.add(i, 1.5, dtype=np.int64)
        np.add(a, a, out=np.zeros((3, 4), dtype=int))
        np.sqrt(i[0], out=i[1])
        np.copyto(i, 1.5)
        np.copyto(i, a[:2, :3])
        np.add(a, a, dtype="nonsense")
        np.add(a, a, signature="xx->x")
        np.add(a, a, signature="ddd->d")
        np.add(a, a, casting=3)
        np.add(a, a, order="Q")
        np.add(a, a, nonsense=1)
        np.add(a)
        np.add()
        np.add(a, a, a, a)
        np.add(a, a, a, out=a)
        a & a
        a | 1
        ~a
        a << 1
        i << 1.0
        z < "x"
        z % 2
        z // z
        np.floor(z)
        np.arctan2(z, 1)
        m - m
        -m
        np.subtract(m, m)
        np.negative(m)
        np.invert(1.5)
        np.gcd(a, 2)
        np.left_shift(1.0, 1)
        np.ldexp(a, 1.5)
        u + 300
        u * -1
        np.add(u, 256)
        np.maximum(u, -1)
        i ** -1
        np.power(i, -2)
        np.int8(1) + 200
        np.exp("text")
        np.exp(None)
        np.sum("text")
        a + "text"
        a + None
        a @ "text"
        a - object()
        np.divmod(z, 2)
        np.bitwise_count(a)
        np.bitwise_and.reduce(a)
        np.cumsum(a, dtype="nonsense")
        np.mean(["x"])
        np.can_cast("nonsense", int)
        np.result_type()
        np.promote_types("nonsense", int)
        np.finfo(int)
        np.iinfo(float)
    """,
    "out and where": """
        np.add(a, a, out=b)
        np.add(a, a, out=np.zeros((2, 3, 4)).T)
        np.add(a, a, out=3)
        np.add(a, a, out=[1, 2])
        np.add(a, a, out=(a, a))
        np.add(a, a, out=())
        np.add(b, b, out=s)
        np.divmod(a, 2, out=a)
        np.divmod(a, 2, out=(a,))
        np.modf(a, out=(a, b))
        np.add(a, a, where=a)
        np.add(a, a, where=np.ones(5, dtype=bool))
        np.add(a, a, out=r)
        a.sum(axis=0, out=np.zeros(3))
        a.sum(axis=0, out=np.zeros((1, 4)))
        a.sum(out=3)
        a.max(axis=0, out=c)
        a.argmax(axis=0, out=np.zeros(4))
        a.argmax(axis=0, out=np.zeros(3, dtype=int))
        a.cumsum(axis=0, out=b)
        a.mean(axis=0, out=c)
        np.concatenate([a, a], out=a)
        np.concatenate([a, a], out=a, dtype=float)
        np.stack([b, b], out=b)
        np.clip(a, 0, 1, out=b)
        np.matmul(a, a.T, out=b)
        np.dot(a, b, out=c)
        np.dot(a, b, out=np.zeros(3, dtype=int))
        np.take(a, [0], out=c)
        np.compress(m, a, axis=0, out=c)
        np.maximum.reduce(a, where=a > 1)
        np.min(a, where=a > 1)
        np.add.reduce(a, where=c > 1)
        np.add.accumulate(a, out=b)
        np.round(a, out=b)
    """,
    "linear algebra": """
        a @ a
        a @ c
        a @ s
        s @ s
        a @ 3
        np.matmul(b, c)
        np.matmul(a, 2)
        np.dot(a, a)
        np.dot(b, c)
        b.dot(a)
        np.vecdot(b, c)
        np.matvec(a, c)
        np.vecmat(c, a)
        np.inner(a, c)
        np.vdot(b, c)
        np.tensordot(a, a, axes=1)
        np.tensordot(a, a, axes=([0], [1, 0]))
        np.einsum("ij,jk", a, a)
        np.einsum("ij", b)
        np.einsum("ij,jk->zz", a, a.T)
        np.kron()
        np.cross(b, b)
        np.linalg.inv(a)
        np.linalg.inv(np.zeros((2, 2)))
        np.linalg.solve(a, b)
        np.linalg.solve(np.zeros((2, 2)), np.ones(2))
        np.linalg.cholesky(-np.eye(2))
        np.linalg.det(a)
        np.linalg.eig(a)
        np.linalg.norm(a, ord="nonsense")
        np.linalg.norm(a, ord=3)
        np.linalg.matrix_power(a, 2)
        np.linalg.inv(b)
        np.linalg.multi_dot([a])
    """,
    "conversion": """
        bool(a)
        bool(np.array([]))
        if a > 1: pass
        a and b
        not a
        int(a)
        float(b)
        complex(a)
        int(np.array([1, 2]))
        float(z)
        hash(a)
        hash(s)
        {a: 1}
        range(a)
        range(s)
        [0, 1, 2][a]
        [0, 1, 2][s]
        [0, 1, 2][np.array([1])]
        round(1.5, a)
        format(a, ".2f")
        "%d" % a
        a < object()
    """,
    "read-only": """
        r[0] = 1
        r[0, 0] = 1
        r[...] = 1
        r += 1
        r.fill(0)
        r.sort()
        r.put([0], 1)
        r.flat[0] = 1
        r.flat = 1
        r.partition(1)
        r.byteswap(inplace=True)
        r.setflags(write=True)
        r.flags.writeable = True
        r.real = 1
        r[[0]] = 1
        r[r > 0] = 1
        np.copyto(r, 1)
        np.place(r, r > 0, 1)
        np.putmask(r, r > 0, 1)
        np.put_along_axis(r, np.array([[0]]), 1, axis=1)
        np.fill_diagonal(r, 1)
        np.add(r, 1, out=r)
        np.add.at(r, [0], 1)
        r.sum(axis=0, out=r[0])
        np.cumsum(r, axis=0, out=r)
        np.clip(r, 0, 1, out=r)
        np.broadcast_to(b, (2, 4))[0] = 1
        np.diagonal(a)[0] = 1
        a.diagonal().fill(0)
    """,
    "attributes and methods": """
        a.nonsense
        a.nonsense = 1
        a.T = b
        a.size = 3
        a.ndim = 3
        a.nbytes = 3
        a.itemsize = 3
        a.base = None
        a.flags = None
        a.flags.nonsense
        a.flags["NONSENSE"]
        a.flags.c_contiguous = True
        a.imag = 1
        a.real = c
        del a.shape
        a.setflags(nonsense=True)
        a.byteswap(1, 2)
        a.copy(order="Q")
        a.copy("C", 1)
        a.flatten(order=5)
        a.ravel(order="Q")
        a.tobytes(order="Q")
        a.view(a=1)
        a.view("nonsense")
        a.sort(kind="nonsense")
        a.sort(order="x")
        a.searchsorted(1)
        b.searchsorted(1, side="nonsense")
        b.searchsorted(1, sorter=[0])
        b.partition(7)
        b.argpartition(-9)
        a.clip(1, 2, 3, 4, 5)
        np.clip(a, 1, 2, min=3)
        a.round(decimals="x")
        a.round("x")
        a.swapaxes(0)
        a.choose(1)
        a.nonzero(1)
        s.nonzero()
        a.dot()
        a.sum(nonsense=1)
        a.astype()
        a.to_device("nonsense")
        a.tofile(3.5)
        a.getfield(np.float64, offset=4)
        a.__array__(dtype=3)
        np.ndarray(-1)
        np.ndarray((2, 2), buffer=b"123")
        np.ndarray()
        np.shape([[1], [2, 3]])
        np.ix_(a)
        np.meshgrid(b, indexing="zz")
        np.asarray(a, dtype=3.7)
        np.ascontiguousarray()
        np.errstate(nonsense="ignore")
        np.seterr(all="nonsense")
        np.set_printoptions(threshold="x")
        np.set_printoptions(floatmode="nonsense")
        np.array2string(a, nonsense=1)
        np.bincount([-1])
        np.bincount(b)
        np.bincount([[1]])
        np.digitize(b, [1, 0, 2])
        np.histogram(b, bins=-1)
        np.histogram(b, bins=[3, 1])
        np.interp(1, b, c)
        np.unique(a, axis=3)
        np.polyfit(b, c, 1)
        np.cov(b, c)
        np.average(b, weights=c)
        np.average(b, weights=[0, 0, 0, 0])
        np.percentile(b, 101)
        np.quantile(b, 2)
        np.quantile(b, 0.5, method="nonsense")
        np.convolve([], b)
        np.trapezoid(b, c)
        np.searchsorted(a, 1)
        np.lexsort(3)
        np.pad(b, (1, 2, 3))
        np.pad(b, 1, mode="nonsense")
        np.apply_along_axis(sum, 3, a)
        np.select([m], [b, b])
        np.piecewise(b, [b > 1], [1, 2, 3])
        np.nan_to_num(a, nan="x")
    """,
}
