package dev.cairn.train.job;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.location.StorageSettings;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The location of a run or of its copy, and the settings of the storage there.
public record Place(RunLocation location, StorageSettings storage) {
    /// Opens the storage. Reads and creates nothing.
    OpenStorage open() throws JobRefusedException {
        try {
            return new OpenStorage(location.blobs(storage));
        } catch (IllegalArgumentException e) {
            throw new JobRefusedException(new Refusal.Invalid(e), e);
        }
    }

    /// Creates the folder, if the place is one.
    void create() throws IOException {
        if (location instanceof RunLocation.Folder(Path folder)) {
            LocalBlobStore.createFolder(folder);
        }
    }

    /// Whether anything was ever saved here.
    boolean hasBegun() throws IOException, JobRefusedException {
        try (OpenStorage opened = open()) {
            return mayHaveFiles() && opened.blobs().list(RunFiles.LOG).stream().anyMatch(RunFiles::isRecord);
        }
    }

    /// Reads the log.
    History history() throws IOException, JobRefusedException {
        try (OpenStorage opened = open()) {
            return new CheckpointStore(opened.blobs()).history();
        }
    }

    /// The newest checkpoint in the log; empty if there is none.
    ///
    /// @throws StorageUnavailableException if the storage does not answer
    Optional<Checkpoint> newest() throws IOException, JobRefusedException {
        if (!mayHaveFiles()) {
            return Optional.empty();
        }
        List<Commit> found = history().currentCheckpoints();
        return found.isEmpty() ? Optional.empty() : Optional.of(Checkpoint.of(found.getLast()));
    }

    private boolean mayHaveFiles() throws IOException {
        return switch (location) {
            case RunLocation.Folder(Path folder) -> new LocalBlobStore(folder).hasFolder();
            case RunLocation.Remote _ -> true;
        };
    }

    @Override
    public String toString() {
        return location.toString();
    }
}
