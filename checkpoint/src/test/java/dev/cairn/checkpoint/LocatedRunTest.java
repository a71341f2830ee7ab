package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.location.RunLocation;
import dev.cairn.store.location.StorageSettings;
import dev.cairn.store.location.UnknownSchemeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs that are opened by their location.
class LocatedRunTest {
    private static final CheckpointOptions OPTIONS =
            CheckpointOptions.defaults().withoutLog();

    @TempDir
    Path folder;

    @Test
    void aFolderIsALocation() throws IOException {
        RunLocation run = RunLocation.parse(folder.resolve("run").toString());
        assertThatARunIsSavedAndRestoredAt(run, StorageSettings.none());
        assertThat(folder.resolve("run/writer.lock")).exists();
    }

    @Test
    void aRunIsSavedAndRestoredInStorageOfAnyScheme() throws IOException {
        int open = NearbyStorage.OPEN.get();
        RunLocation run = RunLocation.parse("nearby://" + folder);
        assertThatARunIsSavedAndRestoredAt(run, StorageSettings.none());
        assertThat(NearbyStorage.OPEN).as("opened and not closed").hasValue(open);
        assertThat(folder.resolve("writer.lock")).doesNotExist(); // a lease keeps other writers out
        assertThat(folder.resolve("lease")).isDirectory();
    }

    @Test
    void settingsReachTheStorage() throws IOException {
        Files.createDirectory(folder.resolve("d"));
        RunLocation run = RunLocation.parse("nearby://" + folder);
        assertThatARunIsSavedAndRestoredAt(run, StorageSettings.none().with("depot", "d"));
        assertThat(folder.resolve("d/log")).isDirectory();
    }

    @Test
    void storageThatCannotBeOpenedIsTold() {
        int open = NearbyStorage.OPEN.get();
        assertThatThrownBy(() -> Checkpoints.open(RunLocation.parse("gs://bucket/run"), OPTIONS))
                .isInstanceOf(UnknownSchemeException.class)
                .hasMessageStartingWith("unknown scheme 'gs'; known: file, nearby");
        StorageSettings wrong = StorageSettings.none().with("endpoint", "http://x");
        assertThatThrownBy(() -> Checkpoints.open(RunLocation.parse("nearby://" + folder), wrong, OPTIONS))
                .hasMessage("unknown storage setting 'endpoint'; known: depot");
        assertThat(NearbyStorage.OPEN).hasValue(open);
    }

    private static void assertThatARunIsSavedAndRestoredAt(RunLocation run, StorageSettings settings)
            throws IOException {
        var state = new CountingState();
        try (Checkpoints checkpoints = Checkpoints.open(run, settings, OPTIONS)) {
            assertThat(checkpoints.restoreLatest(state)).isEmpty();
            state.makeStep();
            checkpoints.saveNow(1, state);
        }
        var restored = new CountingState();
        try (Checkpoints checkpoints = Checkpoints.open(run, settings, OPTIONS)) {
            assertThat(checkpoints.restoreLatest(restored).map(Checkpoint::step))
                    .contains(1L);
        }
        assertThat(restored.isAt(1)).isTrue();
    }
}
