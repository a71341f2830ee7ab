package dev.cairn.dashboard.points;

import java.util.Arrays;

/// Values over time, in the order of time. A value that is not finite is a gap. Grows; not thread-safe while it does.
public final class Curve {
    private static final int FIRST_ROOM = 256;

    private long[] times = new long[FIRST_ROOM];
    private long[] steps = new long[FIRST_ROOM];
    private float[] values = new float[FIRST_ROOM];
    private int size;

    /// Adds a point. A time before the last one counts as the last one: clocks go backwards, curves do not.
    ///
    /// @param time in milliseconds since 1970
    /// @param step the step of the training; 0 if the value belongs to none
    public void add(long time, long step, double value) {
        if (size == times.length) {
            int room = size + (size >> 1);
            times = Arrays.copyOf(times, room);
            steps = Arrays.copyOf(steps, room);
            values = Arrays.copyOf(values, room);
        }
        times[size] = size == 0 ? time : Math.max(time, times[size - 1]);
        steps[size] = step;
        values[size] = (float) value;
        size++;
    }

    /// Gives back the room that is not needed. The curve may still grow.
    public Curve trimmed() {
        int room = Math.max(1, size);
        times = Arrays.copyOf(times, room);
        steps = Arrays.copyOf(steps, room);
        values = Arrays.copyOf(values, room);
        return this;
    }

    public int size() {
        return size;
    }

    /// In milliseconds since 1970.
    public long time(int point) {
        return times[point];
    }

    public long step(int point) {
        return steps[point];
    }

    /// NaN or infinite where there is none.
    public float value(int point) {
        return values[point];
    }

    /// The first point that is not before this time; the size if there is none.
    int from(long time) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (times[middle] < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
