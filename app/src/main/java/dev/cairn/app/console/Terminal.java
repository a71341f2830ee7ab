package dev.cairn.app.console;

import dev.cairn.app.text.Table;
import java.io.PrintWriter;
import java.util.function.Supplier;

/// Standard error as a person sees it: one line that is rewritten in place on a terminal, now and then a plain line
/// elsewhere. Lines that stay are printed above the changing one. Safe for several threads.
public final class Terminal {
    private static final long REDRAW_NANOS = 100_000_000L;
    private static final long PLAIN_NANOS = 5_000_000_000L;
    private static final long FIRST_PLAIN_NANOS = 2_000_000_000L;

    private final PrintWriter err;
    private final boolean interactive;
    private final int columns;
    private String shown = "";
    private long lastNanos;
    private boolean begun;

    public Terminal(PrintWriter err, boolean interactive, int columns) {
        this.err = err;
        this.interactive = interactive;
        this.columns = columns;
    }

    /// What the launcher found out about standard error.
    public static Terminal of(PrintWriter err) {
        return new Terminal(err, Boolean.getBoolean("cairn.terminal"), Table.width());
    }

    /// Prints a line that stays.
    public synchronized void line(String text) {
        erase();
        err.println(text);
        if (!shown.isEmpty()) {
            draw();
        }
        err.flush();
    }

    /// Shows how far the work is; cheap enough for every step, drawn at most ten times a second. Where it is no
    /// terminal, work that is over in two seconds shows nothing.
    public synchronized void progress(Supplier<String> text) {
        show(text, interactive ? 0 : FIRST_PLAIN_NANOS);
    }

    /// The same of something that is known to take its time: shown at once.
    public synchronized void waiting(Supplier<String> text) {
        show(text, 0);
    }

    /// @param firstNanos when it is shown for the first time
    private void show(Supplier<String> text, long firstNanos) {
        long now = System.nanoTime();
        if (!begun) {
            begun = true;
            lastNanos = now - (interactive ? REDRAW_NANOS : PLAIN_NANOS) + firstNanos;
        }
        if (now - lastNanos < (interactive ? REDRAW_NANOS : PLAIN_NANOS)) {
            return;
        }
        lastNanos = now;
        if (interactive) {
            shown = text.get();
            draw();
        } else {
            err.println(text.get());
        }
        err.flush();
    }

    /// The work that was shown is over.
    public synchronized void progressDone() {
        erase();
        shown = "";
        begun = false;
        err.flush();
    }

    private void draw() {
        String fitting = shown.length() < columns ? shown : shown.substring(0, Math.max(0, columns - 1));
        // Without line wrap, so that a terminal made narrower meanwhile shows one line still.
        err.print("\r\033[?7l" + fitting + "\033[K\033[?7h");
    }

    private void erase() {
        if (interactive && !shown.isEmpty()) {
            err.print("\r\033[K");
        }
    }
}
