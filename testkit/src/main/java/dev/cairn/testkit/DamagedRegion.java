package dev.cairn.testkit;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/// A region of a file, and what it is overwritten with: a flipped bit, noise, zeros, or the loss of the file's end.
///
/// @param kind how the region is damaged
/// @param file the file
/// @param offset where the region begins
/// @param length its size in bytes
/// @param seed determines the damage
public record DamagedRegion(Kind kind, Path file, long offset, int length, long seed) {
    /// How a region is damaged.
    public enum Kind {
        BIT,
        NOISE,
        ZEROS,
        TRUNCATION
    }

    /// The damage of a file, until it is undone.
    public interface Damaged extends AutoCloseable {
        /// Makes the file what it was.
        @Override
        void close() throws IOException;
    }

    /// A region at any place of the file.
    ///
    /// @param mostBytes its maximum size
    public static DamagedRegion random(Path file, long mostBytes, Random random) throws IOException {
        long size = Files.size(file);
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        int length = kind == Kind.BIT ? 1 : 1 + random.nextInt(Math.toIntExact(Math.min(mostBytes, size)));
        long offset = kind == Kind.TRUNCATION ? size - length : random.nextLong(size - length + 1);
        return new DamagedRegion(kind, file, offset, length, random.nextLong());
    }

    /// Whether the region is the end of the file, and is lost.
    public boolean isTruncation() {
        return kind == Kind.TRUNCATION;
    }

    /// Damages the file.
    ///
    /// @return undoes the damage when it is closed
    public Damaged damage() throws IOException {
        byte[] good = new byte[length];
        try (var open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(offset);
            open.readFully(good);
            if (isTruncation()) {
                open.setLength(offset);
            } else {
                open.seek(offset);
                open.write(changed(good));
            }
        }
        return () -> {
            try (var open = new RandomAccessFile(file.toFile(), "rw")) {
                open.seek(offset);
                open.write(good);
            }
        };
    }

    private byte[] changed(byte[] good) {
        var random = new Random(seed);
        byte[] bad = good.clone();
        switch (kind) {
            case BIT -> bad[0] ^= (byte) (1 << random.nextInt(8));
            case NOISE -> random.nextBytes(bad);
            case ZEROS, TRUNCATION -> bad = new byte[good.length];
        }
        if (Arrays.equals(bad, good)) {
            bad[0] ^= 1; // noise may be what was there
        }
        return bad;
    }
}
