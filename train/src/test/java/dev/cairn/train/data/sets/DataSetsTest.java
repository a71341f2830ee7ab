package dev.cairn.train.data.sets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.RatingSet;
import dev.cairn.train.data.fetch.DataPlaces;
import dev.cairn.train.data.fetch.DataProgress;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataSetsTest {
    private static final DataPlaces HERE = DataPlaces.of(Optional.empty());

    @Test
    void anUnknownNameIsOneLineWithTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DataSets.load("minst", HERE, DataProgress.NONE))
                .withMessage("unknown data set 'minst'; known: " + String.join(", ", DataSets.names()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"digits", "fake", "fake-227", "fake-ratings"})
    void generatedSetsNeedNoFiles(String name) throws IOException {
        assertThat(DataSets.load(name, HERE, DataProgress.NONE).name()).isEqualTo(name);
        assertThat(DataSets.names()).contains(name);
    }

    @ParameterizedTest
    @CsvSource({"mnist, 5, 7", "fashion-mnist, 9, 9"})
    void realImagesAreAllThereAndTheirScalingIsRight(String name, int firstTrained, int firstTested)
            throws IOException {
        assumeFound(name);
        var set = (ImageSet) DataSets.load(name, HERE, DataProgress.NONE);
        assertThat(set.train().count()).isEqualTo(60_000);
        assertThat(set.test().count()).isEqualTo(10_000);
        assertThat(set.train().label(0)).isEqualTo(firstTrained);
        assertThat(set.test().label(0)).isEqualTo(firstTested);
        var image = new float[784];
        double sum = 0;
        double squares = 0;
        int count = set.train().count(); // a part of them is not like the whole
        for (int i = 0; i < count; i++) {
            set.train().copyImage(i, image, 0);
            for (float value : image) {
                sum += value;
                squares += value * value;
            }
        }
        double mean = sum / count / 784;
        assertThat(mean).isCloseTo(set.scaling().mean(), within(0.0001));
        assertThat(Math.sqrt(squares / count / 784 - mean * mean))
                .isCloseTo(set.scaling().spread(), within(0.0001));
    }

    @Test
    void realJokesAreAllThere() throws IOException {
        assumeFound("jester");
        var set = (RatingSet) DataSets.load("jester", HERE, DataProgress.NONE);
        assertThat(set.users()).isEqualTo(24_983);
        assertThat(set.items()).isEqualTo(100);
        assertThat(set.train().count() + set.test().count()).isEqualTo(1_810_455);
        assertThat(set.train().mean()).isCloseTo(set.test().mean(), within(0.02));
    }

    private static void assumeFound(String name) throws IOException {
        assumeTrue(
                DataSets.find(name, HERE).isPresent(),
                "%s is not here: put it into $CAIRN_DATA/%s".formatted(name, name));
    }
}
