package dev.cairn.codec;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A loop that exists twice: as vector code, and as a scalar twin that gives the same bits.
///
/// Vector code that the JVM has not compiled yet is a hundred times slower than the twin, for several seconds. The twin
/// therefore does the work until [VectorWarmUp] has measured that the vector code is faster. The warm-up starts when
/// there is enough work, or when a caller knows that there will be. If the vector code is never faster, or there is
/// none, the twin stays in use. Loops of readers have no trial. They use vector code as soon as there is enough work,
/// because a user is waiting and the code is compiled within the first blocks. A loop that readers share with writers
/// has a trial for the writers. See `docs/adr/0020-warm-loops.md`.
public final class VectorLoop {
    /// Less work does not justify seconds of processor time. After every failed warm-up, [#MORE_AFTER_A_FAILURE] times
    /// as much is required.
    private static final long ENOUGH_BYTES = 4 << 20;

    private static final int MORE_AFTER_A_FAILURE = 16;

    /// The system property with which tests force the vector code, however slow it is.
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
    private final boolean forReaders;
    private final AtomicLong twinBytes = new AtomicLong();
    private volatile long enough = ENOUGH_BYTES;
    private volatile State state = State.COLD;

    /// Both implementations on the same small block. The time of one call shows which is faster.
    public record Trial(Runnable vector, Runnable scalar) {
        /// Returns a trial of the same loop of two implementations.
        public static <K> Trial of(K vector, K scalar, Consumer<K> loop) {
            return new Trial(() -> loop.accept(vector), () -> loop.accept(scalar));
        }
    }

    /// Creates a loop of a writer. Neither argument may be a method reference to vector code: creating one loads the
    /// class, and with it a module that may be missing.
    ///
    /// @param supported whether this machine has what the vector code needs; called only if the vector module is
    /// present
    /// @param trial called when the loop is warmed up
    public VectorLoop(String name, BooleanSupplier supported, Supplier<Trial> trial) {
        this(name, supported, trial, false);
    }

    /// Creates a loop of a reader, without a trial.
    public VectorLoop(String name, BooleanSupplier supported) {
        this(name, supported, null, true);
    }

    private VectorLoop(String name, BooleanSupplier supported, @Nullable Supplier<Trial> trial, boolean forReaders) {
        this.name = name;
        this.supported = supported;
        this.trial = trial;
        this.forReaders = forReaders;
    }

    /// Creates a loop of readers that writers use too. A writer that expects work has it warmed up, and until then its
    /// twin does the work. Without such a writer, it is a loop of readers.
    public static VectorLoop ofBoth(String name, BooleanSupplier supported, Supplier<Trial> trial) {
        return new VectorLoop(name, supported, trial, true);
    }

    /// Whether the vector code should do the next piece of work.
    ///
    /// @param bytes the size of that piece
    public boolean isHot(long bytes) {
        if (state == State.HOT) {
            return true;
        }
        if (Boolean.getBoolean(AT_ONCE)) {
            return isSupported();
        }
        if (state == State.COLD) {
            if (!VectorModule.isPresent()) {
                absent(); // VectorModule has logged how to get it
            } else if (twinBytes.addAndGet(bytes) >= enough) {
                beWarm();
            }
        }
        return state == State.HOT;
    }

    private void beWarm() {
        if (!forReaders) {
            VectorWarmUp.begin(List.of(this));
        } else if (isSupported()) {
            hot();
        } else {
            absent();
        }
    }

    /// Whether the loop is neither warm nor being warmed up.
    boolean needsWarmUp() {
        return state == State.COLD;
    }

    void asked() {
        state = State.ASKED;
    }

    Trial trial() {
        return Objects.requireNonNull(trial, "a loop of a reader has no trial").get();
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

    /// Notes that the warm-up was stopped. It starts again if there is enough work.
    void left() {
        state = State.COLD;
    }

    /// Notes that the warm-up took too long.
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
