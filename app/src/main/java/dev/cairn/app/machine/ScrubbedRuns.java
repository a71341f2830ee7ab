package dev.cairn.app.machine;

import dev.cairn.app.run.RunFolders;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.scrub.ScrubReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// How far scrubbing is with the runs in a folder.
final class ScrubbedRuns {
    private ScrubbedRuns() {}

    /// All runs in this folder together, or the run that the folder is; empty if there is none. A damaged file has its
    /// run before its name if there are several.
    static Optional<ScrubReport> in(Path folder) throws IOException {
        if (RunFolders.isRun(folder)) {
            return Optional.of(of(folder));
        }
        List<Path> runs = RunFolders.runsIn(folder);
        if (runs.isEmpty()) {
            return Optional.empty();
        }
        int files = 0;
        int checked = 0;
        long rewritten = 0;
        Optional<Instant> oldest = Optional.empty();
        var damaged = new TreeMap<String, String>();
        for (Path run : runs) {
            ScrubReport report = of(run);
            files += report.files();
            checked += report.checked();
            rewritten += report.rewritten();
            oldest = earlier(oldest, report.oldest());
            report.damaged().forEach((file, reason) -> damaged.put(run.getFileName() + "/" + file, reason));
        }
        return Optional.of(new ScrubReport(files, checked, oldest, rewritten, damaged));
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        return one.isPresent() && (other.isEmpty() || one.get().isBefore(other.get())) ? one : other;
    }

    private static ScrubReport of(Path run) throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(run));
        return ScrubReport.of(store, store.history());
    }
}
