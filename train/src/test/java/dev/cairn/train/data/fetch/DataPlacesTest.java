package dev.cairn.train.data.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataPlacesTest {
    private static final Path WORK = Path.of("/home/ada/train");
    private static final Path SHARED = Path.of("/home/ada/train/../shared/datasets");
    private static final Path SHARED_ABOVE = Path.of("/home/ada/train/../../shared/datasets");

    @TempDir
    Path folder;

    @Test
    void theUsersFolderComesFirstAndTheCacheLast() {
        var places = new DataPlaces(
                Optional.of(Path.of("mine")),
                Map.of("CAIRN_DATA", "/data", "XDG_CACHE_HOME", "/cache", "HOME", "/home/u"),
                WORK);
        assertThat(places.folders())
                .isEqualTo(List.of(
                        Path.of("/home/ada/train/mine"),
                        Path.of("/data"),
                        SHARED,
                        SHARED_ABOVE,
                        Path.of("/cache/cairn/data")));
        assertThat(places.downloads()).isEqualTo(Path.of("/home/ada/train/mine"));
    }

    @Test
    void withoutNamesThereAreTheSharedFoldersAndTheCacheAtHome() {
        var places = new DataPlaces(Optional.empty(), Map.of("CAIRN_DATA", " ", "HOME", "/home/u"), WORK);
        assertThat(places.folders()).isEqualTo(List.of(SHARED, SHARED_ABOVE, Path.of("/home/u/.cache/cairn/data")));
        assertThat(places.downloads()).isEqualTo(Path.of("/home/u/.cache/cairn/data"));
    }

    @Test
    void downloadsGoWhereTheVariableSays() {
        var places = new DataPlaces(Optional.empty(), Map.of("CAIRN_DATA", "/data"), WORK);
        assertThat(places.downloads()).isEqualTo(Path.of("/data"));
    }

    @Test
    void aRelativeCacheIsIgnored() {
        var places = new DataPlaces(Optional.empty(), Map.of("XDG_CACHE_HOME", "cache", "HOME", "/home/u"), WORK);
        assertThat(places.downloads()).isEqualTo(Path.of("/home/u/.cache/cairn/data"));
    }

    @Test
    void theFirstPlaceThatHasAllPartsCounts() throws IOException {
        Path incomplete = folder.resolve("first");
        Path whole = folder.resolve("second");
        Files.createDirectories(incomplete.resolve("mnist"));
        Files.createDirectories(whole.resolve("mnist"));
        Files.createFile(incomplete.resolve("mnist/train-images-idx3-ubyte.gz"));
        for (String file : Catalogue.IDX_FILES) {
            Files.createFile(whole.resolve("mnist/" + file)); // unpacked
        }
        var places =
                new DataPlaces(Optional.of(incomplete), Map.of("CAIRN_DATA", whole.toString()), folder.resolve("a/b"));
        assertThat(places.find(Catalogue.MNIST))
                .contains(Catalogue.IDX_FILES.stream()
                        .map(whole.resolve("mnist")::resolve)
                        .toList());
        assertThat(DataSets.find("mnist", places)).contains(whole.resolve("mnist"));
        assertThat(DataSets.find("digits", places)).isEmpty();
    }

    @Test
    void whatAGivenUpDownloadLeftIsNoData() throws IOException {
        Files.createDirectories(folder.resolve("mnist"));
        Files.createFile(folder.resolve("mnist/.lock"));
        var places = new DataPlaces(Optional.of(folder), Map.of("HOME", folder.toString()), folder.resolve("a/b"));
        assertThat(DataSets.find("mnist", places)).isEmpty();
        assertThat(DataSets.find("movielens", places)).isEmpty();
    }
}
