package dev.cairn.checkpoint.save;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Checkpoint.Kind;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointEvent.Committed;
import dev.cairn.checkpoint.CheckpointEvent.SaveFailed;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.DriftingState;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.SmallDisk;
import dev.cairn.checkpoint.save.Room.Left;
import dev.cairn.codec.ElementType;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Disks with little more space than the requested checkpoints need: every save succeeds, and the requested
/// checkpoints exist. A state takes 96 kB, and a checkpoint of it little less.
class RoomTest {
    private static final int STEPS = 40;

    @TempDir
    Path run;

    private final List<CheckpointEvent> events = new CopyOnWriteArrayList<>();
    private final DriftingState state = new DriftingState(ElementType.FLOAT32);
    private long step;

    @ParameterizedTest
    @CsvSource({
        "10, 1000, 0, 3, AMPLE",
        "10, 50, 0, 3, AMPLE",
        "10, 49, 0, 3, TIGHT",
        "10, 5, 40, 3, TIGHT",
        // More is requested than fits as bases: deltas are the better choice as long as they can be merged.
        "10, 35, 4, 3, AMPLE",
        "10, 25, 10, 3, SHORT",
        "10, 300, 100, 50, AMPLE",
    })
    void isMeasuredByTheState(long needed, long usable, long taken, long wanted, Left left) {
        assertThat(Room.left(needed, usable, taken, wanted)).isEqualTo(left);
    }

    @ParameterizedTest
    @CsvSource({
        "1_200_000, latest:3, 38 39 40",
        "620_000, latest:3, 38 39 40",
        "360_000, latest:1, 40",
        "1_300_000, 'latest:2,every:10', 10 20 30 39 40"
    })
    void everySaveSucceedsWhereWhatIsWantedFits(String diskBytes, String keep, String wanted) throws IOException {
        var disk = new SmallDisk(run, Long.parseLong(diskBytes.replace("_", "")));
        try (Checkpoints checkpoints = Checkpoints.open(disk, options(keep))) {
            save(checkpoints, STEPS);
            checkpoints.awaitHousekeeping();
        }
        assertThat(events).noneMatch(SaveFailed.class::isInstance);
        assertThat(kept())
                .extracting(Commit::step)
                .containsAll(Stream.of(wanted.split(" ")).map(Long::valueOf).toList());
        assertThat(StoreVerifier.verify(store(), StoreVerifier.Depth.FULL, _ -> {})
                        .ok())
                .isTrue();
    }

    /// Bytes are free, but almost no file can be created, as when inodes are used up: unneeded checkpoints are
    /// removed.
    ///
    /// @param files a file more for the lease, one for the record of the takeover, and one or none for the rest
    @ParameterizedTest
    @ValueSource(longs = {42, 43})
    void aRunThatUsedUpItsFilesGoesOn(long files) throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(new SmallDisk(run, 50_000_000, 40), options("all"))) {
            save(checkpoints, STEPS);
        }
        assertThat(events).as("it is full").anyMatch(SaveFailed.class::isInstance);
        events.clear();
        try (Checkpoints checkpoints = Checkpoints.open(new SmallDisk(run, 50_000_000, files), options("latest:3"))) {
            checkpoints.restoreLatest(state);
            save(checkpoints, 10);
        }
        assertThat(events.stream().filter(SaveFailed.class::isInstance)).hasSizeLessThanOrEqualTo(1);
        assertThat(events.stream().filter(Committed.class::isInstance)).hasSizeGreaterThanOrEqualTo(9);
    }

    /// As if others fill the disk, and free it again.
    @Test
    void aRunThatFilledItsDiskGoesOnWhereThereIsRoomForAFewStates() throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(new SmallDisk(run, 50_000_000), options("latest:3"))) {
            save(checkpoints, 9);
        }
        events.clear();
        long taken = 50_000_000 - new SmallDisk(run, 50_000_000).usableBytes();
        try (Checkpoints checkpoints = Checkpoints.open(new SmallDisk(run, taken + 420_000), options("latest:3"))) {
            checkpoints.restoreLatest(state);
            checkpoints.checkRoom(state);
            save(checkpoints, STEPS);
        }
        assertThat(events).noneMatch(SaveFailed.class::isInstance);
    }

    @Test
    void aLargeDiskHasDeltas() throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(new SmallDisk(run, 100_000_000), options("latest:3"))) {
            save(checkpoints, 4);
        }
        assertThat(events.stream()
                        .filter(Committed.class::isInstance)
                        .map(event -> ((Committed) event).checkpoint().kind()))
                .containsExactly(Kind.BASE, Kind.DELTA, Kind.DELTA, Kind.DELTA);
    }

    private void save(Checkpoints checkpoints, int steps) throws IOException {
        for (int i = 0; i < steps; i++) {
            state.drift(0.1, 0);
            checkpoints.afterStep(++step, state);
            checkpoints.awaitSave();
        }
    }

    private CheckpointOptions options(String keep) {
        return CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withRetention(Retention.parse(keep))
                .withoutLog()
                .withListener(events::add);
    }

    private List<Commit> kept() throws IOException {
        var kept = new ArrayList<Commit>();
        for (Entry entry : store().currentEntries()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                kept.add(checkpoint);
            }
        }
        return kept;
    }

    private CheckpointStore store() {
        return new CheckpointStore(new LocalBlobStore(run));
    }
}
