package dev.cairn.jmh;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/// A general compressor of byte arrays. Contexts are kept from block to block, which is the fastest way to use each.
sealed interface Peer extends AutoCloseable {
    /// The room that compressing so many bytes may take.
    int mostBytes(int length);

    /// Compresses `length` bytes from `at` on to the beginning of `to`, and tells the size.
    int compress(byte[] from, int at, int length, byte[] to);

    /// Puts the `length` bytes that were compressed at `at`.
    void decompress(byte[] from, byte[] to, int at, int length);

    @Override
    void close();

    final class Zstandard implements Peer {
        private final ZstdCompressCtx compressor = new ZstdCompressCtx();
        private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();

        Zstandard(int level) {
            compressor.setLevel(level);
        }

        @Override
        public int mostBytes(int length) {
            return Math.toIntExact(Zstd.compressBound(length));
        }

        @Override
        public int compress(byte[] from, int at, int length, byte[] to) {
            return compressor.compressByteArray(to, 0, to.length, from, at, length);
        }

        @Override
        public void decompress(byte[] from, byte[] to, int at, int length) {
            decompressor.decompressByteArray(to, at, length, from, 0, from.length);
        }

        @Override
        public void close() {
            compressor.close();
            decompressor.close();
        }
    }

    final class Lz4 implements Peer {
        private final LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
        private final LZ4SafeDecompressor decompressor =
                LZ4Factory.fastestInstance().safeDecompressor();

        @Override
        public int mostBytes(int length) {
            return compressor.maxCompressedLength(length);
        }

        @Override
        public int compress(byte[] from, int at, int length, byte[] to) {
            return compressor.compress(from, at, length, to, 0);
        }

        @Override
        public void decompress(byte[] from, byte[] to, int at, int length) {
            decompressor.decompress(from, 0, from.length, to, at, length);
        }

        @Override
        public void close() {}
    }

    /// The JDK's own, at its fastest level.
    final class Deflate implements Peer {
        private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
        private final Inflater inflater = new Inflater(true);

        /// Stored blocks of deflate have five bytes more for every 16 KB or fewer.
        @Override
        public int mostBytes(int length) {
            return length + length / 1000 + 64;
        }

        @Override
        public int compress(byte[] from, int at, int length, byte[] to) {
            deflater.reset();
            deflater.setInput(from, at, length);
            deflater.finish();
            int size = deflater.deflate(to);
            if (!deflater.finished()) {
                throw new IllegalStateException("deflate had too little room: bytes=" + to.length);
            }
            return size;
        }

        @Override
        public void decompress(byte[] from, byte[] to, int at, int length) {
            inflater.reset();
            inflater.setInput(from);
            try {
                int size = inflater.inflate(to, at, length);
                if (size != length) {
                    throw new IllegalStateException("inflated bytes=" + size + " expected=" + length);
                }
            } catch (DataFormatException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            deflater.end();
            inflater.end();
        }
    }
}
