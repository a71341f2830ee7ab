package dev.cairn.codec;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A loop that there is twice: as vector code, and as a scalar twin that gives the same bits.
///
/// Vector code that the JVM has not compiled yet is a hundred times slower than the twin, and is so for seconds. So
/// the twin does the work until [VectorWarmUp] has seen the vector code to be the faster of the two; that is begun
/// when there is work enough, and by who knows that there will be. Where the vector code is never the faster one, or
/// there is none, the twin stays. A loop without a trial, of reading, has vector code as soon as there is work enough:
/// somebody waits, and it is compiled within the first blocks. See `docs/adr/0020-warm-loops.md`.
public final class VectorLoop {
    /// Less is not worth seconds of a processor; as much again, many times over, after every try that failed.
    private static final long ENOUGH_BYTES = 4 << 20;

    private static final int MORE_AFTER_A_FAILURE = 16;

    /// The property of tests that want the vector code, however slow it is.
    static final String AT_ONCE = "cairn.vector";

    private enum State {
        COLD,
        ASKED,
        HOT,
        ABSENT
    }

    private final String name;
    private final BooleanSupplier supported;
    private final @Nullable Supplier<Trial> trial;
    private final AtomicLong twinBytes = new AtomicLong();
    private volatile long enough = ENOUGH_BYTES;
    private volatile State state = State.COLD;

    /// Both codes on the same small block: what one call takes tells which is the faster.
    public record Trial(Runnable vector, Runnable scalar) {
        /// The same loop of two implementations.
        public static <K> Trial of(K vector, K scalar, Consumer<K> loop) {
            return new Trial(() -> loop.accept(vector), () -> loop.accept(scalar));
        }
    }

    /// Neither argument may be a method reference to vector code: to make one loads its class, and with it
    /// a module that may not be there.
    ///
    /// @param supported whether this machine has what the vector code needs; asked where the vector module is there
    /// @param trial made when the loop is warmed up
    public VectorLoop(String name, BooleanSupplier supported, Supplier<Trial> trial) {
        this.name = name;
        this.supported = supported;
        this.trial = trial;
    }

    /// A loop of reading.
    public VectorLoop(String name, BooleanSupplier supported) {
        this.name = name;
        this.supported = supported;
        this.trial = null;
    }

    /// Whether the vector code is to do the work that is next.
    ///
    /// @param bytes how much that is
    public boolean isHot(long bytes) {
        if (state == State.HOT) {
            return true;
        }
        if (Boolean.getBoolean(AT_ONCE)) {
            return isSupported();
        }
        if (state == State.COLD) {
            if (!VectorModule.isPresent()) {
                absent(); // and a line of the log has told how to get it
            } else if (twinBytes.addAndGet(bytes) >= enough) {
                beWarm();
            }
        }
        return state == State.HOT;
    }

    private void beWarm() {
        if (trial != null) {
            VectorWarmUp.begin(List.of(this));
        } else if (isSupported()) {
            hot();
        } else {
            absent();
        }
    }

    /// Where it has not been done, and is not being done.
    boolean needsWarmUp() {
        return state == State.COLD;
    }

    void asked() {
        state = State.ASKED;
    }

    Trial trial() {
        return Objects.requireNonNull(trial, "a loop of reading").get();
    }

    boolean isSupported() {
        return VectorModule.isPresent() && supported.getAsBoolean();
    }

    void hot() {
        state = State.HOT;
    }

    void absent() {
        state = State.ABSENT;
    }

    /// Nobody warms it up any more; whether that will be tried again depends on how much work there is.
    void left() {
        state = State.COLD;
    }

    /// It took too long.
    void failed() {
        enough *= MORE_AFTER_A_FAILURE;
        twinBytes.set(0);
        left();
    }

    @Override
    public String toString() {
        return name;
    }
}
