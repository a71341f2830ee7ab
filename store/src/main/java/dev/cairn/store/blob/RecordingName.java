package dev.cairn.store.blob;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What the name of a file tells that a training writes while it runs. In a folder each process has one file in an
/// attempt, such as `events/ATTEMPT-PROCESS.jsonl`. In object storage, where nothing can be appended, it has several
/// parts, `events/ATTEMPT-PROCESS-FIRST-LAST.jsonl`.
///
/// @param series what the file is about
/// @param attempt counts the starts of a run that wrote such a file, from 1 on
/// @param process who wrote it: 1 to 32 letters and digits
/// @param first the first part that it holds, from 1 on; 0 if it is not a part
/// @param last the last part that it holds; 0 if it is not a part
public record RecordingName(Series series, long attempt, String process, long first, long last) {
    /// What is recorded, each in files of its own.
    public enum Series {
        /// What happened in the training.
        EVENTS(RunFiles.EVENTS, ".jsonl"),
        /// How the machine and the processes of the training were used.
        SYSTEM(RunFiles.SYSTEM, ".jsonl"),
        /// The same as a table for spreadsheets.
        SYSTEM_TABLE(RunFiles.SYSTEM, ".csv");

        private final String folder;
        private final String end;
        private final Pattern form;

        Series(String folder, String end) {
            this.folder = folder;
            this.end = end;
            this.form = Pattern.compile(Pattern.quote(folder)
                    + "([0-9]{10,15})-([a-z0-9]{1,32})(?:-([0-9]{10,15})-([0-9]{10,15}))?" + Pattern.quote(end));
        }

        /// The folder of the files, relative to the run, with a slash at its end.
        public String folder() {
            return folder;
        }

        /// The end of the files' names.
        public String end() {
            return end;
        }
    }

    public RecordingName {
        if (!process.matches("[a-z0-9]{1,32}")) {
            throw new IllegalArgumentException(
                    "a process's name has 1 to 32 lower-case letters and digits: '" + process + "'");
        }
    }

    /// The file of a process in a folder.
    public static RecordingName file(Series series, long attempt, String process) {
        return new RecordingName(series, attempt, process, 0, 0);
    }

    /// The same process, with these parts.
    public RecordingName withParts(long from, long to) {
        return new RecordingName(series, attempt, process, from, to);
    }

    /// Whether it holds all parts that the other one holds.
    public boolean holds(RecordingName other) {
        return first <= other.first && last >= other.last;
    }

    /// The file, relative to the run.
    public String file() {
        String parts = last == 0 ? "" : "-" + RunFiles.digits(first) + "-" + RunFiles.digits(last);
        return series.folder + RunFiles.digits(attempt) + "-" + process + parts + series.end;
    }

    /// Null if the name is not one of a file of this series.
    public static @Nullable RecordingName parse(Series series, String name) {
        Matcher found = series.form.matcher(name);
        if (!found.matches()) {
            return null;
        }
        long first = found.group(3) == null ? 0 : Long.parseLong(found.group(3));
        long last = found.group(4) == null ? 0 : Long.parseLong(found.group(4));
        return new RecordingName(series, Long.parseLong(found.group(1)), found.group(2), first, last);
    }

    /// Whether a training wrote a file of this name, or was about to.
    public static boolean isRecording(String name) {
        for (Series series : Series.values()) {
            if (name.startsWith(series.folder + RunFiles.TEMPORARY_PREFIX) || parse(series, name) != null) {
                return true;
            }
        }
        return false;
    }
}
