package dev.cairn.observe.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.ForwardingBlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class SystemLogTest {
    private static final long PID = ProcessHandle.current().pid();

    @TempDir
    Path run;

    private final List<IOException> trouble = new CopyOnWriteArrayList<>();
    private LocalBlobStore store;

    @BeforeEach
    void begin() throws IOException {
        store = new LocalBlobStore(run);
    }

    @Test
    void thisMachineAndThisProcessAreRecorded() throws Exception {
        try (SystemLog log = SystemLog.in(
                store, "w0", () -> Map.of("w0", PID), Duration.ofMillis(50), Clock.system(), trouble::add)) {
            log.begin();
            Eventually.holds("three samples", () -> samples().size() >= 3);
        }
        assertThat(trouble).isEmpty();
        SystemRecording recording = recordings().getFirst();
        assertThat(recording.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(recording.process()).isEqualTo("w0");
        assertThat(recording.every()).isEqualTo(Duration.ofMillis(50));
        SystemSample sample = recording.samples().getLast();
        assertThat(sample.memory().used()).isPositive();
        assertThat(sample.memory().free()).isPositive();
        ProcessUse own = sample.processes().getFirst();
        assertThat(own.name()).isEqualTo("w0");
        assertThat(own.pid()).isEqualTo(PID);
        assertThat(own.memoryBytes()).isGreaterThan(10_000_000);
        assertThat(recording.samples())
                .anySatisfy(each -> assertThat(each.topMemory()).isPresent());
        List<String> table = Files.readAllLines(run.resolve("system/0000000001-w0.csv"));
        assertThat(table).hasSize(6 + recording.samples().size());
    }

    @Test
    void nothingIsRecordedBeforeTheTrainingStarts() {
        log(FakeMachine::new, Duration.ofMillis(1)).close();
        assertThat(run.resolve("system")).doesNotExist();
    }

    @Test
    void aShortTrainingHasItsOnlySampleAtItsEnd() throws Exception {
        try (SystemLog log = log(FakeMachine::new, Duration.ofHours(1))) {
            log.begin();
            long began = System.nanoTime();
            Eventually.holds("0.2 s have passed", () -> System.nanoTime() - began > 200_000_000);
        }
        assertThat(samples()).hasSize(1);
    }

    @Test
    void eachStartHasFilesOfItsOwn() throws Exception {
        for (int start = 1; start <= 2; start++) {
            int files = start;
            try (SystemLog log = log(FakeMachine::new, Duration.ofMillis(5))) {
                log.begin();
                Eventually.holds("a sample", () -> recordings().size() == files);
            }
        }
        assertThat(recordings()).extracting(SystemRecording::attempt).containsExactly(1L, 2L);
        assertThat(run.resolve("system/0000000002-w0.csv")).exists();
    }

    @Test
    void aLongRecordingKeepsEverySecondSample() throws Exception {
        long bound = 20_000;
        var machine = new FakeMachine();
        try (SystemLog log = new SystemLog(
                () -> machine, store, "w0", Map::of, Duration.ofMillis(1), Clock.system(), trouble::add, bound)) {
            log.begin();
            Eventually.holds(
                    "the file was thinned twice",
                    () -> machine.reads.get() > 500 && samples().size() < machine.reads.get() / 4);
        }
        assertThat(trouble).isEmpty();
        assertThat(Files.size(run.resolve("system/0000000001-w0.jsonl"))).isBetween(bound / 3, bound);
        assertThat(Files.size(run.resolve("system/0000000001-w0.csv"))).isLessThan(bound / 2);
    }

    @Test
    void whereNothingCanBeWrittenItIsToldOnce() throws Exception {
        Path inTheWay = Files.writeString(run.resolve("system"), "a file");
        try (SystemLog log = log(FakeMachine::new, Duration.ofMillis(1))) {
            log.begin();
            Eventually.holds("it is told", () -> !trouble.isEmpty());
            Files.delete(inTheWay);
            Eventually.holds("it is written", () -> samples().size() > 3);
        }
        assertThat(trouble).hasSize(1);
    }

    @Test
    void aMachineThatCannotBeReadIsToldOnce() {
        Supplier<Machine> unknown = () -> {
            throw new UnsatisfiedLinkError("no native code here");
        };
        try (SystemLog log = log(unknown, Duration.ofMillis(1))) {
            log.begin();
            Eventually.holds("it is told", () -> !trouble.isEmpty());
        }
        assertThat(trouble)
                .singleElement()
                .satisfies(told -> assertThat(told).hasRootCauseMessage("no native code here"));
    }

    @Test
    void inObjectStorageAllComesWithFewRequests() throws Exception {
        var objects = new Objects(store);
        var machine = new FakeMachine();
        try (SystemLog log = new SystemLog(
                () -> machine,
                objects,
                "w0",
                Map::of,
                Duration.ofMillis(1),
                Clock.system(),
                trouble::add,
                SystemLog.MOST_BYTES)) {
            log.begin();
            Eventually.holds("some samples", () -> machine.reads.get() > 10);
            assertThat(samples()).hasSizeLessThanOrEqualTo(1);
        }
        assertThat(samples()).hasSizeGreaterThan(9);
        assertThat(store.list("system/")).hasSize(4); // the first sample, and all others at the end; twice
    }

    @Test
    void linesOfOthersArePassedOver() throws Exception {
        try (SystemLog log = log(FakeMachine::new, Duration.ofMillis(5))) {
            log.begin();
            Eventually.holds("a sample", () -> !samples().isEmpty());
        }
        int before = samples().size();
        Files.writeString(run.resolve("system/0000000001-w0.jsonl"), """
                not json
                {"event":"sample","time":"yesterday"}
                {"event":"comet","time":"2030-01-01T00:00:00Z"}
                {"event":"attempt","cores":99999999999999,"everySeconds":-1,"host":7}
                {"event":"sample","time":"2030-01-01T00:00:00Z","processes":[7,{"name":3},{"name":"w0"}],"topCpu":"x"}
                {"event":"sample","ti""", StandardOpenOption.APPEND);
        assertThat(samples()).hasSize(before + 1);
        SystemSample odd = samples().getLast();
        assertThat(odd.cpu().user()).isNaN();
        assertThat(odd.processes()).extracting(ProcessUse::name).containsExactly("w0");
    }

    private SystemLog log(Supplier<Machine> machine, Duration every) {
        return new SystemLog(machine, store, "w0", Map::of, every, Clock.system(), trouble::add, SystemLog.MOST_BYTES);
    }

    private List<SystemRecording> recordings() throws IOException {
        var found = new ArrayList<SystemRecording>();
        new SystemFigures(store).read(found::add);
        return found;
    }

    private List<SystemSample> samples() throws IOException {
        return recordings().stream().flatMap(each -> each.samples().stream()).toList();
    }

    /// A store that is not a folder, like object storage.
    private static final class Objects extends ForwardingBlobStore {
        Objects(BlobStore below) {
            super(below);
        }
    }
}
