"""The edit distance of two words, by two rows of the table."""


def run(np):
    first = (np.arange(60) * 5 + 1) % 7
    second = (np.arange(55) * 3 + 2) % 7
    previous = np.arange(len(second) + 1)
    current = np.zeros_like(previous)
    for row in range(len(first)):
        current[0] = row + 1
        for column in range(len(second)):
            change = previous[column] + (first[row] != second[column])
            current[column + 1] = min(previous[column + 1] + 1, current[column] + 1, change)
        previous, current = current, previous
    return previous
