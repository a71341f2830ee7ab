package dev.cairn.train.data;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// Reads MNIST's idx files, gzipped as they are published. Anything malformed is one error with file and reason.
public final class IdxFiles {
    private static final int IMAGES = 0x0803;
    private static final int LABELS = 0x0801;
    private static final int CLASSES = 10;
    private static final int MOST = 10_000_000;
    private static final int LARGEST_SIDE = 1024;

    private IdxFiles() {}

    /// The four files of MNIST, Fashion-MNIST and their like, in this folder.
    public static Dataset read(Path folder) throws IOException {
        return new Dataset(split(folder, "train"), split(folder, "t10k"));
    }

    private static LabelledImages split(Path folder, String name) throws IOException {
        Path imageFile = folder.resolve(name + "-images-idx3-ubyte.gz");
        Path labelFile = folder.resolve(name + "-labels-idx1-ubyte.gz");
        try (DataInputStream images = open(imageFile);
                DataInputStream labels = open(labelFile)) {
            int count = header(images, imageFile, IMAGES, "images", MOST);
            int height = number(images, imageFile, "rows", LARGEST_SIDE);
            int width = number(images, imageFile, "columns", LARGEST_SIDE);
            byte[] pixels = body(images, imageFile, (long) count * height * width);
            int labelCount = header(labels, labelFile, LABELS, "labels", MOST);
            if (labelCount != count) {
                throw malformed(labelFile, "%d labels for %d images".formatted(labelCount, count));
            }
            byte[] classes = body(labels, labelFile, count);
            try {
                return new LabelledImages(height, width, CLASSES, pixels, classes);
            } catch (IllegalArgumentException e) {
                throw malformed(labelFile, String.valueOf(e.getMessage()));
            }
        }
    }

    private static DataInputStream open(Path file) throws IOException {
        InputStream raw = Files.newInputStream(file);
        try {
            return new DataInputStream(new BufferedInputStream(new GZIPInputStream(raw), 1 << 16));
        } catch (ZipException | EOFException e) {
            raw.close();
            throw malformed(file, "not a gzip file");
        }
    }

    private static int header(DataInputStream in, Path file, int magic, String what, int most) throws IOException {
        int found = number(in, file, "magic", Integer.MAX_VALUE);
        if (found != magic) {
            throw malformed(file, "magic number %08x, not %08x".formatted(found, magic));
        }
        return number(in, file, what, most);
    }

    private static int number(DataInputStream in, Path file, String what, int most) throws IOException {
        try {
            int value = in.readInt();
            if (value < 0 || value > most) {
                throw malformed(file, "%s: %s".formatted(what, Integer.toUnsignedString(value)));
            }
            return value;
        } catch (EOFException e) {
            throw malformed(file, "ends before the number of " + what);
        }
    }

    private static byte[] body(DataInputStream in, Path file, long length) throws IOException {
        if (length > Integer.MAX_VALUE - 16) {
            throw malformed(file, "%d bytes are too many".formatted(length));
        }
        byte[] bytes;
        boolean more;
        try {
            bytes = in.readNBytes((int) length);
            more = in.read() >= 0; // also checks the checksum at the end
        } catch (ZipException | EOFException e) {
            throw malformed(file, "compressed data is cut off or damaged");
        }
        if (more) {
            throw malformed(file, "goes on after %d bytes".formatted(length));
        }
        if (bytes.length != length) {
            throw malformed(file, "%d bytes instead of %d".formatted(bytes.length, length));
        }
        return bytes;
    }

    private static IOException malformed(Path file, String reason) {
        return new IOException("malformed: " + file + ": " + reason);
    }
}
