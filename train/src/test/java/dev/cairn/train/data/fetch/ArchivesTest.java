package dev.cairn.train.data.fetch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.train.data.MalformedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchivesTest {
    private static final String TEXT = "1\t2\t3\t4\n".repeat(50);
    private static final int SIZE_IN_DIRECTORY = 24;

    @TempDir
    Path folder;

    @Test
    void everyTruncationIsMalformed() throws IOException {
        Path zip = Zips.write(folder.resolve("a.zip"), Map.of("ml/u.data", TEXT));
        byte[] good = Files.readAllBytes(zip);
        for (int length = 0; length < good.length; length++) {
            Files.write(zip, Arrays.copyOf(good, length));
            assertThatThrownBy(() -> read(zip))
                    .as("length %d", length)
                    .isInstanceOf(MalformedDataException.class)
                    .hasMessageStartingWith("malformed: " + zip + ": ");
        }
    }

    @Test
    void flippedBitsAreMalformedOrHarmless() throws IOException {
        Path zip = Zips.write(folder.resolve("a.zip"), Map.of("ml/u.data", TEXT));
        byte[] good = Files.readAllBytes(zip);
        for (int bit = 0; bit < 8 * good.length; bit += 5) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << (bit % 8));
            Files.write(zip, bad);
            try {
                assertThat(read(zip)).as("bit %d", bit).isEqualTo(TEXT);
            } catch (MalformedDataException e) {
                assertThat(e).hasMessageStartingWith("malformed: " + zip + ": ");
            }
        }
    }

    @Test
    void aFewBytesThatWouldUnpackToMillionsAreRefused() throws IOException {
        Path zip = Zips.write(folder.resolve("a.zip"), Map.of("ml/u.data", "1\t2\t3\t4\n".repeat(4_000_000)));
        assertThat(Files.size(zip)).isLessThan(100_000);
        assertThatThrownBy(() -> read(zip))
                .isInstanceOf(MalformedDataException.class)
                .hasMessageContaining("u.data would unpack to 32000000 bytes, more than ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../u.data", "/etc/u.data", "a/../u.data", "..\\u.data"})
    void namesThatLeaveTheArchiveAreRefused(String name) throws IOException {
        Path zip = Zips.write(folder.resolve("a.zip"), Map.of(name, TEXT));
        assertThatThrownBy(() -> read(zip))
                .isInstanceOf(MalformedDataException.class)
                .hasMessageContaining("'" + name + "'");
    }

    @Test
    void thereIsOneMemberOfTheName() throws IOException {
        Path none = Zips.write(folder.resolve("a.zip"), Map.of("ml/u.item", TEXT));
        assertThatThrownBy(() -> read(none)).hasMessageContaining("0 members are named u.data, not 1; remove");
        Path two = Zips.write(folder.resolve("a.zip"), Map.of("a/u.data", TEXT, "b/u.data", TEXT));
        assertThatThrownBy(() -> read(two)).hasMessageContaining("2 members are named u.data, not 1; remove");
    }

    @Test
    void whatWouldUnpackToTooMuchIsRefusedBeforeItIsRead() throws IOException {
        Path zip = withSize(Archives.MOST_BYTES + 1);
        assertThatThrownBy(() -> read(zip)).hasMessageContaining("would unpack to 1073741825 bytes, more than");
    }

    @Test
    void aMemberEndsWhereTheArchiveSaysItDoes() throws IOException {
        assertThatThrownBy(() -> read(withSize(10))).hasMessageContaining("does not match its size or checksum");
    }

    /// An archive whose directory lies about the size of its member.
    private Path withSize(long size) throws IOException {
        Path zip = Zips.write(folder.resolve("a.zip"), Map.of("u.data", TEXT));
        byte[] bytes = Files.readAllBytes(zip);
        int directory = new String(bytes, ISO_8859_1).indexOf("PK\1\2");
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(directory + SIZE_IN_DIRECTORY, (int) size);
        return Files.write(zip, bytes);
    }

    private static String read(Path zip) throws IOException {
        try (var opened = Archives.open(zip, Set.of("u.data"))) {
            return new String(opened.in().readAllBytes(), US_ASCII);
        }
    }
}
