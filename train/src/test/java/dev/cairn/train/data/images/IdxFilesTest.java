package dev.cairn.train.data.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.LabelledImages;
import dev.cairn.train.data.MalformedDataException;
import dev.cairn.train.data.Scaling;
import dev.cairn.train.data.fetch.Catalogue;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxFilesTest {
    @TempDir
    Path folder;

    @Test
    void readsImagesAndLabels() throws IOException {
        writeAll();
        ImageSet data = read();
        assertThat(data.train().count()).isEqualTo(3);
        assertThat(data.train().label(2)).isEqualTo(2);
        assertThat(((LabelledImages) data.test()).pixel(1, 1, 0)).isEqualTo(6);
    }

    @Test
    void malformedFilesAreOneErrorWithFileAndReason() throws IOException {
        writeAll();
        Path images = folder.resolve("train-images-idx3-ubyte.gz");
        byte[] good = Files.readAllBytes(images);
        for (int length = 0; length < good.length; length++) {
            Files.write(images, Arrays.copyOf(good, length));
            assertThatThrownBy(() -> read())
                    .as("length %d", length)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("malformed: " + images);
        }
        write("train-images-idx3-ubyte.gz", 0x0803, 3, 2, -2);
        assertThatThrownBy(() -> read()).hasMessageContaining("columns");
        write("train-images-idx3-ubyte.gz", 0x0801, 3, 2, 2);
        assertThatThrownBy(() -> read()).hasMessageContaining("magic");
    }

    @Test
    void unpackedFilesAreReadToo() throws IOException {
        writeAll();
        var unpacked = new ArrayList<Path>();
        for (String file : Catalogue.IDX_FILES) {
            try (var in = new GZIPInputStream(Files.newInputStream(folder.resolve(file + ".gz")))) {
                unpacked.add(Files.write(folder.resolve(file), in.readAllBytes()));
            }
        }
        var set = IdxFiles.read("mnist", unpacked, Scaling.NONE);
        assertThat(((LabelledImages) set.test()).sha256()).isEqualTo(((LabelledImages) read().test()).sha256());
    }

    @Test
    void splitsOfDifferentSizeAreMalformed() throws IOException {
        writeAll();
        write("t10k-images-idx3-ubyte.gz", 0x0803, 3, 3, 2);
        assertThatThrownBy(this::read)
                .isInstanceOf(MalformedDataException.class)
                .hasMessageContaining("images of 3 by 2, but the training images are 2 by 2");
    }

    @Test
    void aFileThatUnpacksToFarMoreThanItsSizeIsRefusedBeforeItIsRead() throws IOException {
        writeAll();
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(new GZIPOutputStream(bytes))) {
            for (int number : new int[] {0x0803, 100, 1024, 1024}) {
                out.writeInt(number);
            }
            out.write(new byte[100 << 20]);
        }
        Files.write(folder.resolve("train-images-idx3-ubyte.gz"), bytes.toByteArray());
        assertThatThrownBy(this::read)
                .isInstanceOf(MalformedDataException.class)
                .hasMessageContaining("104857600 bytes are too many");
    }

    @Test
    void aHeaderThatClaimsMoreThanThereCanBeIsRefusedBeforeItIsRead() throws IOException {
        writeAll();
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(new GZIPOutputStream(bytes))) {
            for (int number : new int[] {0x0803, 10_000_000, 1024, 1024}) {
                out.writeInt(number);
            }
        }
        Files.write(folder.resolve("train-images-idx3-ubyte.gz"), bytes.toByteArray());
        assertThatThrownBy(this::read)
                .hasMessageEndingWith("10485760000000 bytes are too many; remove the file to download it again");
    }

    private ImageSet read() throws IOException {
        List<Path> files = Catalogue.IDX_FILES.stream()
                .map(file -> folder.resolve(file + ".gz"))
                .toList();
        return IdxFiles.read("mnist", files, Scaling.NONE);
    }

    private void writeAll() throws IOException {
        for (String split : new String[] {"train", "t10k"}) {
            write(split + "-images-idx3-ubyte.gz", 0x0803, 3, 2, 2);
            write(split + "-labels-idx1-ubyte.gz", 0x0801, 3);
        }
    }

    /// Writes a header with these numbers, then as many bytes 0, 1, 2, … as their product.
    private void write(String name, int... header) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(new GZIPOutputStream(bytes))) {
            int size = 1;
            for (int i = 0; i < header.length; i++) {
                out.writeInt(header[i]);
                size = i == 0 ? 1 : Math.abs(size * header[i]);
            }
            for (int i = 0; i < size; i++) {
                out.writeByte(i);
            }
        }
        Files.write(folder.resolve(name), bytes.toByteArray());
    }
}
