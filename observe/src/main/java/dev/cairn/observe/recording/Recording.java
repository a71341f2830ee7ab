package dev.cairn.observe.recording;

import dev.cairn.store.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Brings lines to storage: makes their file with the first write, appends to it, and writes all lines again where
/// some were dropped or may be missing. A failure is told once, and the next write makes up for it. Not thread-safe.
public final class Recording {
    private final Sink sink;
    private final Lines lines;
    private final LongFunction<byte[]> header;
    private final Clock clock;
    private final Consumer<IOException> trouble;
    private @Nullable Long attempt;
    private boolean broken;
    private boolean told;
    private long lastNanos;

    /// @param header the first line of the file, for the number of its attempt
    /// @param trouble receives the reason once if the lines cannot be written
    public Recording(Sink sink, Lines lines, LongFunction<byte[]> header, Clock clock, Consumer<IOException> trouble) {
        this.sink = sink;
        this.lines = lines;
        this.header = header;
        this.clock = clock;
        this.trouble = trouble;
    }

    /// The number of the attempt; empty before the first write.
    public OptionalLong attempt() {
        return attempt == null ? OptionalLong.empty() : OptionalLong.of(attempt);
    }

    /// Whether each write costs so much that it should be made only now and then.
    public boolean isDear() {
        return sink.isDear();
    }

    /// Whether the last write is so long ago, or there was none.
    public boolean isOlderThan(Duration age) {
        return attempt == null || clock.nanos() - lastNanos >= age.toNanos();
    }

    /// Writes the lines that are not in storage yet.
    ///
    /// @return whether they are there now
    public boolean write() {
        return write(1);
    }

    /// The same, and the number of the attempt is at least this.
    public boolean write(long least) {
        try {
            if (attempt == null) {
                attempt = sink.open(least, this::beginning);
            } else if (broken || lines.isThinned() || sink.wantsAll()) {
                sink.replace(lines.all());
            } else {
                sink.append(lines.fresh());
            }
            broken = false;
            lastNanos = clock.nanos();
            lines.written();
            return true;
        } catch (IOException | RuntimeException e) {
            broken = true;
            if (!told) {
                told = true;
                trouble.accept(e instanceof IOException failure ? failure : new IOException(e));
            }
            return false;
        }
    }

    private byte[] beginning(long number) {
        lines.setFirst(header.apply(number));
        return lines.all();
    }
}
