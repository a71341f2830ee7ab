package dev.cairn.store.right;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.StoreLockedException;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.right.WriterClaim.Locking;
import dev.cairn.store.right.WriterClaim.Urgency;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriterRightTest {
    @TempDir
    Path run;

    private final WriterClaim byLease =
            WriterClaim.usual().withLocking(Locking.LEASE).withTtl(Duration.ofMillis(1200));

    @Test
    void aLocalFolderIsLockedAndOtherStorageLeased() throws IOException {
        try (WriterRight right = WriterRight.take(run, WriterClaim.usual())) {
            assertThat(right).isInstanceOf(WriterLock.class);
            assertThat(run.resolve("lease")).doesNotExist();
        }
        try (WriterRight right = WriterRight.take(new MemoryBlobStore(), WriterClaim.usual())) {
            assertThat(right).isInstanceOf(Lease.class);
        }
        try (WriterRight right = WriterRight.take(new LocalBlobStore(run), byLease)) {
            assertThat(right).isInstanceOf(Lease.class);
        }
    }

    @Test
    void whoGoesByTheLockAndWhoGoesByTheLeaseSeeEachOther() throws IOException {
        try (WriterRight _ = WriterRight.take(run, WriterClaim.usual())) {
            assertThatThrownBy(() -> WriterRight.take(run, byLease)).isInstanceOf(StoreLockedException.class);
        }
        try (WriterRight _ = WriterRight.take(run, byLease)) {
            assertThatThrownBy(() -> WriterRight.take(run, WriterClaim.usual()))
                    .isInstanceOf(StoreLockedException.class)
                    .hasMessageContaining("renews its lease");
            try (WriterRight both = WriterRight.take(run, WriterClaim.usual().withUrgency(Urgency.AT_ONCE))) {
                assertThat(both).isInstanceOf(LockedLease.class);
                assertThat(both.takeOver()).isPresent();
                both.check();
            }
        }
    }

    @Test
    void theHolderRenewsByItself() throws IOException, InterruptedException {
        try (WriterRight right = WriterRight.take(run, byLease)) {
            Eventually.holds("the lease is renewed", () -> Files.exists(run.resolve("lease/0000000004.lease")));
            right.check();
        }
        assertThat(new LeaseFolder(new LocalBlobStore(run)).look().isReleased()).isTrue();
    }

    @Test
    void aCopyOfARunInUseIsNotLocked(@TempDir Path elsewhere) throws IOException {
        try (WriterRight holder = WriterRight.take(run, byLease.withTtl(WriterClaim.LONGEST_TTL))) {
            Files.createDirectory(elsewhere.resolve("lease"));
            Files.copy(run.resolve("lease/0000000001.lease"), elsewhere.resolve("lease/0000000001.lease"));
            try (WriterRight copy = WriterRight.take(elsewhere, WriterClaim.usual())) {
                assertThat(copy).isInstanceOf(WriterLock.class);
            }
            try (WriterRight copy = WriterRight.take(elsewhere, byLease.withListener(new Impatient()))) {
                copy.check();
            }
            holder.check();
        }
    }

    /// Waits for nobody.
    private static final class Impatient implements WriterClaim.Listener {
        @Override
        public void waiting(String holder, Duration left) {
            throw new AssertionError("waiting for " + holder);
        }

        @Override
        public void takenOver(String holder) {
            throw new AssertionError("taken over from " + holder);
        }
    }
}
