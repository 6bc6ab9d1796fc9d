"""Products of vectors, and of matrices with them, by loops of our own: the sums of NumPy's BLAS but for rounding."""

import numpy
import pytest
import torch

import fastnp

#: Around a vector's width, what is shared among threads row by row, and what is long enough to be computed in parts.
SHAPES = [(1, 65536), (1, 65543), (3, 30000), (63, 1041), (64, 1025), (67, 1024), (9000, 9), (70000, 1), (22000, 3),
          (13107, 5), (9363, 7), (5042, 13), (3855, 17), (2, 600001), (1100, 1031)]


@pytest.fixture(params=["f4", "f8"])
def operands(request):
    def make(rows, columns):
        random = numpy.random.default_rng(rows + columns)
        return [random.standard_normal(shape).astype(request.param) for shape in ((rows, columns), columns, rows)]

    return make


def agree(got, matrix, vector):
    """Whether a product is within the rounding of its own sums, which are computed in doubles."""
    want = matrix.astype("f8") @ vector.astype("f8")
    size = numpy.abs(matrix).astype("f8") @ numpy.abs(vector).astype("f8")
    assert got.dtype == matrix.dtype
    assert got.shape == want.shape
    assert (numpy.abs(numpy.asarray(got) - want) <= 8 * numpy.finfo(matrix.dtype).eps * size).all()


@pytest.mark.parametrize("rows,columns", SHAPES)
@pytest.mark.parametrize("threads", [1, 2])
def test_matrix_with_a_vector(operands, rows, columns, threads):
    matrix, by_columns, by_rows = operands(rows, columns)
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        ours = fastnp.asarray(matrix)
        agree(ours @ fastnp.asarray(by_columns), matrix, by_columns)
        agree(fastnp.asarray(by_rows) @ ours, matrix.T, by_rows)
        agree(ours.T @ fastnp.asarray(by_rows), matrix.T, by_rows)
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("size", [65536, 65537, 65551, 100003, 1 << 20])
def test_vector_with_itself_is_the_product_with_its_copy(operands, size):
    _, vector, _ = operands(1, size)
    ours = fastnp.asarray(vector)
    assert ours @ ours == ours @ ours.copy()
    want = numpy.linalg.norm(vector.astype("f8"))
    assert abs(float(fastnp.linalg.norm(ours)) - want) <= 4 * numpy.finfo(vector.dtype).eps * want
