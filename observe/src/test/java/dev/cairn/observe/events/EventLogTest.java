package dev.cairn.observe.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.Begin;
import dev.cairn.observe.TrainingEvent.Scored;
import dev.cairn.observe.TrainingEvent.StepMade;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class EventLogTest {
    @TempDir
    Path folder;

    private final List<IOException> trouble = new CopyOnWriteArrayList<>();
    private Path run;
    private LocalBlobStore store;

    @BeforeEach
    void begin() throws IOException {
        run = Files.createDirectory(folder.resolve("run"));
        store = new LocalBlobStore(run);
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        try (EventLog log = Samples.log(store)) {
            log.on(Samples.started(Begin.NEW, 0));
            log.on(Samples.step(1));
            log.on(new Scored(Samples.TIME, 1, "accuracy", 0.5, Double.NaN, 0.5, 1, 1000, Duration.ofMillis(250)));
            log.on(Samples.committed(1));
            log.on(Samples.ended(1));
        }
        assertThat(run.resolve("events/0000000001-w0.jsonl")).exists();
        List<RecordedEvent> events = Samples.current(store);
        assertThat(events)
                .extracting(RecordedEvent::kind)
                .containsExactly("attempt", "started", "step", "scored", "committed", "ended");
        RecordedEvent started = events.get(1);
        assertThat(started.attempt()).isEqualTo(1);
        assertThat(started.process()).isEqualTo("w0");
        assertThat(started.time()).isEqualTo(Samples.TIME);
        assertThat(started.values().get("settings")).asString().contains("lenet");
        RecordedEvent scored = events.get(3);
        assertThat(scored.number("score")).hasValue(0.5);
        assertThat(scored.number("seconds")).hasValue(0.25);
        assertThat(scored.text("measure")).hasValue("accuracy");
        assertThat(scored.values()).containsEntry("testLoss", null);
        assertThat(events.get(4).number("stallSeconds")).hasValue(0.005);
        assertThat(events.get(5).text("outcome")).hasValue("done");
    }

    @Test
    void aStartThatIsRefusedLeavesNothing() {
        try (EventLog log = Samples.log(store)) {
            log.on(Samples.committed(1));
        }
        assertThat(run.resolve("events")).doesNotExist();
    }

    @Test
    void aCommitIsWrittenAtOnce() throws Exception {
        try (EventLog log = Samples.log(store)) {
            log.on(Samples.started(Begin.NEW, 0));
            log.on(Samples.step(1));
            log.on(Samples.committed(1));
            Eventually.holds(
                    "the step is written", () -> !Samples.currentSteps(store).isEmpty());
        }
    }

    @Test
    void aFullFileKeepsEverySecondStepAndAllThatReadersNeed() throws IOException {
        long bound = 200_000;
        try (EventLog log = Samples.log(store, bound, trouble::add)) {
            log.on(Samples.started(Begin.NEW, 0));
            for (long step = 1; step <= 20_000; step++) {
                log.on(Samples.step(step));
                if (step % 1000 == 0) {
                    log.on(Samples.committed(step));
                }
            }
            log.on(Samples.ended(20_000));
        }
        assertThat(trouble).isEmpty();
        assertThat(Files.size(run.resolve("events/0000000001-w0.jsonl"))).isBetween(bound / 3, bound);
        List<Long> steps = Samples.currentSteps(store);
        long stride = steps.getFirst();
        assertThat(stride).isGreaterThanOrEqualTo(8);
        assertThat(steps)
                .containsExactlyElementsOf(LongStream.iterate(stride, step -> step <= 20_000, step -> step + stride)
                        .boxed()
                        .toList());
        assertThat(Samples.current(store).stream().filter(event -> event.kind().equals("committed")))
                .hasSize(20);
        assertThat(Samples.current(store)).extracting(RecordedEvent::kind).contains("attempt", "started", "ended");
        try (Stream<Path> files = Files.list(run.resolve("events"))) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void linesOfEveryKindAreBounded() throws IOException {
        long bound = 50_000;
        try (EventLog log = Samples.log(store, bound, trouble::add)) {
            log.on(Samples.started(Begin.NEW, 0));
            for (long step = 1; step <= 2000; step++) {
                log.on(Samples.committed(step));
                log.on(new TrainingEvent.Warned(Samples.TIME, step, "odd", "x".repeat(5000)));
            }
        }
        assertThat(Files.size(run.resolve("events/0000000001-w0.jsonl"))).isLessThanOrEqualTo(bound);
        assertThat(Samples.current(store)).extracting(RecordedEvent::kind).contains("started", "committed", "warned");
    }

    @Test
    void aTornLineAndLinesOfOthersArePassedOver() throws IOException {
        Samples.record(store, Begin.NEW, 0, 3);
        Files.writeString(run.resolve("events/0000000001-w0.jsonl"), """
                not json
                [1]
                {"event":"step","time":"yesterday","step":8}
                {"event":"comet","time":"2030-01-01T00:00:00Z","step":3,"tail":{"long":true}}
                {"event":"step","time":"2030-01-01T00:00:00Z","step":4,"lo""", StandardOpenOption.APPEND);
        assertThat(Samples.currentSteps(store)).containsExactly(1L, 2L, 3L);
        RecordedEvent unknown = Samples.current(store).getLast();
        assertThat(unknown.kind()).isEqualTo("comet");
        assertThat(unknown.values()).containsKey("tail");
    }

    @Test
    void aFolderThatCannotBeWrittenIsToldOnceAndWrittenWhenItCan() throws Exception {
        Path inTheWay = Files.writeString(run.resolve("events"), "a file");
        try (EventLog log = Samples.log(store, EventLog.MOST_BYTES, trouble::add)) {
            log.on(Samples.started(Begin.NEW, 0));
            for (long step = 1; step <= 3; step++) {
                log.on(Samples.step(step));
                log.on(Samples.committed(step));
                Eventually.holds("it is told", () -> !trouble.isEmpty());
            }
            Files.delete(inTheWay);
            log.on(Samples.step(4));
        }
        assertThat(trouble).hasSize(1);
        assertThat(Samples.currentSteps(store)).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void aFileThatWasRemovedIsMadeAgain() throws Exception {
        try (EventLog log = Samples.log(store, EventLog.MOST_BYTES, trouble::add)) {
            log.on(Samples.started(Begin.NEW, 0));
            log.on(Samples.step(1));
            log.on(Samples.committed(1));
            Path file = run.resolve("events/0000000001-w0.jsonl");
            Eventually.holds("the file is there", () -> Files.deleteIfExists(file));
            log.on(Samples.committed(2));
            Eventually.holds("it is told", () -> !trouble.isEmpty());
            log.on(Samples.step(2));
        }
        assertThat(Samples.currentSteps(store)).containsExactly(1L, 2L);
    }

    @Test
    void linksAreNotFollowed() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.createSymbolicLink(run.resolve("events"), elsewhere);
        try (EventLog log = Samples.log(store, EventLog.MOST_BYTES, trouble::add)) {
            log.on(Samples.started(Begin.NEW, 0));
        }
        assertThat(trouble).singleElement().asString().contains("symbolic link");
        assertThat(elsewhere).isEmptyDirectory();

        Files.delete(run.resolve("events"));
        trouble.clear();
        Path own = Files.writeString(folder.resolve("own"), "mine");
        Files.createDirectory(run.resolve("events"));
        Files.createSymbolicLink(run.resolve("events/0000000001-w0.jsonl"), own);
        Samples.record(store, Begin.NEW, 0, 1);
        assertThat(own).hasContent("mine");
        assertThat(run.resolve("events/0000000002-w0.jsonl")).exists();
    }

    @Test
    void aPipeHoldsNobodyUp() throws Exception {
        Path events = Files.createDirectory(run.resolve("events"));
        Path pipe = events.resolve("0000000001-w0.jsonl");
        Command.of("mkfifo", pipe.toString()).succeed();
        Samples.record(store, Begin.NEW, 0, 2);
        assertThat(Samples.currentSteps(store)).containsExactly(1L, 2L);
        assertThat(events.resolve("0000000002-w0.jsonl")).isRegularFile();
    }

    /// A step costs the training thread little time: no system call is made.
    @Test
    void aStepIsHandedOverInAMoment() {
        try (EventLog log = Samples.log(store)) {
            log.on(Samples.started(Begin.NEW, 0));
            var step = (StepMade) Samples.step(1);
            for (int i = 0; i < 200_000; i++) {
                log.on(step);
            }
            long began = System.nanoTime();
            for (int i = 0; i < 200_000; i++) {
                log.on(step);
            }
            assertThat((System.nanoTime() - began) / 200_000)
                    .as("nanoseconds each")
                    .isLessThan(20_000);
        }
    }
}
