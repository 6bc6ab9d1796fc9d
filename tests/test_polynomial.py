"""Series in bases of polynomials: NumPy's classes, with our arrays."""

import numpy
import pytest

import fastnp as np
from tests._oracle import same_as_numpy

CLASSES = ("Chebyshev", "Hermite", "HermiteE", "Laguerre", "Legendre", "Polynomial")


@pytest.mark.parametrize("name", CLASSES)
@same_as_numpy(tolerance="rounded")
def test_series(xp, name):
    cls = getattr(xp.polynomial, name)
    series = cls(xp.array([1.0, 2.0, 3.0]))
    points = xp.array([0.0, 0.5, 2.0])
    x, y = series.linspace(4)
    derived = [(series * series).coef, series.deriv()(points), series.integ().coef]
    return [series(points), series.coef, *derived, x, y, str(series)]


@pytest.mark.parametrize("name", CLASSES)
def test_classes_are_numpys_and_stay_ours(name):
    series = getattr(np.polynomial, name)([1.0, 2.0])
    assert isinstance(series, getattr(numpy.polynomial, name))
    assert type(series + series) is type(series)
    assert type(series.coef) is np.ndarray


@pytest.mark.parametrize("coefficients", [[1 / 3, -2 / 3, 1e-9], [1 + 2j, 3j], [1, -2], [float("nan"), 1.0]])
@pytest.mark.parametrize("name", CLASSES)
@same_as_numpy
def test_text_follows_the_print_options(xp, name, coefficients):
    series = getattr(xp.polynomial, name)(coefficients, domain=[-1, 3])
    written = [str(series), f"{series:ascii}", repr(series), series._repr_latex_()]
    with xp.printoptions(precision=3, suppress=True):
        return [*written, str(series), f"{series:unicode}", repr(series), series._repr_latex_()]


@same_as_numpy
def test_fit_and_roots(xp):
    points = xp.array([0.0, 1.0, 2.0, 3.0])
    fitted = xp.polynomial.Polynomial.fit(points, points**2, 2)
    return [fitted.coef, fitted.convert().coef, xp.polynomial.Polynomial([-1.0, 0.0, 1.0]).roots()]


@same_as_numpy
def test_functions(xp):
    module = xp.polynomial.chebyshev
    values = module.chebval(xp.array([0.5, 1.0]), [1, 2, 3])
    return [values, module.chebmul([1, 2], [3, 4]), module.chebfit([0, 1, 2], [1, 2, 5], 1)]
