package dev.cairn.checkpoint;

import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.right.WriterClaim;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// Makes the golden runs of [GoldenRunTest], once for a version of the format: small runs of [WalkingState], one for
/// each codec, and beside each of them the sums of what a reader of its checkpoints got when they were committed.
///
/// Runs that are there are left alone: a later version makes its own beside them.
final class GoldenRuns {
    static final String VERSION = "v1";

    /// So many rows that weights are just not too small to be quantized.
    static final int ROWS = 21;

    /// The run that went from one writer to another, by a lock and by a lease, and was begun anew: it has records of
    /// every kind.
    static final String ALL_RECORDS = VERSION + "-records";

    /// So many rows that lossless deltas are coded in lanes.
    private static final int ROWS_IN_LANES = 84;

    /// So many rows that a tensor has two blocks, the second of which begins in the middle of a row.
    private static final int ROWS_OF_TWO_BLOCKS = 1_400;

    /// The run in which the rows of a matrix have patterns.
    static final String PATTERNS = VERSION + "-patterns";

    /// The run with the default codec.
    static final String LOSSLESS = VERSION + "-lossless";

    /// By the names of the runs.
    static final Map<String, String> CODECS = Map.ofEntries(
            Map.entry(VERSION + "-full", "full"),
            Map.entry(LOSSLESS, "lossless"),
            Map.entry(VERSION + "-lossy", "lossy"),
            Map.entry(VERSION + "-lc3", "lc:3"),
            Map.entry(VERSION + "-uq", "uq:0.5"),
            Map.entry(VERSION + "-lossy-m", "lossy+m"),
            Map.entry(VERSION + "-scar", "scar:0.1"),
            Map.entry(VERSION + "-topn", "topn:0.1"),
            Map.entry(VERSION + "-l2", "l2:3"),
            Map.entry(VERSION + "-excp", "excp"),
            Map.entry(PATTERNS, "uq:0.5"),
            Map.entry(ALL_RECORDS, "lossless"));

    private static final int SAVES = 6;
    private static final int STEPS_A_SAVE = 5;

    private final Path run;
    private final Map<Long, String> digests = new HashMap<>();
    private final WalkingState state;

    private GoldenRuns(Path run) {
        this.run = run;
        this.state = state(run.getFileName().toString());
    }

    /// A new state of the shape that the run with this name has.
    static WalkingState state(String name) {
        return switch (name) {
            case PATTERNS -> new WalkingState(ROWS_OF_TWO_BLOCKS, 0.1f);
            case LOSSLESS -> new WalkingState(ROWS_IN_LANES);
            default -> new WalkingState(ROWS);
        };
    }

    /// Makes the golden runs of this version.
    ///
    /// @param arguments the folder of the golden runs: `src/test/resources/golden`
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        for (Map.Entry<String, String> codec : CODECS.entrySet()) {
            Path run = folder.resolve(codec.getKey());
            if (Files.notExists(run)) {
                var made = new GoldenRuns(run);
                if (codec.getKey().equals(ALL_RECORDS)) {
                    made.trainWithEveryRecord(codec.getValue());
                } else {
                    made.train(codec.getValue(), "latest:4", SAVES);
                }
                Files.delete(run.resolve("writer.lock"));
                Files.write(sums(run), made.expected().stream().map(Sum::text).toList());
            }
        }
    }

    /// What a reader must get of one checkpoint.
    record Sum(long step, String kind, String sha256) {
        static Sum parse(String line) {
            String[] words = line.split(" ", -1);
            return new Sum(Long.parseLong(words[0]), words[1], words[2]);
        }

        String text() {
            return step + " " + kind + " " + sha256;
        }
    }

    /// The file of the sums of this run.
    static Path sums(Path run) {
        return run.resolveSibling(run.getFileName() + ".sums");
    }

    /// Copies a run, since opening one writes into it.
    ///
    /// @return the copy
    static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
        return to;
    }

    private void train(String codec, String keep, int saves) throws IOException {
        try (Checkpoints checkpoints = open(codec, keep, WriterClaim.usual())) {
            checkpoints.restoreLatest(state);
            save(checkpoints, saves);
        }
    }

    /// The second life finds no lock, as in a copy, and takes the run over. The third, which has a lease, begins anew.
    private void trainWithEveryRecord(String codec) throws IOException {
        train(codec, "latest:1", 2);
        Files.delete(run.resolve("writer.lock"));
        train(codec, "latest:1", 1);
        try (Checkpoints checkpoints =
                open(codec, "latest:1", WriterClaim.usual().withLocking(WriterClaim.Locking.LEASE))) {
            checkpoints.startFresh();
            save(checkpoints, SAVES + 2); // the last ones are deltas
        }
    }

    private void save(Checkpoints checkpoints, int saves) throws IOException {
        for (int i = 0; i < saves; i++) {
            for (int step = 0; step < STEPS_A_SAVE; step++) {
                state.makeStep();
            }
            checkpoints.awaitHousekeeping();
            checkpoints.afterStep(state.step, state);
            checkpoints.awaitSave();
        }
        checkpoints.awaitHousekeeping();
    }

    private Checkpoints open(String codec, String keep, WriterClaim claim) throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withPolicy(new SavePolicy.EverySteps(1))
                        .withCodec(Yardstick.parse(codec))
                        .withLongestChain(2)
                        .withRetention(Retention.parse(keep))
                        .withClaim(claim)
                        .withoutLog()
                        .withListener(event -> {
                            if (event instanceof CheckpointEvent.Committed committed) {
                                remember(committed.checkpoint());
                            }
                        }));
    }

    private void remember(Checkpoint committed) {
        try {
            digests.put(
                    committed.step(),
                    digest(store().history().find(committed.id()).orElseThrow()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String digest(Commit checkpoint) throws IOException {
        var target = state(run.getFileName().toString());
        try (CheckpointReader reader = store().open(checkpoint)) {
            for (LiveTensor tensor : target.tensors()) {
                reader.read(tensor.spec(), tensor.memory());
            }
        }
        return target.digest();
    }

    private CheckpointStore store() {
        return new CheckpointStore(new LocalBlobStore(run));
    }

    /// Of what the run has in the end, as it read when it was committed.
    private List<Sum> expected() throws IOException {
        var expected = new ArrayList<Sum>();
        for (Commit checkpoint : store().history().currentCheckpoints()) {
            String digest = Objects.requireNonNull(digests.get(checkpoint.step()));
            expected.add(new Sum(checkpoint.step(), checkpoint.kind(), digest));
        }
        return expected;
    }
}
