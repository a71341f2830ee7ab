package dev.cairn.dashboard.run;

import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.location.RunLocation;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The runs in the places that a dashboard shows. A place is a run, or a folder that contains runs, also in folders
/// below it. Links are not followed, so what is shown lies in the places. Thread-safe.
public final class Places {
    private static final int DEEPEST = 3;
    private static final int MOST_FOLDERS = 20_000;

    private final List<RunLocation> places;
    private final Function<RunLocation, BlobStore> blobs;
    private final Clock clock;
    private final Liveness liveness = Liveness.onThisHost();
    private volatile Map<String, WatchedRun> runs = Map.of();

    /// @param blobs opens the storage of a run
    public Places(List<RunLocation> places, Function<RunLocation, BlobStore> blobs, Clock clock) {
        this.places = List.copyOf(places);
        this.blobs = blobs;
        this.clock = clock;
    }

    /// The places as they were given.
    public List<RunLocation> all() {
        return places;
    }

    /// The runs that were there at the last look, by place and name.
    public List<WatchedRun> runs() {
        return List.copyOf(runs.values());
    }

    /// The run with this id; empty if it was not there at the last look.
    public Optional<WatchedRun> find(String id) {
        return Optional.ofNullable(runs.get(id));
    }

    /// Looks which runs there are now. What is known of runs stays.
    public synchronized void look() {
        var found = new LinkedHashMap<String, WatchedRun>();
        for (RunLocation place : places) {
            for (RunLocation location : locations(place)) {
                String id = WatchedRun.id(location);
                WatchedRun known = runs.get(id);
                found.put(id, known == null ? new WatchedRun(location, blobs.apply(location), clock, liveness) : known);
            }
        }
        runs = found;
    }

    private static List<RunLocation> locations(RunLocation place) {
        return switch (place) {
            case RunLocation.Remote remote -> List.of(remote);
            case RunLocation.Folder(Path folder) -> {
                var found = new ArrayList<RunLocation>();
                search(folder, DEEPEST, new int[] {MOST_FOLDERS}, found);
                yield found;
            }
        };
    }

    private static void search(Path folder, int depth, int[] left, List<RunLocation> found) {
        if (isRun(folder)) {
            found.add(new RunLocation.Folder(folder));
            return;
        }
        if (depth == 0) {
            return;
        }
        var below = new ArrayList<Path>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (left[0]-- <= 0) {
                    break;
                }
                if (!String.valueOf(file.getFileName()).startsWith(".")
                        && Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    below.add(file);
                }
            }
        } catch (IOException | DirectoryIteratorException closed) {
            return;
        }
        below.stream().sorted().forEach(each -> search(each, depth - 1, left, found));
    }

    /// Whether a training wrote there. A folder called `log` alone is not enough.
    private static boolean isRun(Path folder) {
        return Files.exists(folder.resolve(RunFiles.LOCK), LinkOption.NOFOLLOW_LINKS)
                || Files.isDirectory(folder.resolve(RunFiles.EVENTS), LinkOption.NOFOLLOW_LINKS)
                || hasRecord(folder.resolve(RunFiles.LOG));
    }

    private static boolean hasRecord(Path log) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                log, file -> RunFiles.isRecord(RunFiles.LOG + String.valueOf(file.getFileName())))) {
            return files.iterator().hasNext();
        } catch (IOException | DirectoryIteratorException none) {
            return false;
        }
    }
}
