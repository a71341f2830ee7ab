package dev.cairn.observe.tensorboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.DeltaExponents;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.Begin;
import dev.cairn.store.Attributes;
import dev.cairn.store.Clock;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorBoardLogTest {
    private static final Instant TIME = Instant.parse("2026-11-18T10:00:00.5Z");

    @TempDir
    Path run;

    private final List<IOException> trouble = new CopyOnWriteArrayList<>();
    private final float[] weights = {-1, 0, Float.NaN, 1, 0.5f, Float.POSITIVE_INFINITY};

    @Test
    void everyHundredStepsAreRecordedAndTheFirst() throws IOException {
        try (TensorBoardLog log = log(100)) {
            train(log, Begin.NEW, 0, 350);
            log.on(new TrainingEvent.Scored(TIME, 300, "accuracy", 0.75, 1.5, 0.75, 300, 10, Duration.ZERO));
            log.on(committed(250, new TreeMap<>(Map.of(-12, 3.0, -9, 1.0))));
        }
        EventReader read = EventReader.of(folder("w0"));
        assertThat(read.steps("train/loss")).containsExactly(1L, 100L, 200L, 300L);
        assertThat(read.scalars("train/loss").get(1))
                .isEqualTo(new EventReader.Point(100, TIME.plusSeconds(100).toEpochMilli() / 1e3, 0.01f));
        assertThat(read.scalars("train/rate").getFirst().value()).isEqualTo(0.25);
        assertThat(read.steps("train/stepsPerSecond")).containsExactly(100L, 200L, 300L);
        assertThat(read.scalars("test/accuracy").getFirst().value()).isEqualTo(0.75);
        assertThat(read.scalars("test/loss").getFirst().value()).isEqualTo(1.5);
        assertThat(read.scalars("checkpoint/bytes").getFirst().value()).isEqualTo(4000);
        assertThat(read.scalars("checkpoint/stallSeconds").getFirst().value()).isEqualTo(0.25);
        assertThat(read.scalars("checkpoint/persistSeconds").getFirst().value()).isEqualTo(2);
        assertThat(read.texts("settings").getFirst().text()).contains("| batch | 64 |", "| begin | new at step 0 |");
        EventReader.Shape exponents = read.histograms("delta/exponents").getFirst();
        assertThat(exponents.limits()).containsExactly(-11.0, -10.0, -9.0, -8.0);
        assertThat(exponents.counts()).containsExactly(3.0, 0.0, 0.0, 1.0);
        assertThat(trouble).isEmpty();
    }

    @Test
    void weightsAreCountedAndNumbersThatAreNoneLeftOut() throws IOException {
        try (TensorBoardLog log = log(100)) {
            train(log, Begin.NEW, 0, 1);
        }
        EventReader.Shape shape =
                EventReader.of(folder("w0")).histograms("weights/fc1").getFirst();
        assertThat(shape.least()).isEqualTo(-1);
        assertThat(shape.most()).isEqualTo(1);
        assertThat(shape.count()).isEqualTo(4);
        assertThat(shape.counts()).hasSize(50).element(0).isEqualTo(1.0);
        assertThat(shape.counts().get(25)).isEqualTo(1);
        assertThat(shape.counts().get(37)).isEqualTo(1);
        assertThat(shape.counts().get(49)).isEqualTo(1);
        assertThat(shape.limits().get(24)).isEqualTo(0, within(1e-12));
        assertThat(shape.limits().get(49)).isEqualTo(1);
    }

    @Test
    void weightsThatAreAllAlikeOrNoNumbersHarmNothing() throws IOException {
        for (float value : new float[] {3, Float.NaN}) {
            Arrays.fill(weights, value);
            try (TensorBoardLog log = log(100)) {
                train(log, Begin.NEW, 0, 1);
                log.on(new TrainingEvent.StepMade(TIME, 100, 0, Double.NaN, Double.POSITIVE_INFINITY, 1));
            }
        }
        EventReader read = EventReader.of(folder("w0"));
        assertThat(read.scalars("train/loss").getLast().value()).isNaN();
        assertThat(read.histograms("weights/fc1")).isEmpty(); // superseded by the second start
        assertThat(trouble).isEmpty();
    }

    /// Also by a reader that goes by steps alone: the first step of an attempt is recorded with every tag of steps.
    @Test
    void aResumedRunGoesOnInTheSameCurves() throws IOException {
        try (TensorBoardLog killed = log(100)) {
            train(killed, Begin.NEW, 0, 900);
        }
        try (TensorBoardLog resumed = log(100)) {
            train(resumed, Begin.RESUMED, 537, 1000);
        }
        EventReader read = EventReader.of(folder("w0"));
        assertThat(read.steps("train/loss"))
                .containsExactly(1L, 100L, 200L, 300L, 400L, 500L, 538L, 600L, 700L, 800L, 900L, 1000L);
        assertThat(read.texts("settings")).extracting(EventReader.Note::step).containsExactly(1L, 538L);
        assertThat(folders()).containsExactly("w0");
        assertThat(files("w0"))
                .hasSize(2)
                .allMatch(name -> name.matches("events\\.out\\.tfevents\\.000000000[12]\\..*"));
    }

    @Test
    void whatAnAttemptWithoutCheckpointRecordedIsSuperseded() throws IOException {
        for (int start = 0; start < 3; start++) {
            try (TensorBoardLog log = log(10)) {
                train(log, Begin.NEW, 0, 25 - start);
            }
        }
        assertThat(EventReader.of(folder("w0")).steps("train/loss")).containsExactly(1L, 10L, 20L);
    }

    @Test
    void aTrainingThatGoesBackSupersedesItsOwnSteps() throws IOException {
        try (TensorBoardLog log = log(10)) {
            train(log, Begin.NEW, 0, 40);
            log.on(new TrainingEvent.WentBack(TIME, 15, 40, "diverged", 0.1));
            steps(log, 16, 30);
        }
        assertThat(EventReader.of(folder("w0")).steps("train/loss")).containsExactly(1L, 10L, 16L, 20L, 30L);
    }

    @Test
    void aFreshStartGetsAFolderOfItsOwn() throws IOException {
        record(Begin.NEW, 0, 20);
        List<byte[]> before = contents("w0");
        record(Begin.FRESH, 0, 10);
        record(Begin.RESUMED, 10, 20);
        record(Begin.FRESH, 0, 10);
        assertThat(folders()).containsExactly("w0", "w0-2", "w0-3");
        assertThat(contents("w0")).usingRecursiveComparison().isEqualTo(before);
        assertThat(EventReader.of(folder("w0-2")).steps("train/loss")).containsExactly(1L, 10L, 11L, 20L);
        assertThat(EventReader.of(folder("w0-3")).steps("train/loss")).containsExactly(1L, 10L);
    }

    @Test
    void runsOfTheSameNameShareNoCurves() throws IOException {
        Path shared = run.resolve("logs");
        for (String identity : List.of("/a/first", "/b/first", "/a/first")) {
            try (TensorBoardLog log = log(new CurveFolder.Shared(shared, "first", identity), 10)) {
                train(log, Begin.RESUMED, 0, 10);
            }
        }
        try (TensorBoardLog log = log(new CurveFolder.Shared(shared, "../..", "x"), 10)) {
            train(log, Begin.NEW, 0, 10);
        }
        try (Stream<Path> names = Files.list(shared)) {
            assertThat(names.map(name -> name.getFileName().toString()))
                    .containsExactlyInAnyOrder("first", "first-2", "_._..");
        }
        assertThat(EventReader.of(shared.resolve("first-2/w0")).steps("train/loss"))
                .containsExactly(1L, 10L);
        assertThat(trouble).isEmpty();
    }

    @Test
    void aTornRecordEndsItsFileOnly() throws IOException {
        record(Begin.NEW, 0, 50);
        Path torn = folder("w0").resolve(files("w0").getFirst());
        try (var channel = Files.newByteChannel(torn, StandardOpenOption.WRITE)) {
            channel.truncate(Files.size(torn) - 3);
        }
        record(Begin.RESUMED, 30, 50);
        assertThat(EventReader.of(folder("w0")).steps("train/loss")).containsExactly(1L, 10L, 20L, 30L, 31L, 40L, 50L);
    }

    @Test
    void whatIsInTheWayIsToldOnceAndChangesNothing() throws IOException {
        Files.createSymbolicLink(run.resolve("tensorboard"), Files.createDirectory(run.resolve("elsewhere")));
        try (TensorBoardLog log = log(1)) {
            train(log, Begin.NEW, 0, 10);
            Eventually.holds("the problem is told", () -> !trouble.isEmpty());
            Files.delete(run.resolve("tensorboard"));
        }
        assertThat(trouble).hasSize(1);
        assertThat(run.resolve("elsewhere")).isEmptyDirectory();
        assertThat(EventReader.of(folder("w0")).steps("train/loss")).startsWith(1L); // written when it was possible
    }

    @Test
    void longTrainingsAreThinned() {
        var thinning = new Thinning();
        assertThat(thinning.keeps(1)).isTrue();
        thinning.added(16 << 20);
        assertThat(List.of(thinning.keeps(1), thinning.keeps(2))).containsExactly(false, true);
        thinning.added(48 << 20);
        assertThat(List.of(thinning.keeps(4), thinning.keeps(8))).containsExactly(false, true);
    }

    private void record(Begin begin, long from, long to) {
        try (TensorBoardLog log = log(10)) {
            train(log, begin, from, to);
        }
        assertThat(trouble).isEmpty();
    }

    private TensorBoardLog log(long every) {
        return log(new CurveFolder.InRun(run), every);
    }

    /// A log whose end waits until everything is written, also on a busy machine.
    private TensorBoardLog log(CurveFolder folder, long every) {
        return new TensorBoardLog(folder, "w0", every, Clock.system(), trouble::add, Duration.ofMinutes(5));
    }

    private void train(TensorBoardLog log, Begin begin, long from, long to) {
        log.watch(() -> List.of(LiveTensor.weight("fc1", weights), LiveTensor.firstMoment("fc1.m", weights)));
        Attributes settings = Attributes.empty().with("batch", 64L).with("data", "<a>|b\n");
        log.on(new TrainingEvent.Started(TIME, begin, from, to, 0, "accuracy", Double.NaN, settings));
        steps(log, from + 1, to);
    }

    private static void steps(TensorBoardLog log, long from, long to) {
        for (long step = from; step <= to; step++) {
            log.on(new TrainingEvent.StepMade(TIME.plusSeconds(step), step, 0, 1.0 / step, 0.25, 64));
        }
    }

    private static TrainingEvent committed(long step, SortedMap<Integer, Double> delta) {
        var checkpoint = new Checkpoint(
                step,
                "00",
                step,
                TIME,
                Checkpoint.Kind.DELTA,
                Optional.empty(),
                "lossless",
                4000,
                8000,
                WeightError.NONE,
                Attributes.empty());
        return new TrainingEvent.Checkpointed(
                TIME,
                new CheckpointEvent.Committed(
                        checkpoint,
                        Duration.ofMillis(250),
                        Duration.ofSeconds(2),
                        WeightError.NONE,
                        Optional.of(new DeltaExponents(delta, 5))));
    }

    private Path folder(String process) {
        return run.resolve("tensorboard").resolve(process);
    }

    private List<String> folders() throws IOException {
        return names(run.resolve("tensorboard"));
    }

    private List<String> files(String process) throws IOException {
        return names(folder(process));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private List<byte[]> contents(String process) throws IOException {
        var contents = new ArrayList<byte[]>();
        for (String name : files(process)) {
            contents.add(Files.readAllBytes(folder(process).resolve(name)));
        }
        return contents;
    }
}
