package dev.cairn.store.right;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.Samples;
import dev.cairn.store.StoreLockedException;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriterLockTest {
    @TempDir
    Path run;

    @Test
    void oneProcessHoldsItOnceAndGivesItBack() throws IOException {
        try (WriterLock _ = WriterLock.take(run, Samples.TIME)) {
            assertThatThrownBy(() -> WriterLock.take(run, Samples.TIME)).isInstanceOf(StoreLockedException.class);
        }
        WriterLock.take(run, Samples.TIME).close();
    }

    @Test
    void aRefusedProcessLearnsWhoHoldsItAndAKilledHolderFreesIt() throws Exception {
        try (ChildProcess holder =
                Command.java(List.of(), Holder.class, run.toString()).start()) {
            holder.awaitLine("held");
            assertThatThrownBy(() -> WriterLock.take(run, Samples.TIME))
                    .isInstanceOf(StoreLockedException.class)
                    .hasMessageContaining("process " + holder.pid())
                    .hasMessageContaining("since 2026-01-02T03:04:05Z");
            for (var locking : WriterClaim.Locking.values()) {
                var claim = WriterClaim.usual()
                        .withUrgency(WriterClaim.Urgency.AT_ONCE)
                        .withLocking(locking);
                assertThatThrownBy(() -> WriterRight.take(run, claim))
                        .isInstanceOf(StoreLockedException.class)
                        .hasMessageContaining("process " + holder.pid())
                        .hasMessageContaining("which is alive; a lock is not taken from a live process");
            }
            holder.kill();
            WriterLock.take(run, Samples.TIME).close();
        }
    }

    /// A process that takes the lock and waits to be killed.
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws Exception {
            try (WriterLock _ = WriterLock.take(Path.of(args[0]), Samples.TIME)) {
                System.out.println("held");
                System.in.read(); // which never comes
            }
        }
    }
}
