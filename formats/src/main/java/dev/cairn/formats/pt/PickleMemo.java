package dev.cairn.formats.pt;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The values that a pickle has numbered in order to refer to them again. A number is an index into an array, because
/// pickles count from 0.
final class PickleMemo {
    private static final long PLACE_BYTES = 8;

    private @Nullable PickleValue[] values = new PickleValue[16];
    private int size;

    /// The number of values.
    int size() {
        return size;
    }

    /// The memory that it takes to store a value under this number: the larger array and the previous one.
    long growthBytes(int number) {
        return number < values.length ? 0 : PLACE_BYTES * (grown(number) + (long) values.length);
    }

    void put(int number, PickleValue value) {
        if (number >= values.length) {
            values = Arrays.copyOf(values, grown(number));
        }
        size += values[number] == null ? 1 : 0;
        values[number] = value;
    }

    /// The value with this number; null if there is none.
    @Nullable
    PickleValue get(int number) {
        return number < 0 || number >= values.length ? null : values[number];
    }

    private static int grown(int number) {
        return number + number / 2 + 1;
    }
}
