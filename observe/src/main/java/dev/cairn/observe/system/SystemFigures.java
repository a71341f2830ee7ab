package dev.cairn.observe.system;

import dev.cairn.observe.recording.RecordingFiles;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RecordingName.Series;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;
import java.util.SortedMap;
import java.util.function.Consumer;

/// Reads the system figures of a run. A training may write at the same time. Figures are about time, not about steps,
/// so no later attempt supersedes them.
public final class SystemFigures {
    private final RecordingFiles files;

    /// Reads from the run in this storage.
    public SystemFigures(BlobStore store) {
        this.files = new RecordingFiles(store, Series.SYSTEM);
    }

    /// Passes on the recordings, oldest first. Only one at a time is in memory.
    public void read(Consumer<SystemRecording> recordings) throws IOException {
        for (Entry<Long, List<String>> attempt : files.attempts().entrySet()) {
            for (String process : attempt.getValue()) {
                recordings.accept(read(attempt.getKey(), process));
            }
        }
    }

    /// The starts that recorded figures, and which processes did.
    public SortedMap<Long, List<String>> attempts() throws IOException {
        return files.attempts();
    }

    /// What one process recorded in one start.
    public SystemRecording read(long attempt, String process) throws IOException {
        var samples = new ArrayList<SystemSample>();
        var header = new Header();
        files.read(attempt, process, line -> {
            if (line.get("event") instanceof String kind) {
                switch (kind) {
                    case SampleJson.HEADER -> {
                        header.host = line.get("host") instanceof String host ? host : "";
                        header.cores =
                                line.get("cores") instanceof Long cores ? Math.clamp(cores, 1, Integer.MAX_VALUE) : 1;
                        header.everySeconds =
                                line.get("everySeconds") instanceof Number every ? every.doubleValue() : 1;
                    }
                    case SampleJson.SAMPLE -> SampleJson.read(line).ifPresent(samples::add);
                    default -> {
                        // A later version wrote it.
                    }
                }
            }
        });
        var every = Duration.ofNanos((long) (header.everySeconds * 1e9));
        return new SystemRecording(attempt, process, header.host, header.cores, every, samples);
    }

    private static final class Header {
        private String host = "";
        private int cores = 1;
        private double everySeconds = 1;
    }
}
