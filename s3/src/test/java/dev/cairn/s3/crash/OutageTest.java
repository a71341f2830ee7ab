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
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.store.right.WriterClaim.Urgency;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An object store that is killed and comes back, or that sends wrong replies. The training continues meanwhile.
/// Afterwards the run is intact, and its newest checkpoint is the one that is restored.
class OutageTest {
    private static final long SEED = 8;
    private static final S3Location RUN = new S3Location("bucket", "run");

    @TempDir
    Path folder;

    private final List<CheckpointEvent> events = new CopyOnWriteArrayList<>();

    private CheckpointOptions options() {
        return CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withLongestChain(2)
                .withRetention(Retention.parse("latest:3"))
                .withClaim(WriterClaim.usual().withUrgency(Urgency.AT_ONCE))
                .withListener(events::add);
    }

    private static void train(Checkpoints checkpoints, Walk state, int steps) throws IOException {
        for (int i = 0; i < steps; i++) {
            state.at(state.step() + 1);
            checkpoints.afterStep(state.step(), state);
            checkpoints.awaitHousekeeping();
        }
    }

    private <E extends CheckpointEvent> List<E> heard(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private void check(AtomicS3 server, long newest) throws IOException {
        try (S3BlobStore calm = S3BlobStore.open(RUN, Clients.at(server.endpoint()))) {
            var store = new CheckpointStore(calm);
            var report = StoreVerifier.verify(store, StoreVerifier.Depth.FULL, _ -> {});
            assertThat(report.damaged()).isEmpty();
            assertThat(server.uploads("bucket")).isZero();
        }
        assertThat(restored(server.endpoint())).isEqualTo(newest);
        assertThat(heard(CheckpointEvent.PassedOver.class)).isEmpty();
    }

    /// The step that a start continues from. All restored bits are correct.
    private long restored(URI endpoint) throws IOException {
        try (S3BlobStore storage = S3BlobStore.open(RUN, Clients.at(endpoint));
                Checkpoints checkpoints = Checkpoints.open(storage, options())) {
            var state = new Walk(SEED);
            Checkpoint checkpoint = checkpoints.restoreLatest(state).orElseThrow();
            assertThat(state.isAt(checkpoint.step())).isTrue();
            return checkpoint.step();
        }
    }

    @Test
    void aRunOutlivesItsStorage() throws IOException {
        try (var server = new AtomicS3("bucket");
                var door = server.door((_, _) -> Fault.NONE)) {
            var state = new Walk(SEED);
            try (S3BlobStore storage = S3BlobStore.open(RUN, Clients.at(door.endpoint()));
                    Checkpoints checkpoints = Checkpoints.open(storage, options())) {
                for (int outage = 1; outage <= 3; outage++) {
                    train(checkpoints, state, 4);
                    int failed = checkpoints.statistics().failed();
                    door.shut();
                    train(checkpoints, state, 2);
                    assertThat(checkpoints.statistics().failed()).isEqualTo(failed + 2);
                    door.reopen();
                }
                train(checkpoints, state, 3);
            }
            assertThat(heard(CheckpointEvent.SaveFailed.class))
                    .hasSize(6)
                    .allMatch(failure -> failure.cause() instanceof StorageUnavailableException);
            check(server, state.step());
        }
    }

    @Test
    void aCopyThatWasAwayCatchesUp() throws IOException {
        try (var server = new AtomicS3("bucket");
                var door = server.door((_, _) -> Fault.NONE)) {
            var state = new Walk(SEED);
            try (S3BlobStore storage = S3BlobStore.open(RUN, Clients.at(door.endpoint()));
                    Checkpoints checkpoints = Checkpoints.open(
                            folder.resolve("disk"), options().withCopy(storage, Duration.ofSeconds(30)))) {
                train(checkpoints, state, 4);
                door.shut();
                train(checkpoints, state, 4);
                assertThat(checkpoints.statistics().failed()).isZero();
                door.reopen();
                train(checkpoints, state, 2);
            }
            check(server, state.step());
        }
    }

    @Test
    void aBitThatFlipsInAReplyTakesNobodyBack() throws IOException {
        try (var server = new AtomicS3("bucket")) {
            var state = new Walk(SEED);
            try (S3BlobStore storage = S3BlobStore.open(RUN, Clients.at(server.endpoint()));
                    Checkpoints checkpoints = Checkpoints.open(storage, options())) {
                train(checkpoints, state, 6);
            }
            var gets = new AtomicInteger();
            try (var counting = server.door((kind, _) -> {
                gets.addAndGet(kind.equals("GET") ? 1 : 0);
                return Fault.NONE;
            })) {
                assertThat(restored(counting.endpoint())).isEqualTo(6);
            }
            assertThat(gets.get()).isGreaterThan(6);
            for (int flip = 1; flip <= gets.get(); flip++) {
                var left = new AtomicInteger(flip);
                try (var door = server.door(
                        (kind, _) -> kind.equals("GET") && left.decrementAndGet() == 0 ? Fault.FLIPPED : Fault.NONE)) {
                    assertThat(restored(door.endpoint())).as("reply %d", flip).isEqualTo(6);
                }
            }
            check(server, 6);
        }
    }
}
