package dev.cairn.train.data.images;

import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.LabelledImages;
import dev.cairn.train.data.MalformedDataException;
import dev.cairn.train.data.Scaling;
import dev.cairn.train.data.fetch.Archives;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// Reads the idx files of MNIST, gzipped as they are published or unpacked. A malformed file is one error with file
/// and reason.
public final class IdxFiles {
    private static final int IMAGES = 0x0803;
    private static final int LABELS = 0x0801;
    private static final int CLASSES = 10;
    private static final int MOST = 10_000_000;
    private static final int LARGEST_SIDE = 1024;
    private static final int MOST_BYTES = 1 << 28;

    private IdxFiles() {}

    /// Reads the four files in the order of [Catalogue#IDX_FILES][dev.cairn.train.data.fetch.Catalogue#IDX_FILES].
    /// Files that end in `.gz` are gzipped.
    public static ImageSet read(String name, List<Path> files, Scaling scaling) throws IOException {
        LabelledImages train = split(files.get(0), files.get(1));
        LabelledImages test = split(files.get(2), files.get(3));
        if (train.height() != test.height() || train.width() != test.width()) {
            throw new MalformedDataException(
                    files.get(2),
                    "images of %d by %d, but the training images are %d by %d"
                            .formatted(test.height(), test.width(), train.height(), train.width()));
        }
        return new ImageSet(name, train, test, scaling);
    }

    private static LabelledImages split(Path imageFile, Path labelFile) throws IOException {
        try (DataInputStream images = open(imageFile);
                DataInputStream labels = open(labelFile)) {
            int count = header(images, imageFile, IMAGES, "images", MOST);
            int height = number(images, imageFile, "rows", LARGEST_SIDE);
            int width = number(images, imageFile, "columns", LARGEST_SIDE);
            byte[] pixels = body(images, imageFile, (long) count * height * width);
            int labelCount = header(labels, labelFile, LABELS, "labels", MOST);
            if (labelCount != count) {
                throw new MalformedDataException(labelFile, "%d labels for %d images".formatted(labelCount, count));
            }
            byte[] classes = body(labels, labelFile, count);
            try {
                return new LabelledImages(height, width, CLASSES, pixels, classes);
            } catch (IllegalArgumentException e) {
                throw new MalformedDataException(labelFile, String.valueOf(e.getMessage()));
            }
        }
    }

    private static DataInputStream open(Path file) throws IOException {
        InputStream raw = Files.newInputStream(file);
        try {
            InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw;
            return new DataInputStream(new BufferedInputStream(plain, 1 << 16));
        } catch (ZipException | EOFException e) {
            raw.close();
            throw new MalformedDataException(file, "not a gzip file");
        }
    }

    private static int header(DataInputStream in, Path file, int magic, String what, int most) throws IOException {
        int found = number(in, file, "magic", Integer.MAX_VALUE);
        if (found != magic) {
            throw new MalformedDataException(file, "magic number %08x, not %08x".formatted(found, magic));
        }
        return number(in, file, what, most);
    }

    private static int number(DataInputStream in, Path file, String what, int most) throws IOException {
        try {
            int value = in.readInt();
            if (value < 0 || value > most) {
                throw new MalformedDataException(file, "%s: %s".formatted(what, Integer.toUnsignedString(value)));
            }
            return value;
        } catch (EOFException e) {
            throw new MalformedDataException(file, "ends before the number of " + what);
        }
    }

    private static byte[] body(DataInputStream in, Path file, long length) throws IOException {
        long unpacked = file.toString().endsWith(".gz") ? Archives.mostUnpacked(Files.size(file)) : MOST_BYTES;
        if (length > Math.min(MOST_BYTES, unpacked)) {
            throw new MalformedDataException(file, "%d bytes are too many".formatted(length));
        }
        byte[] bytes;
        boolean more;
        try {
            bytes = in.readNBytes((int) length);
            more = in.read() >= 0; // also checks the checksum at the end
        } catch (ZipException | EOFException e) {
            throw new MalformedDataException(file, "compressed data is truncated or damaged");
        }
        if (more) {
            throw new MalformedDataException(file, "continues after %d bytes".formatted(length));
        }
        if (bytes.length != length) {
            throw new MalformedDataException(file, "%d bytes instead of %d".formatted(bytes.length, length));
        }
        return bytes;
    }
}
