"""Whatever torch can do with its tensors it can do with NumPy-style code on ours (rows 44, 109, 110, 111; D3).

The core calls the dispatcher for all that is not plain, so that transforms, tracing, fake tensors, modes and
distributed tensors need no code of their own. One test for each keeps it so.
"""

import socket
import subprocess
import sys
import textwrap

import numpy
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode

import fastnp as np


def program(x):
    """NumPy-style code: ufuncs, operators, views, indexing, reductions, matmul."""
    y = np.exp(x) * 2 + np.sin(x)[::-1]
    y = y / (1 + x**2)
    y = np.where(y > 1, y, -y)
    z = y.reshape(2, -1).T
    return (z @ z.T).sum() + np.mean(y[1:]) - y.max()


# torch compiles its forward-mode rules when the first of them is used.
IGNORES_JIT = pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")


def lifted(body):
    """Turn NumPy-style code on arrays into a function of Tensors."""
    return lambda *tensors: body(*map(np.asarray, tensors)).tensor


def reference(x):
    """The same in torch's words."""
    y = torch.exp(x) * 2 + torch.sin(x).flip(0)
    y = y / (1 + x**2)
    y = torch.where(y > 1, y, -y)
    z = y.reshape(2, -1).T
    return (z @ z.T).sum() + torch.mean(y[1:]) - y.max()


@pytest.fixture
def x():
    return torch.linspace(-1, 2, 6, dtype=torch.float64)


def test_grad(x):
    """Row 111: `torch.func.grad`, and of grad again."""
    torch.testing.assert_close(torch.func.grad(lifted(program))(x), torch.func.grad(reference)(x))
    second = torch.func.grad(lambda v: torch.func.grad(lifted(program))(v).sum())(x)
    torch.testing.assert_close(second, torch.func.grad(lambda v: torch.func.grad(reference)(v).sum())(x))


def test_vmap(x):
    """Row 111: a batch axis that the program does not see."""
    batch = torch.stack([x, x + 1, x * 2])
    torch.testing.assert_close(torch.func.vmap(lifted(program))(batch), torch.func.vmap(reference)(batch))


def test_vmap_keeps_shapes_of_one_example(x):
    seen = []

    def body(row):
        seen.append((row.shape, row.ndim, len(row)))
        return (row[None] * row[:, None]).sum(axis=0)

    got = torch.func.vmap(lifted(body))(torch.stack([x, x]))
    assert seen == [((6,), 1, 6)]
    assert got.shape == (2, 6)


@IGNORES_JIT
def test_jvp(x):
    """Row 111: forward mode."""
    tangent = torch.ones_like(x)
    got, want = (torch.func.jvp(f, (x,), (tangent,)) for f in (lifted(program), reference))
    torch.testing.assert_close(got, want)


@IGNORES_JIT
def test_jacrev_and_hessian(x):
    torch.testing.assert_close(
        torch.func.jacrev(lifted(lambda v: np.cumsum(v * v)))(x), torch.func.jacrev(lambda v: torch.cumsum(v * v, 0))(x)
    )
    torch.testing.assert_close(torch.func.hessian(lifted(program))(x), torch.func.hessian(reference)(x))


VIEWS = {
    "slice": lambda v: (v[1:4] ** 2).sum(),
    "negative step": lambda v: (v[::-1] * np.arange(6.0)).sum(),
    "negative step in two axes": lambda v: (v.reshape(2, 3)[::-1, ::-2] * np.array([1.0, 2.0])).sum(),
    "transpose": lambda v: (v.reshape(2, 3).T @ np.array([1.0, 2.0]))[1],
    "integer": lambda v: v[2] * v[-1],
    "ellipsis": lambda v: v[2, ...] * 3,
    "list": lambda v: v[[0, 0, 5]].sum(),
    "mask": lambda v: v[v > 0].prod(),
    "newaxis": lambda v: (v[:, None] * v[None]).sum(),
    "broadcast_to": lambda v: np.broadcast_to(v, (3, 6)).sum(),
    "diagonal": lambda v: (v[:4].reshape(2, 2).diagonal() ** 2).sum(),
    "astype": lambda v: v.astype("c16").real.sum(),
    "concatenate": lambda v: np.concatenate([v, v * 2])[3:9].sum(),
    "where": lambda v: np.where(v > 0, v * v, 0).sum(),
    "ravel": lambda v: v.reshape(2, 3).T.ravel()[1] * 5,
    "squeeze": lambda v: v[None, :, None].squeeze().sum(),
    "stack": lambda v: np.stack([v, v], axis=1).max(axis=1).sum(),
}

