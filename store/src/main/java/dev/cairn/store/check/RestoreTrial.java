package dev.cairn.store.check;

import dev.cairn.codec.Crc32c;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.store.DamagedException;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.StateDigest;
import dev.cairn.store.segment.TensorRef;
import dev.cairn.store.segment.Workspace;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// Reads a whole checkpoint block by block, as a restore does, and compares its values with its digest.
public final class RestoreTrial {
    private RestoreTrial() {}

    /// Returns normally if a restore would succeed.
    ///
    /// @param chain the checkpoints, starting with the base
    /// @throws StoreException if a restore would fail
    public static void read(CheckpointStore store, List<Commit> chain, Workspace workspace) throws IOException {
        Commit tip = chain.getLast();
        var digests = new ArrayList<String>();
        try (CheckpointReader reader = store.open(chain);
                Arena arena = Arena.ofConfined()) {
            MemorySegment values = arena.allocate(BlockEncoder.BLOCK_BYTES, 64);
            for (int segment = 0; segment < tip.segments().size(); segment++) {
                digests.add(digest(reader, segment, values, workspace));
            }
        }
        String actual = StateDigest.compose(digests);
        if (!tip.digest().equals(actual)) {
            throw new DamagedException(
                    RunFiles.record(tip.number()),
                    "values: expected digest=%s, actual digest=%s".formatted(tip.digest(), actual));
        }
    }

    private static String digest(CheckpointReader reader, int segment, MemorySegment values, Workspace workspace)
            throws IOException {
        var digest = new StateDigest();
        var seen = new HashSet<Long>();
        for (TensorRef tensor : reader.manifest().tensors()) {
            if (tensor.segment() == segment) {
                TensorSpec spec = tensor.spec();
                digest.addTensor(spec);
                boolean shared = spec.sizeBytes() > 0 && !seen.add(tensor.firstBlock());
                int blockBytes = BlockEncoder.blockBytes(spec.type());
                for (long offset = 0; offset < spec.sizeBytes(); offset += blockBytes) {
                    MemorySegment block = values.asSlice(0, Math.min(blockBytes, spec.sizeBytes() - offset));
                    reader.read(spec, offset, block, workspace);
                    if (!shared) {
                        digest.addChecksum(Crc32c.of(block));
                    }
                }
            }
        }
        return digest.text();
    }
}
