package dev.cairn.observe.recording;

import dev.cairn.store.DamagedException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RecordingName;
import dev.cairn.store.blob.RecordingName.Series;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Finds and reads the files of one series in a run, by attempt and process.
public final class RecordingFiles {
    /// The maximum size of a file: more than a writer produces, but small enough that a forged file cannot
    /// exhaust memory.
    private static final long MOST_BYTES = 64L << 20;

    /// The maximum number of tries, because parts may be merged while they are read. Each try finds fewer parts.
    private static final int MOST_TRIES = 5;

    private final BlobStore store;
    private final Series series;

    /// Reads from the run in this storage.
    public RecordingFiles(BlobStore store, Series series) {
        this.store = store;
        this.series = series;
    }

    /// The processes of each attempt.
    public SortedMap<Long, List<String>> attempts() throws IOException {
        var attempts = new TreeMap<Long, List<String>>();
        for (RecordingName name : names()) {
            List<String> processes = attempts.computeIfAbsent(name.attempt(), _ -> new ArrayList<>());
            if (!processes.contains(name.process())) {
                processes.add(name.process());
            }
        }
        return attempts;
    }

    /// Passes on the JSON objects that a process recorded in an attempt, in order, each with all its keys.
    public void read(long attempt, String process, Consumer<Map<String, @Nullable Object>> lines) throws IOException {
        for (byte[] part : contents(attempt, process)) {
            JsonLines.read(part, lines);
        }
    }

    private List<byte[]> contents(long attempt, String process) throws IOException {
        for (int tries = 1; ; tries++) {
            var contents = new ArrayList<byte[]>();
            try {
                for (RecordingName part : parts(attempt, process)) {
                    contents.add(content(part));
                }
                return contents;
            } catch (NoSuchFileException merged) {
                if (tries == MOST_TRIES) {
                    throw merged;
                }
            }
        }
    }

    private byte[] content(RecordingName name) throws IOException {
        try {
            return store.readAll(name.file(), MOST_BYTES);
        } catch (DamagedException noFile) {
            return new byte[0]; // a pipe, a folder, or too large: a training did not write it
        }
    }

    /// Returns the parts without those that a larger part contains: a killed writer may leave both.
    private List<RecordingName> parts(long attempt, String process) throws IOException {
        List<RecordingName> all = names().stream()
                .filter(name -> name.attempt() == attempt && name.process().equals(process))
                .toList();
        return all.stream()
                .filter(part -> all.stream().noneMatch(other -> !other.equals(part) && other.holds(part)))
                .toList();
    }

    private List<RecordingName> names() throws IOException {
        return store.list(series.folder()).stream()
                .map(name -> RecordingName.parse(series, name))
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingLong(RecordingName::attempt)
                        .thenComparing(RecordingName::process)
                        .thenComparingLong(RecordingName::first))
                .toList();
    }
}
