package dev.cairn.formats.bundle;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/// The files of a bundle, whose names begin with the same: `PREFIX.index` and `PREFIX.data-00000-of-00001`. TensorFlow
/// calls a bundle by its prefix.
public record BundleName(Path prefix) {
    private static final String INDEX = ".index";
    private static final Pattern ENDING = Pattern.compile("(?<=.)(\\.index|\\.data-\\d{5,10}-of-\\d{5,10})$");

    /// Of the bundle of this prefix, or that this file is part of.
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

    /// In the order in which they are to appear: the index tells that there is a bundle.
    public List<Path> files() {
        return List.of(data(0, 1), index());
    }

    private Path beside(String ending) {
        return prefix.resolveSibling(prefix.getFileName() + ending);
    }
}
