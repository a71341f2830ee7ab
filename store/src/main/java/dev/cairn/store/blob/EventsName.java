package dev.cairn.store.blob;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What the name of a file of events tells. In a folder each process has one file in an attempt,
/// `events/ATTEMPT-PROCESS.jsonl`. In object storage, where nothing can be appended, it has several parts,
/// `events/ATTEMPT-PROCESS-FIRST-LAST.jsonl`.
///
/// @param attempt counts the starts of a run, from 1 on
/// @param process who wrote it: 1 to 32 letters and digits
/// @param first the first part that it holds, from 1 on; 0 if it is not a part
/// @param last the last part that it holds; 0 if it is not a part
public record EventsName(long attempt, String process, long first, long last) {
    private static final String END = ".jsonl";
    private static final Pattern FORM = Pattern.compile(Pattern.quote(RunFiles.EVENTS)
            + "([0-9]{10,15})-([a-z0-9]{1,32})(?:-([0-9]{10,15})-([0-9]{10,15}))?" + Pattern.quote(END));

    public EventsName {
        if (!process.matches("[a-z0-9]{1,32}")) {
            throw new IllegalArgumentException(
                    "a process's name has 1 to 32 lower-case letters and digits: '" + process + "'");
        }
    }

    /// The file of a process in a folder.
    public static EventsName file(long attempt, String process) {
        return new EventsName(attempt, process, 0, 0);
    }

    /// The same process, with these parts.
    public EventsName withParts(long from, long to) {
        return new EventsName(attempt, process, from, to);
    }

    /// Whether it holds all parts that the other one holds.
    public boolean holds(EventsName other) {
        return first <= other.first && last >= other.last;
    }

    /// The file, relative to the run.
    public String file() {
        String parts = last == 0 ? "" : "-" + RunFiles.digits(first) + "-" + RunFiles.digits(last);
        return RunFiles.EVENTS + RunFiles.digits(attempt) + "-" + process + parts + END;
    }

    /// Null if the name is not one of a file of events.
    public static @Nullable EventsName parse(String name) {
        Matcher found = FORM.matcher(name);
        if (!found.matches()) {
            return null;
        }
        long first = found.group(3) == null ? 0 : Long.parseLong(found.group(3));
        long last = found.group(4) == null ? 0 : Long.parseLong(found.group(4));
        return new EventsName(Long.parseLong(found.group(1)), found.group(2), first, last);
    }
}
