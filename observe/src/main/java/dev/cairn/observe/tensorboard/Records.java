package dev.cairn.observe.tensorboard;

import java.time.Instant;
import java.util.Map;

/// Makes the records of event files: messages of the type `Event`.
///
/// Scalars and histograms have the form that all of TensorBoard's readers know: `simple_value` and `histo`.
final class Records {
    /// Readers then look for the records of [#start], and not for steps that go back.
    private static final String VERSION = "brain.Event:2";

    private static final double NANOS = 1e9;
    private static final int STRING = 7;

    private Records() {}

    /// The first record of each file.
    static byte[] version(Instant time) {
        return event(time, 0).text(3, VERSION).bytes();
    }

    /// From here on, whatever was recorded for this step and later ones, in this file and earlier ones, no longer
    /// holds.
    static byte[] start(Instant time, long step) {
        return event(time, step).message(7, new Wire().integer(1, 1)).bytes();
    }

    static byte[] scalars(Instant time, long step, Map<String, Double> values) {
        var summary = new Wire();
        values.forEach(
                (tag, value) -> summary.message(1, new Wire().text(1, tag).float32(2, value.floatValue())));
        return event(time, step).message(5, summary).bytes();
    }

    static byte[] histograms(Instant time, long step, Map<String, Histogram> histograms) {
        var summary = new Wire();
        histograms.forEach(
                (tag, histogram) -> summary.message(1, new Wire().text(1, tag).message(5, histogram.message())));
        return event(time, step).message(5, summary).bytes();
    }

    /// @param markdown shown on the page of texts
    static byte[] text(Instant time, long step, String tag, String markdown) {
        var shape = new Wire().message(2, new Wire().integer(1, 1));
        var tensor = new Wire().integer(1, STRING).message(2, shape).text(8, markdown);
        var metadata = new Wire().message(1, new Wire().text(1, "text"));
        var value = new Wire().text(1, tag).message(8, tensor).message(9, metadata);
        return event(time, step).message(5, new Wire().message(1, value)).bytes();
    }

    private static Wire event(Instant time, long step) {
        return new Wire()
                .float64(1, time.getEpochSecond() + time.getNano() / NANOS)
                .integer(2, step);
    }
}
