package dev.cairn.checkpoint.scrub;

import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.scrub.ScrubNotes;
import dev.cairn.store.segment.SegmentRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The files that the log needs, in the order in which they are due: those first that were not checked for the longest
/// time. Writing a file counts as its first check. Pure.
record Agenda(List<Task> tasks) {
    Agenda {
        tasks = List.copyOf(tasks);
    }

    /// A file to check.
    sealed interface Task {
        /// The name, relative to the run.
        String file();

        /// When it was last checked or written.
        Instant last();

        /// A segment.
        record OfSegment(SegmentRef segment, Instant last) implements Task {
            @Override
            public String file() {
                return segment.name();
            }
        }

        /// All records together: they are small, and there may be thousands.
        record OfRecords(Instant last) implements Task {
            @Override
            public String file() {
                return RunFiles.LOG;
            }
        }
    }

    /// @param now later times are not believed: the clock was wrong then, or is wrong now
    static Agenda of(History history, ScrubNotes notes, Instant now) {
        var tasks = new ArrayList<Task>();
        Instant oldest = now;
        for (Entry entry : history.all()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                Instant written = checkpoint.time();
                oldest = written.isBefore(oldest) ? written : oldest;
                for (SegmentRef segment : checkpoint.segments()) {
                    tasks.add(new Task.OfSegment(segment, last(notes.checked(segment.name()), written, now)));
                }
            }
        }
        tasks.add(new Task.OfRecords(last(notes.checked(RunFiles.LOG), oldest, now)));
        tasks.sort(Comparator.comparing(Task::last));
        return new Agenda(tasks);
    }

    private static Instant last(Optional<Instant> checked, Instant written, Instant now) {
        return Stream.concat(checked.stream(), Stream.of(written))
                .filter(time -> !time.isAfter(now))
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
    }

    /// The names of all files.
    Set<String> files() {
        return tasks.stream().map(Task::file).collect(Collectors.toSet());
    }

    /// The task that checks this file of the run; empty if the log does not need it.
    Optional<Task> find(String file) {
        String name = file.startsWith(RunFiles.LOG) ? RunFiles.LOG : file;
        return tasks.stream().filter(task -> task.file().equals(name)).findFirst();
    }
}
