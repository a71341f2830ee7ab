package dev.cairn.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    private ImageSet read() throws IOException {
        return IdxFiles.read("mnist", folder, Scaling.NONE);
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
