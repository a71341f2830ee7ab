package dev.cairn.train.data.sets;

import dev.cairn.store.UnknownNameException;
import dev.cairn.train.data.Dataset;
import dev.cairn.train.data.Scaling;
import dev.cairn.train.data.digits.Digits;
import dev.cairn.train.data.fetch.Catalogue;
import dev.cairn.train.data.fetch.DataPlaces;
import dev.cairn.train.data.fetch.DataProgress;
import dev.cairn.train.data.fetch.Downloads;
import dev.cairn.train.data.fetch.Patience;
import dev.cairn.train.data.fetch.Published;
import dev.cairn.train.data.images.FakeImages;
import dev.cairn.train.data.images.IdxFiles;
import dev.cairn.train.data.ratings.FakeRatings;
import dev.cairn.train.data.ratings.Jester;
import dev.cairn.train.data.ratings.MovieLens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// All data sets by name. Published sets are read from the first place that has them, or downloaded once.
public final class DataSets {
    /// Generated data is always the same, like downloaded data. The seed of a run decides only the order.
    private static final long DATA_SEED = 1;

    private static final List<String> NAMES = List.of(
            "digits",
            "mnist",
            "fashion-mnist",
            "jester",
            "movielens",
            "movielens-100k",
            "movielens-1m",
            "movielens-10m",
            "fake",
            "fake-227",
            "fake-ratings",
            "fake-movielens-10m");

    private final DataPlaces places;
    private final DataProgress progress;
    private final Downloads downloads;

    DataSets(DataPlaces places, DataProgress progress, Downloads downloads) {
        this.places = places;
        this.progress = progress;
        this.downloads = downloads;
    }

    /// The names that [#load] accepts.
    public static List<String> names() {
        return NAMES;
    }

    /// The folder with all files of the set of this name; empty if no folder has them, and for generated sets.
    ///
    /// @throws IOException if something other than a file has the name of a file
    public static Optional<Path> find(String name, DataPlaces places) throws IOException {
        Optional<Published> published = Catalogue.of(name);
        return published.isEmpty()
                ? Optional.empty()
                : places.find(published.get()).map(files -> files.getFirst().getParent());
    }

    /// Whether the set of this name contains ratings, not images.
    public static boolean areRatings(String name) {
        return name.equals("jester") || name.equals("fake-ratings") || name.contains("movielens");
    }

    /// Loads the data set with this name.
    ///
    /// @throws UnknownNameException if there is none; the message lists the known names
    /// @throws MalformedDataException if a file is malformed
    public static Dataset load(String name, DataPlaces places, DataProgress progress) throws IOException {
        return new DataSets(places, progress, new Downloads(Patience.USUAL)).load(name);
    }

    Dataset load(String name) throws IOException {
        return switch (name) {
            case "digits" -> Digits.generate(DATA_SEED);
            case "mnist" -> IdxFiles.read(name, files(Catalogue.MNIST), Scaling.MNIST);
            case "fashion-mnist" -> IdxFiles.read(name, files(Catalogue.FASHION_MNIST), Scaling.FASHION_MNIST);
            case "jester" -> Jester.read(file(Catalogue.JESTER));
            case "movielens", "movielens-100k" -> MovieLens.ML_100K.read(name, file(Catalogue.MOVIELENS_100K));
            case "movielens-1m" -> MovieLens.ML_1M.read(name, file(Catalogue.MOVIELENS_1M));
            case "movielens-10m" -> MovieLens.ML_10M.read(name, file(Catalogue.MOVIELENS_10M));
            case "fake" -> FakeImages.generate(name, FakeImages.Shape.GREY_28, DATA_SEED, 10_000, 1_000);
            case "fake-227" -> FakeImages.generate(name, FakeImages.Shape.COLOUR_227, DATA_SEED, 600, 100);
            case "fake-ratings" -> FakeRatings.generate(name, FakeRatings.Shape.SMALL, DATA_SEED);
            case "fake-movielens-10m" -> FakeRatings.generate(name, FakeRatings.Shape.MOVIELENS_10M, DATA_SEED);
            default -> throw new UnknownNameException("data set", name, NAMES);
        };
    }

    private Path file(Published published) throws IOException {
        return files(published).getFirst();
    }

    List<Path> files(Published published) throws IOException {
        Optional<List<Path>> found = places.find(published);
        return found.isPresent() ? found.get() : downloads.fetch(published, places.downloads(), progress);
    }
}
