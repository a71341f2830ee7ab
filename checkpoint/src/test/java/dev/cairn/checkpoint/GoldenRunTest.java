package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.GoldenRuns.Sum;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs that [GoldenRuns] made when the format's version was new restore to the bits that readers got then.
class GoldenRunTest {
    private static final Pattern TYPE = Pattern.compile("\"type\":\"([a-z]+)\"");

    @TempDir
    Path folder;

    private Path golden = Path.of("");

    @BeforeEach
    void find() throws URISyntaxException {
        golden = Path.of(
                Objects.requireNonNull(getClass().getResource("/golden")).toURI());
    }

    static Set<String> names() {
        return new TreeSet<>(GoldenRuns.CODECS.keySet());
    }

    private List<Sum> sums(String name) throws IOException {
        try (Stream<String> lines = Files.lines(GoldenRuns.sums(golden.resolve(name)))) {
            return lines.map(Sum::parse).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyCheckpointRestoresToTheBitsThatWereCommitted(String name) throws IOException {
        Path run = copy(name);
        var restored = new ArrayList<Sum>();
        var state = GoldenRuns.state(name);
        try (Checkpoints checkpoints = open(run, name)) {
            List<Commit> there =
                    new CheckpointStore(new LocalBlobStore(run)).history().currentCheckpoints();
            for (Commit checkpoint : there) {
                assertThat(checkpoints.rollBack(checkpoint.step(), 1, state)).contains(Checkpoint.of(checkpoint));
                assertThat(state.step).isEqualTo(checkpoint.step());
                restored.add(new Sum(checkpoint.step(), checkpoint.kind(), state.digest()));
            }
            Checkpoint newest = checkpoints.restoreLatest(state).orElseThrow();
            assertThat(newest).isEqualTo(Checkpoint.of(there.getLast()));
        }
        assertThat(restored).isEqualTo(sums(name));
        assertThat(state.digest()).isEqualTo(sums(name).getLast().sha256());
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyByteVerifies(String name) throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(copy(name)));
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, _ -> {})
                        .ok())
                .isTrue();
        assertThat(store.leftovers()).isEmpty();
        assertThat(store.foreignFiles()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void trainingGoesOnFromThere(String name) throws IOException {
        Path run = copy(name);
        var state = GoldenRuns.state(name);
        try (Checkpoints checkpoints = open(run, name)) {
            checkpoints.restoreLatest(state);
            state.makeStep();
            assertThat(checkpoints.saveNow(state.step, state).isSaved()).isTrue();
        }
        var resumed = GoldenRuns.state(name);
        try (Checkpoints checkpoints = open(run, name)) {
            assertThat(checkpoints.restoreLatest(resumed).map(Checkpoint::step)).contains(state.step);
        }
        assertThat(resumed.digest()).isEqualTo(state.digest());
    }

    /// Else the runs would prove less than they should.
    @Test
    void thereIsOneOfEverything() throws IOException {
        for (String name : names()) {
            List<String> kinds = sums(name).stream().map(Sum::kind).toList();
            switch (name) {
                case "v1-full" ->
                    assertThat(kinds).as(name).hasSizeGreaterThan(2).containsOnly("base");
                case GoldenRuns.ALL_RECORDS -> assertThat(kinds).as(name).contains("delta", "merged");
                default -> assertThat(kinds).as(name).contains("base", "delta", "merged");
            }
        }
        var types = new HashSet<String>();
        try (Stream<Path> records =
                Files.list(golden.resolve(GoldenRuns.ALL_RECORDS).resolve("log"))) {
            for (Path record : records.toList()) {
                var type = TYPE.matcher(Files.readString(record));
                assertThat(type.find()).isTrue();
                types.add(type.group(1));
            }
        }
        assertThat(types).containsExactlyInAnyOrder("checkpoint", "start", "prune", "takeover");
        assertThat(golden.resolve(GoldenRuns.ALL_RECORDS).resolve("lease")).isNotEmptyDirectory();
    }

    private static Checkpoints open(Path run, String name) throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withCodec(Yardstick.parse(Objects.requireNonNull(GoldenRuns.CODECS.get(name))))
                        .withoutLog());
    }

    private Path copy(String name) throws IOException {
        return GoldenRuns.copy(golden.resolve(name), folder);
    }
}
