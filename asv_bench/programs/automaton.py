"""Rule 110, cell by cell with a table of eight, and then again by slices."""


def run(np):
    rule = np.array([(110 >> bit) & 1 for bit in range(8)])
    width = 60
    cells = np.zeros(width, dtype=np.int64)
    cells[-1] = 1
    for _ in range(20):
        following = np.zeros_like(cells)
        for place in range(1, width - 1):
            following[place] = rule[4 * cells[place - 1] + 2 * cells[place] + cells[place + 1]]
        cells = following
    for _ in range(150):
        following = np.zeros_like(cells)
        following[1:-1] = rule[4 * cells[:-2] + 2 * cells[1:-1] + cells[2:]]
        following[-1] = 1 - cells[0]
        cells = following
    return cells
