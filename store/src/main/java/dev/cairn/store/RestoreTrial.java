package dev.cairn.store;

import dev.cairn.codec.Crc32c;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.TensorRef;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;

/// Reads a checkpoint as a restore does, all of it, block by block, and compares its values with its digest.
final class RestoreTrial {
    private RestoreTrial() {}

    /// Returns where a restore would succeed.
    ///
    /// @param chain the base first
    /// @throws StoreException where it would not
    static void read(BlobStore blobs, List<Checkpoint> chain, Workspace workspace) throws IOException {
        Checkpoint tip = chain.getLast();
        var digest = new StateDigest();
        var seen = new HashSet<List<Long>>();
        try (CheckpointReader reader = CheckpointReader.open(blobs, chain);
                Arena arena = Arena.ofConfined()) {
            MemorySegment values = arena.allocate(BlockEncoder.BLOCK_BYTES, 64);
            for (TensorRef tensor : tip.tensors()) {
                TensorSpec spec = tensor.spec();
                digest.addTensor(spec);
                boolean shared =
                        spec.sizeBytes() > 0 && !seen.add(List.of((long) tensor.segment(), tensor.firstBlock()));
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
        String actual = digest.text();
        if (!tip.digest().isEmpty() && !tip.digest().equals(actual)) {
            throw new DamagedException(
                    CommitLog.name(tip.number()),
                    "values: expected digest=%s, actual digest=%s".formatted(tip.digest(), actual));
        }
    }
}
