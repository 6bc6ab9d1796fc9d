"""Folding of a short RNA by dynamic programming over the upper triangle, in the manner of Nussinov."""


def run(np):
    size = 44
    bases = (np.arange(size) * 7 + 3) % 4
    table = np.zeros((size, size), dtype=np.int64)
    for left in range(size - 1, -1, -1):
        for right in range(left + 1, size):
            best = max(table[left, right - 1], table[left + 1, right])
            paired = 1 if bases[left] + bases[right] == 3 else 0
            inside = table[left + 1, right - 1] + paired if left < right - 1 else paired
            best = max(best, inside)
            if right > left + 1:
                best = max(best, (table[left, left + 1 : right] + table[left + 2 : right + 1, right]).max())
            table[left, right] = best
    return table
