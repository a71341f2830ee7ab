package dev.cairn.dashboard.story;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.dashboard.RecordedRun;
import dev.cairn.dashboard.story.Failure.Kind;
import dev.cairn.store.blob.LocalBlobStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoryTest {
    @TempDir
    Path folder;

    @Test
    void tellsOfAKillAndOfWhatItCost() throws IOException {
        Story story = read(RecordedRun.killedAndResumed(folder));
        List<Failure> failures = story.failures(false, 0);
        assertThat(failures).singleElement().satisfies(failure -> {
            assertThat(failure.kind()).isEqualTo(Kind.KILLED);
            assertThat(failure.step()).isEqualTo(57);
            assertThat(failure.resumedStep()).isEqualTo(40);
            assertThat(failure.stepsLost()).isEqualTo(17);
            assertThat(failure.to() - failure.from()).isEqualTo(60_010);
            assertThat(failure.isOpen()).isFalse();
        });
        assertThat(story.step()).isEqualTo(100);
        assertThat(story.steps()).isEqualTo(100);
        assertThat(story.saves()).extracting(Save::step).containsExactly(20L, 40L, 100L);
        assertThat(story.choices()).extracting(IntervalChoice::seconds).containsExactly(30.0, 20.0);
        assertThat(story.trainedSeconds()).as("without the minute between").isBetween(1.1, 1.3);
        assertThat(story.secondsPerStep()).isBetween(0.009, 0.011);
    }

    @Test
    void whatLaterAttemptsMadeAgainIsMarked() throws IOException {
        Story story = read(RecordedRun.killedAndResumed(folder));
        assertThat(story.losses("w0")).extracting(Stretch::limit).containsExactly(40L, Long.MAX_VALUE);
    }

    @Test
    void aFreshStartSupersedesAllBefore() throws IOException {
        Story story = read(RecordedRun.killedAndResumed(folder)
                .attempt(3, "w0")
                .started("fresh", 0, 100)
                .steps(1, 5)
                .write());
        assertThat(story.losses("w0")).extracting(Stretch::limit).containsExactly(-1L, -1L, Long.MAX_VALUE);
        assertThat(story.step()).isEqualTo(5);
    }

    @Test
    void aRunThatWentBackHasAStretchForEachTry() throws IOException {
        Story story = read(new RecordedRun(folder)
                .attempt(1, "w0")
                .started("new", 0, 100)
                .steps(1, 30)
                .line(
                        "wentBack",
                        line -> line.put("step", 20).put("fromStep", 30).put("reason", "loss exploded"))
                .steps(21, 40)
                .write());
        assertThat(story.losses("w0")).extracting(Stretch::limit).containsExactly(20L, Long.MAX_VALUE);
        assertThat(story.failures(true, 0)).singleElement().satisfies(failure -> {
            assertThat(failure.kind()).isEqualTo(Kind.DIVERGED);
            assertThat(failure.stepsLost()).isEqualTo(10);
        });
    }

    @Test
    void aProcessThatStillRunsDidNotFail() throws IOException {
        Story story = read(new RecordedRun(folder)
                .attempt(1, "w0")
                .started("new", 0, 100)
                .steps(1, 30)
                .write());
        assertThat(story.failures(true, 0)).isEmpty();
        assertThat(story.failures(false, 0))
                .singleElement()
                .satisfies(failure -> assertThat(failure.isOpen()).isTrue());
    }

    @Test
    void readsOnlyWhatIsNewAndTellsOfPartsOnTheWay() throws IOException {
        RecordedRun run = RecordedRun.killedAndResumed(folder);
        var recordings = new Recordings(new LocalBlobStore(folder));
        var told = new ArrayList<Story>();
        assertThat(recordings.read(true, told::add)).isTrue();
        assertThat(told.getFirst().filesRead()).isEqualTo(1);
        assertThat(told.getFirst().attempts())
                .as("the newest first")
                .extracting(Attempt::number)
                .containsExactly(2L);
        assertThat(recordings.read(true, told::add)).isFalse();
        run.attempt(3, "w0").started("resumed", 100, 200).steps(101, 110).write();
        told.clear();
        assertThat(recordings.read(true, told::add)).isTrue();
        assertThat(told.getLast().step()).isEqualTo(110);
        assertThat(told.getLast().attempts()).hasSize(3);
    }

    @Test
    void aWorkerWithAnotherProcessWasReplaced() throws IOException {
        RecordedRun run = RecordedRun.killedAndResumed(folder);
        Path figures = folder.resolve("system/0000000001-supervisor.jsonl");
        Files.createDirectories(figures.getParent());
        var lines = new StringBuilder("{\"event\":\"attempt\",\"host\":\"a\",\"cores\":2,\"everySeconds\":1}\n");
        for (int second = 0; second < 5; second++) {
            lines.append(
                    "{\"event\":\"sample\",\"time\":\"%s\",\"seconds\":1,\"cpuIdle\":0.25,\"cpuWaiting\":0,\"processes\":[{\"name\":\"w1\",\"pid\":%d,\"cores\":0.5,\"memoryBytes\":1000}]}\n"
                            .formatted(RecordedRun.BEGIN.plusSeconds(100 + second), second < 3 ? 10 : 11));
        }
        Files.writeString(figures, lines);
        Story story = read(run);
        assertThat(story.failures(false, 0).getLast().kind()).isEqualTo(Kind.REPLACED);
        assertThat(story.failures(false, 0).getLast().who()).isEqualTo("w1");
        assertThat(story.machines().getFirst().figure(MachineUse.Figure.CPU).value(0))
                .isEqualTo(1.5f);
    }

    @Test
    void theRecoveryLineIsTheCheckpointFromWhichAllWentOn() throws IOException {
        Story story = read(RecordedRun.killedAndResumed(folder));
        Failure killed = story.failures(false, 0).getFirst();
        assertThat(killed.resumedStep()).isEqualTo(40);
        assertThat(story.recoveryLine(killed))
                .hasValue(RecordedRun.BEGIN.plusMillis(400).toEpochMilli());
        assertThat(story.endedAll(killed)).isTrue();
    }

    @Test
    void aDeathThatOthersSurviveEndsNotAll() throws IOException {
        RecordedRun run = RecordedRun.killedAndResumed(folder).figures("supervisor", "a", "w1", 120);
        Story story = read(run);
        assertThat(story.endedAll(story.failures(false, 0).getFirst())).isFalse();
    }

    @Test
    void ofOneThatWasReplacedTheOthersHadTheState() throws IOException {
        RecordedRun run = new RecordedRun(folder)
                .attempt(1, "w0")
                .started("new", 0, 100)
                .steps(1, 20)
                .committed(20, "base", 300_000, 30)
                .steps(21, 30)
                .pass(500)
                .line(
                        "recovered",
                        line -> line.put("step", 30)
                                .put("worker", "w1")
                                .put("cause", "died")
                                .put("detectedSeconds", 0.1)
                                .put("recoveredSeconds", 0.3)
                                .put("stepsLost", 0)
                                .put("source", "peer"))
                .steps(31, 40)
                .write();
        Story story = read(run);
        Failure replaced = story.failures(true, 0).getFirst();
        assertThat(replaced.who()).isEqualTo("w1");
        assertThat(story.recoveryLine(replaced)).hasValue(replaced.from());
        assertThat(replaced.from())
                .isEqualTo(RecordedRun.BEGIN.plusMillis(800 - 400).toEpochMilli());
        assertThat(story.endedAll(replaced)).isFalse();
    }

    @Test
    void hostileFilesAreHarmless() throws IOException {
        Path events = folder.resolve("events");
        Files.createDirectories(events.resolve("0000000009-w0.jsonl"));
        Files.writeString(events.resolve("0000000001-w0.jsonl"), """
                {"event":"attempt","time":"2026-11-19T12:00:00Z","pid":"x","host":7}
                {"event":"started","time":"2026-11-19T12:00:00Z","step":-5,"begin":"resumed","steps":-1,"settings":[1]}
                {"event":"step","time":"2026-11-19T12:00:01Z","step":1,"loss":1e999}
                {"event":"step","time":"-999999999-01-01T00:00:00Z","step":2,"loss":"NaN"}
                {"event":"committed","time":"2026-11-19T12:00:01Z","step":9223372036854775807,"storedBytes":-1}
                {"event":"step","time":"nonsense"}
                nonsense
                """);
        Files.writeString(events.resolve("..%2f..%2fetc.jsonl"), "{}");
        Story story = read(new RecordedRun(folder));
        assertThat(story.saves()).hasSize(1);
    }

    @Test
    void aRunOfAListTakesLittleMemoryAndIsWholeWhenSomebodyLooks() throws IOException {
        RecordedRun run = new RecordedRun(folder);
        for (int attempt = 1; attempt <= 3; attempt++) {
            long first = 30_000L * (attempt - 1);
            run.attempt(attempt, "w0")
                    .started(attempt == 1 ? "new" : "resumed", first, 90_000)
                    .steps(first + 1, first + 30_000);
        }
        run.write();
        var recordings = new Recordings(new LocalBlobStore(folder));
        var told = new ArrayList<Story>();
        recordings.read(false, told::add);
        assertThat(points(told.getLast())).isBetween(60_000, 75_000);
        recordings.read(true, told::add);
        assertThat(points(told.getLast())).isEqualTo(90_000);
        recordings.read(false, told::add);
        assertThat(points(told.getLast())).isBetween(60_000, 75_000);
    }

    private static int points(Story story) {
        return story.losses("w0").stream()
                .mapToInt(stretch -> stretch.loss().size())
                .sum();
    }

    private static Story read(RecordedRun run) throws IOException {
        var told = new ArrayList<Story>(List.of(Story.NOTHING));
        new Recordings(new LocalBlobStore(run.folder())).read(true, told::add);
        return told.getLast();
    }
}