REDUCTIONS = {
    "sum": lambda v: v.reshape(2, 3).sum(axis=0).prod(),
    "mean": lambda v: v.mean(),
    "max": lambda v: v.max() + v.min(),
    "prod": lambda v: np.prod(v, axis=0),
    "var": lambda v: v.var(ddof=1),
    "std": lambda v: v.std(),
    "cumsum": lambda v: v.cumsum()[::2].sum(),
    "axis tuple": lambda v: (v.reshape(1, 2, 3).sum(axis=(0, 2)) ** 2).sum(),
    "keepdims": lambda v: (v - v.mean(keepdims=True)).prod(),
    "where": lambda v: v.sum(where=np.array([True, False] * 3)),
    "initial": lambda v: np.add.reduce(v, initial=5.0),
    "matmul": lambda v: v @ v,
    "dot": lambda v: np.dot(v, v),
    "linalg": lambda v: np.sqrt(np.sum(v * v)),
    "clip": lambda v: np.clip(v, 0, 1).sum(),
}

BODIES = {**VIEWS, **REDUCTIONS}


@pytest.mark.parametrize("name", BODIES)
def test_gradient_by_differences(x, name):
    """Row 109: gradients through views and reductions, against finite differences."""
    assert torch.autograd.gradcheck(lifted(BODIES[name]), (x.clone().requires_grad_(),))


@pytest.mark.parametrize("name", BODIES)
def test_value_with_gradients_is_the_value_without(x, name):
    """D4: the general path never gives another answer than the fast one."""
    plain = BODIES[name](np.asarray(x))
    tracked = BODIES[name](np.asarray(x.clone().requires_grad_()))
    assert tracked.dtype == plain.dtype
    assert tracked.shape == plain.shape
    torch.testing.assert_close(tracked.tensor.detach(), plain.tensor)


def write_element(v):
    y = v * 2
    y[1] = 7
    y[2] = v[0] * v[0]
    return y.sum()


def write_slice(v):
    y = np.zeros(6) + v
    y[1:3] = v[3:5] * 3
    y[::-2] = 1
    return (y * y).sum()


def write_mask(v):
    y = v * 1
    y[y < 0] = 0
    y[[0, 1]] += v[4]
    return (y**2).sum()


def write_into_constant(v):
    y = np.zeros(6)
    y[1:] = v[:-1]
    y[0] = v[5] * 3
    return (y * np.arange(1.0, 7.0)).sum()


def write_in_place(v):
    y = v + 0
    y += v * v
    y[2:] *= 3
    y -= 1
    return y.prod()


def write_view(v):
    y = v * 1
    row = y.reshape(2, 3)[::-1]
    row[0] = row[1] * 2
    return (y * y).sum()


@pytest.mark.parametrize(
    "body",
    [write_element, write_slice, write_mask, write_into_constant, write_in_place, write_view],
    ids=lambda f: f.__name__,
)
def test_gradient_through_setitem(x, body):
    """Row 109: writes by index, in place and through views are part of the graph."""
    assert torch.autograd.gradcheck(lifted(body), (x.clone().requires_grad_(),))
    want = body(np.asarray(x))
    assert float(body(np.asarray(x.clone().requires_grad_())).tensor.detach()) == pytest.approx(float(want), rel=1e-14)


def test_backward_reaches_the_tensor(x):
    """Row 109: `backward()` on the result fills `.grad` of the tensor that came in."""
    t = x.clone().requires_grad_()
    program(np.asarray(t)).tensor.backward()
    torch.testing.assert_close(t.grad, torch.func.grad(reference)(x))


def test_write_to_a_leaf_that_requires_gradients_is_torchs_error(x):
    """Row 110: torch refuses, and so do we, with its text."""
    t = x.clone().requires_grad_()
    with pytest.raises(RuntimeError, match="leaf"):
        np.asarray(t)[0] = 1
    assert t[0] == x[0]


def test_saved_tensor_changed_in_place_is_torchs_error(x):
    """Row 110: the version counter tells."""
    t = x.clone().requires_grad_()
    y = np.exp(np.asarray(t))
    z = y * y
    y += 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().tensor.backward()


def test_write_of_plain_loop_is_seen_by_autograd(x):
    """Row 110: a constant that was saved for backward and then changed by our own loop."""
    t = x.clone().requires_grad_()
    constant = np.arange(6.0)
    z = np.asarray(t) * constant
    constant += 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().tensor.backward()


@pytest.mark.parametrize("mode", ["real", "symbolic", "fake"])
def test_make_fx(x, mode):
    """Row 44: the trace has aten operations, and runs on other values."""
    graph = make_fx(lifted(program), tracing_mode=mode)(x)
    names = {str(node.target) for node in graph.graph.nodes if node.op == "call_function"}
    assert any("exp" in name for name in names)
    assert any("sum" in name for name in names)
    other = x * 0.5 + 0.1
    torch.testing.assert_close(graph(other), reference(other))


