package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.CommitConflictException;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.store.right.WriterRight;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseCommandTest {
    @TempDir
    Path run;

    private WriterRight hold() throws IOException {
        return WriterRight.take(
                run, WriterClaim.usual().withLocking(WriterClaim.Locking.LEASE).withTtl(Duration.ofMillis(1500)));
    }

    @Test
    void aLeaseThatIsRenewedIsWaitedForThenNamed() throws IOException {
        try (WriterRight holder = hold()) {
            Cli prune = Cli.run("prune", run.toString(), "--lease");
            assertThat(prune.code()).isEqualTo(1);
            String pid = "process " + ProcessHandle.current().pid();
            assertThat(prune.err().lines().findFirst())
                    .get()
                    .asString()
                    .startsWith("waiting 2 s for the lease of " + run + " (--take-over: at once), held by " + pid);
            assertThat(prune.errorLines())
                    .singleElement()
                    .asString()
                    .contains("run is in use", pid, "renews its lease", "--take-over");
            // Also for one who does not ask for a lease, on this local file system.
            assertThat(Cli.run("merge", run.toString()).code()).isEqualTo(1);
            holder.check();
        }
        assertThat(Cli.run("merge", run.toString()).errorLines()).isEmpty();
    }

    @Test
    void takeOverTakesItAtOnceAndTheHolderLearnsOfIt() throws IOException {
        try (WriterRight holder = hold()) {
            Cli prune = Cli.run("prune", run.toString(), "--lease", "--take-over");
            assertThat(prune.code()).isZero();
            assertThat(prune.err().lines())
                    .singleElement()
                    .asString()
                    .startsWith("cairn: run taken over from process ")
                    .endsWith(", which did not release it");
            assertThatThrownBy(holder::check).isInstanceOf(CommitConflictException.class);
        }
        assertThat(Cli.run("verify", run.toString()).out()).startsWith("ok: 0 checkpoints");
        assertThat(Cli.run("prune", run.toString(), "--lease").errorLines()).isEmpty();
    }

    @Test
    void aDamagedLeaseIsNamedByVerifyAndDoesNotKeepAnybodyOut() throws IOException {
        hold().close();
        Path lease = run.resolve("lease/0000000002.lease");
        Files.writeString(lease, Files.readString(lease).replace("released", "reIeased"));
        Cli verify = Cli.run("verify", run.toString());
        assertThat(verify.code()).isEqualTo(3);
        assertThat(verify.out()).contains("damaged: lease/0000000002.lease: lease: expected crc32c=");
        assertThat(Cli.run("prune", run.toString(), "--lease", "--take-over").code())
                .isZero();
        assertThat(Cli.run("verify", run.toString()).code()).isZero();
    }
}
