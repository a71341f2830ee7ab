package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.PythonReader.Reading;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.SealedText;
import dev.cairn.store.retention.Retention;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A second reader, written in another language from `docs/FORMAT.md` alone, restores the bits that the library
/// restores: what the page says is all that one needs to know.
class PythonReaderTest {
    private static final int LONGEST = 400;
    private static final int FLIPS = 40;
    private static final int SAVES = 5;
    private static final Path GOLDEN = Path.of("src", "test", "resources", "golden");
    private static final Path GOLDEN_OF_STORE =
            Path.of("..", "store", "src", "test", "resources", "golden", "v1").normalize();

    @TempDir
    Path folder;

    @BeforeEach
    void needPython() {
        PythonReader.assumeThere();
    }

    @Test
    void restoresTheGoldenRuns() throws IOException {
        var runs = new ArrayList<Path>(List.of(GOLDEN_OF_STORE));
        GoldenRunTest.names().forEach(name -> runs.add(GOLDEN.resolve(name)));
        assertReads(runs);
        assertThat(methods(runs)).as("methods of frames").containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    @Test
    void restoresRunsOfEveryCodec() throws IOException {
        var runs = new ArrayList<Path>();
        for (String codec : new TreeSet<>(GoldenRuns.CODECS.values())) {
            Path run = folder.resolve(codec.replace(':', '-'));
            train(run, codec);
            runs.add(run);
        }
        runs.add(GOLDEN.resolve(GoldenRuns.PATTERNS));
        assertReads(runs);
        assertThat(methods(runs)).as("methods of frames").containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    /// A byte of any file that is wrong changes no line: the newest checkpoint does not need it, or an older one is
    /// taken and named, or none is.
    @Test
    void neverPrintsWrongBits() throws IOException {
        Path sound = GOLDEN.resolve(GoldenRuns.LOSSLESS);
        SequencedMap<String, List<String>> good = TensorLines.of(sound);
        List<String> newest = good.lastEntry().getValue();
        var random = new Random(11);
        var runs = new ArrayList<String>();
        for (int i = 0; i < FLIPS; i++) {
            Path run = GoldenRuns.copy(sound, folder.resolve("flipped" + i));
            flip(run, random);
            runs.add(run.toString());
        }
        Reading reading = PythonReader.read(runs);
        assertThat(reading.code()).as(reading.err()).isZero();
        int older = 0;
        for (String run : runs) {
            List<String> lines = reading.lines().get(run);
            assertThat(good.values()).as("%s: %s", run, reading.err()).contains(lines);
            if (!newest.equals(lines)) {
                older++;
                assertThat(reading.err()).contains(run + ": passed over");
            }
        }
        assertThat(older).as("runs whose newest checkpoint is damaged").isBetween(1, FLIPS - 1);
    }

    @Test
    void readsARecordThatIsDamagedOrMissingFromItsTwin() throws IOException {
        Path sound = GOLDEN.resolve(GoldenRuns.ALL_RECORDS);
        List<String> newest = TensorLines.of(sound).lastEntry().getValue();
        var runs = new ArrayList<String>();
        for (Path record : records(sound)) {
            Path damaged = GoldenRuns.copy(sound, folder.resolve("damaged-" + record.getFileName()));
            flip(damaged.resolve("log").resolve(record.getFileName()), Files.size(record) / 2);
            Path missing = GoldenRuns.copy(sound, folder.resolve("missing-" + record.getFileName()));
            Files.delete(missing.resolve("log").resolve(record.getFileName()));
            runs.add(damaged.toString());
            runs.add(missing.toString());
        }
        assertThat(runs).hasSizeGreaterThan(16);
        Reading reading = PythonReader.read(runs);
        assertThat(reading.err()).isEmpty();
        assertThat(reading.code()).isZero();
        runs.forEach(run -> assertThat(reading.lines().get(run)).as(run).isEqualTo(newest));
    }

    /// A removed record may come back, such as from a backup or a slow request.
    @Test
    void doesNotReadWhatWasPruned() throws IOException {
        Path run = GoldenRuns.copy(GOLDEN.resolve(GoldenRuns.ALL_RECORDS), folder.resolve("run"));
        Path kept = run.resolve("log/0000000014.rec");
        String json = Files.readAllLines(kept).get(1);
        var id = Pattern.compile("\"id\":\"([0-9a-f]{16})\"").matcher(json);
        assertThat(id.find()).isTrue();
        write(
                run,
                9,
                json.replace("\"number\":14", "\"number\":9")
                        .replace("\"replaces\":13,", "")
                        .replace("0000000014-", "0000000009-")
                        .replace("\"step\":45", "\"step\":7777")
                        .replace(id.group(1), "0123456789abcdef"));
        for (Path segment : segments(run)) {
            String name = segment.getFileName().toString();
            if (name.startsWith("0000000014-")) {
                Files.copy(segment, segment.resolveSibling(name.replace("0000000014-", "0000000009-")));
            }
        }
        assertReads(List.of(run));
        assertThat(TensorLines.of(run)).hasSize(3);
        assertThat(PythonReader.run(List.of(run + "@7777")).code()).isEqualTo(1);
    }

    /// A writer that had lost the run may begin anew under the number of a removed record.
    @Test
    void ignoresABeginningThatALaterRemovalDidNotKnow() throws IOException {
        Path run = GoldenRuns.copy(GOLDEN.resolve(GoldenRuns.ALL_RECORDS), folder.resolve("run"));
        String time = ",\"time\":\"2026-01-01T00:00:00Z\"}";
        write(run, 19, "{\"type\":\"start\",\"number\":19" + time);
        write(run, 20, "{\"type\":\"prune\",\"since\":6,\"kept\":[14,16,17],\"number\":20" + time);
        assertThat(TensorLines.of(run)).hasSize(3);
        assertReads(List.of(run));
    }

    private static void write(Path run, int number, String json) throws IOException {
        Files.write(run.resolve("log/%010d.rec".formatted(number)), new SealedText(1, json).bytes("cairn-record"));
    }

    private static List<Path> segments(Path run) throws IOException {
        try (Stream<Path> files = Files.list(run.resolve("segments"))) {
            return files.toList();
        }
    }

    private static List<Path> records(Path run) throws IOException {
        try (Stream<Path> files = Files.list(run.resolve("log"))) {
            return files.filter(file -> file.toString().endsWith(".rec"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void endsWithCode3WhereNothingIsLeft() throws IOException {
        Path run = GoldenRuns.copy(GOLDEN.resolve(GoldenRuns.LOSSLESS), folder.resolve("run"));
        for (Path segment : segments(run)) {
            flip(segment, Files.size(segment) / 2);
        }
        var ended = PythonReader.run(List.of(run.toString()));
        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).hasLineCount(1).contains(run.toString(), "CRC");
    }

    /// Its checksum is right, and fields are missing.
    @Test
    void takesARecordThatNoWriterWroteForDamage() throws IOException {
        Files.createDirectories(folder.resolve("log"));
        for (String type : List.of("", "checkpoint", "prune")) {
            String json = "{\"number\":1%s}".formatted(type.isEmpty() ? "" : ",\"type\":\"" + type + "\"");
            Files.write(folder.resolve("log/0000000001.rec"), new SealedText(1, json).bytes("cairn-record"));
            var ended = PythonReader.run(List.of(folder.toString()));
            assertThat(ended.code()).as(json).isEqualTo(3);
            assertThat(ended.err()).as(json).hasLineCount(1).startsWith(folder + ": ");
        }
    }

    @Test
    void tellsWrongUseFromAMissingRun() throws IOException {
        assertThat(PythonReader.run(List.of()).code()).isEqualTo(2);
        assertThat(PythonReader.run(List.of("--wrong")).code()).isEqualTo(2);
        assertThat(PythonReader.run(List.of("--help")).out()).contains("usage: reader.py RUN[@STEP]");
        var missing = PythonReader.run(List.of(folder.resolve("none").toString()));
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err()).hasLineCount(1);
        var noStep = PythonReader.run(List.of(GOLDEN.resolve(GoldenRuns.VERSION + "-full") + "@7"));
        assertThat(noStep.code()).isEqualTo(1);
    }

    @Test
    void isShortAndNeedsNothingButPython() throws IOException {
        List<String> lines = Files.readAllLines(PythonReader.SCRIPT);
        assertThat(lines).hasSizeLessThanOrEqualTo(LONGEST);
        Set<String> imported = lines.stream()
                .filter(line -> line.matches("\\s*(import|from) .*"))
                .flatMap(line -> Stream.of(line.strip()
                        .replaceFirst("^from (\\S+) import .*", "$1")
                        .replaceFirst("^import ", "")
                        .split(", *")))
                .collect(Collectors.toSet());
        assertThat(imported)
                .isNotEmpty()
                .isSubsetOf("array", "hashlib", "itertools", "json", "math", "os", "re", "struct", "sys");
        // -I and -S: neither other folders nor installed packages are found.
        assertThat(Command.of("python3", "-I", "-S", PythonReader.SCRIPT.toString(), "--help")
                        .succeeds())
                .isTrue();
    }

    private static void train(Path run, String codec) throws IOException {
        var state = new ManyKindsState(codec.hashCode());
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withCodec(Yardstick.parse(codec))
                .withLongestChain(2)
                .withRetention(Retention.parse("latest:2"))
                .withoutLog();
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            checkpoints.restoreLatest(state);
            for (int step = 1; step <= SAVES; step++) {
                state.makeStep();
                checkpoints.awaitHousekeeping();
                checkpoints.afterStep(step, state);
                checkpoints.awaitSave();
            }
            checkpoints.awaitHousekeeping();
        }
    }

    /// Every checkpoint of these runs: the newest of each without its step, the others by theirs.
    private static void assertReads(List<Path> runs) throws IOException {
        var expected = new LinkedHashMap<String, List<String>>();
        for (Path run : runs) {
            SequencedMap<String, List<String>> ofRun = TensorLines.of(run);
            expected.put(run.toString(), ofRun.pollLastEntry().getValue());
            expected.putAll(ofRun);
        }
        Reading reading = PythonReader.read(List.copyOf(expected.keySet()));
        assertThat(reading.err()).isEmpty();
        assertThat(reading.code()).isZero();
        expected.forEach((argument, lines) ->
                assertThat(reading.lines().get(argument)).as(argument).isEqualTo(lines));
    }

    /// The methods of all frames in these runs.
    private static Set<Integer> methods(List<Path> runs) throws IOException {
        var methods = new TreeSet<Integer>();
        for (Path run : runs) {
            for (Commit checkpoint : TensorLines.checkpoints(run)) {
                for (var segment : checkpoint.segments()) {
                    byte[] bytes = Files.readAllBytes(run.resolve(segment.name()));
                    var file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
                    int footer = (int) segment.layout().contentBytes() - 24;
                    int blocks = (int) file.getLong(footer) - 1;
                    int at = 28;
                    for (int block = 0; block < blocks; block++) {
                        methods.add((int) bytes[at]);
                        at += file.getInt(footer - 8 * (blocks + 1 - block));
                    }
                }
            }
        }
        return methods;
    }

    private static void flip(Path run, Random random) throws IOException {
        try (Stream<Path> files = Files.walk(run)) {
            boolean inSegment = random.nextBoolean(); // records have twins, so most damage of them changes nothing
            List<Path> all = files.filter(Files::isRegularFile)
                    .filter(file -> !inSegment || file.toString().endsWith(".seg"))
                    .sorted()
                    .toList();
            Path file = all.get(random.nextInt(all.size()));
            flip(file, random.nextLong(Files.size(file)));
        }
    }

    private static void flip(Path file, long place) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) place] ^= 1;
        Files.write(file, bytes);
    }
}
