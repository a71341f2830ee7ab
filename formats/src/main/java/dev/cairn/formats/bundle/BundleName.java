package dev.cairn.formats.bundle;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/// The files of a bundle, whose names begin with the same prefix: `PREFIX.index` and `PREFIX.data-00000-of-00001`.
/// TensorFlow refers to a bundle by its prefix.
public record BundleName(Path prefix) {
    private static final String INDEX = ".index";
    private static final Pattern ENDING = Pattern.compile("(?<=.)(\\.index|\\.data-\\d{5,10}-of-\\d{5,10})$");

    /// The name of the bundle with this prefix, or of the bundle that this file belongs to.
    public static BundleName of(Path file) {
        Path name = Objects.requireNonNullElse(file.getFileName(), Path.of(""));
        return new BundleName(
                file.resolveSibling(ENDING.matcher(name.toString()).replaceFirst("")));
    }

    Path index() {
        return beside(INDEX);
    }

    Path data(int shard, int shards) {
        return beside(".data-%05d-of-%05d".formatted(shard, shards));
    }

    /// The files in the order in which they must appear. The index is last: it shows that the bundle exists.
    public List<Path> files() {
        return List.of(data(0, 1), index());
    }

    private Path beside(String ending) {
        return prefix.resolveSibling(prefix.getFileName() + ending);
    }
}
