package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Leases between real processes that are stopped, or killed, in the middle of whatever they were doing.
class LeaseProcessTest {
    @TempDir
    Path folder;

    @Test
    void aHolderThatWasStoppedIsTakenOverAndStopsForGoodWhenItGoesOn() throws Exception {
        Path run = folder.resolve("run");
        var promised = new ArrayList<Long>();
        SyntheticState state = LeaseWorker.state();
        try (ChildProcess worker = start(run)) {
            readSaves(worker, 5, promised);
            worker.signal("STOP");
            try (Checkpoints checkpoints = Checkpoints.open(run, LeaseWorker.options())) {
                checkpoints.restoreLatest(state);
                assertThat(state.isExactlyAt(state.step())).isTrue();
                save(checkpoints, state, promised);
                worker.signal("CONT");
                for (int i = 0; i < 20; i++) {
                    save(checkpoints, state, promised);
                }
                assertThat(worker.end()).as(worker.out()).isEqualTo(LeaseWorker.OVERTAKEN);
                save(checkpoints, state, promised);
            }
            assertThat(worker.out().lines())
                    .last()
                    .asString()
                    .startsWith("stopped: the run was taken over by process "
                            + ProcessHandle.current().pid());
        }
        checkRun(run, promised);
    }

    @Test
    void aKilledHoldersRunIsTakenOverAsSoonAsItsLeaseHasRunOut() throws Exception {
        Path run = folder.resolve("run");
        var promised = new ArrayList<Long>();
        try (ChildProcess worker = start(run)) {
            readSaves(worker, 3, promised);
        }
        SyntheticState state = LeaseWorker.state();
        long start = System.nanoTime();
        try (Checkpoints checkpoints = Checkpoints.open(run, LeaseWorker.options())) {
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(LeaseWorker.TTL, LeaseWorker.TTL.plusSeconds(60));
            checkpoints.restoreLatest(state);
            save(checkpoints, state, promised);
        }
        // Given back, and so to be had at once.
        var waited = new ArrayList<String>();
        WriterClaim claim = LeaseWorker.options().environment().claim().withListener(listener(waited));
        try (Checkpoints checkpoints =
                Checkpoints.open(run, LeaseWorker.options().withClaim(claim))) {
            checkpoints.restoreLatest(state);
        }
        assertThat(waited).isEmpty();
        checkRun(run, promised);
    }

    private static WriterClaim.Listener listener(List<String> waited) {
        return new WriterClaim.Listener() {
            @Override
            public void waiting(String holder, Duration left) {
                waited.add("waiting for " + holder);
            }

            @Override
            public void takenOver(String holder) {
                waited.add("taken over from " + holder);
            }
        };
    }

    private static ChildProcess start(Path run) throws IOException {
        return Command.java(
                        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m", "-Dcairn.scalar=true"),
                        LeaseWorker.class,
                        run.toString())
                .withErrorsInOutput()
                .start();
    }

    private static void readSaves(ChildProcess worker, int count, List<Long> promised) {
        for (int i = 0; i < count; i++) {
            String line = worker.nextLine().orElse("the end");
            assertThat(line).startsWith("saved ");
            promised.add(Long.parseLong(line.substring("saved ".length())));
        }
    }

    private static void save(Checkpoints checkpoints, SyntheticState state, List<Long> promised) throws IOException {
        state.at(state.step() + 1);
        checkpoints.saveNow(state.step(), state);
        assertThat(checkpoints.statistics().lastFailed()).isFalse();
        promised.add(state.step());
    }

    private static void checkRun(Path run, List<Long> promised) throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(run));
        var report = StoreVerifier.verify(store, StoreVerifier.Depth.FULL, checkpoint -> {});
        assertThat(report.damaged()).isEmpty();
        assertThat(report.foreign()).isEmpty();
        var steps = new ArrayList<Long>();
        for (Entry entry : store.currentEntries()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                steps.add(checkpoint.step());
            }
        }
        assertThat(steps).containsAll(promised).isSorted();
    }
}
