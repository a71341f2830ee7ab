package dev.cairn.store.right;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.Samples;
import dev.cairn.store.StoreLockedException;
import dev.cairn.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
        Process holder = new ProcessBuilder(JavaProcess.command(List.of(), Holder.class, run.toString()))
                .redirectErrorStream(true)
                .start();
        try (var output = holder.inputReader()) {
            assertThat(output.readLine()).isEqualTo("held");
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
            holder.destroyForcibly();
            assertThat(holder.waitFor(120, TimeUnit.SECONDS)).isTrue();
            WriterLock.take(run, Samples.TIME).close();
        } finally {
            holder.destroyForcibly();
        }
    }

    /// A process that takes the lock and waits to be killed.
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws Exception {
            try (WriterLock _ = WriterLock.take(Path.of(args[0]), Samples.TIME)) {
                System.out.println("held");
                Thread.sleep(600_000);
            }
        }
    }
}
