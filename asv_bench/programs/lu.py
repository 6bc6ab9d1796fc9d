"""LU decomposition with partial pivoting, by rows of a small matrix."""


def run(np):
    size = 40
    a = np.cos(np.arange(size * size, dtype=np.float64)).reshape(size, size) + 3.0 * np.eye(size)
    order = np.arange(size)
    for step in range(size - 1):
        pivot = step + int(np.argmax(np.abs(a[step:, step])))
        if pivot != step:
            a[[step, pivot]] = a[[pivot, step]]
            order[step], order[pivot] = order[pivot], order[step]
        a[step + 1 :, step] /= a[step, step]
        for row in range(step + 1, size):
            a[row, step + 1 :] -= a[row, step] * a[step, step + 1 :]
    return a, order
