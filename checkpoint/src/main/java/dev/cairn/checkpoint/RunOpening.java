package dev.cairn.checkpoint;

import dev.cairn.checkpoint.capture.CopyThreads;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.location.StorageSettings;
import dev.cairn.store.right.WriterRight;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;

/// Opens runs for writing: takes the right to write and refuses a copy that would be stored in the run itself. If
/// opening fails, nothing stays open.
final class RunOpening {
    private RunOpening() {}

    /// Opens the run at this location. Storage that is opened for it is closed with the run.
    static RunParts at(RunLocation run, StorageSettings settings, CheckpointOptions options) throws IOException {
        return switch (run) {
            case RunLocation.Folder(Path folder) -> in(folder, options, threads(options));
            case RunLocation.Remote remote -> {
                BlobStore blobs = remote.blobs(settings);
                try {
                    WriterRight right =
                            WriterRight.take(blobs, options.environment().claim());
                    yield open(blobs, right, options, threads(options), Optional.of(blobs));
                } catch (IOException | RuntimeException e) {
                    RunParts.close(blobs);
                    throw e;
                }
            }
        };
    }

    /// Opens the run in this folder, which is created if it does not exist.
    ///
    /// @param copying the threads that copy states, closed with the run
    static RunParts in(Path run, CheckpointOptions options, CopyThreads copying) throws IOException {
        var blobs = new LocalBlobStore(run, options.environment().claim().clock());
        requireAnotherPlace(options, copy -> copy instanceof LocalBlobStore local && local.isSamePlaceAs(blobs));
        blobs.createFolder();
        WriterRight right = WriterRight.take(run, options.environment().claim());
        return open(blobs, right, options, copying, Optional.empty());
    }

    /// Opens the run in this storage, which the caller closes.
    ///
    /// @param right the right to write there, closed with the run, or if this throws
    static RunParts in(BlobStore store, WriterRight right, CheckpointOptions options) throws IOException {
        return open(store, right, options, threads(options), Optional.empty());
    }

    static CopyThreads threads(CheckpointOptions options) {
        return CopyThreads.upTo(options.resources().saveThreads());
    }

    private static RunParts open(
            BlobStore store,
            WriterRight right,
            CheckpointOptions options,
            CopyThreads copying,
            Optional<BlobStore> owned)
            throws IOException {
        try {
            requireAnotherPlace(options, store::equals);
            return new RunParts(store, right, options, copying, owned);
        } catch (IOException | RuntimeException e) {
            right.close();
            throw e;
        }
    }

    private static void requireAnotherPlace(CheckpointOptions options, Predicate<BlobStore> isTheRun) {
        if (options.copying()
                .map(CheckpointOptions.Copying::store)
                .filter(isTheRun)
                .isPresent()) {
            throw new IllegalArgumentException(
                    "the copy would be stored in the run itself; give CheckpointOptions.withCopy another storage");
        }
    }
}
