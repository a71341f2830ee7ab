package dev.cairn.bench.checkpoint;

import dev.cairn.bench.Row;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.parity.ParityBuilder;
import dev.cairn.store.blob.BlobStore.BlobReader;
import dev.cairn.store.blob.BlobStore.BlobWriter;
import dev.cairn.store.blob.LocalBlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The cost of parity: the same bytes are written durably with it and without it, as a segment is written. Nothing is
/// encoded meanwhile, so no other work hides the cost.
final class ParityBench {
    private static final int FRAME_BYTES = 256 << 10;
    private static final int ROUNDS = 9;
    private static final String FILE = "segments/parity";

    private final LocalBlobStore blobs;
    private final AdamState state;
    private final byte[] frame = new byte[FRAME_BYTES];

    private ParityBench(Path folder, AdamState state) {
        this.blobs = new LocalBlobStore(folder);
        this.state = state;
    }

    static List<Row> rows(Stopwatch watch, Path folder, AdamState state) throws IOException {
        var bench = new ParityBench(Files.createTempDirectory(folder, "parity-"), state);
        long without = 0;
        long with = 0;
        for (int i = 0; i < ROUNDS; i++) {
            watch.time("parity.without", () -> bench.write(false));
            without = bench.sizeBytes();
            bench.delete();
            watch.time("parity.with", () -> bench.write(true));
            with = bench.sizeBytes();
            bench.delete();
        }
        return List.of(
                Row.atMost("parity.size", (double) with / without, "x", 1.04, 1.02),
                Row.atMost("parity.time", watch.units("parity.with") / watch.units("parity.without"), "x", 1.05, 1.02));
    }

    private void write(boolean withParity) throws IOException {
        var parity = new ParityBuilder(AdamState.sizeBytes());
        try (BlobWriter blob = blobs.write(FILE)) {
            for (LiveTensor tensor : state.tensors()) {
                MemorySegment values = tensor.memory();
                for (long at = 0; at < values.byteSize(); at += FRAME_BYTES) {
                    long length = Math.min(FRAME_BYTES, values.byteSize() - at);
                    MemorySegment bytes = MemorySegment.ofArray(frame).asSlice(0, length);
                    bytes.copyFrom(values.asSlice(at, length));
                    blob.append(bytes);
                    if (withParity) {
                        parity.append(bytes);
                    }
                }
            }
            if (withParity) {
                parity.finish((bytes, from, length) ->
                        blob.append(MemorySegment.ofArray(bytes).asSlice(from, length)));
            }
            blob.finish();
        }
    }

    /// The size of the file that was written.
    private long sizeBytes() throws IOException {
        try (BlobReader blob = blobs.read(FILE)) {
            return blob.sizeBytes();
        }
    }

    private void delete() throws IOException {
        blobs.delete(FILE);
    }
}
