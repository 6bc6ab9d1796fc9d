"""`python -m fastnp`: programs run as under plain Python, with fastnp where they say numpy."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a file below the test's folder."""
    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    return write


@pytest.fixture
def python(tmp_path):
    """Return a function that runs Python in the test's folder."""
    def python(*arguments, **environment):
        paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        return subprocess.run([sys.executable, *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True,
                              env=os.environ | {"PYTHONPATH": paths} | environment, timeout=120, check=False)

    return python


@pytest.fixture
def fastnp(python):
    """Return a function that runs `python -m fastnp`."""
    return lambda *arguments, **environment: python("-m", "fastnp", *arguments, **environment)


def output(done):
    """Return what a program printed, and fail if it failed."""
    assert done.returncode == 0, done.stderr
    return done.stdout


SPELLINGS = [
    ("import numpy", "numpy"),
    ("import numpy as np", "np"),
    ("import numpy.linalg", "numpy"),
    ("import numpy.linalg", "numpy.linalg"),
    ("import numpy.linalg as la", "la"),
    ("import sys, numpy as np, os", "np"),
    ("from numpy import linalg", "linalg"),
    ("from numpy import ndarray", "ndarray"),
    ("from numpy import ndarray as array", "array"),
    ("from numpy.linalg import norm", "norm"),
    ("from numpy import *", "ndarray"),
    ("from numpy import linalg, random", "random"),
    ("try: import numpy as np\nexcept ImportError: np = None", "np"),
    ("from __future__ import annotations\nimport numpy", "numpy"),
]


def test_spellings_of_import(write, fastnp):
    for number, (statements, name) in enumerate(SPELLINGS):
        write(f"spelling_{number}.py", f"{statements}\nfound = {name}\n")
    program = write("program.py", f"""
        import importlib
        for number in range({len(SPELLINGS)}):
            found = importlib.import_module(f"spelling_{{number}}").found
            print(getattr(found, "__module__", None) or found.__name__)
    """)
    printed = output(fastnp(program)).splitlines()
    assert len(printed) == len(SPELLINGS)
    for (statements, _), module in zip(SPELLINGS, printed):
        assert module.partition(".")[0] == "fastnp", statements


def test_import_inside_a_function_and_a_class(write, fastnp):
    program = write("program.py", """
        def f():
            import numpy.linalg
            return numpy

        class C:
            import numpy as np

        if True:
            try:
                from numpy import ndarray
            except ImportError:
                ndarray = None
        print(f().__name__, C.np.__name__, ndarray.__module__)
    """)
    assert output(fastnp(program)) == "fastnp fastnp fastnp\n"


def test_submodule_that_is_missing_is_an_import_error(write, fastnp):
    program = write("program.py", "import numpy.no_such_module\n")
    done = fastnp(program)
    assert done.returncode == 1
    assert "ModuleNotFoundError: No module named 'fastnp.no_such_module'" in done.stderr


def test_own_modules_get_fastnp(write, fastnp):
    write("near.py", "import numpy as np\n")
    write("tools/__init__.py", "from .inner import np\nfrom . import inner\n")
    write("tools/inner.py", "import numpy as np\n")
    write("space/deep.py", "import numpy as np\n")
    program = write("program.py", """
        import near, tools, tools.inner, space.deep
        print(near.np.__name__, tools.np.__name__, tools.inner.np.__name__, space.deep.np.__name__)
    """)
    assert output(fastnp(program)) == "fastnp fastnp fastnp fastnp\n"


def test_own_modules_ignore_cached_bytecode_of_numpy_and_leave_none(write, python, fastnp):
    write("near.py", "import numpy as np\n")
    program = write("program.py", "import near\nprint(near.np.__name__)\n")
    assert output(python(program)) == "numpy\n"
    assert output(fastnp(program)) == "fastnp\n"
    assert output(python(program)) == "numpy\n"


def test_third_party_packages_keep_numpy(write, fastnp, tmp_path):
    write("elsewhere/third.py", "import numpy as np\n")
    write("own/lib/python3/site-packages/installed.py", "import numpy as np\n")
    program = write("own/program.py", """
        import sys
        sys.path.append("own/lib/python3/site-packages")
        import fractions, installed, ml_dtypes, sys, third
        import numpy as np
        print(np.__name__, third.np.__name__, installed.np.__name__, sys.modules["numpy"].__name__)
        print(type(ml_dtypes.finfo("bfloat16").eps).__module__)
    """)
    printed = output(fastnp(program, PYTHONPATH=os.pathsep.join([str(ROOT), str(tmp_path / "elsewhere")])))
    assert printed == "fastnp numpy numpy numpy\nml_dtypes\n"


def test_imports_by_compiled_code_are_not_the_program_s(write, fastnp):
    program = write("program.py", """
        import sklearn.datasets
        import numpy as np
        data = sklearn.datasets.load_iris().data
        print(type(data).__module__, data.mean(axis=0).shape, data.sum(axis=0).dtype, np.__name__)
    """)
    assert output(fastnp(program)) == "numpy (4,) float64 fastnp\n"


def test_program_sees_what_it_sees_under_python(write, python, fastnp):
    program = write("sub/program.py", """
        import sys
        print(sys.argv, __name__, __file__, sys.path[0], __package__, __spec__, __doc__, __builtins__)
        print(sys.modules["__main__"].__file__, vars(sys.modules["__main__"]) is globals())
    """)
    given = ["sub/program.py", "--report", "-m", "--", "x", ""]
    assert output(fastnp(*given)) == output(python(*given))
    assert output(fastnp(program, "a")) == output(python(program, "a"))


def test_folder_with_main_runs(write, fastnp):
    write("app/__main__.py", "import numpy, near, sys\nprint(numpy.__name__, near.np.__name__, sys.argv)\n")
    write("app/near.py", "import numpy as np\n")
    assert output(fastnp("app", "x")) == "fastnp fastnp ['app', 'x']\n"


@pytest.mark.parametrize("text", [
    "pass",
    "raise SystemExit",
    "raise SystemExit(7)",
    "import sys\nsys.exit('reason')",
    "1 / 0",
    "import broken",
    "x = = 1",
    "def f():\n    raise KeyError('k')\ntry:\n    f()\nexcept KeyError as e:\n    raise ValueError('v') from e",
    "import atexit, pickle\nclass C: pass\natexit.register(lambda: print(pickle.loads(pickle.dumps(C()))))",
    "import sys\nsys.excepthook = lambda *args: print('hook', args[0])\n1 / 0",
    "raise ExceptionGroup('several', [ValueError(1), TypeError(2)])",
])
def test_exit_and_traceback_are_python_s(write, python, fastnp, text):
    write("broken.py", "import nothing_of_this_name\n")
    program = write("program.py", text)
    ours, plain = fastnp(program), python(program)
    assert ours.returncode == plain.returncode
    assert ours.stderr == plain.stderr
    assert ours.stdout.partition(" at 0x")[0] == plain.stdout.partition(" at 0x")[0]


def test_module_runs_as_under_python(write, python, fastnp):
    write("package/__init__.py", "from .inner import np\n")
    write("package/inner.py", "import numpy as np\n")
    write("package/__main__.py", """
        import sys
        from . import inner, np
        print(np.__name__, inner.np.__name__, sys.argv[1:], __name__, __package__, __spec__.name)
    """)
    write("package/other.py", "from .inner import np\nimport sys\nprint(np.__name__, sys.argv, __file__)\n")
    for given in (["-m", "package", "--report", "x"], ["-m", "package.other", "-m"]):
        ours, plain = output(fastnp(*given)), output(python(*given))
        assert ours == plain.replace("numpy", "fastnp")


def test_module_of_the_standard_library_runs(fastnp):
    assert "January" in output(fastnp("-m", "calendar", "2026"))


def test_package_that_fails_to_import_shows_its_own_error(write, fastnp):
    write("package/__init__.py", "import nothing_of_this_name\n")
    write("package/__main__.py", "")
    done = fastnp("-m", "package")
    assert done.returncode == 1
    assert "No module named 'nothing_of_this_name'" in done.stderr


@pytest.mark.parametrize("given, message", [
    (["absent.py"], "no such file: "),
    (["-m", "absent"], "no module named absent "),
    (["-m", "absent.deeper"], "no module named absent.deeper "),
    (["-m", "json"], "json is a package without a __main__"),
    (["-m", "math"], "module math has no Python code"),
    (["--device", "nowhere", "program.py"], "device nowhere cannot be used: "),
    (["--device", "cuda:77", "program.py"], "device cuda:77 cannot be used: "),
    (["--devise", "cpu", "program.py"], "--devise"),
    ([], "required: program"),
])
def test_mistakes_are_explained(write, fastnp, given, message):
    write("program.py", "print('ran')\n")
    done = fastnp(*given)
    assert message in done.stderr
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_device_is_torch_s_default(write, fastnp):
    program = write("program.py", """
        import numpy as np
        print(np.zeros(3).tensor.device, (np.ones((2, 3)) @ np.ones((3, 4))).tensor.device)
    """)
    assert output(fastnp("--device", "meta", program)) == "meta meta\n"
    assert output(fastnp("--device", "cpu", program)) == "cpu cpu\n"


def report_rows(text):
    """Return the rows of the report by function, as lists of cells."""
    _, _, table = text.partition("fastnp: ")
    rows = [line.split() for line in table.splitlines()[1:] if not line.startswith("---")]
    return {row[0]: row[1:] for row in rows}


def test_report_counts_and_tells_native_from_numpy(write, fastnp):
    program = write("program.py", """
        import numpy as np
        a = np.arange(6.0).reshape(2, 3)
        for _ in range(5):
            b = np.sum(a, axis=0)
        c = a + a
        for _ in range(2):
            np.busday_count("2024-01-01", "2024-02-01")
        np.busday_count("2024-01-01", "2024-02-01")
        print("done")
    """)
    done = fastnp("--report", program)
    assert output(done) == "done\n"
    rows = report_rows(done.stderr)
    assert rows["function"] == ["calls", "total", "ms", "mean", "us", "runs", "called", "from"]
    assert (rows["sum"][0], rows["sum"][3]) == ("5", "native")
    assert rows["busday_count"][0] == "3"
    assert rows["busday_count"][3:] == ["NumPy", "program.py:8", "(2x),", "program.py:9", "(1x)"]
    assert rows["all"][-2:] == ["NumPy", "3x"]
    counts = [int(row[0].replace(",", "")) for name, row in rows.items() if name not in ("function", "all")]
    assert int(rows["all"][0]) == sum(counts)
    times = [float(row[1].replace(",", "")) for name, row in rows.items() if name not in ("function", "all")]
    assert times == sorted(times, reverse=True)


def test_report_sees_methods_and_operators(write, fastnp):
    program = write("program.py", """
        import numpy as np
        a = np.ones((2, 3))
        a.sum(axis=1)
        a * a
        a[0]
        a[0] = 1
        np.linalg.norm(a)
    """)
    done = fastnp("--report", program)
    output(done)
    rows = report_rows(done.stderr)
    for name in ("ones", "ndarray.sum", "ndarray.__mul__", "ndarray.__getitem__", "ndarray.__setitem__", "linalg.norm"):
        assert rows[name][0] == "1", done.stderr


def test_report_comes_after_an_exception_and_an_exit(write, fastnp):
    for text, status in (("raise SystemExit(3)", 3), ("raise ValueError('v')", 1)):
        program = write("program.py", f"import numpy as np\nnp.sum(np.ones(3))\n{text}\n")
        done = fastnp("--report", program)
        assert done.returncode == status
        assert report_rows(done.stderr)["sum"][0] == "1"


def test_report_of_a_program_without_calls(write, fastnp):
    done = fastnp("--report", write("program.py", "print(1)\n"))
    assert output(done) == "1\n"
    assert done.stderr.startswith("fastnp: ")
    assert done.stderr.endswith(" made 0 calls\n")
