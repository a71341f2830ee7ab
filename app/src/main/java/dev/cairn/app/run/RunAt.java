package dev.cairn.app.run;

import dev.cairn.app.text.Skipped;
import dev.cairn.checkpoint.NoSuchCheckpointException;
import dev.cairn.checkpoint.Selector;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreException;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.SteadyRead;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;

/// `RUN[@STEP|@best]`: one checkpoint of a run, as users write it.
///
/// @param text the argument
public record RunAt(String text, RunLocation run, Selector selector) {
    /// Parses the text. An existing folder is used as written, even if its name contains an `@`.
    ///
    /// @throws IllegalArgumentException if it is not a location, or if the text after the last `@` is unknown
    public static RunAt parse(String text) {
        int at = text.lastIndexOf('@');
        if (at < 0 || isFolder(text)) {
            return new RunAt(text, RunLocation.parse(text), new Selector.Latest());
        }
        Selector selector = Selector.parse(text.substring(at + 1))
                .orElseThrow(() -> new IllegalArgumentException(
                        "%s: '%s' is neither a step nor 'best'".formatted(text, text.substring(at + 1))));
        return new RunAt(text, RunLocation.parse(text.substring(0, at)), selector);
    }

    private static boolean isFolder(String text) {
        return RunLocation.parse(text) instanceof RunLocation.Folder(Path folder) && Files.isDirectory(folder);
    }

    /// The selected checkpoint and the history of its run.
    ///
    /// @param best how it compares with the step that has the best score
    /// @param passedOver why newer checkpoints were skipped: their records cannot be read
    public record Found(
            CheckpointStore store, History history, Manifest manifest, BestStep best, List<StoreException> passedOver) {
        public Commit checkpoint() {
            return manifest.checkpoint();
        }

        /// Prints notes about the selection.
        public void tell(PrintWriter err) {
            best.note().ifPresent(err::println);
            for (StoreException reason : passedOver) {
                err.println(Skipped.line(OptionalLong.empty(), reason));
            }
        }
    }

    /// Returns the first selected checkpoint whose record can be read. Does not read its segments.
    ///
    /// @throws NoSuchCheckpointException if the run has no such checkpoint
    public Found find(CommandSpec command, StorageOptions storage) throws IOException {
        return SteadyRead.of(runs -> find(command, storage, runs));
    }

    /// The same, as part of a longer read.
    public Found find(CommandSpec command, StorageOptions storage, SteadyRead runs) throws IOException {
        CheckpointStore store = Runs.open(command, run, storage);
        History history = runs.history(store);
        var passedOver = new ArrayList<StoreException>();
        for (Entry entry : selector.inOrder(history.current())) {
            switch (entry) {
                case Entry.Intact(Commit checkpoint) -> {
                    return new Found(
                            store,
                            history,
                            store.manifest(checkpoint),
                            BestStep.of(selector, history, checkpoint.step()),
                            passedOver);
                }
                case Entry.Unreadable(long _, NewerFormatException newer) -> throw newer;
                case Entry.Unreadable unreadable -> passedOver.add(unreadable.reason());
            }
        }
        if (!passedOver.isEmpty()) {
            throw passedOver.getFirst();
        }
        throw new NoSuchCheckpointException(run.name(), selector, history.current());
    }
}
