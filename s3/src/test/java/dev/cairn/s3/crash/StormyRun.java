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
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.store.right.WriterClaim.Urgency;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// One run of many processes, one after the other, each with its own client, and the checkpoints that are known to be
/// committed.
final class StormyRun {
    private static final double FAULT_RATE = 0.03;

    private final AtomicS3 server;
    private final S3Location location;
    private final Random random;
    private final long seed;
    private final boolean keepsAll;
    private final S3BlobStore calm;
    private final CheckpointStore store;
    private final List<Checkpoint> committed = new CopyOnWriteArrayList<>();
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private @Nullable Life zombie;
    private int lives;
    private int faults;
    private int returns;

    StormyRun(AtomicS3 server, String bucket, int number, long seed) {
        this.server = server;
        this.location = new S3Location(bucket, "runs/" + number);
        this.random = new Random(seed);
        this.seed = seed;
        this.keepsAll = number % 2 == 0;
        this.calm = S3BlobStore.open(location, Clients.at(server.endpoint()));
        this.store = new CheckpointStore(calm);
    }

    int commits() {
        return committed.size();
    }

    int faults() {
        return faults;
    }

    int failures() {
        return failures.size();
    }

    int returns() {
        return returns;
    }

    /// A process: its connection to the storage, and the state that it holds.
    private final class Life {
        private final FaultPlan plan;
        private final AtomicS3.Door door;
        private final S3BlobStore store;
        private @Nullable Checkpoints checkpoints;

        Life(FaultPlan plan) throws IOException {
            this.plan = plan;
            this.door = server.door(plan);
            this.store = S3BlobStore.open(location, Clients.at(door.endpoint()));
            plan.onDeath(door::kill);
        }

        /// Restores and saves until something ends it.
        void train(int saves) {
            try {
                Checkpoints opened = Checkpoints.open(store, options());
                checkpoints = opened;
                var state = new Walk(seed);
                long newest = newest();
                opened.restoreLatest(state)
                        .ifPresentOrElse(checkpoint -> checkRestored(checkpoint, state, newest), () -> {
                            if (newest > 0) {
                                wrong.add("nothing restored though number %d was committed".formatted(newest));
                            }
                        });
                for (int save = 1; save <= saves; save++) {
                    state.at(state.step() + 1);
                    opened.afterStep(state.step(), state);
                    if (random.nextBoolean()) {
                        opened.awaitSave();
                    }
                }
                opened.saveNow(state.step(), state);
                opened.awaitHousekeeping();
            } catch (IOException told) {
                failures.add(told);
            }
        }

        void close() {
            try {
                if (checkpoints != null) {
                    checkpoints.close();
                }
            } catch (IOException told) {
                failures.add(told);
            }
            faults += plan.faults();
            store.close();
            door.close();
        }
    }

    private CheckpointOptions options() {
        return CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withLongestChain(2)
                .withRetention(Retention.parse(keepsAll ? "all" : "latest:2"))
                .withClaim(WriterClaim.usual().withUrgency(Urgency.AT_ONCE))
                .withListener(this::heard);
    }

    private void heard(CheckpointEvent event) {
        switch (event) {
            case CheckpointEvent.Committed made -> committed.add(made.checkpoint());
            case CheckpointEvent.SaveFailed failed -> failures.add(failed.cause());
            case CheckpointEvent.HousekeepingFailed failed -> failures.add(failed.cause());
            case CheckpointEvent.ChainInDoubt doubt -> failures.add(doubt.cause());
            case CheckpointEvent.PassedOver passed -> wrong.add("passed over: " + passed.reason());
            default -> {}
        }
    }

    private long newest() {
        return committed.stream().mapToLong(Checkpoint::number).max().orElse(0);
    }

    private void checkRestored(Checkpoint checkpoint, Walk state, long newest) {
        if (!state.isAt(checkpoint.step()) || checkpoint.number() < newest) {
            wrong.add("restored number %d after %d".formatted(checkpoint.number(), newest));
        }
    }

    /// Runs one process, while the previous one may come back. Returns whether it died.
    boolean live() throws IOException {
        var plan = new FaultPlan(random.nextLong(), FAULT_RATE, 20 + random.nextInt(400));
        var life = new Life(plan);
        Life before = zombie;
        if (before != null) {
            before.door.revive();
            returns++;
        }
        life.train(1 + random.nextInt(6));
        zombie = null;
        if (before != null) {
            before.close();
        }
        boolean died = plan.isDead();
        if (died && random.nextInt(3) == 0) {
            zombie = life;
        } else {
            life.close();
        }
        check("life %d of seed %d".formatted(++lives, seed));
        return died;
    }

    /// Runs a last process without faults, which finds an intact run.
    void end() throws IOException {
        if (zombie != null) {
            zombie.close();
        }
        for (int i = 0; i < 2; i++) {
            int before = failures.size();
            var life = new Life(new FaultPlan(0, 0, Integer.MAX_VALUE));
            life.train(2);
            life.close();
            assertThat(failures.subList(before, failures.size()))
                    .as("the life after seed %d", seed)
                    .isEmpty();
            check("the end of seed " + seed);
        }
        assertThat(store.leftovers()).as("seed %d", seed).isEmpty();
        assertThat(calm.list("lease/")).hasSize(1);
        calm.close();
    }

    private void check(String context) throws IOException {
        assertThat(wrong).as(context).isEmpty();
        var report = StoreVerifier.verify(store, StoreVerifier.Depth.FULL, _ -> {});
        assertThat(report.damaged()).as(context).isEmpty();
        Set<String> found = new HashSet<>();
        var checkpoints = new ArrayList<Commit>();
        for (Entry entry : store.currentEntries()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                found.add(checkpoint.id());
                checkpoints.add(checkpoint);
            }
        }
        for (Commit checkpoint : checkpoints) {
            try (CheckpointReader reader = store.open(checkpoint)) {
                assertThat(new Walk(seed).read(reader, checkpoint).isAt(checkpoint.step()))
                        .as("%s: number %d holds step %d", context, checkpoint.number(), checkpoint.step())
                        .isTrue();
            }
        }
        if (keepsAll) {
            assertThat(found)
                    .as(context)
                    .containsAll(committed.stream().map(Checkpoint::id).toList());
        } else if (!committed.isEmpty()) {
            assertThat(checkpoints.getLast().position()).as(context).isGreaterThanOrEqualTo(newest());
        }
    }
}
