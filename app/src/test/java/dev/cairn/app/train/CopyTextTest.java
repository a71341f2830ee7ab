package dev.cairn.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.app.console.Terminal;
import dev.cairn.app.progress.CopyText;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.disk.Folders;
import dev.cairn.observe.Observers;
import dev.cairn.store.Clock;
import dev.cairn.store.Role;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CopyTextTest {
    @TempDir
    Path folder;

    @Test
    void aCopyWhoseFolderWasRemovedIsToldAsNotKeptUp() throws IOException {
        var err = new StringWriter();
        var report = new TerminalReport(new Terminal(new PrintWriter(err, true), false, 80), () -> "", false);
        Path copy = folder.resolve("copy");
        LocalBlobStore.createFolder(copy);
        var options = CheckpointOptions.defaults()
                .withCopy(new LocalBlobStore(copy))
                .withListener(Observers.of(report).listener(Clock.system()));
        var state = TrainingState.of(LiveTensor.of("weight", Role.WEIGHT, new float[] {1, 2, 3}, 3));
        CopyLag lag;
        try (Checkpoints checkpoints = Checkpoints.open(folder.resolve("run"), options)) {
            checkpoints.saveNow(1, state);
            await(checkpoints, CopyLag::isNone);
            Eventually.holds("the twin of the record is copied", () -> hasTwin(copy));
            Eventually.holds("the copy's folder is removed", () -> isRemoved(copy));
            checkpoints.saveNow(2, state);
            lag = await(checkpoints, found -> !found.kept());
        }
        // The copy may still be about to finish its twin when its folder goes, and then says so.
        assertThat(err.toString().lines())
                .filteredOn(line -> !line.contains("has every checkpoint"))
                .singleElement()
                .asString()
                .contains("cairn: the copy is no longer updated: ")
                .contains("writer.lock was removed or replaced; training continues without it; check the place")
                .doesNotContain("this process stops");
        assertThat(CopyText.progress(lag)).isEqualTo("  copy not updated");
        assertThat(CopyText.atTheEnd("C", lag)).isEqualTo("C is no longer updated; the next start continues the copy");
        assertThat(CopyText.incomplete("C", lag)).contains("its copy in C is no longer updated; see above");
    }

    private static boolean hasTwin(Path copy) {
        return Files.exists(copy.resolve("log").resolve("0000000001.twin"));
    }

    /// The copy may still put files into the folder.
    private static boolean isRemoved(Path copy) throws IOException {
        try {
            Folders.delete(copy);
            return true;
        } catch (DirectoryNotEmptyException later) {
            return false;
        }
    }

    private static CopyLag await(Checkpoints checkpoints, Predicate<CopyLag> wanted) {
        return Eventually.get("the copy's lag", () -> checkpoints.copyLag().filter(wanted));
    }
}
