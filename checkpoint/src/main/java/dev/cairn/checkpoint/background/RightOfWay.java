package dev.cairn.checkpoint.background;

import java.util.function.BooleanSupplier;

/// Lets saves and merges go first: while one runs, slower background work waits. Thread-safe.
public final class RightOfWay {
    private int underWay;

    /// Notes that a save or merge starts.
    public synchronized void begin() {
        underWay++;
    }

    /// Notes that it has ended.
    public synchronized void end() {
        underWay--;
        notifyAll();
    }

    /// Makes those that wait ask again whether they still want to.
    public synchronized void wake() {
        notifyAll();
    }

    /// Waits until nothing runs that goes first.
    ///
    /// @param enough whether to stop waiting
    public synchronized void await(BooleanSupplier enough) throws InterruptedException {
        while (underWay > 0 && !enough.getAsBoolean()) {
            wait();
        }
    }
}
