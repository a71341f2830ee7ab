package dev.cairn.app.run;

import dev.cairn.app.console.Terminal;
import dev.cairn.app.text.Span;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.store.right.WriterClaim.Locking;
import dev.cairn.store.right.WriterClaim.Urgency;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/// Options of commands that write to a run. Only one process may do so at a time.
public final class WritingOptions {
    @Option(
            names = "--lease",
            description =
                    "Keep other writers out with an expiring lease instead of a lock of this machine. A lease is always "
                            + "used on file systems that several machines may share, such as NFS.")
    private boolean lease;

    @Option(
            names = "--take-over",
            description =
                    "Take over a lease of another process at once, instead of waiting until it is released or expires, "
                            + "15 seconds after its holder died. A holder that is alive stops at its next save.")
    private boolean takeOver;

    @Option(names = "--lease-time", hidden = true, converter = Span.class, description = "How long a lease runs.")
    private Duration leaseTime = WriterClaim.LONGEST_TTL;

    /// Returns the claim to write, which tells the user if it has to wait.
    ///
    /// @throws CommandLine.ParameterException if an option is out of range
    public WriterClaim claim(CommandLine.Model.CommandSpec spec, RunLocation run, Terminal terminal) {
        if (leaseTime.compareTo(WriterClaim.LONGEST_TTL) > 0) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--lease-time must be at most " + WriterClaim.LONGEST_TTL.toSeconds() + "s");
        }
        return WriterClaim.usual()
                .withLocking(lease ? Locking.LEASE : Locking.AUTOMATIC)
                .withUrgency(takeOver ? Urgency.AT_ONCE : Urgency.PATIENT)
                .withTtl(leaseTime)
                .withListener(new Waiting(run, terminal));
    }

    private record Waiting(RunLocation run, Terminal terminal) implements WriterClaim.Listener {
        @Override
        public void waiting(String holder, Duration left) {
            terminal.waiting(() -> "waiting %d s for the lease of %s (--take-over: at once), held by %s"
                    .formatted(left.plusMillis(999).toSeconds(), run, holder));
        }

        @Override
        public void takenOver(String holder) {
            terminal.progressDone();
            terminal.line("cairn: run taken over from %s, which did not release it".formatted(holder));
        }
    }
}
