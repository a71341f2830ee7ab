package dev.cairn.s3;

/// The sizes of the parts of an upload. Parts are small at first, so that small blobs take little memory. Their size
/// doubles after every thousand parts, so that the ten thousand parts that S3 allows hold four terabytes.
final class PartSizes {
    static final int MOST_PARTS = 10_000;
    private static final int PARTS_OF_A_SIZE = 1000;
    private static final int MOST_DOUBLINGS = 7;

    private final long first;

    /// @param first size of the first part, in bytes
    PartSizes(long first) {
        this.first = first;
    }

    static PartSizes usual() {
        return new PartSizes(8 << 20);
    }

    /// @param number 1 for the first part
    long bytes(int number) {
        return first << Math.min(MOST_DOUBLINGS, (number - 1) / PARTS_OF_A_SIZE);
    }
}
