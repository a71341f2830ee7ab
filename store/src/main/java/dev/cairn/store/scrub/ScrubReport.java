package dev.cairn.store.scrub;

import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// How far scrubbing is with a run.
///
/// @param files the number of files that are checked; the records count as one
/// @param checked how many of them were checked since they were written
/// @param oldest when the one was checked that was not checked for the longest time; empty if none was checked
/// @param rewritten the number of files that were damaged and were rewritten
/// @param damaged the files that are damaged and do not heal, each with the reason
public record ScrubReport(
        int files, int checked, Optional<Instant> oldest, long rewritten, SortedMap<String, String> damaged) {

    /// Reports on this run.
    public static ScrubReport of(CheckpointStore run, History history) throws IOException {
        ScrubNotes notes = ScrubNotes.of(run.blobs());
        List<String> files = files(history);
        List<Instant> times =
                files.stream().flatMap(file -> notes.checked(file).stream()).toList();
        return new ScrubReport(
                files.size(),
                times.size(),
                times.stream().min(Instant::compareTo),
                notes.rewriteCount(),
                notes.damaged());
    }

    private static List<String> files(History history) {
        var files = new ArrayList<String>();
        for (Entry entry : history.all()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                files.addAll(checkpoint.segmentNames());
            }
        }
        files.add(RunFiles.LOG);
        return files;
    }
}