def test_make_fx_symbolic_takes_another_size(x):
    """Row 44: sizes stay symbols where the program does not look at them."""
    graph = make_fx(lifted(lambda v: (v * 2 + 1).sum()), tracing_mode="symbolic")(x)
    other = torch.arange(11, dtype=torch.float64)
    torch.testing.assert_close(graph(other), (other * 2 + 1).sum())


def test_fake_tensor_mode(x):
    """D3: shapes and dtypes without memory."""
    with FakeTensorMode() as mode:
        fake = np.asarray(mode.from_tensor(x))
        result = np.exp(fake.reshape(2, 3))[:, ::-1] @ np.ones((3, 4))
        total = (fake + 1).sum()
    assert result.shape == (2, 4)
    assert result.dtype == numpy.float64
    assert total.shape == ()
    assert type(result.tensor).__name__ == "FakeTensor"


class Log(TorchDispatchMode):
    """Write down what reaches the dispatcher."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.calls.append(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


def test_dispatch_mode_sees_every_operation(x):
    """D3 and D4: under a mode nothing takes the fast path."""
    a = np.asarray(x)
    with Log() as log:
        b = np.exp(a)
        c = b + a
        d = c[::2]
        e = d.sum()
        f = np.zeros(3)
        f[0] = 1
        g = a.reshape(2, 3) @ a.reshape(3, 2)
    for name in ("exp", "add", "sum"):
        assert any(name in call for call in log.calls), f"{name} not seen in {log.calls}"
    assert any(call in ("mm", "matmul") for call in log.calls)
    assert any("zero" in call or "empty" in call for call in log.calls)
    assert (b.shape, d.shape, e.shape, f.tolist(), g.shape) == ((6,), (3,), (), [1.0, 0.0, 0.0], (2, 2))
    before = len(log.calls)
    np.exp(a)
    assert len(log.calls) == before


@pytest.mark.parametrize("how", ["set_default_device", "with device"])
def test_default_device(how):
    """D3: creation asks torch where to put things."""

    def body():
        made = [
            np.zeros(3),
            np.ones((2, 2)),
            np.empty(4),
            np.arange(5.0),
            np.full(2, 7.0),
            np.array([1.0, 2.0]),
            np.eye(3),
        ]
        return [*made, np.zeros(3) + 1, np.linspace(0, 1, 5)]

    if how == "with device":
        with torch.device("meta"):
            made = body()
    else:
        before = torch.get_default_device()
        torch.set_default_device("meta")
        try:
            made = body()
        finally:
            torch.set_default_device(None if before.type == "cpu" else before)
    assert [x.device if isinstance(x.device, str) else str(x.device) for x in made] == ["meta"] * len(made)
    assert [x.tensor.device.type for x in made] == ["meta"] * len(made)
    assert np.zeros(3).device == "cpu"


DISTRIBUTED = """
    import sys
    from datetime import timedelta

    import torch
    import torch.distributed as dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor

    import fastnp as np

    rank, port = int(sys.argv[1]), sys.argv[2]
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=2, timeout=timedelta(seconds=60)
    )
    mesh = init_device_mesh("cpu", (2,))
    whole = torch.arange(24.0, dtype=torch.float64).reshape(4, 6)
    x = np.asarray(distribute_tensor(whole, mesh, [Shard(0)]))
    assert isinstance(x.tensor, DTensor)
    assert x.shape == (4, 6)
    y = np.exp(x * 0.1) + x
    assert isinstance(y.tensor, DTensor)
    assert y.tensor.to_local().shape == (2, 6)
    want = torch.exp(whole * 0.1) + whole
    torch.testing.assert_close(y.tensor.full_tensor(), want)
    torch.testing.assert_close(y.sum(axis=0).tensor.full_tensor(), want.sum(0))
    torch.testing.assert_close(np.sum(y).tensor.full_tensor(), want.sum())
    weights = np.asarray(distribute_tensor(torch.ones(6, 3, dtype=torch.float64), mesh, [Replicate()]))
    torch.testing.assert_close((y @ weights).tensor.full_tensor(), want @ torch.ones(6, 3, dtype=torch.float64))
    dist.barrier()
    dist.destroy_process_group()
    print("done", rank)
"""


def test_distributed_tensor_in_two_processes():
    """D3: a DTensor of two gloo processes inside an array."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    source = textwrap.dedent(DISTRIBUTED)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", source, str(rank), port], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for rank in range(2)
    ]
    try:
        outputs = [process.communicate(timeout=120)[0] for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
    for rank, (process, output) in enumerate(zip(processes, outputs, strict=True)):
        assert process.returncode == 0, output
        assert f"done {rank}" in output
