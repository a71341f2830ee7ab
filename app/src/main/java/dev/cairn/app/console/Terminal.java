package dev.cairn.app.console;

import dev.cairn.app.text.Table;
import dev.cairn.store.Clock;
import java.io.PrintWriter;
import java.util.function.Supplier;

/// Shows progress on standard error: on a terminal as one line that is rewritten in place, elsewhere as a plain line
/// now and then. Permanent lines are printed above the progress line. Thread-safe.
public final class Terminal {
    private static final long REDRAW_NANOS = 100_000_000L;
    private static final long PLAIN_NANOS = 5_000_000_000L;
    private static final long FIRST_PLAIN_NANOS = 2_000_000_000L;

    /// The property that tells a process whose progress another one shows that this one has a terminal.
    public static final String SHOWN_ELSEWHERE = "cairn.terminal.of.supervisor";

    private final PrintWriter err;
    private final boolean interactive;
    private final int columns;
    private final boolean showsProgress;
    private String shown = "";
    private long lastNanos;
    private boolean begun;

    public Terminal(PrintWriter err, boolean interactive, int columns) {
        this(err, interactive, columns, true);
    }

    private Terminal(PrintWriter err, boolean interactive, int columns, boolean showsProgress) {
        this.err = err;
        this.interactive = interactive;
        this.columns = columns;
        this.showsProgress = showsProgress;
    }

    /// The terminal of a process whose progress another process shows.
    public static Terminal withoutProgress(PrintWriter err) {
        return new Terminal(err, false, Table.width(), false);
    }

    /// How long a progress line may be. Elsewhere than on a terminal, it may have any length.
    public int room() {
        return isDrawn() ? columns - 1 : Integer.MAX_VALUE;
    }

    /// Whether the progress line is redrawn in place, here or by the process that shows it.
    public boolean isDrawn() {
        return interactive || (!showsProgress && Boolean.getBoolean(SHOWN_ELSEWHERE));
    }

    /// The terminal, with the properties of standard error that the launcher detected.
    public static Terminal of(PrintWriter err) {
        return new Terminal(err, Boolean.getBoolean("cairn.terminal"), Table.width());
    }

    /// Prints a permanent line.
    public synchronized void line(String text) {
        erase();
        err.println(text);
        if (!shown.isEmpty()) {
            draw();
        }
        err.flush();
    }

    /// Shows the progress of the work. Cheap enough for every step: it draws at most ten times a second. If
    /// standard error is not a terminal, work that takes less than two seconds shows nothing.
    public synchronized void progress(Supplier<String> text) {
        show(text, interactive ? 0 : FIRST_PLAIN_NANOS);
    }

    /// Shows the progress of work that is known to take long: without the initial delay.
    public synchronized void waiting(Supplier<String> text) {
        show(text, 0);
    }

    /// @param firstNanos the delay before the progress is shown for the first time
    private void show(Supplier<String> text, long firstNanos) {
        long now = Clock.system().nanos();
        if (!begun) {
            begun = true;
            lastNanos = now - (interactive ? REDRAW_NANOS : PLAIN_NANOS) + firstNanos;
        }
        if (!showsProgress || now - lastNanos < (interactive ? REDRAW_NANOS : PLAIN_NANOS)) {
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

    /// Removes the progress line: the work has finished.
    public synchronized void progressDone() {
        erase();
        shown = "";
        begun = false;
        err.flush();
    }

    private void draw() {
        String fitting = shown.length() < columns ? shown : shown.substring(0, Math.max(0, columns - 1));
        // Without line wrap, so that a terminal that has become narrower still shows one line.
        err.print("\r\033[?7l" + fitting + "\033[K\033[?7h");
    }

    private void erase() {
        if (interactive && !shown.isEmpty()) {
            err.print("\r\033[K");
        }
    }
}
