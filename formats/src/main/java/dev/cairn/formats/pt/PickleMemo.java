package dev.cairn.formats.pt;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What a pickle has numbered, to name it again. A number is a place in an array: pickles count from 0 on.
final class PickleMemo {
    private static final long PLACE_BYTES = 8;

    private @Nullable PickleValue[] values = new PickleValue[16];
    private int size;

    /// How many numbers are taken.
    int size() {
        return size;
    }

    /// How much memory it takes to remember something under this number: of the array as it grows, and the one before.
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

    /// Null where there is none of this number.
    @Nullable
    PickleValue get(int number) {
        return number < 0 || number >= values.length ? null : values[number];
    }

    private static int grown(int number) {
        return number + number / 2 + 1;
    }
}
