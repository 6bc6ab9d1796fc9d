"""NumPy's tests run on fastnp: what they import, which of them count, and a part of them as `make test` runs it."""

import numpy
import pytest

import fastnp
from tests.numpy_suite import expected
from tests.numpy_suite.__main__ import Judged
from tests.numpy_suite.overlay import collected, overlay, taken
from tests.numpy_suite.rewriting import rewritten
from tests.numpy_suite.scope import category_of_argument, category_of_error, category_of_source

SOURCES = {
    "import numpy as np": "np = _overlay('numpy')",
    "import numpy.linalg as la": "la = _overlay('numpy.linalg')",
    "from numpy.testing import assert_equal": "assert_equal = _taken('numpy.testing', 'assert_equal')",
    "import numpy as np\nnp._core.umath.add": "np = _overlay('numpy')\n_overlay('numpy._core').umath.add",
    "import os": "import os",
    "x = make.array(1)": "x = _collected(make.array)(1)",
    "def test_it():\n    make.array(1)": "def test_it():\n    make.array(1)",
}


@pytest.mark.parametrize("theirs", SOURCES)
def test_sources(theirs):
    assert rewritten(theirs).partition("\n")[2].strip() == SOURCES[theirs]


def test_private_modules_hold_our_public_objects():
    assert overlay("numpy._core.umath").add is fastnp.add
    assert overlay("numpy.linalg") is fastnp.linalg
    assert taken("numpy.testing", "assert_equal") is fastnp.testing.assert_equal
    assert taken("numpy._core", "umath") is overlay("numpy._core.umath")


def test_an_argument_that_only_numpy_can_make_is_numpys():
    assert type(collected(fastnp.zeros)(2)) is fastnp.ndarray
    assert type(collected(fastnp.zeros)(2, object)) is numpy.ndarray
    with pytest.raises(ValueError, match="negative"):
        collected(fastnp.zeros)(-1)


@pytest.mark.parametrize(
    "text, category",
    [
        ("np.array([], dtype=object)", "object"),
        ("np.longdouble(1)", "longdouble"),
        ("x.astype('S3')", "string"),
        ("x.astype('>i4')", "byte order"),
        ("np.array([1.0])", None),
        ("x.astype('f4')", None),
        ("if dtype == np.object_:\n    x = 1", None),
    ],
)
def test_category_of_a_source(text, category):
    assert category_of_source(text) == category


@pytest.mark.parametrize(
    "value, category",
    [
        (numpy.zeros(1, "S1"), "string"),
        ([1, object], "object"),
        (numpy.float64, None),
        (numpy.dtype(">i4"), "byte order"),
    ],
)
def test_category_of_an_argument(value, category):
    assert category_of_argument(value) == category


@pytest.mark.parametrize("dtype", ["O", "M8[s]", "V8", ">i4", [("f", "i4")], "T"])
def test_category_of_what_we_refuse(dtype):
    with pytest.raises(TypeError) as refused:
        fastnp.zeros(1, dtype)
    assert category_of_error(str(refused.value)) is not None


def test_groups_of_expected_failures_all_have_a_reason():
    groups = expected.read()
    assert groups
    assert expected.UNSORTED not in groups


#: Files that together take about a minute; `make numpy-suite` runs all.
QUICK = ("_core/tests/test_indexing.py", "_core/tests/test_shape_base.py", "fft/tests/test_pocketfft.py",
         "lib/tests/test_twodim_base.py", "lib/tests/test_stride_tricks.py", "random/tests/test_direct.py")


@pytest.mark.parametrize("file", QUICK)
def test_a_file_of_numpys_ends_as_expected(file):
    judged = Judged(file, 300)
    assert judged.counts["judged"]
    assert judged.counts["crashed"] == 0
    assert list(expected.differences(expected.read(), file, judged.failing)) == []
