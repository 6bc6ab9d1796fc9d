"""CRC-32 of a message, by a table of 256 entries built with the same arrays."""


def run(np):
    table = np.zeros(256, dtype=np.int64)
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = (value >> 1) ^ 0xEDB88320 if value & 1 else value >> 1
        table[byte] = value
    message = (np.arange(1500) * 31 + 17) % 256
    crc = np.int64(0xFFFFFFFF)
    for byte in message:
        crc = (crc >> 8) ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF
