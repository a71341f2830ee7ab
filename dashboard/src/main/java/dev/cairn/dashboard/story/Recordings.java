package dev.cairn.dashboard.story;

import dev.cairn.observe.events.RunEvents;
import dev.cairn.observe.system.SystemFigures;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RecordingName;
import dev.cairn.store.blob.RecordingName.Series;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// The files of events and figures of one run. Each is read once, and again when it has grown. Newer ones are read
/// first. Not thread-safe.
public final class Recordings {
    /// The points of newer attempts stay in memory as they are. Of older ones, as many stay as a screen can show.
    private static final int MOST_POINTS = 2_000_000;

    private final BlobStore blobs;
    private final RunEvents events;
    private final SystemFigures system;
    private Map<Source, Kept<Attempt>> attempts = Map.of();
    private Map<Source, Kept<MachineUse>> machines = Map.of();

    /// Reads from the run in this storage.
    public Recordings(BlobStore blobs) {
        this.blobs = blobs;
        this.events = new RunEvents(blobs);
        this.system = new SystemFigures(blobs);
    }

    private record Source(long attempt, String process) {}

    /// @param stamp the names and sizes of the files that it was read from
    private record Kept<T>(Map<String, Long> stamp, T content) {}

    /// Reads what is new.
    ///
    /// @param parts receives the story after each file, so that something can be shown before all are read
    /// @return whether anything was new
    public boolean read(Consumer<Story> parts) throws IOException {
        Map<Source, Map<String, Long>> figures = files(Series.SYSTEM);
        Map<Source, Map<String, Long>> told = files(Series.EVENTS);
        boolean changed =
                !figures.keySet().equals(machines.keySet()) || !told.keySet().equals(attempts.keySet());
        var newMachines = new HashMap<Source, Kept<MachineUse>>();
        for (Source source : newestFirst(figures)) {
            Map<String, Long> stamp = figures.getOrDefault(source, Map.of());
            Kept<MachineUse> kept = machines.get(source);
            boolean fresh = kept != null && kept.stamp().equals(stamp);
            changed |= !fresh;
            newMachines.put(source, kept != null && fresh ? kept : new Kept<>(stamp, machine(source)));
        }
        machines = newMachines;
        var newAttempts = new HashMap<Source, Kept<Attempt>>();
        int points = 0;
        for (Source source : newestFirst(told)) {
            Map<String, Long> stamp = told.getOrDefault(source, Map.of());
            Kept<Attempt> kept = attempts.get(source);
            boolean fresh = kept != null && kept.stamp().equals(stamp);
            Kept<Attempt> attempt = kept != null && fresh ? kept : new Kept<>(stamp, attempt(source));
            points += attempt.content().points();
            if (points > MOST_POINTS && !fresh) {
                attempt.content().thin();
            }
            newAttempts.put(source, attempt);
            if (!fresh) {
                changed = true;
                parts.accept(story(newAttempts, told.size()));
            }
        }
        attempts = newAttempts;
        if (changed) {
            parts.accept(story(newAttempts, told.size()));
        }
        return changed;
    }

    private Map<Source, Map<String, Long>> files(Series series) throws IOException {
        var files = new HashMap<Source, Map<String, Long>>();
        blobs.sizes(series.folder()).forEach((name, size) -> {
            RecordingName parsed = RecordingName.parse(series, name);
            if (parsed != null) {
                files.computeIfAbsent(new Source(parsed.attempt(), parsed.process()), _ -> new HashMap<>())
                        .put(name, size);
            }
        });
        return files;
    }

    private static List<Source> newestFirst(Map<Source, ?> sources) {
        return sources.keySet().stream()
                .sorted(Comparator.comparingLong(Source::attempt)
                        .thenComparing(Source::process)
                        .reversed())
                .toList();
    }

    private Attempt attempt(Source source) throws IOException {
        var reader = new AttemptReader(source.attempt(), source.process());
        try {
            events.read(source.attempt(), source.process(), reader);
        } catch (NoSuchFileException removed) {
            return new Attempt(source.attempt(), source.process());
        }
        return reader.done();
    }

    private MachineUse machine(Source source) throws IOException {
        return MachineUse.of(system.read(source.attempt(), source.process()));
    }

    private Story story(Map<Source, Kept<Attempt>> read, int files) {
        var inOrder = new ArrayList<Attempt>();
        newestFirst(read).reversed().forEach(source -> {
            Kept<Attempt> kept = read.get(source);
            if (kept != null) {
                inOrder.add(kept.content());
            }
        });
        var use = new ArrayList<MachineUse>();
        newestFirst(machines).reversed().forEach(source -> {
            Kept<MachineUse> kept = machines.get(source);
            if (kept != null) {
                use.add(kept.content());
            }
        });
        return new Story(inOrder, use, read.size(), files);
    }
}
