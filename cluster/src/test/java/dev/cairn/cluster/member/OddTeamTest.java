package dev.cairn.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.Failure;
import dev.cairn.cluster.supervise.Outcome;
import dev.cairn.cluster.supervise.Supervisor;
import dev.cairn.cluster.supervise.TeamPlan;
import dev.cairn.cluster.supervise.View;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One bit of a weight flips in the memory of one worker. The weights of the model count the uses of each example.
@Timeout(120)
class OddTeamTest {
    private static final int EXAMPLES = 48;
    private static final int BATCH = 12;
    private static final int EPOCHS = 15;
    private static final int SAVE_EVERY = 5;
    private static final long FLIPPED_AT = 23;
    private static final long COMPARED_AT = 25;

    @TempDir
    Path folder;

    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());
    private final AtomicBoolean flipped = new AtomicBoolean();
    private final CountingEngine.Seen record = new CountingEngine.Seen(EXAMPLES, (step, counts) -> {
        if (step == FLIPPED_AT && ThreadTeam.number() == 1 && flipped.compareAndSet(false, true)) {
            counts.setAtIndex(ValueLayout.JAVA_INT, 3, counts.getAtIndex(ValueLayout.JAVA_INT, 3) ^ 1);
        }
    });

    @Test
    void theOddOneOfThreeIsNamedAndReplacedFromTheOthers() throws Exception {
        Outcome outcome = train(3);
        assertThat(notes).anyMatch(note -> note.startsWith("w1: another state than that of the others at step 25"));
        assertThat(outcome.failures()).singleElement().satisfies(failure -> {
            assertThat(failure.rank()).isEqualTo(1);
            assertThat(failure.cause()).isEqualTo(Failure.Cause.DIFFERED);
            assertThat(failure.source()).isEqualTo(Failure.Source.PEER);
            assertThat(failure.stepsLost()).isZero();
        });
        assertNothingOfItWasSaved();
    }

    @Test
    void twoThatDifferContinueFromTheLastCheckpoint() throws Exception {
        Outcome outcome = train(2);
        assertThat(notes).anyMatch(note -> note.contains("at step 25, and no majority has the same"));
        assertThat(outcome.failures()).hasSize(2).allSatisfy(failure -> {
            assertThat(failure.cause()).isEqualTo(Failure.Cause.DIFFERED);
            assertThat(failure.source()).isEqualTo(Failure.Source.CHECKPOINT);
            assertThat(failure.stepsLost()).isBetween(SAVE_EVERY - 1L, COMPARED_AT);
        });
        assertNothingOfItWasSaved();
    }

    private Outcome train(int workers) throws Exception {
        CountingEngine.record(record);
        long steps = (long) EPOCHS * EXAMPLES / BATCH;
        var team = ThreadTeam.counting(EXAMPLES, BATCH, steps, SAVE_EVERY, folder, _ -> {});
        Duration patience = Duration.ofMinutes(1);
        var plan = new TeamPlan(workers, 1, 1, patience, folder, patience, patience);
        Outcome outcome = new Supervisor(plan, team, new Notes(), Clock.system()).run();
        assertThat(outcome.out()).isEqualTo("done");
        return outcome;
    }

    /// The count was right at the end, and no checkpoint ever had another count than a whole one.
    private void assertNothingOfItWasSaved() throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(folder.resolve("run")));
        List<Commit> checkpoints = store.history().currentCheckpoints();
        assertThat(checkpoints).extracting(Commit::step).contains((long) EPOCHS * EXAMPLES / BATCH);
        for (Commit checkpoint : checkpoints) {
            for (float count : counts(store, checkpoint)) {
                assertThat(count).as("step %d", checkpoint.step()).isEqualTo(Math.round(count));
            }
        }
        assertThat(counts(store, checkpoints.getLast())).containsOnly(EPOCHS);
    }

    private static float[] counts(CheckpointStore store, Commit checkpoint) throws IOException {
        TensorRef stored = store.manifest(checkpoint).tensors().getFirst();
        try (Arena arena = Arena.ofConfined();
                CheckpointReader reader = store.open(checkpoint)) {
            MemorySegment memory = arena.allocate(stored.spec().sizeBytes(), 64);
            reader.read(List.of(new CheckpointReader.Piece(stored.spec(), memory)));
            return memory.toArray(ValueLayout.JAVA_FLOAT);
        }
    }

    private final class Notes implements View {
        @Override
        public void memberSaid(String label, String line) {}

        @Override
        public void note(String line) {
            notes.add(line);
        }

        @Override
        public void progress(String text) {}
    }
}
