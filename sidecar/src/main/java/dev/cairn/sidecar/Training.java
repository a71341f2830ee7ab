package dev.cairn.sidecar;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The process of the training. The time of its start tells it from a later process with the same id.
///
/// @param start the time of its start in the system's ticks, as in `/proc/PID/stat`
record Training(long pid, long start) {
    private static final Pattern HOLDER = Pattern.compile("held by process ([0-9]+) ");
    private static final int STATE = 0;
    private static final int START = 19;

    /// False also for one that has ended and only waits for its parent to take notice.
    boolean isAlive() {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return !fields[STATE].equals("Z") && !fields[STATE].equals("X") && Long.parseLong(fields[START]) == start;
        } catch (IOException | RuntimeException gone) {
            return false;
        }
    }

    /// The training of the sidecar that holds a run, as the complaint about the lock names it; empty if the holder is
    /// no sidecar, or on another machine.
    static Optional<Training> ofHolder(String complaint) {
        Matcher holder = HOLDER.matcher(complaint);
        if (!holder.find()) {
            return Optional.empty();
        }
        try {
            String[] words = Files.readString(Path.of("/proc", holder.group(1), "cmdline"))
                    .split("\0", -1);
            for (int i = 0; i + 3 < words.length; i++) {
                if (words[i].equals(Main.class.getName())) {
                    return Optional.of(new Training(Long.parseLong(words[i + 2]), Long.parseLong(words[i + 3])));
                }
            }
        } catch (IOException | NumberFormatException gone) {
            // It has ended, or belongs to somebody else.
        }
        return Optional.empty();
    }
}
