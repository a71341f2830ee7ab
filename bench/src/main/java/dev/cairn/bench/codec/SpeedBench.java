package dev.cairn.bench.codec;

import com.github.luben.zstd.Zstd;
import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.block.BlockDecoder;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.block.SegmentTables;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.pattern.Patterns;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/// Measures encoding and decoding of 256 MB of a float32 matrix from a real training (tiled), relative to one
/// `memcpy` of it between buffers that are in memory. All repetitions are interleaved, and the fastest of each
/// counts.
final class SpeedBench implements AutoCloseable {
    private static final long BYTES = 256L << 20;
    private static final int REPETITIONS = 7;
    private static final int BLOCK = BlockEncoder.blockBytes(ElementType.FLOAT32);
    private static final int BLOCK_ELEMENTS = BLOCK / Float.BYTES;
    private static final int BLOCKS = (int) (BYTES / BLOCK);

    private final Arena arena = Arena.ofShared();
    private final MemorySegment live = arena.allocate(BYTES, 64);
    private final MemorySegment parent = arena.allocate(BYTES, 64);
    private final MemorySegment reference = arena.allocate(BYTES, 64);
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private double memcpyNanos = Double.POSITIVE_INFINITY;

    SpeedBench(MemorySegment liveSample, MemorySegment parentSample) {
        for (long at = 0; at < BYTES; at += liveSample.byteSize()) {
            long length = Math.min(liveSample.byteSize(), BYTES - at);
            MemorySegment.copy(liveSample, 0, live, at, length);
            MemorySegment.copy(parentSample, 0, parent, at, length);
        }
        reference.copyFrom(parent);
    }

    /// Speeds as multiples of the speed of `memcpy`.
    record Speed(double encode, double decode, double encodeOnTwo, double decodeOnTwo) {}

    /// @param encoders makes an encoder that shares code tables with others
    Speed measure(Function<TableSet, BlockEncoder> encoders) throws InterruptedException, ExecutionException {
        return measure(List.of(), encoders);
    }

    /// @param patterns the patterns to which frames refer
    /// @param encoders makes an encoder that shares code tables with others
    Speed measure(List<Patterns> patterns, Function<TableSet, BlockEncoder> encoders)
            throws InterruptedException, ExecutionException {
        var tables = TableSet.empty();
        List<BlockEncoder> encoder = List.of(encoders.apply(tables), encoders.apply(tables));
        List<BlockDecoder> decoder = List.of(new BlockDecoder(), new BlockDecoder());
        byte[][] frames = new byte[BLOCKS][];
        double[] best = {
            Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY
        };
        keepFrames(encoder.getFirst(), frames);
        decoder.forEach(each -> each.use(new SegmentTables(tables, patterns)));
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            memcpy();
            best[0] = Math.min(best[0], time(() -> encode(encoder.getFirst(), 0, BLOCKS)));
            best[1] = Math.min(best[1], time(() -> decode(decoder.getFirst(), frames, 0, BLOCKS)));
            best[2] =
                    Math.min(best[2], time(() -> onTwo(part -> encode(encoder.get(part), half(part), half(part + 1)))));
            best[3] = Math.min(
                    best[3], time(() -> onTwo(part -> decode(decoder.get(part), frames, half(part), half(part + 1)))));
        }
        return new Speed(memcpyNanos / best[0], memcpyNanos / best[1], memcpyNanos / best[2], memcpyNanos / best[3]);
    }

    /// zstd level 1 of the raw bytes, compression and decompression, as multiples of the speed of `memcpy`.
    double[] zstd() throws InterruptedException, ExecutionException {
        int part = 32 << 20;
        byte[] raw = live.asSlice(0, part).toArray(ValueLayout.JAVA_BYTE);
        byte[] packed = new byte[(int) Zstd.compressBound(part)];
        int[] size = new int[1];
        double compress = Double.POSITIVE_INFINITY;
        double decompress = Double.POSITIVE_INFINITY;
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            memcpy();
            compress = Math.min(
                    compress,
                    time(() -> size[0] = (int) Zstd.compressByteArray(packed, 0, packed.length, raw, 0, part, 1)));
            decompress = Math.min(decompress, time(() -> Zstd.decompressByteArray(raw, 0, part, packed, 0, size[0])));
        }
        double scale = (double) BYTES / part;
        return new double[] {memcpyNanos / (compress * scale), memcpyNanos / (decompress * scale)};
    }

    double memcpyBytesPerSecond() {
        return BYTES / (memcpyNanos / 1e9);
    }

    @Override
    public void close() {
        threads.shutdown();
        arena.close();
    }

    private interface Work {
        void run() throws CorruptBlockException, InterruptedException, ExecutionException;
    }

    private interface Part {
        void run(int part) throws CorruptBlockException;
    }

    /// The nanoseconds of the work on a reference with the parent's values.
    private double time(Work work) throws InterruptedException, ExecutionException {
        reference.copyFrom(parent);
        long start = System.nanoTime();
        try {
            work.run();
        } catch (CorruptBlockException e) {
            throw new IllegalStateException(e);
        }
        return (double) (System.nanoTime() - start);
    }

    private void memcpy() {
        reference.copyFrom(parent);
        long start = System.nanoTime();
        reference.copyFrom(live);
        memcpyNanos = Math.min(memcpyNanos, (double) (System.nanoTime() - start));
    }

    private static int half(int part) {
        return part * BLOCKS / 2;
    }

    private void keepFrames(BlockEncoder encoder, byte[][] frames) {
        reference.copyFrom(parent);
        var frame = new Frame();
        for (int block = 0; block < BLOCKS; block++) {
            encoder.startAt(block * (long) BLOCK_ELEMENTS);
            encoder.encode(block(live, block), block(reference, block), frame);
            frames[block] = frame.contents().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private void encode(BlockEncoder encoder, int from, int to) {
        var frame = new Frame();
        for (int block = from; block < to; block++) {
            encoder.startAt(block * (long) BLOCK_ELEMENTS);
            encoder.encode(block(live, block), block(reference, block), frame);
        }
    }

    private void decode(BlockDecoder decoder, byte[][] frames, int from, int to) throws CorruptBlockException {
        for (int block = from; block < to; block++) {
            decoder.apply(frames[block], 0, frames[block].length, ElementType.FLOAT32, block(reference, block));
        }
    }

    private void onTwo(Part part) throws InterruptedException, ExecutionException {
        var running = new ArrayList<Future<?>>();
        for (int i = 0; i < 2; i++) {
            int number = i;
            running.add(threads.submit(() -> {
                part.run(number);
                return null;
            }));
        }
        for (var each : running) {
            each.get();
        }
    }

    private static MemorySegment block(MemorySegment segment, int block) {
        return segment.asSlice((long) block * BLOCK, BLOCK);
    }
}
