"""Implicit heat steps: a tridiagonal system solved by Thomas's algorithm, element by element."""


def run(np):
    size = 60
    lower = np.full(size, -0.4)
    middle = np.full(size, 1.8)
    upper = np.full(size, -0.4)
    heat = np.sin(np.linspace(0.0, 3.0, size))
    for _ in range(15):
        c = np.zeros(size)
        d = np.zeros(size)
        c[0] = upper[0] / middle[0]
        d[0] = heat[0] / middle[0]
        for row in range(1, size):
            scale = middle[row] - lower[row] * c[row - 1]
            c[row] = upper[row] / scale
            d[row] = (heat[row] - lower[row] * d[row - 1]) / scale
        heat[-1] = d[-1]
        for row in range(size - 2, -1, -1):
            heat[row] = d[row] - c[row] * heat[row + 1]
    return heat
