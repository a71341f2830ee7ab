package dev.cairn.store.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.DamagedException;
import dev.cairn.store.Samples;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.Entry;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that Cairn did not write into a run: a repair moves them away, and the run continues.
class StrangeFilesTest {
    @TempDir
    Path run;

    private CheckpointStore store;

    @BeforeEach
    void threeCheckpoints() throws IOException {
        store = new CheckpointStore(new LocalBlobStore(run));
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        for (int step = 1; step <= 3; step++) {
            Samples.commit(writer, step);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "log/999999999999999.rec",
                "log/999999999999998.rec",
                "log/999999000000000.rec",
                "log/999999999999998.twin",
                "segments/999999999999999-x-0123456789abcdef.seg",
                "segments/999999999999998-rank1-0123456789abcdef.seg"
            })
    void aStrayFileOfTheHighestNumberIsMovedAway(String name) throws IOException {
        Files.writeString(run.resolve(name), "stray");
        repair(3, name);
        assertThat(Samples.commit(CheckpointWriter.open(store, () -> {}), 4).number())
                .isEqualTo(4);
        assertClean();
    }

    @ParameterizedTest
    @ValueSource(strings = {"log/999999999999999.rec", "segments/999999999999999-x-0123456789abcdef.seg"})
    void untilThenAWriterSaysWhatToDo(String name) throws IOException {
        Files.writeString(run.resolve(name), "stray");
        assertThatThrownBy(() -> CheckpointWriter.open(store, () -> {}))
                .isInstanceOf(DamagedException.class)
                .hasMessageContaining("repair the run");
    }

    @ParameterizedTest
    @CsvSource({
        "log/0000000004.rec, 3",
        "log/0000000002.rec, 3",
        "log/0000000002.twin, 3",
        "log/999999999999999.rec, 3",
        "lease/0000000001.lease, 3"
    })
    void aFolderInTheirPlaceIsMovedAway(String name, int left) throws IOException {
        folder(name);
        repair(left, name);
        Samples.commit(CheckpointWriter.open(store, () -> {}), 4);
        assertClean();
    }

    @Test
    void aFolderInThePlaceOfASegmentIsMovedAway() throws IOException {
        String name = new LocalBlobStore(run)
                .list("segments/").stream().sorted().toList().getLast();
        folder(name);
        repair(2, name);
        assertClean();
    }

    /// It does no harm.
    @Test
    void aFolderNamedLikeALeftoverIsLeftAlone() throws IOException {
        folder("segments/0000000004-0123456789abcdef.seg");
        Samples.commit(CheckpointWriter.open(store, () -> {}), 4);
        assertThat(run.resolve("segments/0000000004-0123456789abcdef.seg/file")).exists();
        assertThat(StoreVerifier.verify(store, Depth.FULL, _ -> {}).damaged()).isEmpty();
    }

    private void folder(String name) throws IOException {
        Path path = run.resolve(name);
        Files.deleteIfExists(path);
        Files.createDirectories(path);
        Files.writeString(path.resolve("file"), "somebody's");
    }

    private void repair(int left, String moved) throws IOException {
        if (moved.startsWith("lease")) {
            new LocalBlobStore(run).createIfAbsent("lease/0000000002.lease", new byte[0]);
        }
        assertThat(StoreVerifier.verify(store, Depth.FULL, _ -> {}).damaged()).isNotEmpty();
        Repair.Done done = Repair.run(store, () -> {}, Samples.TIME);
        assertThat(run.resolve(moved).resolve("file")).doesNotExist();
        assertThat(run.resolve(done.folder() + moved)).exists();
        assertThat(store.currentEntries()).hasSize(left).allMatch(Entry.Intact.class::isInstance);
        Files.deleteIfExists(run.resolve("lease/0000000002.lease"));
    }

    private void assertClean() throws IOException {
        var report = StoreVerifier.verify(store, Depth.FULL, _ -> {});
        assertThat(report.damaged()).isEmpty();
        assertThat(report.foreign()).isEmpty();
    }
}
