package dev.cairn.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.Failure;
import dev.cairn.cluster.supervise.Outcome;
import dev.cairn.cluster.supervise.Supervisor;
import dev.cairn.cluster.supervise.TeamPlan;
import dev.cairn.cluster.supervise.View;
import dev.cairn.store.Clock;
import dev.cairn.train.TrainingRequest;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.LabelledImages;
import dev.cairn.train.data.Scaling;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The number of workers changes while they train. The weights of the model count the uses of each example.
@Timeout(120)
class ElasticTeamTest {
    private static final int EXAMPLES = 97;
    private static final int BATCH = 13;
    private static final int STEPS_PER_EPOCH = Math.ceilDiv(EXAMPLES, BATCH);

    @TempDir
    Path folder;

    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch grown = new CountDownLatch(1);

    @Test
    void eightWorkersBecomeThreeAndFiveAndUseEachExampleOnceAnEpoch() throws Exception {
        int epochs = 500;
        var mayReturn = new CountDownLatch(1);
        var atTheEnd = new CountDownLatch(1);
        ThreadTeam team = team(epochs, number -> await(number < 8 ? null : number < 10 ? mayReturn : atTheEnd));
        var record = new CountingEngine.Seen(EXAMPLES, step -> {
            if (step == 20) {
                List.of(3, 4, 5, 6, 7).forEach(team::doom);
            }
            if (step == 40) {
                mayReturn.countDown();
            }
            if (step > 40 && ThreadTeam.number() == 0) {
                paceUntilGrown();
            }
            team.dieIfDoomed();
        });
        Outcome outcome = run(team, record, 8);
        atTheEnd.countDown();

        assertThat(outcome.out()).isEqualTo("done");
        assertThat(notes).anyMatch(note -> note.startsWith("3 of 8 workers go on from step 19; from here on"));
        assertThat(notes).anyMatch(note -> note.startsWith("5 of 8 workers train together"));
        assertThat(outcome.failures()).hasSize(5).extracting(Failure::stepsLost).containsOnly(0L);
        assertEachExampleWasUsed(record, epochs, 5);
        assertThat(record.shares).hasSize(epochs * STEPS_PER_EPOCH);
        List<Integer> sizes =
                record.shares.values().stream().map(List::size).distinct().toList();
        assertThat(sizes).first().isEqualTo(8);
        assertThat(sizes).last().isEqualTo(5);
        assertThat(sizes).contains(3);
        assertThat(record.shares.values())
                .allSatisfy(shares -> assertThat(Collections.max(shares) - Collections.min(shares))
                        .isLessThanOrEqualTo(1));
    }

    @Test
    void theLastSurvivorLeadsWithTheStateThatOnlyItHas() throws Exception {
        int epochs = 10;
        var atTheEnd = new CountDownLatch(1);
        ThreadTeam team = team(epochs, number -> await(number < 2 ? null : atTheEnd));
        var record = new CountingEngine.Seen(EXAMPLES, step -> {
            if (step == 20) {
                team.doom(0);
            }
            team.dieIfDoomed();
        });
        Outcome outcome = run(team, record, 2);
        atTheEnd.countDown();

        assertThat(outcome.failures()).hasSize(1).first().satisfies(failure -> {
            assertThat(failure.source()).isEqualTo(Failure.Source.PEER);
            assertThat(failure.stepsLost()).isZero();
        });
        assertEachExampleWasUsed(record, epochs, 1);
    }

    private static void assertEachExampleWasUsed(CountingEngine.Seen record, int epochs, int workers) {
        List<float[]> whole = record.counts.stream()
                .filter(counts -> sum(counts) >= (double) epochs * EXAMPLES)
                .toList();
        assertThat(whole)
                .hasSize(workers)
                .allSatisfy(counts -> assertThat(counts).containsOnly(epochs));
    }

    private static double sum(float[] counts) {
        double sum = 0;
        for (float count : counts) {
            sum += count;
        }
        return sum;
    }

    private ThreadTeam team(int epochs, IntConsumer beforeStart) throws Exception {
        var request = TrainingRequest.of("lr")
                .with("engine", "counting")
                .with("batch", BATCH)
                .with("evaluateEvery", 1_000_000)
                .with("steps", (long) epochs * STEPS_PER_EPOCH);
        TrainingSettings settings =
                TrainingSettings.resolve(request, Optional.empty()).settings();
        byte[] labels = new byte[EXAMPLES];
        for (int i = 0; i < EXAMPLES; i++) {
            labels[i] = (byte) i;
        }
        var images = new LabelledImages(1, 1, EXAMPLES, new byte[EXAMPLES], labels);
        return new ThreadTeam(
                settings, new ImageSet("digits", images, images, Scaling.NONE), folder.resolve("run"), beforeStart);
    }

    private Outcome run(ThreadTeam team, CountingEngine.Seen record, int workers) throws Exception {
        CountingEngine.record(record);
        var plan = new TeamPlan(
                workers, 1, 0, Duration.ofSeconds(60), folder, Duration.ofMinutes(1), Duration.ofMinutes(1));
        return new Supervisor(plan, team, new Notes(), Clock.system()).run();
    }

    private void paceUntilGrown() {
        try {
            boolean _ = grown.await(5, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(@Nullable CountDownLatch latch) {
        try {
            if (latch != null) {
                latch.await();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private final class Notes implements View {
        @Override
        public void memberSaid(String label, String line) {}

        @Override
        public void note(String line) {
            notes.add(line);
            if (line.startsWith("5 of 8")) {
                grown.countDown();
            }
        }

        @Override
        public void progress(String text) {}
    }
}
