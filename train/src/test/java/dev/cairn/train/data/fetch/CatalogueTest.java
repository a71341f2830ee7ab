package dev.cairn.train.data.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogueTest {
    private static final DataPlaces HERE = DataPlaces.of(Optional.empty());

    private static final List<Published> PUBLISHED = List.of(
            Catalogue.MNIST,
            Catalogue.FASHION_MNIST,
            Catalogue.JESTER,
            Catalogue.MOVIELENS_100K,
            Catalogue.MOVIELENS_1M,
            Catalogue.MOVIELENS_10M);

    @Test
    void whatIsDownloadedIsFoundAgain() {
        for (Published published : PUBLISHED) {
            assertThat(DataSets.names()).contains(published.name());
            for (var part : published.parts()) {
                assertThat(part.accepted()).contains(published.name() + "/" + part.file());
                assertThat(part.address().toString()).endsWith("/" + part.file());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mnist", "fashion-mnist"})
    void realFilesHaveThePinnedChecksums(String name) throws IOException {
        Path folder = folder(name);
        var published = name.equals("mnist") ? Catalogue.MNIST : Catalogue.FASHION_MNIST;
        for (var part : published.parts()) {
            var digest = part.checksum().start();
            digest.update(Files.readAllBytes(folder.resolve(part.file())));
            assertThat(Checksum.toHex(digest)).isEqualTo(part.checksum().hex());
        }
    }

    private static Path folder(String name) throws IOException {
        Optional<Path> folder = DataSets.find(name, HERE);
        assumeTrue(folder.isPresent(), "%s is not here: put it into $CAIRN_DATA/%s".formatted(name, name));
        return folder.get();
    }
}
