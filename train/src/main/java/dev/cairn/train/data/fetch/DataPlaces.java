package dev.cairn.train.data.fetch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The places where data sets are searched, in this order: the folder that the user named, `CAIRN_DATA`,
/// `../shared/datasets` next to the working folder or its parent, the user's cache. Each contains a folder for every
/// data set.
///
/// @param dataDir the folder that the user named
/// @param environment the environment; `CAIRN_DATA`, `XDG_CACHE_HOME` and `HOME` are used
/// @param workingFolder the base of relative paths
public record DataPlaces(Optional<Path> dataDir, Map<String, String> environment, Path workingFolder) {
    public DataPlaces {
        environment = Map.copyOf(environment);
    }

    /// The places for this process.
    public static DataPlaces of(Optional<Path> dataDir) {
        return new DataPlaces(dataDir, System.getenv(), Path.of(""));
    }

    /// All places in the order of the search; they need not exist.
    public List<Path> folders() {
        var folders = new ArrayList<Path>(named());
        Path shared = Path.of("shared", "datasets");
        folders.add(workingFolder.resolve("..").resolve(shared));
        folders.add(workingFolder.resolve("..").resolve("..").resolve(shared));
        folders.add(cache());
        return List.copyOf(folders);
    }

    /// The place for downloads: the first place that the user named, otherwise the cache.
    public Path downloads() {
        return named().stream().findFirst().orElseGet(this::cache);
    }

    /// The files of this data set in the first place that has all of them.
    public Optional<List<Path>> find(Published published) throws IOException {
        for (Path place : folders()) {
            Optional<List<Path>> found = published.in(place);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private List<Path> named() {
        var named = new ArrayList<Path>();
        dataDir.map(workingFolder::resolve).ifPresent(named::add);
        variable("CAIRN_DATA").map(workingFolder::resolve).ifPresent(named::add);
        return named;
    }

    private Path cache() {
        // The XDG base directory rules ignore a relative path.
        return variable("XDG_CACHE_HOME")
                .map(Path::of)
                .filter(Path::isAbsolute)
                .orElseGet(() ->
                        Path.of(variable("HOME").orElseGet(() -> System.getProperty("user.home", ".")), ".cache"))
                .resolve("cairn")
                .resolve("data");
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }
}
