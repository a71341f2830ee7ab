package dev.cairn.s3.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.s3.Clients;
import dev.cairn.s3.S3BlobStore;
import dev.cairn.s3.S3Location;
import dev.cairn.s3.server.AtomicS3;
import dev.cairn.s3.server.Fault;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.Entry;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.store.right.WriterClaim.Urgency;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Machines that die with their disks, at any request to the object store. What was copied is never lost, and the run
/// continues from it on the next machine.
class TwoTiersTest {
    private static final int MACHINES = 12;
    private static final long SEED = 6;
    private static final S3Location COPY = new S3Location("bucket", "copy");

    /// A door that is closed stays closed, so waiting longer would not help.
    private static final Duration BESIDE_FAULTS = Duration.ofSeconds(2);

    private static final Duration WITHOUT_FAULTS = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    private final AtomicLong copied = new AtomicLong();

    @Test
    void aLostDiskLosesAtMostTheLag() throws IOException {
        var random = new Random(SEED);
        int deaths = 0;
        int fetches = 0;
        try (var server = new AtomicS3("bucket")) {
            for (int machine = 1; machine <= MACHINES; machine++) {
                var plan = new FaultPlan(random.nextLong(), 0.03, 20 + random.nextInt(130));
                var door = server.door(plan);
                plan.onDeath(door::kill);
                long known = copied.get();
                Optional<Checkpoint> resumed =
                        live(folder.resolve("disk-" + machine), door, 4 + random.nextInt(8), BESIDE_FAULTS);
                if (resumed.isPresent()) {
                    fetches++;
                    assertThat(resumed.get().step()).as("machine %d", machine).isGreaterThanOrEqualTo(known);
                }
                deaths += plan.isDead() ? 1 : 0;
                door.close();
                check(server, copied.get());
            }
            var door = server.door((kind, key) -> Fault.NONE);
            assertThat(live(folder.resolve("last"), door, 5, WITHOUT_FAULTS)).isPresent();
            door.close();
            assertThat(check(server, copied.get())).as("checkpoints at last").isLessThan(15);
            assertThat(server.uploads("bucket")).isZero();
        }
        assertThat(deaths).as("machines that died").isGreaterThan(MACHINES / 4);
        assertThat(fetches).as("runs that went on from the copy").isGreaterThan(MACHINES / 2);
        assertThat(copied.get()).isGreaterThan(MACHINES);
    }

    /// One machine with an empty disk.
    ///
    /// @param patience how long its end waits for the copy
    /// @return the checkpoint that it continued from
    private Optional<Checkpoint> live(Path disk, AtomicS3.Door door, int steps, Duration patience) {
        try (S3BlobStore copy = S3BlobStore.open(COPY, Clients.at(door.endpoint()))) {
            CheckpointOptions options = CheckpointOptions.defaults()
                    .withPolicy(new SavePolicy.EverySteps(1))
                    .withLongestChain(2)
                    .withRetention(Retention.parse("latest:2"))
                    .withClaim(WriterClaim.usual().withUrgency(Urgency.AT_ONCE))
                    .withListener(this::heard)
                    .withCopy(copy, patience);
            try (Checkpoints checkpoints = Checkpoints.open(disk, options)) {
                checkpoints.fetchCopy();
                var state = new Walk(SEED);
                Optional<Checkpoint> restored = checkpoints.restoreLatest(state);
                assertThat(restored.isEmpty() || state.isAt(restored.get().step()))
                        .isTrue();
                for (int i = 0; i < steps; i++) {
                    state.at(state.step() + 1);
                    checkpoints.afterStep(state.step(), state);
                    checkpoints.awaitSave();
                }
                assertThat(checkpoints.statistics().failed())
                        .as("saves on the disk that failed")
                        .isZero();
                return restored;
            }
        } catch (IOException unreachable) {
            // The copy was unreachable, and the run did not start from the beginning because of that.
            return Optional.empty();
        }
    }

    private void heard(CheckpointEvent event) {
        switch (event) {
            case CheckpointEvent.Copied told -> copied.set(told.checkpoint().step());
            case CheckpointEvent.PassedOver passed -> throw new AssertionError(passed.reason());
            default -> {}
        }
    }

    /// Checks that the copy alone is intact and contains what was copied.
    ///
    /// @return the number of its checkpoints
    private static int check(AtomicS3 server, long step) throws IOException {
        try (S3BlobStore calm = S3BlobStore.open(COPY, Clients.at(server.endpoint()))) {
            var store = new CheckpointStore(calm);
            assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, _ -> {})
                            .damaged())
                    .isEmpty();
            if (step > 0) {
                assertThat(store.currentEntries().getLast())
                        .isInstanceOfSatisfying(
                                Entry.Intact.class,
                                newest -> assertThat(newest.checkpoint().step()).isGreaterThanOrEqualTo(step));
            }
            return store.currentEntries().size();
        }
    }
}
