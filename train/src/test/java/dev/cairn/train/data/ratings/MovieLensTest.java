package dev.cairn.train.data.ratings;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.train.data.MalformedDataException;
import dev.cairn.train.data.RatingSet;
import dev.cairn.train.data.Ratings;
import dev.cairn.train.data.fetch.DataPlaces;
import dev.cairn.train.data.fetch.DataProgress;
import dev.cairn.train.data.fetch.Loading;
import dev.cairn.train.data.fetch.Zips;
import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MovieLensTest {
    private static final String CURE = "; remove the file to download it again";

    @TempDir
    Path folder;

    @Test
    void idsAreNumberedInTheirOwnOrder() throws IOException {
        var set = read(
                MovieLens.ML_100K, "u.data", "900\t7\t5\t1\n3\t50\t1\t2\r\n900\t50\t3\t3\n12\t7\t4\t4\n3\t7\t2\t5");
        assertThat(set.users()).isEqualTo(3);
        assertThat(set.items()).isEqualTo(2);
        assertThat(ratings(set)).containsExactly("0 0 2.0", "0 1 1.0", "1 0 4.0", "2 0 5.0", "2 1 3.0");
        assertThat(set.train().count()).isEqualTo(4);
        assertThat(set.test().count()).isEqualTo(1);
        assertThat(set.low()).isEqualTo(1);
        assertThat(set.high()).isEqualTo(5);
    }

    @Test
    void halfStarsAreForTheLargeSetAlone() throws IOException {
        String lines = "1::122::0.5::838985046\n1::185::4.5::838983525\n";
        assertThat(ratings(read(MovieLens.ML_10M, "ratings.dat", lines))).containsExactly("0 0 0.5", "0 1 4.5");
        assertThatThrownBy(() -> read(MovieLens.ML_1M, "ratings.dat", lines))
                .hasMessageEndingWith("line 1: rating is not one of 1.0, 2.0, … 5: 0.5" + CURE);
    }

    @Test
    void anArchiveIsReadLikeTheFileInIt() throws IOException {
        String lines = "1::122::5::838985046\n2::185::4::838983525\n1::185::3::838983525\n";
        Path zip = Zips.write(folder.resolve("ml-1m.zip"), Map.of("ml-1m/ratings.dat", lines, "ml-1m/README", "x"));
        assertThat(ratings(MovieLens.ML_1M.read("movielens-1m", zip)))
                .isEqualTo(ratings(read(MovieLens.ML_1M, "ratings.dat", lines)));
    }

    @ParameterizedTest
    @CsvSource({
        "ml-100k/u.data, movielens-100k",
        "movielens-100k/u.data, movielens",
        "movielens-100k/ml-100k/u.data, movielens-100k"
    })
    void unpackedFilesAreFoundUnderTheUsualNames(String path, String name) throws IOException {
        Files.createDirectories(folder.resolve(path).getParent());
        Files.writeString(folder.resolve(path), "1\t1\t1\t1\n");
        var places = new DataPlaces(Optional.of(folder), Map.of(), folder);
        assertThat(DataSets.load(name, places, DataProgress.NONE)).isInstanceOf(RatingSet.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                     | line 1: no ratings",
                "'1 1 5 1\\n\\n1 1 5 1'   | line 2: blank, with more lines after it",
                "'1 1 5 1\\nx 1 5 1'     | line 2: user is not a whole number: 'x'",
                "'1 1 5 1\\n-1 1 5 1'    | line 2: user is not a whole number: '-1'",
                "'1 1 5'                | line 1: no time: fields are separated by a tab",
                "'1 1'                  | line 1: no rating: fields are separated by a tab",
                "'1  5 1'               | line 1: no movie",
                "'1 1 5 1 9'            | line 1: continues after the last field",
                "'1 1 NaN 1'            | line 1: rating is not a number with at most two decimals: 'NaN'",
                "'1 1 Infinity 1'       | line 1: rating is not a number with at most two decimals: 'Infinity'",
                "'1 1 1e0 1'            | line 1: rating is not a number with at most two decimals: '1e0'",
                "'1 1 4.999 1'          | line 1: rating is not a number with at most two decimals: '4.999'",
                "'1 1 . 1'              | line 1: rating is not a number with at most two decimals: '.'",
                "'1 1 - 1'              | line 1: rating is not a number with at most two decimals: '-'",
                "'1 1 4..5 1'           | line 1: rating is not a number with at most two decimals: '4..5'",
                "'1 1 6 1'              | line 1: rating is out of range: '6'",
                "'1 1 99999999999999999999999 1' | line 1: rating is out of range: '99999999999999999999999'",
                "'1 1 0 1'              | line 1: rating is not one of 1.0, 2.0, … 5: 0.0",
                "'1 1 -3 1'             | line 1: rating is not one of 1.0, 2.0, … 5: -3.0",
                "'2147483648 1 5 1'     | line 1: user is more than 134217727: '2147483648'",
                "'1 99999999999999999999 5 1' | line 1: movie is more than 134217727: '99999999999999999999'",
                "'1 1 5 1x'             | line 1: time is not a whole number: '1x'"
            })
    void malformedLinesAreOneErrorWithFileLineAndReason(String lines, String reason) {
        String text = lines.replace(' ', '\t').replace("\\n", "\n");
        assertThatThrownBy(() -> read(MovieLens.ML_100K, "u.data", text))
                .isInstanceOf(MalformedDataException.class)
                .hasMessage("malformed: " + folder.resolve("u.data") + ": " + reason + CURE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n", "\n\n", "\r\n\r\n"})
    void blankLastLinesAreNone(String end) throws IOException {
        assertThat(ratings(read(MovieLens.ML_100K, "u.data", "3\t50\t1\t2\n" + end)))
                .containsExactly("0 0 1.0");
    }

    @Test
    void separatorsOfAnotherFormatAreReadable() {
        assertThatThrownBy(() -> read(MovieLens.ML_1M, "ratings.dat", "1\t2\t5\t9\n"))
                .hasMessageContaining("user is not a whole number: '1<tab>2<tab>5<tab>9'");
        assertThatThrownBy(() -> read(MovieLens.ML_1M, "ratings.dat", "1:2:5:9\n"))
                .hasMessageContaining("no movie: fields are separated by '::'");
    }

    @Test
    void aFieldWithoutEndIsCutInTheMessage() {
        assertThatThrownBy(() -> read(MovieLens.ML_100K, "u.data", "\0".repeat(1_000_000)))
                .hasMessageEndingWith("line 1: user is too long: '" + "?".repeat(40) + "…'" + CURE);
    }

    @Test
    void changedFilesAreMalformedOrGiveRatings() throws IOException {
        byte[] good = "196\t242\t3\t881250949\n186\t302\t3\t891717742\n22\t377\t1\t878887116\n".getBytes(US_ASCII);
        var random = new Random(1);
        Path file = folder.resolve("u.data");
        for (int i = 0; i < 1000; i++) {
            byte[] bad = good.clone();
            bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            Files.write(file, bad);
            try {
                var set = MovieLens.ML_100K.read("movielens", file);
                assertThat(set.train().count() + set.test().count())
                        .as("change %d", i)
                        .isBetween(1, 3);
            } catch (MalformedDataException e) {
                assertThat(e).hasMessageMatching("malformed: \\S+: line [1-4]: [ -~…]+");
            }
        }
    }

    /// A tenth of MovieLens-10M, with a tenth of the memory that it may use.
    @Test
    void aMillionRatingsLoadInFiftyMegabytesOfHeap() throws Exception {
        Path file = Files.createDirectories(folder.resolve("movielens-10m")).resolve("ratings.dat");
        try (var out = Files.newBufferedWriter(file)) {
            for (int i = 0; i < 1_000_000; i++) {
                out.write((i / 140 + 1) + "::" + (i % 140 * 76 + 1) + "::3.5::838985046\n");
            }
        }
        assertThat(Loading.inAnotherProcess("-Xmx50m", folder, "movielens-10m"))
                .isEqualTo("users=7143 items=140 train=800000 test=200000");
    }

    private RatingSet read(MovieLens format, String file, String lines) throws IOException {
        return format.read("movielens", Files.writeString(folder.resolve(file), lines));
    }

    /// All ratings of both splits, sorted.
    private static List<String> ratings(RatingSet set) {
        var all = new TreeSet<String>();
        for (Ratings split : List.of(set.train(), set.test())) {
            for (int i = 0; i < split.count(); i++) {
                all.add("%d %d %s".formatted(split.user(i), split.item(i), split.rating(i)));
            }
        }
        return new ArrayList<>(all);
    }
}
