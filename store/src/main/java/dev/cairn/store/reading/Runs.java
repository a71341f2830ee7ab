package dev.cairn.store.reading;

import java.util.List;

/// The bytes of a box that lie together both in the part that has it and in the tensor that is wanted, as runs of one
/// length, in the order of both. Pure, and of a few numbers, however many runs there are.
///
/// Row by row, a run goes on over all dimensions that the box fills in both, and over the one before them.
final class Runs {
    private final long[] counts;
    private final long[] partStrides;
    private final long[] wantedStrides;
    private final long partStart;
    private final long wantedStart;
    private final long count;
    private final long bytes;

    /// @param box within both
    Runs(Box box, Box part, Box wanted, int elementBytes) {
        List<Long> shape = box.shape();
        int inner = Math.max(0, shape.size() - 1);
        while (inner > 0
                && shape.get(inner).equals(part.shape().get(inner))
                && shape.get(inner).equals(wanted.shape().get(inner))) {
            inner--;
        }
        long[] inPart = strides(part, elementBytes);
        long[] inWanted = strides(wanted, elementBytes);
        this.partStart = start(box, part, inPart);
        this.wantedStart = start(box, wanted, inWanted);
        this.counts =
                shape.subList(0, inner).stream().mapToLong(Long::longValue).toArray();
        this.partStrides = inPart;
        this.wantedStrides = inWanted;
        this.count = product(shape.subList(0, inner));
        this.bytes = product(shape.subList(inner, shape.size())) * elementBytes;
    }

    /// How many runs there are.
    long count() {
        return count;
    }

    /// What each of them takes.
    long bytes() {
        return bytes;
    }

    /// Where run number `index` begins within the part, in bytes; more for each run than for the one before.
    long inPart(long index) {
        return partStart + place(index, partStrides);
    }

    /// Where it begins within the wanted tensor.
    long inWanted(long index) {
        return wantedStart + place(index, wantedStrides);
    }

    /// The first run that ends after this byte of the part; their count where none does.
    long firstAfterInPart(long offset) {
        return firstAfter(offset, partStart, partStrides);
    }

    /// The same by a byte of the wanted tensor.
    long firstAfterInWanted(long offset) {
        return firstAfter(offset, wantedStart, wantedStrides);
    }

    private long firstAfter(long offset, long start, long[] strides) {
        long low = 0;
        long high = count;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (start + place(middle, strides) + bytes > offset) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private long place(long index, long[] strides) {
        long place = 0;
        for (int d = counts.length - 1; d >= 0; d--) {
            place += index % counts[d] * strides[d];
            index /= counts[d];
        }
        return place;
    }

    private static long start(Box box, Box within, long[] strides) {
        long start = 0;
        for (int d = 0; d < strides.length; d++) {
            start += (box.offset().get(d) - within.offset().get(d)) * strides[d];
        }
        return start;
    }

    private static long[] strides(Box box, int elementBytes) {
        long[] strides = new long[box.shape().size()];
        long stride = elementBytes;
        for (int d = strides.length - 1; d >= 0; d--) {
            strides[d] = stride;
            stride *= box.shape().get(d);
        }
        return strides;
    }

    private static long product(List<Long> factors) {
        return factors.stream().mapToLong(Long::longValue).reduce(1, (a, b) -> a * b);
    }
}
