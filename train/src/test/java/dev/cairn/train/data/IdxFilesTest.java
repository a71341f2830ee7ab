package dev.cairn.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxFilesTest {
    @TempDir
    Path folder;

    @Test
    void readsImagesAndLabels() throws IOException {
        writeAll();
        Dataset data = IdxFiles.read(folder);
        assertThat(data.train().count()).isEqualTo(3);
        assertThat(data.train().label(2)).isEqualTo(2);
        assertThat(data.test().pixel(1, 1, 0)).isEqualTo(6);
    }

    @Test
    void malformedFilesAreOneErrorWithFileAndReason() throws IOException {
        writeAll();
        Path images = folder.resolve("train-images-idx3-ubyte.gz");
        byte[] good = Files.readAllBytes(images);
        for (int length = 0; length < good.length; length++) {
            Files.write(images, Arrays.copyOf(good, length));
            assertThatThrownBy(() -> IdxFiles.read(folder))
                    .as("length %d", length)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("malformed: " + images);
        }
        write("train-images-idx3-ubyte.gz", 0x0803, 3, 2, -2);
        assertThatThrownBy(() -> IdxFiles.read(folder)).hasMessageContaining("columns");
        write("train-images-idx3-ubyte.gz", 0x0801, 3, 2, 2);
        assertThatThrownBy(() -> IdxFiles.read(folder)).hasMessageContaining("magic");
    }

    @Test
    void readsTheRealFiles() throws IOException {
        var mnist = DataFolders.find("mnist");
        assumeTrue(mnist.isPresent(), "MNIST is not here: put it into $CAIRN_DATA/mnist");
        Dataset data = IdxFiles.read(mnist.get());
        assertThat(data.train().count()).isEqualTo(60_000);
        assertThat(data.test().count()).isEqualTo(10_000);
        assertThat(data.train().label(0)).isEqualTo(5);
    }

    private void writeAll() throws IOException {
        for (String split : new String[] {"train", "t10k"}) {
            write(split + "-images-idx3-ubyte.gz", 0x0803, 3, 2, 2);
            write(split + "-labels-idx1-ubyte.gz", 0x0801, 3);
        }
    }

    /// A header of these numbers, then as many bytes 0, 1, 2, … as they multiply to.
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
