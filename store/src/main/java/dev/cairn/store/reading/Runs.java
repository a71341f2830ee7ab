package dev.cairn.store.reading;

import java.util.List;

/// The bytes of a box that are contiguous both in the part that has it and in the wanted tensor, as runs of equal
/// length, in the order of both. Pure, and only a few numbers for any number of runs.
///
/// In row-major order, a run extends over all dimensions that the box fills in both, and over the one before them.
final class Runs {
    private final long[] counts;
    private final long[] partStrides;
    private final long[] wantedStrides;
    private final long partStart;
    private final long wantedStart;
    private final long count;
    private final long bytes;

    /// @param box the box, which lies within both
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

    /// The number of runs.
    long count() {
        return count;
    }

    /// The length of each run, in bytes.
    long bytes() {
        return bytes;
    }

    /// The start of run number `index` within the part, in bytes. It increases from run to run.
    long inPart(long index) {
        return partStart + place(index, partStrides);
    }

    /// The start of the run within the wanted tensor, in bytes.
    long inWanted(long index) {
        return wantedStart + place(index, wantedStrides);
    }

    /// The first run that ends after this byte of the part; the number of runs if there is none.
    long firstAfterInPart(long offset) {
        return firstAfter(offset, partStart, partStrides);
    }

    /// The first run that ends after this byte of the wanted tensor; the number of runs if there is none.
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
