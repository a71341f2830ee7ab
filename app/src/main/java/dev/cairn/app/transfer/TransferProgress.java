package dev.cairn.app.transfer;

import dev.cairn.app.console.Terminal;
import dev.cairn.app.text.Quantities;
import dev.cairn.store.Clock;
import java.util.function.LongConsumer;

/// Shows the progress of an export or import that takes longer than two seconds. Thread-safe.
final class TransferProgress implements LongConsumer {
    private static final long QUIET_NANOS = 2_000_000_000L;

    private final Terminal terminal;
    private final String doing;
    private final long totalBytes;
    private final long startNanos = Clock.system().nanos();

    TransferProgress(Terminal terminal, String doing, long totalBytes) {
        this.terminal = terminal;
        this.doing = doing;
        this.totalBytes = totalBytes;
    }

    @Override
    public void accept(long bytes) {
        long nanos = Clock.system().nanos() - startNanos;
        if (nanos > QUIET_NANOS) {
            terminal.progress(() -> "%s: %s of %s, %s/s"
                    .formatted(doing, Quantities.bytes(bytes), Quantities.bytes(totalBytes), Quantities.bytes((long)
                            (bytes / (nanos / 1e9)))));
        }
    }
}
