"""What NumPy's tests import, they get from fastnp where it is public."""

import ast

import pytest

from tests.numpy_suite.__main__ import Rewriter
from tests.numpy_suite.scope import OUT_OF_SCOPE

IMPORTS = {
    "import numpy as np": "import fastnp as np",
    "import numpy": "import fastnp as numpy",
    "import numpy.linalg as la": "import fastnp.linalg as la",
    "from numpy.testing import assert_equal": "from fastnp.testing import assert_equal",
    "from numpy.lib._histograms_impl import histogram": "from fastnp import histogram",
    "from numpy._core import _umath_tests, arange": "from fastnp import arange\nfrom numpy._core import _umath_tests",
    "import os": "import os",
}


@pytest.mark.parametrize("theirs", IMPORTS)
def test_imports(theirs):
    assert ast.unparse(Rewriter().visit(ast.parse(theirs))) == IMPORTS[theirs]


@pytest.mark.parametrize("text", ["np.array([], dtype=object)", "np.longdouble(1)", "dtype='S3'", "x.astype('>i4')"])
def test_what_only_numpy_has_is_out_of_scope(text):
    assert OUT_OF_SCOPE.search(text)


@pytest.mark.parametrize("text", ["np.array([1.0])", "x.astype('f4')", "assert_equal(a, b)", "sort(a, kind='stable')"])
def test_numbers_are_in_scope(text):
    assert not OUT_OF_SCOPE.search(text)
